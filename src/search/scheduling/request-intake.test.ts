import { describe, expect, it } from 'vitest'
import { RequestIntake, slice } from './request-intake.ts'
import { countRounds } from './test-rounds.ts'

/** With a clock that goes on when somebody works. */
function intakeWithClock(): { readonly intake: RequestIntake; readonly work: (millis: number) => void } {
  let now = 1000
  const work = (millis: number): void => {
    now += millis
  }
  return { intake: new RequestIntake(() => now), work }
}

describe('RequestIntake', () => {
  it('lets requests go on that come one by one', async () => {
    const { intake, work } = intakeWithClock()
    for (let i = 0; i < 3; i++) {
      expect(intake.come()).toBeUndefined()
      work(slice)
      await new Promise((resolve) => setImmediate(resolve))
    }
  })

  it('lets many that come at once go on in their order, with looks at the connections in between', async () => {
    const { intake, work } = intakeWithClock()
    const order: number[] = []
    const rounds = countRounds()
    const request = async (n: number): Promise<void> => {
      const wait = intake.come()
      if (wait !== undefined) await wait
      order.push(n)
      work(slice / 4)
    }
    const all = Array.from({ length: 40 }, (_, n) => request(n))
    expect(order, 'done on the spot').toEqual([0, 1, 2, 3])
    await Promise.all(all)
    expect(order).toEqual(Array.from({ length: 40 }, (_, n) => n))
    // Four in each.
    expect(rounds.stop()).toBeGreaterThanOrEqual(9)
  })

  it('does not let one that comes later pass those that wait', async () => {
    const { intake, work } = intakeWithClock()
    const order: string[] = []
    expect(intake.come()).toBeUndefined()
    work(slice)
    const first = Array.from({ length: 200 }, async (_, n) => {
      await intake.come()
      order.push(`first ${n}`)
    })
    await new Promise((resolve) => setImmediate(resolve))
    const later = intake.come()
    expect(later).toBeInstanceOf(Promise)
    await later
    expect(order).toHaveLength(200)
    await Promise.all(first)
  })

  it('knows that a slice is over, and begins another', () => {
    const { intake, work } = intakeWithClock()
    expect(intake.isOver).toBe(false)
    work(slice)
    expect(intake.isOver).toBe(true)
    intake.begin()
    expect(intake.isOver).toBe(false)
  })
})
