import { hostname } from 'node:os'
import { describe, expect, it } from 'vitest'
import { inputFor, type TestOptions, type TestSettings } from '../../plugin/testing.ts'
import generator from './generator.ts'

const host = hostname()

async function generated(options: TestOptions, settings: TestSettings = {}) {
  const { instance, sink } = inputFor(generator, options, settings)
  await instance.run(sink)
  return sink.fields()
}

describe('generator input', () => {
  it('repeats one message and counts from 0', async () => {
    expect(await generated({ count: 2 })).toEqual([
      { message: 'Hello world!', host, sequence: 0 },
      { message: 'Hello world!', host, sequence: 1 },
    ])
    const many = await generated({ count: 300, message: 'x' })
    expect(many).toEqual(Array.from({ length: 300 }, (_, sequence) => ({ message: 'x', host, sequence })))
  })

  it('goes over its lines, a round for each count', async () => {
    const events = await generated({ lines: ['a', 'b'], count: 2 })
    expect(events.map(({ message, sequence }) => [message, sequence])).toEqual([
      ['a', 0],
      ['b', 0],
      ['a', 1],
      ['b', 1],
    ])
  })

  it('uses the places of ECS', async () => {
    expect(await generated({ count: 1 }, { ecs: 'v1' })).toEqual([
      { message: 'Hello world!', host: { name: host }, event: { sequence: 0 } },
    ])
  })

  it('sets host after the decorations, and only when it is not there yet', async () => {
    expect(await generated({ count: 1, add_field: { host: 'mine' } })).toEqual([
      { message: 'Hello world!', host: 'mine', sequence: 0 },
    ])
    const [event] = await generated({ count: 1, lines: ['{"host":"theirs"}'], codec: 'json' })
    expect(event).toEqual({ host: 'theirs', sequence: 0 })
  })

  it('runs as many generators as threads says', async () => {
    expect(await generated({ count: 5, threads: 2 })).toHaveLength(10)
  })

  it('ends when it is stopped, with and without an interval', async () => {
    const { instance, sink } = inputFor(generator, { interval: 3600 })
    const running = instance.run(sink)
    await sink.waitFor(1)
    await instance.stop()
    await running
    const endless = inputFor(generator)
    const { repeat } = endless.sink
    endless.sink.repeat = (...call) => {
      void endless.instance.stop()
      return repeat(...call)
    }
    await endless.instance.run(endless.sink)
    expect(endless.sink.received).toHaveLength(125)
  })
})
