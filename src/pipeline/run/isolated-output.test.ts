import { describe, expect, it } from 'vitest'
import { Event } from '../../event/event.ts'
import { encodeEvents } from '../../event/wire.ts'
import type { PlannedPlugin } from '../plan/plan.ts'
import { IsolatedOutputs } from './isolated-output.ts'
import { MemoryOutputQueue, wireItems } from './output-queue.ts'

const plugin = {} as PlannedPlugin
const block = (...numbers: number[]) => ({
  target: '',
  bytes: encodeEvents(numbers.map((number) => Event.from({ number }))),
  count: numbers.length,
})
const numbersOf = (events: readonly Event[]) => events.map((event) => event.get('number'))

/** An output that is at its first batch for ever, with a queue for two events. */
function stuck(): IsolatedOutputs {
  const outputs = new IsolatedOutputs()
  outputs.add(plugin, {
    queue: new MemoryOutputQueue({ records: 2, bytes: 1e6 }),
    batchSize: 1,
    logger: { error() {} } as never,
    abort: new AbortController().signal,
    deliver: () => new Promise(() => {}),
    waiting() {},
  })
  return outputs
}

describe('the memory queue of an output', () => {
  it('gives back what waits, and what waits for room, when the pipeline cannot deliver it any more', async () => {
    const outputs = stuck()
    await outputs.enqueue(plugin, [block(1)])
    await outputs.enqueue(plugin, [block(2, 3)])
    const waiting = outputs.enqueue(plugin, [block(4)])
    const [[, events]] = outputs.takeUndelivered() as [readonly [PlannedPlugin, Event[]]]
    await waiting
    expect(numbersOf(events)).toEqual([1, 2, 3, 4])
  })

  it('takes nothing afterwards: who pushed would be told that the events are safe', async () => {
    const outputs = stuck()
    await outputs.enqueue(plugin, [block(1)])
    outputs.takeUndelivered()
    await expect(outputs.enqueue(plugin, [block(2)])).rejects.toThrow('takes nothing more')
    expect(outputs.waiting).toBe(1)
  })
})

describe('a record of the queue of an output', () => {
  it('has the part of its item that is asked for', () => {
    const { bytes } = block(1, 2, 3)
    const encoded = (from: number, to: number) =>
      wireItems.decode(Buffer.concat(wireItems.encode({ bytes, from, to })), to - from)
    expect(Buffer.from(encoded(0, 3).bytes).equals(bytes)).toBe(true)
    const part = encoded(1, 2).bytes
    expect(Buffer.from(part).toString().split('\n')[0]).toContain('"number":2')
    expect(
      Buffer.from(part)
        .toString()
        .split('\n')
        .filter((line) => line.startsWith('{')),
    ).toHaveLength(1)
  })
})
