import { describe, expect, it } from 'vitest'
import { Event } from '../../event/event.ts'
import type { Value } from '../../event/value.ts'
import { filterFor, runFilter } from '../../plugin/testing.ts'
import urldecode from './urldecode.ts'

describe('urldecode', () => {
  it.each<[string, string]>([
    ['http%3A%2F%2Flogstash.net%2Fdocs%3Fa%3D1', 'http://logstash.net/docs?a=1'],
    ['a+b', 'a+b'],
    ['100%', '100%'],
    ['%zz%41', '%zzA'],
    ['%E2%82%AC', '€'],
    ['caf%E9 "x"', 'caf\\xE9 \\"x\\"'],
    ['', ''],
  ])('%j', async (message, expected) => {
    expect(await runFilter(urldecode, {}, [{ message }])).toEqual([{ message: expected }])
  })

  it('decodes lists and maps, all fields or one', async () => {
    const fields = { a: ['%41', { b: '%42', '%43': 1 }], c: '%43' }
    expect(await runFilter(urldecode, { field: 'a' }, [fields])).toEqual([
      { a: ['A', { b: 'B', '%43': 1 }], c: '%43' },
    ])
    expect(await runFilter(urldecode, { all_fields: true }, [fields])).toEqual([
      { a: ['A', { b: 'B', '%43': 1 }], c: 'C' },
    ])
  })

  it('knows other encodings', async () => {
    expect(await runFilter(urldecode, { charset: 'ISO-8859-1' }, [{ message: 'caf%E9' }])).toEqual([
      { message: 'café' },
    ])
  })

  it('matches even when it fails', async () => {
    let deep: Value = '%41'
    for (let depth = 0; depth < 2500; depth++) deep = [deep]
    const { filter, environment } = filterFor(urldecode, { field: 'a', add_tag: ['ok'] })
    const [event] = await filter([new Event({ a: deep })])
    expect(event!.get('tags')).toEqual(['_urldecodefailure', 'ok'])
    expect(environment.logger.messages('error')).toEqual(['Unable to decode'])
    const told = filterFor(urldecode, { all_fields: true, tag_on_failure: ['bad'], add_field: { b: 'c' } })
    const [other] = await told.filter([new Event({ a: deep })])
    expect([other!.get('tags'), other!.get('b')]).toEqual([['bad'], 'c'])
  })

  it('matches always', async () => {
    expect(await runFilter(urldecode, { add_tag: ['ok'] }, [{}])).toEqual([{ message: null, tags: ['ok'] }])
  })
})
