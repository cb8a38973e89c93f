import { describe, expect, it } from 'vitest'
import { compileJavaPattern } from './java-pattern.ts'

const texts = (source: string, flags: string[], text: string) =>
  compileJavaPattern(source, flags)
    .matchAll(text)
    .map(({ index, groups }) => [index, ...groups])

describe('compileJavaPattern', () => {
  it('finds all matches with their groups, empty ones too', () => {
    expect(texts('(\\w)(\\d)?', [], 'a1 b')).toEqual([
      [0, 'a1', 'a', '1'],
      [3, 'b', 'b', undefined],
    ])
    expect(texts('x*', [], 'axb')).toEqual([
      [0, ''],
      [1, 'x'],
      [2, ''],
      [3, ''],
    ])
  })

  it('takes ^ and $ for the ends of the text unless MULTILINE is set', () => {
    expect(texts('^b', [], 'a\nb')).toEqual([])
    expect(texts('^b', ['MULTILINE'], 'a\nb')).toEqual([[2, 'b']])
    expect(texts('a$', [], 'a\nb')).toEqual([])
    expect(texts('[^a]', [], 'ab')).toEqual([[1, 'b']])
    expect(texts('\\$', [], 'a$')).toEqual([[1, '$']])
  })

  it('knows the flags of analysis settings', () => {
    expect(texts('A', ['CASE_INSENSITIVE'], 'a')).toEqual([[0, 'a']])
    expect(texts('a.b', ['DOTALL'], 'a\nb')).toEqual([[0, 'a\nb']])
    expect(texts('a.b', ['LITERAL'], 'axb a.b')).toEqual([[4, 'a.b']])
    expect(texts('a b # c', ['COMMENTS'], 'ab')).toEqual([[0, 'ab']])
  })
})
