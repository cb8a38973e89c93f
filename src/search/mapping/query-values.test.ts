import { describe, expect, it } from 'vitest'
import { JsonNumber } from '../request/json-literals.ts'
import type { JsonObject } from '../request/json-object.ts'
import { SearchError } from '../request/search-error.ts'
import { findTimeZone } from '../time/time-zone.ts'
import type { DateField } from './fields/date-field.ts'
import type { ScaledFloatField } from './fields/number-field.ts'
import type { IpField } from './fields/simple-fields.ts'
import type { MappedField } from './mapped-field.ts'
import { Mapping } from './mapping.ts'

function field(json: JsonObject | string): MappedField {
  const definition = typeof json === 'string' ? { type: json } : json
  return Mapping.empty()
    .merge({ properties: { f: definition } })
    .field('f')!
}

function caught(action: () => unknown): SearchError {
  try {
    action()
  } catch (error) {
    if (error instanceof SearchError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

const point = (number: number, exact?: bigint) => ({ number, exact })

describe('numbers in queries', () => {
  it('match the value, or nothing', () => {
    const long = field('long')
    expect(long.termRange(5)?.from).toEqual(point(5, 5n))
    expect(long.termRange('5')?.to).toEqual(point(5, 5n))
    expect(long.termRange(5.5)).toBeUndefined()
    expect(long.termRange('5.5')).toBeUndefined()
    expect(long.termRange('9223372036854775807')?.from.exact).toBe(9223372036854775807n)
    expect(long.termRange('9223372036854775808')).toBeUndefined()
    expect(field('unsigned_long').termRange(new JsonNumber('10223372036854775807'))?.from.exact).toBe(
      10223372036854775807n,
    )
    // Bytes and shorts are searched as integers.
    expect(field('byte').termRange(300)?.from).toEqual(point(300, 300n))
    expect(field('byte').termRange(2 ** 31)).toBeUndefined()
    expect(field('float').termRange(0.1)?.from.number).toBe(Math.fround(0.1))
    expect(field('boolean').termRange('true')?.from.number).toBe(1)
  })

  it('refuse what is no number', () => {
    for (const type of ['long', 'integer', 'double', 'half_float']) {
      const error = caught(() => field(type).termRange('abc'))
      expect([error.type, error.message]).toEqual(['number_format_exception', 'For input string: "abc"'])
    }
    expect(caught(() => field('boolean').toNumber('abc')).message).toBe(
      "Can't parse boolean value [abc], expected [true] or [false]",
    )
  })

  it('become bounds of ranges', () => {
    const integer = field('integer')
    expect(integer.lowerBound(1.5, true).number).toBe(2)
    expect(integer.lowerBound(1, false).number).toBe(2)
    expect(integer.lowerBound(1.5, false).number).toBe(2)
    expect(integer.upperBound(1.5, true).number).toBe(1)
    expect(integer.upperBound(1, false).number).toBe(0)
    expect(integer.upperBound(-1.5, true).number).toBe(-2)
    expect(integer.lowerBound(1e30, true).number).toBe(Infinity)
    expect(integer.upperBound(1e30, true).number).toBe(Infinity)
    expect(integer.upperBound(-1e30, true).number).toBe(-Infinity)
    expect(field('double').lowerBound(1, false).number).toBe(1 + Number.EPSILON)
    expect(field('float').upperBound(0.5, true).number).toBe(0.5)
    expect(field('half_float').lowerBound(0.1, true).number).toBe(0.10003662109375)
    expect(field('half_float').upperBound(0.1, true).number).toBe(0.0999755859375)
    const scaled = field({ type: 'scaled_float', scaling_factor: 100 }) as ScaledFloatField
    expect(scaled.lowerBound(1.234, true).number).toBe(124)
    expect(scaled.upperBound(1.234, true).number).toBe(123)
    expect(scaled.lowerBound(1.5, false).number).toBe(151)
    expect(scaled.printer()(123)).toBe(1.23)
  })
})

describe('dates in queries', () => {
  const now = Date.parse('2024-05-15T13:30:00Z')
  const date = field('date')

  it('round to the unit that is given', () => {
    expect(date.termRange('2024-01', { now })).toEqual({
      from: point(Date.parse('2024-01-01T00:00:00Z')),
      to: point(Date.parse('2024-01-01T23:59:59.999Z')),
    })
    expect(date.lowerBound('now/d', true, { now }).number).toBe(Date.parse('2024-05-15T00:00:00Z'))
    expect(date.lowerBound('now/d', false, { now }).number).toBe(Date.parse('2024-05-16T00:00:00Z'))
    expect(date.upperBound('now/d', true, { now }).number).toBe(Date.parse('2024-05-15T23:59:59.999Z'))
    expect(date.upperBound('2024-05-15||/d', false, { now }).number).toBe(
      Date.parse('2024-05-14T23:59:59.999Z'),
    )
    expect(date.lowerBound(2019, true).number).toBe(Date.parse('2019-01-01T00:00:00Z'))
    expect(date.lowerBound(1700000000000, true).number).toBe(1700000000000)
  })

  it('accept a zone and a format', () => {
    const zone = findTimeZone('+01:00')
    expect(date.toNumber('2024-01-01', { zone })).toBe(Date.parse('2023-12-31T23:00:00Z'))
    expect(date.toNumber('01/02/2024', { format: 'dd/MM/yyyy' })).toBe(Date.parse('2024-02-01T00:00:00Z'))
  })

  it('are refused with the cause', () => {
    const error = caught(() => date.toNumber('abc'))
    const inner = 'failed to parse date field [abc] with format [strict_date_optional_time||epoch_millis]'
    expect([error.type, error.message]).toEqual(['parse_exception', `${inner}: [${inner}]`])
    expect(error.causedBy?.message).toBe(inner)
  })

  it('are exact to the nanosecond for date_nanos', () => {
    const nanos = field('date_nanos') as DateField
    expect(nanos.lowerBound('2018-10-29T12:12:12.123456789Z', false)).toEqual(
      point(1540815132123, 1540815132123456790n),
    )
    expect(nanos.upperBound('2018-10-29', true).exact).toBe(1540857599999999999n)
    const print = nanos.printer("uuuu-MM-dd'T'HH:mm:ss.SSSSSSSSSX")
    expect(print(1540815132123456789n)).toBe('2018-10-29T12:12:12.123456789Z')
    expect(nanos.printer('epoch_millis')(1540815132123456789n)).toBe('1540815132123.456789')
  })

  it('are printed in the format of the field or another', () => {
    expect(date.printer()(0)).toBe('1970-01-01T00:00:00.000Z')
    expect(date.printer('epoch_millis')(5)).toBe('5')
    expect(field({ type: 'date', format: 'yyyy/MM/dd' }).printer('use_field_mapping')(0)).toBe('1970/01/01')
    expect(date.fromSource('1990-12-29T22:30:00.000Z', 'yyyy/MM/dd')).toBe('1990/12/29')
  })
})

describe('terms in queries', () => {
  it('convert IP addresses', () => {
    const ip = field('ip') as IpField
    expect(ip.toTerm('10.0.0.1')).toBe('00000000000000000000ffff0a000001')
    expect(ip.toTermRange('10.0.0.0/8')).toEqual({
      from: '00000000000000000000ffff0a000000',
      to: '00000000000000000000ffff0affffff',
    })
    expect(ip.toTermRange('10.0.0.0')).toBeUndefined()
    expect(caught(() => ip.toTerm('x')).message).toBe("'x' is not an IP string literal.")
    expect(ip.printer()('00000000000000000000ffff0a000001')).toBe('10.0.0.1')
    expect(ip.printer()('20010db8000000000000000000000001')).toBe('2001:db8::1')
    expect(ip.fromSource('2001:DB8:0:0:0::1')).toBe('2001:db8::1')
  })

  it('convert CIDR blocks', () => {
    const { from, to } = field('ip_range').termRange('192.168.0.0/16')!
    expect([from.number, to.number]).toEqual([0xffff_c0a8_0000, 0xffff_c0a8_ffff])
  })

  it('convert keywords', () => {
    expect(field('keyword').toTerm(5)).toBe('5')
    expect(field({ type: 'keyword', ignore_above: 2 }).fromSource('abc')).toBeUndefined()
  })
})

describe('unsupported operations of a field', () => {
  it('throw the error of Elasticsearch', () => {
    const none = field({ type: 'long', index: false, doc_values: false })
    expect(caught(() => none.requireSearchable()).message).toBe(
      'Cannot search on field [f] since it is not indexed.',
    )
    expect(caught(() => none.requireColumn()).message).toBe(
      "Can't load fielddata on [f] because fielddata is unsupported on fields of type [long]. Use doc values instead.",
    )
    expect(caught(() => field('text').requireColumn()).message).toBe(
      'Text fields are not optimised for operations that require per-document field data like aggregations and sorting, so these operations are disabled by default. Please use a keyword field instead. Alternatively, set fielddata=true on [f] in order to load field data by uninverting the inverted index. Note that this can use significant memory.',
    )
    field({ type: 'text', fielddata: true }).requireColumn()
    expect(caught(() => field('keyword').printer('yyyy')).message).toBe(
      'Field [f] of type [keyword] does not support custom formats',
    )
  })
})

describe('number formats', () => {
  it.each([
    ['0.00', 1.5, '1.50'],
    ['#.#', 0.25, '.2'],
    ['#,##0.###', 1234567.8915, '1,234,567.891'],
    ['000', 7, '007'],
    ['#0%', 0.256, '26%'],
    ['0', 2.5, '2'],
    ['0', 3.5, '4'],
    ['$0.0', -2, '-$2.0'],
  ])('formats %s of %d', (format, value, expected) => {
    expect(field('double').printer(format)(value)).toBe(expected)
  })
})
