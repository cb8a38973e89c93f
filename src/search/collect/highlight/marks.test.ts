import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { standardAnalyzer } from '../../analysis/analyzer.ts'
import { findMarks } from './marks.ts'

const analyzer = standardAnalyzer()

/** A naive model that compares every token with every word of the phrase. */
function naive(words: readonly string[], phrase: readonly string[], slop: number): number[] {
  const marked = new Set<number>()
  words.forEach((word, start) => {
    if (word !== phrase[0]) return
    const found = [start]
    let off = 0
    for (let i = 1; i < phrase.length; i++) {
      let best = -1
      words.forEach((other, at) => {
        const away = Math.abs(at - start - i)
        if (other !== phrase[i] || found.includes(at) || away > slop) return
        if (best === -1 || away < Math.abs(best - start - i)) best = at
      })
      if (best === -1) return
      off += Math.abs(best - start - i)
      found.push(best)
    }
    if (off <= slop * phrase.length) for (const at of found) marked.add(at)
  })
  return [...marked].sort((a, b) => a - b)
}

function marksOf(text: string, phrase: readonly string[], slop: number) {
  const phrases = [{ terms: phrase.map((word) => [word]), positions: phrase.map((_, i) => i), slop }]
  return findMarks(text, { terms: new Set(), patterns: [], phrases }, analyzer, '')
}

describe('marks of phrases', () => {
  it('are where a naive search finds them', () => {
    const word = fc.constantFrom('a', 'b', 'c')
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 14 }),
        fc.array(word, { minLength: 1, maxLength: 4 }),
        fc.nat(4),
        (words, phrase, slop) => {
          const starts = marksOf(words.join(' '), phrase, slop).map(({ start }) => start / 2)
          expect(starts).toEqual(naive(words, phrase, slop))
        },
      ),
      { seed: 1, numRuns: 2000 },
    )
  })

  it('are found in a long text with any slop', () => {
    const text = 'x '.repeat(100_000)
    expect(marksOf(text, ['x', 'x', 'x'], 2_000_000_000).length).toBe(100_000)
    expect(marksOf(text, ['x', 'y'], 2_000_000_000)).toEqual([])
  })
})
