import { hostname } from 'node:os'
import { describe, expect, it } from 'vitest'
import { inputFor, type TestOptions, type TestSettings } from '../../plugin/testing.ts'
import heartbeat from './heartbeat.ts'

async function beats(options: TestOptions, settings: TestSettings = {}) {
  const { instance, sink, environment } = inputFor(heartbeat, { interval: 0, ...options }, settings)
  await instance.register?.()
  await instance.run(sink)
  return { fields: sink.fields().map(({ '@timestamp': _, ...rest }) => rest), environment }
}

const host = hostname()

describe('heartbeat input', () => {
  it('says ok as often as count says', async () => {
    expect((await beats({ count: 2 })).fields).toEqual([
      { message: 'ok', host },
      { message: 'ok', host },
    ])
  })

  it('counts from 1 with sequence => "sequence"', async () => {
    const { fields } = await beats({ count: 3, sequence: 'sequence', message: 'alive' })
    expect(fields.map(({ clock }) => clock)).toEqual([1, 2, 3])
    expect(fields[0]).toEqual({ message: 'alive', clock: 1, host })
  })

  it('gives the time in seconds with sequence => "epoch"', async () => {
    const before = Math.floor(Date.now() / 1000)
    const { fields } = await beats({ count: 1, sequence: 'epoch' })
    expect(fields[0]!['clock']).toBeGreaterThanOrEqual(before)
    expect(Number.isInteger(fields[0]!['clock'])).toBe(true)
  })

  it('takes the old magic messages, which then are no message', async () => {
    const { fields, environment } = await beats({ count: 1, message: 'sequence' })
    expect(fields).toEqual([{ clock: 1, host }])
    expect(environment.logger.messages('warn')).toEqual([
      'message contains sequence type specification (epoch|sequence) for this purpose use the sequence option',
    ])
  })

  it('uses the places of ECS, where messages are never magic', async () => {
    const ecs = { ecs: 'v8' } as const
    expect((await beats({ count: 1, message: 'epoch' }, ecs)).fields).toEqual([
      { message: 'epoch', host: { name: host } },
    ])
    expect((await beats({ count: 1, sequence: 'sequence' }, ecs)).fields).toEqual([
      { message: 'ok', host: { name: host }, event: { sequence: 1 } },
    ])
  })

  it('decorates', async () => {
    const { fields } = await beats({ count: 1, type: 't', tags: ['a'], add_field: { b: '%{host}' } })
    expect(fields).toEqual([{ message: 'ok', host, type: 't', tags: ['a'], b: host }])
  })

  it('runs as many heartbeats as threads says, each with its own sequence', async () => {
    const { fields } = await beats({ count: 2, threads: 2, sequence: 'sequence' })
    expect(fields.map(({ clock }) => clock).sort()).toEqual([1, 1, 2, 2])
  })

  it('stops in the middle of an interval', async () => {
    const { instance, sink } = inputFor(heartbeat, { interval: 3600 })
    const running = instance.run(sink)
    await sink.waitFor(1)
    await instance.stop()
    await running
    expect(sink.received).toHaveLength(1)
  })
})
