import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FieldName } from './date-fields.ts'
import { resolveInOrder, resolveUsual, type SlottedField } from './resolve-fields.ts'

function fieldsOf(names: readonly FieldName[]): SlottedField[] {
  return names.map((name, slot) => ({ name, slot }))
}

function resolve(fields: Partial<Record<FieldName, number>>): string {
  const names = Object.keys(fields) as FieldName[]
  const local = resolveInOrder(fieldsOf(names))(Object.values(fields))
  return Number.isNaN(local) ? 'out of range' : new Date(local).toISOString().slice(0, 16)
}

describe('fields set in order', () => {
  it.each<[Partial<Record<FieldName, number>>, string]>([
    [{ year: 2024, dayOfYear: 60 }, '2024-02-29T00:00'],
    [{ dayOfYear: 10, month: 7, yearOfEra: 2016 }, '2016-01-10T00:00'],
    [{ weekyear: 2020, week: 53, dayOfWeek: 5 }, '2021-01-01T00:00'],
    [{ weekyear: 2021, week: 53 }, 'out of range'],
    // 1 January 2021 is in week 53 of 2020: the week leads there, the year leads back, and 2021 has no week 53.
    [{ year: 2021, week: 53 }, 'out of range'],
    [{ year: 2024, week: 10 }, '2024-03-04T00:00'],
    [{ century: 19, month: 3 }, '1900-03-01T00:00'],
    [{ era: 0, yearOfEra: 44 }, '-000043-01-01T'],
    [{ era: 1, year: 2024, hour: 5 }, '2024-01-01T05:00'],
    [{ week: 1 }, '2000-01-03T00:00'],
    [{ hour: 15, clockHourOfHalfday: 12 }, '1970-01-01T12:00'],
    [{ dayOfMonth: 31 }, '2000-01-31T00:00'],
    [{ month: 2, dayOfMonth: 30 }, 'out of range'],
  ])('%o', (fields, expected) => {
    const found = resolve(fields)
    expect(found.slice(0, expected.length)).toBe(expected)
  })

  it('may come twice, and the later counts', () => {
    const fields: SlottedField[] = [
      { name: 'second', slot: 0 },
      { name: 'second', slot: 1 },
    ]
    expect(resolveUsual(fields)).toBeUndefined()
    expect(resolveInOrder(fields)([5, 7])).toBe(7000)
  })
})

describe('the formula for usual fields', () => {
  it('gives what setting them in order gives', () => {
    const hours: FieldName[] = ['hour', 'clockHour', 'hourOfHalfday', 'clockHourOfHalfday']
    const others: FieldName[] = [
      'month',
      'dayOfMonth',
      'dayOfWeek',
      'halfday',
      'minute',
      'second',
      'millisecond',
    ]
    const names = fc
      .tuple(
        fc.constantFrom<FieldName[]>([], ['year'], ['yearOfEra']),
        fc.subarray(others),
        fc.constantFrom<FieldName[]>([], ...hours.map((name) => [name])),
      )
      .map((parts) => parts.flat())
    const value = (name: FieldName) => {
      if (name === 'year' || name === 'yearOfEra') return fc.integer({ min: -1, max: 3000 })
      if (name === 'halfday') return fc.integer({ min: 0, max: 1 })
      if (name === 'millisecond') return fc.integer({ min: 0, max: 999 })
      const most = { month: 13, dayOfMonth: 32, dayOfWeek: 8, minute: 61, second: 61 }[name as string] ?? 25
      return fc.integer({ min: 0, max: most })
    }
    const cases = names.chain((chosen) => fc.tuple(fc.constant(chosen), fc.tuple(...chosen.map(value))))
    fc.assert(
      fc.property(cases, ([chosen, values]) => {
        const fields = fieldsOf(chosen)
        const usual = resolveUsual(fields)
        if (usual !== undefined) expect(usual(values)).toBe(resolveInOrder(fields)(values))
      }),
      { numRuns: 2000 },
    )
  })
})
