import { describe, expect, it } from 'vitest'
import { groupSymptom, worst } from './health-status.ts'

describe('a group of indicators', () => {
  it('is as ill as its worst member, and well without any', () => {
    expect(worst([])).toBe('green')
    expect(worst(['green', 'unknown'])).toBe('unknown')
    expect(worst(['yellow', 'unknown', 'green'])).toBe('yellow')
    expect(worst(['yellow', 'red', 'green'])).toBe('red')
  })

  it('says who is how, the worst first', () => {
    expect(groupSymptom([])).toBe('no indicators')
    expect(groupSymptom([['pipelines', 'green']])).toBe('1 indicator is healthy (`pipelines`)')
    expect(
      groupSymptom([
        ['a', 'green'],
        ['b', 'green'],
        ['c', 'red'],
      ]),
    ).toBe('1 indicator is unhealthy (`c`) and 2 indicators are healthy (`a`, `b`)')
    expect(
      groupSymptom([
        ['a', 'green'],
        ['b', 'unknown'],
        ['c', 'yellow'],
        ['d', 'yellow'],
      ]),
    ).toBe(
      '2 indicators are concerning (`c`, `d`), 1 indicator is unknown (`b`), and 1 indicator is healthy (`a`)',
    )
  })
})
