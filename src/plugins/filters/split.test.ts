import { describe, expect, it } from 'vitest'
import { filterFor, runFilter, testEvent } from '../../plugin/testing.ts'
import split from './split.ts'

describe('split', () => {
  it('makes an event of each line and leaves out empty ones', async () => {
    expect(await runFilter(split, {}, [{ message: 'big\nbird\nsesame street\n', n: 1 }])).toEqual([
      { message: 'big', n: 1 },
      { message: 'bird', n: 1 },
      { message: 'sesame street', n: 1 },
    ])
    expect(await runFilter(split, {}, [{ message: '\n\na\n\nb' }])).toEqual([
      { message: 'a' },
      { message: 'b' },
    ])
  })

  it('passes a text of one part without decorating it', async () => {
    expect(await runFilter(split, { add_tag: ['x'] }, [{ message: 'one' }])).toEqual([{ message: 'one' }])
  })

  it('leaves nothing of an empty text', async () => {
    expect(await runFilter(split, {}, [{ message: '' }, { message: '\n' }])).toEqual([])
  })

  it('takes terminators literally', async () => {
    expect(await runFilter(split, { terminator: '.' }, [{ message: 'a.b' }])).toEqual([
      { message: 'a' },
      { message: 'b' },
    ])
    expect(await runFilter(split, { terminator: '\\n' }, [{ message: 'a\nb' }])).toEqual([
      { message: 'a\nb' },
    ])
  })

  it('always splits lists, leaving out nil and empty text', async () => {
    const options = { field: 'array' }
    expect(await runFilter(split, options, [{ array: ['big'], u: 1 }])).toEqual([{ array: 'big', u: 1 }])
    expect(await runFilter(split, options, [{ array: ['a', null, 2, '', {}, []] }])).toEqual([
      { array: 'a' },
      { array: 2 },
      { array: {} },
      { array: [] },
    ])
    expect(await runFilter(split, options, [{ array: [] }])).toEqual([])
  })

  it('keeps the list when there is a target', async () => {
    const options = { field: '[a][list]', target: 'element' }
    expect(await runFilter(split, options, [{ a: { list: [1, 2] } }])).toEqual([
      { a: { list: [1, 2] }, element: 1 },
      { a: { list: [1, 2] }, element: 2 },
    ])
  })

  it('decorates the new events', async () => {
    expect(await runFilter(split, { add_field: { copy: '%{message}' } }, [{ message: 'a\nb' }])).toEqual([
      { message: 'a', copy: 'a' },
      { message: 'b', copy: 'b' },
    ])
  })

  it('tags what it cannot split', async () => {
    const { filter, environment } = filterFor(split, { field: 'f', add_tag: ['x'] })
    const events = await filter([testEvent({ f: 10 }), testEvent({ f: { a: 1 } }), testEvent({})])
    expect(events.map((event) => event.get('tags'))).toEqual(Array(3).fill(['_split_type_failure']))
    expect(environment.logger.messages('warn')).toEqual(
      ['Integer', 'Hash', 'NilClass'].map(
        (type) => `Only String and Array types are splittable. field:f is of type = ${type}`,
      ),
    )
  })

  it('takes odd names as data', async () => {
    const fields = JSON.parse('{"__proto__":["a","b"]}')
    const events = await runFilter(split, { field: '__proto__', target: 'constructor' }, [fields])
    expect(events.map((event) => JSON.stringify(event))).toEqual([
      '{"__proto__":["a","b"],"constructor":"a"}',
      '{"__proto__":["a","b"],"constructor":"b"}',
    ])
  })
})
