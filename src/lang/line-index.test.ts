import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LineIndex } from './line-index.ts'

describe('LineIndex', () => {
  it('counts code points, and lines by line feeds alone', () => {
    const index = new LineIndex('a\u{1f600}b\r\nc')
    expect([0, 1, 3, 6].map((offset) => [index.lineOf(offset), index.columnOf(offset)])).toEqual([
      [1, 1],
      [1, 2],
      [1, 3],
      [2, 1],
    ])
    expect(index.characterOf(6)).toBe(6)
    expect([index.lineText(1), index.lineText(2)]).toEqual(['a\u{1f600}b', 'c'])
  })

  it('agrees with counting by hand, in any order of questions', () => {
    const unit = fc.constantFrom('a', '\n', '\u{1f600}', '\r')
    fc.assert(
      fc.property(
        fc.array(unit, { maxLength: 40 }),
        fc.array(fc.nat(), { maxLength: 10 }),
        (units, picks) => {
          const index = new LineIndex(units.join(''))
          for (const pick of picks) {
            const before = units.slice(0, pick % (units.length + 1))
            const offset = before.join('').length
            expect(index.lineOf(offset)).toBe(before.filter((char) => char === '\n').length + 1)
            expect(index.columnOf(offset)).toBe(before.length - before.lastIndexOf('\n'))
            expect(index.characterOf(offset)).toBe(before.length + 1)
          }
        },
      ),
    )
  })
})
