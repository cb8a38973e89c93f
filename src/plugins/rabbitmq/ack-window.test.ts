import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { AckWindow } from './ack-window.ts'

function recording() {
  const acks: [number, boolean][] = []
  return { acks, window: new AckWindow<number>((tag, allUpTo) => acks.push([tag, allUpTo])) }
}

describe('the window of messages that are not acknowledged', () => {
  it('acknowledges everything before which nothing is missing at once', async () => {
    const { acks, window } = recording()
    const done = [1, 2, 3, 4].map((tag) => window.track(tag))
    for (const i of [1, 0, 2]) done[i]!()
    await setImmediate()
    expect(acks).toEqual([[3, true]])
    done[3]!()
    await setImmediate()
    expect(acks).toEqual([
      [3, true],
      [4, true],
    ])
  })

  it('does not let one message hold the others back', async () => {
    const { acks, window } = recording()
    const done = [1, 2, 3].map((tag) => window.track(tag))
    done[1]!()
    done[2]!()
    await setImmediate()
    expect(acks).toEqual([
      [2, false],
      [3, false],
    ])
    done[0]!()
    done[0]!()
    await setImmediate()
    // Tag 1 comes last; 2 and 3 are not acknowledged a second time.
    expect(acks.slice(2)).toEqual([[1, true]])
  })

  it('acknowledges nothing on a channel that is gone', async () => {
    const { acks, window } = recording()
    const done = window.track(1)
    window.close()
    done()
    await setImmediate()
    expect(acks).toEqual([])
    await window.settled()
  })
})
