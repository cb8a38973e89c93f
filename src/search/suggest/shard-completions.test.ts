import { describe, expect, it } from 'vitest'
import type { SearchIndex } from '../collect/search-index.ts'
import type { LeafReader } from '../segment/segment.ts'
import { type Completion, ShardCompletions } from './shard-completions.ts'

const completion = (input: string, doc: number, score = 1, leafNumber = 0): Completion => ({
  index: {} as SearchIndex,
  leaf: {} as LeafReader,
  leafNumber,
  doc,
  input,
  contexts: {},
  score,
})

const shown = (best: ShardCompletions) => best.found().map(({ input, doc }) => `${input} ${doc}`)

describe('the best completions of a shard', () => {
  it('are ordered by score, text and document', () => {
    const best = new ShardCompletions(3, false)
    best.beginLeaf()
    for (const one of [completion('b', 1, 2), completion('c', 2), completion('a', 4)])
      expect(best.offer(one)).toBe(true)
    expect(best.offer(completion('a', 3))).toBe(true)
    expect(best.offer(completion('x', 5))).toBe(false)
    expect(shown(best)).toEqual(['b 1', 'a 3', 'a 4'])
  })

  it('have each document once, by the input it was met with first', () => {
    const best = new ShardCompletions(3, false)
    best.beginLeaf()
    best.offer(completion('Nine', 1))
    expect(best.offer(completion('Nice', 1))).toBe(true)
    expect(shown(best)).toEqual(['Nine 1'])
    best.beginLeaf()
    best.offer(completion('Nice', 1, 1, 1))
    expect(shown(best)).toEqual(['Nice 1', 'Nine 1'])
  })

  it('have each text once when duplicates are skipped, also between leaves', () => {
    const best = new ShardCompletions(3, true)
    best.beginLeaf()
    best.offer(completion('One', 7))
    expect(best.skips('One')).toBe(true)
    // The document is shown already, but its other text is taken.
    best.offer(completion('Only', 7))
    expect(best.skips('Only')).toBe(true)
    best.beginLeaf()
    expect(best.skips('One')).toBe(false)
    best.offer(completion('One', 2, 1, 1))
    best.offer(completion('Ours', 3, 1, 1))
    expect(shown(best)).toEqual(['One 7', 'Ours 3'])
  })
})
