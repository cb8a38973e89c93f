import { hostname } from 'node:os'
import { describe, expect, it } from 'vitest'
import { Timestamp } from '../../event/timestamp.ts'
import { type Fields, LsFloat } from '../../event/value.ts'
import { filterFor, runFilter, type TestOptions, testEvent } from '../../plugin/testing.ts'
import elapsed from './elapsed.ts'

const options = { start_tag: 's', end_tag: 'e', unique_id_field: 'id' }

function start(id: string, millis: number): Fields {
  return { '@timestamp': new Timestamp(millis), id, tags: ['s'] }
}

function end(id: string, millis: number): Fields {
  return { '@timestamp': new Timestamp(millis), id, tags: ['e'] }
}

async function run(events: Fields[], more: TestOptions = {}): Promise<Fields[]> {
  return runFilter(elapsed, { ...options, ...more }, events)
}

describe('elapsed filter', () => {
  it('measures by the times of the events, in seconds', async () => {
    const [, last] = await run([start('a', 1000), end('a', 4000)])
    expect(last).toMatchObject({
      elapsed_time: new LsFloat(3),
      elapsed_timestamp_start: new Timestamp(1000),
      tags: ['e', 'elapsed', 'elapsed_match'],
    })
  })

  it('tags an end without a start, and uses a start once', async () => {
    const result = await run([end('a', 0), start('b', 0), end('b', 1), end('b', 2)])
    expect(result.map(({ tags }) => tags)).toEqual([
      ['e', 'elapsed_end_without_start'],
      ['s'],
      ['e', 'elapsed', 'elapsed_match'],
      ['e', 'elapsed_end_without_start'],
    ])
  })

  it('makes an event of its own when asked to', async () => {
    const result = await run([start('a', 1000), end('a', 2500)], { new_event_on_match: true, add_tag: ['d'] })
    expect(result).toHaveLength(3)
    expect(result[1]).toEqual({ ...end('a', 2500), tags: ['e', 'd'] })
    expect(result[2]).toMatchObject({
      host: hostname(),
      id: 'a',
      elapsed_time: 1.5,
      tags: ['elapsed', 'elapsed_match', 'd'],
    })
  })

  it('decorates before it adds its own', async () => {
    const [, last] = await run([start('a', 0), end('a', 1)], { add_field: { t: '%{elapsed_time}' } })
    expect(last).toMatchObject({ t: '%{elapsed_time}' })
  })

  it.each([
    ['first', 5],
    ['last', 3],
  ])('counts from the %s start', async (keep_start_event, seconds) => {
    const result = await run([start('a', 0), start('a', 2000), end('a', 5000)], { keep_start_event })
    expect(result[2]!['elapsed_time']).toEqual(new LsFloat(seconds))
  })

  it('tells about starts without an end when they are too old', async () => {
    const { instance, filter } = filterFor(elapsed, { ...options, timeout: 10 })
    await filter([testEvent(start('a', 1000))])
    expect(await instance.flush?.(false)).toEqual([])
    const [expired] = (await instance.flush?.(false))!
    expect(expired!.toHash()).toMatchObject({
      host: hostname(),
      id: 'a',
      elapsed_time: 10,
      elapsed_timestamp_start: new Timestamp(1000),
      tags: ['elapsed', 'elapsed_expired_error'],
    })
    expect(await instance.flush?.(true)).toEqual([])
  })

  it('passes events without id or tags', async () => {
    expect(await run([{ tags: ['s'] }, { id: 'x' }])).toEqual([{ tags: ['s'] }, { id: 'x' }])
  })

  it('is flushed regularly', () => {
    expect(filterFor(elapsed, options).periodicFlush).toBe(true)
  })
})
