import { describe, expect, it } from 'vitest'
import { compilePattern } from '../pattern.ts'

const gsub = (text: string, pattern: string, replacement: string): string =>
  compilePattern(pattern).replaceAll(text, replacement)

describe('Ruby replacement text', () => {
  it('knows groups by number and name', () => {
    expect(gsub('john smith', '(\\w+) (\\w+)', '\\2 \\1')).toBe('smith john')
    expect(gsub('abc', '(?<n>b)', '<\\k<n>>')).toBe('a<b>c')
    expect(gsub('abc', 'b', '[\\0][\\&]')).toBe('a[b][b]c')
  })
  it('takes one digit, and nothing for a group that does not exist or took no part', () => {
    expect(gsub('abc', '(b)', '\\10')).toBe('ab0c')
    expect(gsub('abc', 'b', '\\7')).toBe('ac')
    expect(gsub('abc', '(x)?b', '<\\1>')).toBe('a<>c')
  })
  it('knows the text around the match', () => {
    expect(gsub('abc', 'b', "(\\`|\\')")).toBe('a(a|c)c')
  })
  it('keeps a backslash that means nothing', () => {
    expect(gsub('abc', 'b', '\\n\\z\\kx\\\\')).toBe('a\\n\\z\\kx\\c')
    expect(gsub('abc', 'b', '\\')).toBe('a\\c')
  })
  it('names a reference to nothing', () => {
    expect(() => gsub('abc', 'b', '\\k<m>')).toThrow('undefined group name reference: m')
    expect(() => gsub('abc', '(b)', '\\k<1>')).toThrow('undefined group name reference: 1')
    expect(() => gsub('abc', '(?<n>b)', '\\k<n')).toThrow('invalid group name reference format')
  })
  it('works beside hidden groups and with more than nine', () => {
    expect(gsub('aab', '(?>a|ab)(?<x>a)', '\\k<x>\\1!')).toBe('aa!b')
    expect(gsub('abcdefghijk', '(a)(b)(c)(d)(e)(f)(g)(h)(i)(?>(j)|k)', '\\9$\\1')).toBe('i$ak')
  })
})
