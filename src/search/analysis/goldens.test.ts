/** Every row of tokens in the goldens printed by Lucene. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { analyzerFor } from './analysis.ts'
import { tokensOf } from './analyzer.ts'

const goldens = readFileSync(new URL('../../../test/data/lucene-goldens.txt', import.meta.url), 'utf8')
const standard = analyzerFor('standard')
const rows = [...goldens.matchAll(/^(.+)\n {3}=> (.*)$/gm)].map(([, text = '', tokens = '']) => [
  text,
  tokens,
])

describe('standard analyzer', () => {
  it('has golden rows', () => {
    expect(rows.length).toBe(13)
  })

  it.each(rows)('tokenizes %s like Lucene', (text, expected) => {
    const printed = tokensOf(standard, text!).map(
      ({ token, start_offset, end_offset, type }) =>
        `[${token}|${start_offset}-${end_offset}${type === '<ALPHANUM>' ? '' : type}] `,
    )
    expect(printed.join('')).toBe(expected)
  })

  it('splits words that are too long', () => {
    expect(goldens).toContain('\n255 45 <- lengths of tokens of a 300 char word')
    const tokens = tokensOf(standard, 'x'.repeat(300))
    expect(tokens.map(({ token }) => token.length)).toEqual([255, 45])
    expect(tokens.map(({ position }) => position)).toEqual([0, 1])
  })
})
