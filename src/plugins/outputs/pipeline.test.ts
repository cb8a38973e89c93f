import { describe, expect, it } from 'vitest'
import { decodeEvents } from '../../event/wire.ts'
import { memoryBus, outputFor } from '../../plugin/testing.ts'
import pipeline from './pipeline.ts'

function receiver(bus: ReturnType<typeof memoryBus>, address: string, isHolding = false) {
  const messages: unknown[] = []
  const dones: (() => void)[] = []
  const listening = bus.listen(address, async (bytes, count, done) => {
    const events = decodeEvents(bytes)
    expect(events).toHaveLength(count)
    messages.push(...events.map((event) => event.get('message')))
    bytes.fill(0)
    if (isHolding) dones.push(done)
    else done()
  })
  return { messages, listening, dones }
}

describe('pipeline', () => {
  it('gives every address events of its own', async () => {
    const bus = memoryBus()
    const a = receiver(bus, 'a')
    const b = receiver(bus, 'b')
    const { instance, deliver } = outputFor(pipeline, { send_to: ['a', 'b'] }, { pipelineBus: bus })
    await instance.register!()
    await deliver([{ message: 'one' }, { message: 'two' }])
    await deliver([{ message: 'three' }])
    expect(a.messages).toEqual(['one', 'two', 'three'])
    expect(b.messages).toEqual(['one', 'two', 'three'])
    await instance.close!()
    await instance.close!()
  })

  it('waits for an address, at the place where it stopped', async () => {
    const bus = memoryBus()
    const a = receiver(bus, 'a')
    const { instance, deliver, environment } = outputFor(
      pipeline,
      { send_to: ['a', 'late'] },
      { pipelineBus: bus },
    )
    await instance.register!()
    const delivered = deliver([{ message: 'x' }])
    await new Promise((resolve) => setTimeout(resolve, 50))
    const late = receiver(bus, 'late')
    await delivered
    expect(late.messages).toEqual(['x'])
    expect(a.messages).toEqual(['x'])
    expect(environment.logger.messages('warn')).toEqual([
      "Attempted to send event to 'late' but that address was unavailable. Maybe the destination pipeline is down or stopping? Will Retry.",
    ])
  })

  it('has delivered a batch when it is safe with every receiver, and sends further ones meanwhile', async () => {
    const bus = memoryBus()
    const a = receiver(bus, 'a', true)
    const b = receiver(bus, 'b', true)
    const { instance, deliver } = outputFor(pipeline, { send_to: ['a', 'b'] }, { pipelineBus: bus })
    expect(instance.overlaps).toBe(true)
    await instance.register!()
    const delivered: string[] = []
    for (const message of ['one', 'two'])
      void deliver([{ message }])!.then(() => void delivered.push(message))
    const turn = () => new Promise((resolve) => setTimeout(resolve, 10))
    await turn()
    expect(a.messages).toEqual(['one', 'two'])
    a.dones[0]!()
    a.dones[1]!()
    b.dones[1]!()
    await turn()
    expect(delivered).toEqual(['two'])
    b.dones[0]!()
    await turn()
    expect(delivered).toEqual(['two', 'one'])
  })

  it('sends what was not safe again, in its order, when the receiver went away', async () => {
    const bus = memoryBus()
    const first = receiver(bus, 'a', true)
    const { instance, deliver } = outputFor(pipeline, { send_to: 'a' }, { pipelineBus: bus })
    await instance.register!()
    const deliveries = ['one', 'two', 'three'].map((message) => deliver([{ message }]))
    first.dones[1]!()
    await deliveries[1]
    await (await first.listening).close()
    deliveries.push(deliver([{ message: 'four' }]))
    const second = receiver(bus, 'a')
    await Promise.all(deliveries)
    expect(first.messages).toEqual(['one', 'two', 'three'])
    expect(second.messages).toEqual(['one', 'three', 'four'])
  })

  it('discards without ensure_delivery', async () => {
    const { instance, deliver, environment } = outputFor(pipeline, { send_to: 'a', ensure_delivery: false })
    await instance.register!()
    await deliver([{ message: 'x' }])
    expect(environment.logger.messages('warn')).toEqual([])
  })

  it('stops waiting when the pipeline has to stop', async () => {
    const { instance, deliver, environment } = outputFor(pipeline, { send_to: 'a' })
    await instance.register!()
    const delivered = deliver([{ message: 'x' }])
    setTimeout(() => environment.stop(), 20)
    await expect(delivered).rejects.toThrow()
  })

  it('stops waiting for a receiver that never says its events are safe', async () => {
    const bus = memoryBus()
    receiver(bus, 'a', true)
    const { instance, deliver, environment } = outputFor(pipeline, { send_to: 'a' }, { pipelineBus: bus })
    await instance.register!()
    const delivered = deliver([{ message: 'x' }])
    setTimeout(() => environment.stop(), 20)
    await expect(delivered).rejects.toThrow()
  })
})
