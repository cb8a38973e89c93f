import { describe, expect, it } from 'vitest'
import { Event } from '../../event/event.ts'
import { encodeEvents } from '../../event/wire.ts'
import type { PipelineBus } from '../../plugin/define.ts'
import { inputFor, memoryBus } from '../../plugin/testing.ts'
import pipeline from './pipeline.ts'

function wire(...messages: string[]): Uint8Array {
  return encodeEvents(
    messages.map((message) => {
      const event = Event.from({ message })
      event.set('[@metadata][way]', 'kept')
      return event
    }),
  )
}

describe('pipeline input', () => {
  it('takes events sent to its address, metadata and all, and decorates them', async () => {
    const pipelineBus = memoryBus()
    const { instance, sink } = inputFor(pipeline, { address: 'a', tags: ['in'] }, { pipelineBus })
    await instance.register?.()
    const running = instance.run(sink)
    expect(await pipelineBus.sender('a').send(wire('one', 'two'), 2)).toBe(true)
    expect(sink.fields().map(({ '@timestamp': _, ...rest }) => rest)).toEqual([
      { message: 'one', tags: ['in'], '@metadata': { way: 'kept' } },
      { message: 'two', tags: ['in'], '@metadata': { way: 'kept' } },
    ])
    await instance.stop()
    await running
    expect(await pipelineBus.sender('a').send(wire('late'), 1)).toBe(false)
  })

  it('refuses an address that is taken', async () => {
    const pipelineBus = memoryBus()
    await inputFor(pipeline, { address: 'a' }, { pipelineBus }).instance.register?.()
    const second = inputFor(pipeline, { address: 'a' }, { pipelineBus })
    await expect(second.instance.register?.()).rejects.toThrow(
      "Internal input at 'a' already bound! Addresses must be globally unique across pipelines.",
    )
  })

  it('keeps a sender waiting until the pipeline runs', async () => {
    const pipelineBus = memoryBus()
    const { instance, sink } = inputFor(pipeline, { address: 'a' }, { pipelineBus })
    await instance.register?.()
    const sent = pipelineBus.sender('a').send(wire('early'), 1)
    const running = instance.run(sink)
    expect(await sent).toBe(true)
    await instance.stop()
    await running
    expect(sink.received).toHaveLength(1)
  })

  it('tells a sender of its events when they are safe', async () => {
    const pipelineBus = memoryBus()
    const { instance, sink } = inputFor(pipeline, { address: 'a' }, { pipelineBus })
    await instance.register?.()
    const running = instance.run(sink)
    sink.hold()
    const outcomes: string[] = []
    const send = async (message: string) => {
      const isSafe = await pipelineBus.sender('a').send(wire(message), 1)
      outcomes.push(`${message} ${isSafe}`)
    }
    const sends = [send('one'), send('two'), send('three')]
    await sink.waitFor(3)
    await new Promise((resolve) => setImmediate(resolve))
    expect(outcomes).toEqual([])
    sink.releaseAt(1)
    await sends[1]
    expect(outcomes).toEqual(['two true'])
    await instance.stop()
    await running
    await Promise.all(sends)
    expect(outcomes).toEqual(['two true', 'one false', 'three false'])
  })

  it('stops when no sender is connected any more, or when it has to', async () => {
    let drain: () => void = () => {}
    let isClosed = false
    const pipelineBus: PipelineBus = {
      ...memoryBus(),
      listen: async () => ({
        drained: () =>
          new Promise((resolve) => {
            drain = resolve
          }),
        close: async () => {
          isClosed = true
        },
      }),
    }
    for (const end of ['drain', 'abort']) {
      isClosed = false
      const { instance, sink, environment } = inputFor(pipeline, { address: 'a' }, { pipelineBus })
      await instance.register?.()
      const running = instance.run(sink)
      const stopping = instance.stop()
      await new Promise((resolve) => setImmediate(resolve))
      expect(isClosed).toBe(false)
      if (end === 'drain') drain()
      else environment.stop()
      await stopping
      await running
      expect(isClosed).toBe(true)
    }
  })
})
