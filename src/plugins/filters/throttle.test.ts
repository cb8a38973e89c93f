import { describe, expect, it } from 'vitest'
import { Timestamp } from '../../event/timestamp.ts'
import type { Fields } from '../../event/value.ts'
import { filterFor, runFilter, type TestOptions, testEvent } from '../../plugin/testing.ts'
import throttle from './throttle.ts'

function at(seconds: number, more: Fields = {}): Fields {
  return { '@timestamp': new Timestamp(seconds * 1000), host: 'a', ...more }
}

async function tagged(events: Fields[], options: TestOptions): Promise<boolean[]> {
  const result = await runFilter(throttle, { key: '%{host}', add_tag: ['t'], ...options }, events)
  return result.map(({ tags }) => tags !== undefined)
}

describe('throttle filter', () => {
  it('matches events before and after the counts', async () => {
    const events = [0, 1, 2, 3, 4].map((second) => at(second))
    expect(await tagged(events, { before_count: 3 })).toEqual([true, true, false, false, false])
    expect(await tagged(events, { after_count: 3 })).toEqual([false, false, false, true, true])
    expect(await tagged(events, { before_count: 2, after_count: 4 })).toEqual([
      true,
      false,
      false,
      false,
      true,
    ])
    expect(await tagged(events, {})).toEqual([false, false, false, false, false])
  })

  it('counts anew in every slot, by the time of the event, in any order', async () => {
    const events = [at(0), at(9), at(10), at(5), at(11)]
    expect(await tagged(events, { period: '10', after_count: 1 })).toEqual([false, true, false, true, true])
  })

  it('begins slots with the first event of a key', async () => {
    expect(await tagged([at(7), at(12), at(16), at(17)], { period: '10', after_count: 1 })).toEqual([
      false,
      true,
      true,
      false,
    ])
  })

  it('counts events anew that are older than it remembers', async () => {
    // Seen in Logstash 8.19.
    const events = [at(100_000), at(0), at(0)]
    expect(await tagged(events, { max_age: 120, before_count: 2 })).toEqual([true, true, true])
  })

  it('counts keys apart', async () => {
    expect(await tagged([at(0), at(0, { host: 'b' }), at(0)], { after_count: 1 })).toEqual([
      false,
      false,
      true,
    ])
  })

  it('takes the period from the event, a minute when that is none', async () => {
    const events = [at(0, { p: 5 }), at(6, { p: 5 }), at(7, { p: 'x' }), at(50, { p: 'x' })]
    expect(await tagged(events, { period: '%{p}', after_count: 1 })).toEqual([false, false, true, true])
  })

  it('forgets old slots', async () => {
    const { instance, filter } = filterFor(throttle, {
      key: 'k',
      period: '10',
      max_age: 60,
      after_count: 1,
      add_tag: 't',
    })
    await filter([testEvent(at(0)), testEvent(at(100))])
    await instance.flush?.(false)
    const [old, recent] = await filter([testEvent(at(1)), testEvent(at(101))])
    expect(old!.get('tags')).toBeUndefined()
    expect(recent!.get('tags')).toEqual(['t'])
  })

  it('keeps no more counters than it may', async () => {
    const { instance, filter } = filterFor(throttle, {
      key: '%{host}',
      max_counters: 1,
      after_count: 1,
      add_tag: 't',
    })
    await filter([testEvent(at(0)), testEvent(at(600, { host: 'b' }))])
    await instance.flush?.(false)
    const [first, second] = await filter([testEvent(at(0)), testEvent(at(600, { host: 'b' }))])
    expect(first!.get('tags')).toBeUndefined()
    expect(second!.get('tags')).toEqual(['t'])
  })
})
