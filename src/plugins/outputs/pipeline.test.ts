import { describe, expect, it } from 'vitest'
import { decodeEvents } from '../../event/wire.ts'
import { memoryBus, outputFor } from '../../plugin/testing.ts'
import pipeline from './pipeline.ts'

function receiver(bus: ReturnType<typeof memoryBus>, address: string) {
  const messages: unknown[] = []
  const listening = bus.listen(address, async (bytes, count) => {
    const events = decodeEvents(bytes)
    expect(events).toHaveLength(count)
    messages.push(...events.map((event) => event.get('message')))
    bytes.fill(0)
  })
  return { messages, listening }
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
})
