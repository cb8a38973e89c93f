import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ExactPhrase } from './exact-phrase.ts'
import type { PhraseMatcher, Place } from './phrase-matcher.ts'
import { SloppyPhrase } from './sloppy-phrase.ts'

type Phrase = readonly (readonly string[])[]

/** The places of a phrase in one document, given as its words. */
function placesOf(phrase: Phrase, words: readonly string[]): Place[] | undefined {
  const places = phrase.map((terms, offset) => {
    const values = words.flatMap((word, position) => (terms.includes(word) ? [position] : []))
    return {
      docs: Uint32Array.of(0),
      starts: Uint32Array.of(0, values.length),
      values: Uint32Array.from(values),
      offset,
    }
  })
  return places.every(({ values }) => values.length > 0) ? places : undefined
}

function frequencyBy(matcher: PhraseMatcher, places: readonly Place[], limit: number): number {
  matcher.begin(places, new Uint32Array(places.length))
  while (!matcher.run(limit));
  return matcher.frequency
}

const word = fc.constantFrom('a', 'b', 'c', 'd')
const document = fc.array(word, { maxLength: 30 })
const oneTerm = fc.array(
  word.map((one) => [one]),
  { minLength: 1, maxLength: 6 },
)
const alternatives = fc.array(fc.uniqueArray(word, { minLength: 1, maxLength: 3 }), {
  minLength: 1,
  maxLength: 5,
})

describe('an exact phrase', () => {
  it('is counted at every position where all its words follow, whatever the size of the pieces', () => {
    fc.assert(
      fc.property(
        fc.oneof(oneTerm, alternatives),
        document,
        fc.integer({ min: 1, max: 9 }),
        (phrase, words, limit) => {
          const places = placesOf(phrase, words)
          if (places === undefined) return
          let expected = 0
          for (let at = 0; at + phrase.length <= words.length; at++) {
            if (phrase.every((terms, index) => terms.includes(words[at + index]!))) expected++
          }
          const matcher = new ExactPhrase()
          expect(frequencyBy(matcher, places, limit)).toBe(expected)
          expect(frequencyBy(matcher, places, 1e9)).toBe(expected)
        },
      ),
      { numRuns: 2000 },
    )
  })
})

/** Lucene's algorithm with plain lists: every choice is a search through all words. */
function naiveSloppy(phrase: Phrase, places: readonly Place[], slop: number): number {
  const at = places.map(() => 0)
  const start = (i: number) => places[i]!.values[at[i]!]! - places[i]!.offset
  const position = (i: number) => places[i]!.values[at[i]!]!
  const areRelated = relations(phrase)
  const advance = (i: number) => {
    at[i]! += 1
    if (at[i]! >= places[i]!.values.length) return false
    end = Math.max(end, start(i))
    return true
  }
  const collision = (i: number) =>
    places.findIndex((_, k) => k !== i && areRelated(i, k) && position(k) === position(i))
  const lesser = (i: number, k: number) => (start(i) < start(k) || (start(i) === start(k) && i < k) ? i : k)
  let end = Number.NEGATIVE_INFINITY
  for (let i = 0; i < places.length; i++) {
    for (let k = collision(i); k !== -1; k = collision(i)) {
      const behind = lesser(i, k)
      if (!advance(behind)) return 0
      if (behind < i) i = -1
      if (i === -1) break
    }
  }
  end = Math.max(...places.map((_, i) => start(i)))
  const before = (i: number, k: number) => start(i) - start(k) || i - k
  let frequency = 0
  for (;;) {
    const [moving, second] = places.map((_, i) => i).sort(before) as [number, number | undefined]
    const next = second === undefined ? Number.POSITIVE_INFINITY : start(second)
    let spread = end - start(moving)
    let isOver = false
    for (;;) {
      isOver = !advance(moving)
      for (let one = moving, k = isOver ? -1 : collision(one); k !== -1 && !isOver; k = collision(one)) {
        one = lesser(one, k)
        isOver = !advance(one)
        if (isOver) break
      }
      if (isOver || start(moving) > next) break
      spread = Math.min(spread, end - start(moving))
    }
    if (spread <= slop) frequency = Math.fround(frequency + Math.fround(1 / (1 + spread)))
    if (isOver) return frequency
  }
}

/** Whether two places share a term, directly or through others. */
function relations(phrase: Phrase): (i: number, k: number) => boolean {
  const group = phrase.map((_, i) => i)
  for (let round = 0; round < phrase.length; round++) {
    phrase.forEach((terms, i) => {
      phrase.forEach((others, k) => {
        if (terms.some((term) => others.includes(term))) group[i] = group[k] = Math.min(group[i]!, group[k]!)
      })
    })
  }
  return (i, k) => group[i] === group[k]
}

describe('a sloppy phrase', () => {
  it('is counted as the plain algorithm does, whatever the size of the pieces', () => {
    fc.assert(
      fc.property(
        fc.oneof(oneTerm, alternatives),
        document,
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 5 }),
        (phrase, words, slop, limit) => {
          const places = placesOf(phrase, words)
          if (places === undefined) return
          const matcher = new SloppyPhrase(
            phrase,
            phrase.map((_, i) => i),
            slop,
          )
          const expected = naiveSloppy(phrase, places, slop)
          expect(frequencyBy(matcher, places, limit)).toBe(expected)
          expect(frequencyBy(matcher, places, 1e9)).toBe(expected)
        },
      ),
      { numRuns: 3000 },
    )
  })

  it('passes each position once, however often a word is repeated', () => {
    const words = Array.from({ length: 600 }, () => 'a')
    const phrase = Array.from({ length: 300 }, () => ['a'])
    const places = placesOf(phrase, words)!
    const matcher = new SloppyPhrase(
      phrase,
      phrase.map((_, i) => i),
      10,
    )
    matcher.begin(places, new Uint32Array(places.length))
    let pieces = 0
    while (!matcher.run(1000)) pieces++
    expect(pieces).toBeLessThan((300 * 600) / 1000)
    expect(matcher.frequency).toBeGreaterThan(0)
  })
})
