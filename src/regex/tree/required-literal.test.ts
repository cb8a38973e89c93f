import { describe, expect, it } from 'vitest'
import { translate } from '../translate.ts'
import { containsInOrder, literalChain, requiredLiterals } from './required-literal.ts'

const chain = (source: string): string[] => literalChain(translate(source).tree)

describe('literalChain', () => {
  it('finds what every match contains, in order', () => {
    expect(chain('(\\S+) \\[([^\\]]+)\\] "GET (.*)"')).toEqual([' [', '] "GET ', '"'])
    expect(chain('a{3}b')).toEqual(['aaab'])
    expect(chain('(ab)+c')).toEqual(['ab', 'c'])
    expect(chain('(?>ab)c(?=d)e')).toEqual(['abce'])
  })
  it('takes nothing from what may be missing', () => {
    expect(chain('(?:ab)?c|d')).toEqual([])
    expect(chain('a*b?x')).toEqual(['x'])
    expect(chain('(?=ab)\\w')).toEqual([])
    expect(chain('(?i)ab-c')).toEqual(['-'])
  })
})

describe('requiredLiterals', () => {
  const literals = (source: string) => requiredLiterals(translate(source).tree)
  it('knows a pattern that is one text', () => {
    expect(literals('foo\\.bar')).toEqual({ whole: 'foo.bar', chain: [] })
    expect(literals('(?i)foo').whole).toBeNull()
    expect(literals('^foo').whole).toBeNull()
  })
  it('keeps the three longest at most', () => {
    expect(literals('\\d+ab\\d+abc\\d+abcd\\d+abcde').chain).toEqual(['abc', 'abcd', 'abcde'])
    expect(literals('^foo\\d+').chain).toEqual([])
  })
})

describe('containsInOrder', () => {
  it('looks for each behind the one before', () => {
    expect(containsInOrder('aXbX', ['X', 'b', 'X'])).toBe(true)
    expect(containsInOrder('aXb', ['X', 'b', 'X'])).toBe(false)
    expect(containsInOrder('ab', ['b', 'a'])).toBe(false)
    expect(containsInOrder('aa', ['aa', 'a'])).toBe(false)
  })
})
