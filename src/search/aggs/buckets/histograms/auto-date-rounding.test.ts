import { describe, expect, it } from 'vitest'
import { calendarRounding } from '../../rounding.ts'
import { AutoDateRounding, type RoundingStep } from './auto-date-rounding.ts'

const day = 86_400_000
const steps: readonly RoundingStep[] = [
  { rounding: calendarRounding('day', undefined), length: day, maxUnits: 7 },
  { rounding: calendarRounding('month', undefined), length: 30 * day, maxUnits: 3 },
  { rounding: calendarRounding('year', undefined), length: 365 * day, maxUnits: 100 },
]
const at = (text: string) => Date.parse(`${text}T00:00:00Z`)

/** Documents with their values, of one owner; which values count. */
function counted(rounding: AutoDateRounding, documents: readonly (readonly string[])[]): boolean[][] {
  return documents.map((values) => values.map((value, place) => rounding.take(0, at(value), place === 0)))
}

describe.each([true, false])('with one owner: %s', (hasOneOwner) => {
  it('counts a document for each interval that its values are in', () => {
    const rounding = new AutoDateRounding(steps, 1, hasOneOwner)
    expect(
      counted(rounding, [
        ['2021-01-01', '2021-01-01'],
        ['2021-01-02', '2021-01-03'],
      ]),
    ).toEqual([
      [true, false],
      [true, true],
    ])
    expect(rounding.step(0)).toBe(0)
  })

  it('goes on to the next interval when values are too far apart for the buckets', () => {
    const rounding = new AutoDateRounding(steps, 1, hasOneOwner)
    const documents = [['2021-01-01'], ['2021-01-03', '2021-01-20'], ['2021-01-04', '2021-01-21']]
    expect(counted(rounding, documents)).toEqual([[true], [true, true], [true, false]])
    expect(rounding.step(0)).toBe(1)
    expect(counted(rounding, [['2030-01-01']])).toEqual([[true]])
    expect(rounding.step(0)).toBe(2)
  })
})

it('has the first interval for an owner without values', () => {
  expect(new AutoDateRounding(steps, 1, false).step(7)).toBe(0)
})
