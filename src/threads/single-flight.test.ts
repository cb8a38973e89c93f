import { describe, expect, it } from 'vitest'
import { SingleFlight } from './single-flight.ts'

function turns() {
  const ran: number[] = []
  const finish: ((error?: Error) => void)[] = []
  let running = 0
  let most = 0
  const shared = new SingleFlight(
    (length: number) =>
      new Promise<string>((resolve, reject) => {
        ran.push(length)
        most = Math.max(most, ++running)
        finish.push((error) => {
          running -= 1
          if (error === undefined) resolve(`result of ${length}`)
          else reject(error)
        })
      }),
  )
  return { shared, ran, finish, most: () => most }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('single-flight observations', () => {
  it('are shared by those who ask for the same', async () => {
    const { shared, ran, finish } = turns()
    const both = Promise.all([shared.run(5), shared.run(5)])
    finish[0]?.()
    expect(await both).toEqual(['result of 5', 'result of 5'])
    expect(ran).toEqual([5])
  })

  it('run one after the other, the second for all that came meanwhile', async () => {
    const { shared, ran, finish, most } = turns()
    const first = shared.run(5)
    const others = [shared.run(7), shared.run(9), shared.run(3)]
    finish[0]?.()
    await first
    others.push(shared.run(9))
    await settled()
    expect(ran).toEqual([5, 9])
    finish[1]?.()
    expect(new Set(await Promise.all(others))).toEqual(new Set(['result of 9']))
    expect(most()).toBe(1)
  })

  it('go on after one that failed', async () => {
    const { shared, finish, ran } = turns()
    const first = shared.run(5)
    const second = shared.run(6)
    finish[0]?.(new Error('no'))
    await expect(first).rejects.toThrow('no')
    await settled()
    finish[1]?.()
    expect(await second).toBe('result of 6')
    expect(ran).toEqual([5, 6])
  })
})
