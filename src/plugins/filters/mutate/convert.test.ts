import { describe, expect, it } from 'vitest'
import { Timestamp } from '../../../event/timestamp.ts'
import { LsFloat, type Value } from '../../../event/value.ts'
import { filterFor, runFilter, testEvent } from '../../../plugin/testing.ts'
import mutate from '../mutate.ts'

/** A field `f` after a conversion, or its exception. */
async function converted(type: string, value: Value): Promise<Value | undefined> {
  const { filter, environment } = filterFor(mutate, { convert: { f: type } })
  const [event] = await filter([testEvent({ f: value })])
  if (event!.get('tags') === undefined) return event!.get('f')
  expect(event!.get('f')).toEqual(value)
  return `raised ${environment.logger.lines[0]?.fields?.['exception']}`
}

describe('convert', () => {
  it.each<[string, Value, Value]>([
    ['integer', '1234', 1234],
    ['integer', '7890.4', 7890],
    ['integer', ' 12.7 ', 12],
    ['integer', '-0.9', 0],
    ['integer', '1,234,567.8', 1234567],
    ['integer', '0x1f', 31],
    ['integer', '-0x1F', -31],
    ['integer', '0x1.edcdp6', 123],
    ['integer', '1.230000e+02', 123],
    ['integer', '9007199254740993', 9007199254740993n],
    ['integer', true, 1],
    ['integer', false, 0],
    ['integer', 3.99, 3],
    ['integer', -0.5, 0],
    ['integer', new LsFloat(1e20), 100000000000000000000n],
    ['integer', 5n ** 30n, 5n ** 30n],
    ['integer', { a: '1' }, { a: '1' }],
    ['integer', ['1', null, true, '2.5'], [1, null, 1, 2]],
    ['float', '3141.5926', 3141.5926],
    ['float', '3,141.5926', 3141.5926],
    ['float', '3141', new LsFloat(3141)],
    ['float', '0x7b', new LsFloat(123)],
    ['float', 3, new LsFloat(3)],
    ['float', 2n ** 60n, new LsFloat(2 ** 60)],
    ['float', 1.5, 1.5],
    ['float', true, new LsFloat(1)],
    ['float', false, new LsFloat(0)],
    ['integer_eu', '1.000', 1000],
    ['integer_eu', '1.234.567,8', 1234567],
    ['integer_eu', '123,4', 123],
    ['integer_eu', 12.5, 12],
    ['float_eu', '1.234.567,8', 1234567.8],
    ['float_eu', '3141,5926', 3141.5926],
    ['float_eu', '3.141', new LsFloat(3141)],
    ['string', 1234, '1234'],
    ['string', new LsFloat(1), '1.0'],
    ['string', 1e-7, '1.0e-07'],
    ['string', true, 'true'],
    ['string', [1, { a: 1 }, [true]], ['1', '{"a"=>1}', '[true]']],
    ['string', new Timestamp(0), '1970-01-01T00:00:00.000Z'],
    ['boolean', 'true', true],
    ['boolean', 'T', true],
    ['boolean', 'Yes', true],
    ['boolean', 'y', true],
    ['boolean', '1', true],
    ['boolean', '1.0', true],
    ['boolean', 1, true],
    ['boolean', new LsFloat(1), true],
    ['boolean', 'False', false],
    ['boolean', 'f', false],
    ['boolean', 'no', false],
    ['boolean', 'N', false],
    ['boolean', '0', false],
    ['boolean', 0, false],
    ['boolean', new LsFloat(0), false],
    ['boolean', '', false],
    ['boolean', 'none of the above', 'none of the above'],
    ['boolean', 2, 2],
    ['boolean', -1, -1],
    ['boolean', 1.0123, 1.0123],
    ['boolean', '10', '10'],
    ['boolean', ['1', '0', 0, 1, 2, null], [true, false, false, true, 2, null]],
    ['boolean', { a: 0 }, { a: 0 }],
  ])('%s: %o to %o', async (type, value, expected) => {
    expect(await converted(type, value)).toEqual(expected)
  })

  it.each<[string, Value, string]>([
    ['integer', 'abc', 'invalid value for BigDecimal(): "abc"'],
    ['integer', '', 'invalid value for BigDecimal(): ""'],
    ['integer', '12 apples', 'invalid value for BigDecimal(): "12 apples"'],
    ['integer', '0xyz', 'invalid value for Integer(): "0xyz"'],
    ['integer', [['1']], "can't convert Array into Integer"],
    ['integer', [{ a: 1 }], "can't convert Hash into Integer"],
    ['integer', new LsFloat(Number.NaN), 'NaN'],
    ['float', 'abc', 'invalid value for Float(): "abc"'],
    ['float', [[]], "can't convert Array into Float"],
    ['float_eu', '1,2,3', 'invalid value for Float(): "1.2.3"'],
  ])('%s: %o raises', async (type, value, message) => {
    expect(await converted(type, value)).toBe(`raised ${message}`)
  })

  it('leaves missing and null fields and takes nested ones', async () => {
    const options = {
      convert: { missing: 'integer', none: 'float', '[foo][bar]': 'integer', '[l][1]': 'integer' },
    }
    const fields = { none: null, foo: { bar: '1000' }, l: ['1', '2'] }
    expect(await runFilter(mutate, options, [fields])).toEqual([
      { none: null, foo: { bar: 1000 }, l: ['1', 2] },
    ])
  })

  it('warns about values that are neither true nor false', async () => {
    const { filter, environment } = filterFor(mutate, { convert: { f: 'boolean' } })
    await filter([testEvent({ f: 'maybe' })])
    expect(environment.logger.messages('warn')).toEqual(['Failed to convert maybe into boolean.'])
  })

  it('warns twice about a list, however many of its items are neither', async () => {
    const { filter, environment } = filterFor(mutate, { convert: { f: 'boolean', g: 'boolean' } })
    await filter([testEvent({ f: ['yes', 'maybe', 'or', 'perhaps'], g: ['never', 'no'] })])
    expect(environment.logger.messages('warn')).toEqual([
      'Failed to convert maybe into boolean.',
      'Failed to convert 2 more items of the list into boolean.',
      'Failed to convert never into boolean.',
    ])
  })

  it('refuses unknown types at start-up', () => {
    expect(() => filterFor(mutate, { convert: ['message', 'int'] })).toThrow(
      'Cannot register filter mutate plugin. The error reported is:\n' +
        "  Invalid conversion type 'int', expected one of 'string,integer,float,boolean,integer_eu,float_eu'",
    )
  })
})
