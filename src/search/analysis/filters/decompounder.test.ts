/** What Lucene 10.5 finds in compound words, in its order. */
import { describe, expect, it } from 'vitest'
import { Analysis } from '../analysis.ts'
import { tokensOf } from '../analyzer.ts'

const words = 'Donau dampf meer schiff fahrt dampfschiff donau au schifffahrt s'.split(' ')
const text = 'Donaudampfschifffahrt dampf auau ein au schiffs'

function terms(options: Record<string, unknown>): string {
  const filter = { type: 'dictionary_decompounder', word_list: words, ...options }
  const tokens = tokensOf(new Analysis().custom('whitespace', [filter]), text)
  return tokens.map(({ token, position }) => `${token}@${position}`).join(' ')
}

describe('dictionary_decompounder', () => {
  it.each([
    [
      {},
      'Donaudampfschifffahrt@0 Donau@0 au@0 dampf@0 dampfschiff@0 schiff@0 schifffahrt@0 fahrt@0 dampf@1 dampf@1 auau@2 ein@3 au@4 schiffs@5 schiff@5',
    ],
    [
      { only_longest_match: true },
      'Donaudampfschifffahrt@0 Donau@0 dampfschiff@0 fahrt@0 dampf@1 dampf@1 auau@2 ein@3 au@4 schiffs@5 schiff@5',
    ],
    [
      { min_subword_size: 5 },
      'Donaudampfschifffahrt@0 Donau@0 dampf@0 dampfschiff@0 schiff@0 schifffahrt@0 fahrt@0 dampf@1 dampf@1 auau@2 ein@3 au@4 schiffs@5 schiff@5',
    ],
    [
      { min_word_size: 20 },
      'Donaudampfschifffahrt@0 Donau@0 au@0 dampf@0 dampfschiff@0 schiff@0 schifffahrt@0 fahrt@0 dampf@1 auau@2 ein@3 au@4 schiffs@5',
    ],
    [
      { max_subword_size: 5 },
      'Donaudampfschifffahrt@0 Donau@0 au@0 dampf@0 fahrt@0 dampf@1 dampf@1 auau@2 ein@3 au@4 schiffs@5',
    ],
    [
      { min_subword_size: 1, only_longest_match: true },
      'Donaudampfschifffahrt@0 Donau@0 dampfschiff@0 fahrt@0 dampf@1 dampf@1 auau@2 ein@3 au@4 schiffs@5 schiff@5 s@5',
    ],
  ])('with %j', (options, expected) => {
    expect(terms(options)).toBe(expected)
  })

  it('gives the offsets of the compound to its parts', () => {
    const filter = { type: 'dictionary_decompounder', word_list: ['schiff', 'fahrt'] }
    const tokens = tokensOf(new Analysis().custom('whitespace', [filter]), 'die schifffahrt')
    expect(tokens.slice(1).map((token) => [token.start_offset, token.end_offset])).toEqual([
      [4, 15],
      [4, 15],
      [4, 15],
    ])
  })

  it('asks for its words', () => {
    expect(() => new Analysis().custom('whitespace', [{ type: 'dictionary_decompounder' }])).toThrow(
      /^word_list must be provided for \[.*\], either as a path to a file, or directly$/,
    )
  })
})
