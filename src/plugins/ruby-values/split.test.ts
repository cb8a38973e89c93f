import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileSplit } from './split.ts'

describe('split', () => {
  // [text, separator, parts, parts with limit -1], as Ruby gives them.
  it.each<[string, string, string[], string[]]>([
    ['a,b,,', ',', ['a', 'b'], ['a', 'b', '', '']],
    [',a', ',', ['', 'a'], ['', 'a']],
    [',,', ',', [], ['', '', '']],
    ['', ',', [], []],
    ['abc', '', ['a', 'b', 'c'], ['a', 'b', 'c', '']],
    ['a🙂b', '', ['a', '🙂', 'b'], ['a', '🙂', 'b', '']],
    [' a  b ', ' ', ['a', 'b'], ['a', 'b', '']],
    ['\ta\n b', ' ', ['a', 'b'], ['a', 'b']],
    [' ', ' ', [], ['']],
    ['a\u00a0b', ' ', ['a\u00a0b'], ['a\u00a0b']],
    ['a--b-c', '--', ['a', 'b-c'], ['a', 'b-c']],
    ['a.b', '.', ['a', 'b'], ['a', 'b']],
  ])('%j by %j', (text, separator, dropped, kept) => {
    expect(compileSplit(separator, 'drop')(text)).toEqual(dropped)
    expect(compileSplit(separator, 'keep')(text)).toEqual(kept)
  })

  it('keeps every character when the parts are joined again', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }),
        fc.string({ minLength: 1, maxLength: 2 }),
        (text, separator) => {
          fc.pre(separator !== ' ')
          expect(compileSplit(separator, 'keep')(text).join(separator)).toBe(text)
        },
      ),
    )
  })
})
