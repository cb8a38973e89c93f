import { describe, expect, it } from 'vitest'
import type { SearchIndex } from '../collect/search-index.ts'
import { finish } from '../scheduling/steps.ts'
import type { LeafReader } from '../segment/segment.ts'
import { BestCompletions, type Completion } from './best-completions.ts'

const leaves = [{}, {}] as LeafReader[]
let seed = 3
function below(end: number): number {
  seed = (seed * 1_103_515_245 + 12_345) & 0x7fff_ffff
  return (seed >>> 8) % end
}

/** Documents have several inputs, and inputs several documents. */
function completions(count: number): Completion[] {
  return Array.from({ length: count }, (_, at) => {
    const leafNumber = at < count / 2 ? 0 : 1
    return {
      index: {} as SearchIndex,
      leaf: leaves[leafNumber]!,
      leafNumber,
      doc: below(count / 3),
      input: `input ${below(count / 5)}`,
      contexts: {},
      score: below(20),
    }
  })
}

/** A naive model: sorts everything and takes one after the other. */
function expected(all: readonly Completion[], size: number, byText: boolean): Completion[] {
  const sorted = [...all].sort(
    (a, b) => b.score - a.score || (a.input < b.input ? -1 : a.input > b.input ? 1 : 0),
  )
  const docs = new Set<string>()
  const texts = new Set<string>()
  return sorted
    .filter(({ leafNumber, doc, input }) => {
      const key = `${leafNumber} ${doc}`
      if (docs.has(key) || (byText && texts.has(input))) return false
      docs.add(key)
      texts.add(input)
      return true
    })
    .slice(0, size)
}

describe('the best completions', () => {
  it.each([
    [5, false],
    [5, true],
    [6000, false],
    [6000, true],
    [100_000, false],
  ])('are the first %i in order, each document once; texts once: %s', (size, byText) => {
    const all = completions(30_000)
    const best = new BestCompletions(size, byText)
    let taken = 0
    for (const one of all) {
      if (!best.takes(one.score, () => one.input)) continue
      best.add(one)
      taken++
      finish(best.cut())
    }
    expect(finish(best.found())).toEqual(expected(all, size, byText))
    if (size === 5 && !byText) expect(taken).toBeLessThan(all.length / 2)
  })
})
