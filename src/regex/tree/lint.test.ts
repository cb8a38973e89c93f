import { describe, expect, it } from 'vitest'
import { lintPattern } from './lint.ts'

const kinds = (source: string): string[] => lintPattern(source).map(({ kind }) => kind)

describe('lintPattern', () => {
  it('names loops inside loops over the same text', () => {
    expect(kinds('^(a+)+$')).toEqual(['nested'])
    expect(kinds('(\\w+\\s?)+$')).toEqual(['nested'])
    expect(kinds('"(?:\\\\.|[^\\\\"]+)+"')).toEqual(['nested'])
    expect(kinds('(?:a{1,30}){1,30}b')).toEqual(['nested'])
    expect(lintPattern('^(\\d+)*x')[0]).toMatchObject({ exponential: true, part: '(\\d+)*' })
  })
  it('names alternatives of a loop that accept the same text', () => {
    expect(kinds('^(?:a|a)*$')).toEqual(['alternatives'])
    expect(kinds('^(?:a|aa)+$')).toEqual(['alternatives'])
    expect(kinds('^(?:\\w|\\d)+$')).toEqual(['alternatives'])
  })
  it('names loops side by side over the same characters', () => {
    expect(kinds('.*.*x')).toEqual(['adjacent'])
    expect(kinds('\\s+\\s*$')).toEqual(['adjacent'])
    expect(lintPattern('(.*)(.*)x')[0]).toMatchObject({ exponential: false })
  })
  it('is silent about patterns that behave', () => {
    for (const source of [
      '^(?:\\d+,)+\\d+$',
      '(?:[a-z]+)+x',
      '"(?>\\\\.|[^\\\\"]+)+"',
      '^(\\S+) (\\S+) \\[([^\\]]+)\\] "(.*?)" (\\d+)$',
      '.*foo.*bar.*',
      '(?:ERROR|WARN|INFO)+',
      '(\\w+\\s?)+',
      '\\s+$',
    ]) {
      expect(kinds(source), source).toEqual([])
    }
  })
})
