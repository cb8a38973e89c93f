import fc from 'fast-check'
import { expect, test } from 'vitest'
import { finish } from '../../../scheduling/steps.ts'
import { BitSet } from '../../../segment/encoding/bit-set.ts'
import { sumPostings } from '../compound/windowed-disjunction.ts'
import { DocSet } from '../doc-set.ts'
import type { PostingScores } from '../query.ts'
import { maxTopDocs, prunedTopDocs } from './block-max-pruning.ts'

const size = 30_001

/** A deterministic hash that looks random. */
function scattered(seed: number): (doc: number) => number {
  return (doc) => {
    let hash = Math.imul(doc + 1, 0x9e37_79b1) ^ Math.imul(seed + 1, 0x85eb_ca6b)
    hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2_ae35)
    return (hash ^ (hash >>> 13)) >>> 0
  }
}

const lengths = (seed: number, most: number) =>
  Uint8Array.from({ length: size }, (_, doc) => 1 + (scattered(seed)(doc) % most))

const list = fc.record({
  seed: fc.nat(),
  /** One document in this many contains the term. */
  every: fc.constantFrom(1, 2, 3, 7, 40, 900),
  from: fc.constantFrom(0, 0, 5000, 29_000),
  /** The maximum frequency of the term. */
  often: fc.constantFrom(1, 1, 2, 3, 9),
  weight: fc.constantFrom(0.25, 1, 1, 3.5),
})

type List = typeof list extends fc.Arbitrary<infer Of> ? Of : never

function postings({ seed, every, from, often, weight }: List, norms: Uint8Array | null): PostingScores {
  const random = scattered(seed)
  const docs = Uint32Array.from(
    Array.from({ length: size - from }, (_, i) => from + i).filter((doc) => random(doc) % every === 0),
  )
  // High frequencies are rare.
  const freqs =
    often === 1 ? null : docs.map((doc) => 1 + Math.floor(often * ((random(doc + size) % 1000) / 1000) ** 6))
  const compute = (frequency: number, norm: number) =>
    Math.fround(weight * Math.fround(frequency / Math.fround(frequency + 0.3 + norm / 10)))
  const end = 3
  const scores = Float32Array.from({ length: end * 256 }, (_, i) => compute(i >>> 8, i & 255))
  return { postings: { docs, freqs, positions: null }, docs, freqs, norms, table: { scores, end, compute } }
}

const masks = fc.constantFrom('none', 'few are gone', 'few are left')

test('block-max pruning finds the same top k as sorting all scores', () => {
  const seen = { skipped: 0, all: 0 }
  fc.assert(
    fc.property(
      fc.array(list, { minLength: 1, maxLength: 6 }),
      fc.constantFrom(null, 3, 12, 200),
      fc.boolean(),
      masks,
      fc.constantFrom('any' as const, 'all' as const),
      (asked, most, areOfOneField, mask, match) => {
        const norms = most === null ? null : lengths(1, most)
        const lists = asked.map((each, i) =>
          postings(each, areOfOneField || i > 0 || most === null ? norms : lengths(2, most)),
        )
        const isThere = (doc: number) => mask === 'none' || (doc % 10 === 0) === (mask === 'few are left')
        const within =
          mask === 'none'
            ? null
            : DocSet.ofBits(
                BitSet.of(size, Uint32Array.from({ length: size }, (_, doc) => doc).filter(isThere)),
              )
        const { docs, scores } = sumPostings(lists, 0, size)
        const counts = new Uint8Array(size)
        for (const each of lists) for (const doc of each.docs) counts[doc]! += 1
        const all = Array.from(docs, (doc, i) => ({ doc, score: scores[i]! })).filter(
          ({ doc }) => isThere(doc) && (match === 'any' || counts[doc] === lists.length),
        )
        const expected = [...all].sort((a, b) => b.score - a.score || a.doc - b.doc).slice(0, maxTopDocs)
        // The second run uses the cached block-max postings.
        for (let time = 0; time < 2; time++) {
          const { matches, best } = finish(prunedTopDocs(lists, size, within, match))
          expect([...matches.array()]).toEqual(all.map(({ doc }) => doc))
          expect([...best.docs]).toEqual(expected.map(({ doc }) => doc))
          expect([...best.scores]).toEqual(expected.map(({ score }) => score))
        }
        seen.all += 1
        if (all.length > maxTopDocs) seen.skipped += 1
      },
    ),
    { numRuns: 60 },
  )
  expect(seen.skipped).toBeGreaterThan(seen.all / 4)
})
