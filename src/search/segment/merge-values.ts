/**
 * Merges inverted indices of values: the distinct values of all parts, then the terms with the values they occur in.
 * A value that several parts have was analysed the same way in each, so the first is taken.
 */
import { postingsSections } from './field-entry.ts'
import { GrowingUint32 } from './growing-array.ts'
import { dropped, type FieldPart } from './merge-part.ts'
import { mergeTexts, type UsedTerms } from './merge-texts.ts'
import { PostingsWriter } from './postings-writer.ts'
import type { Postings } from './segment.ts'
import type { WrittenSection } from './segment-file.ts'
import { readPostings } from './term-index.ts'

export interface MergedValues {
  readonly sums: { readonly sumDocFreq: number; readonly sumTotalFreq: number }
  sections(): Iterable<WrittenSection>
}

export function mergeValues(
  parts: readonly FieldPart[],
  keeps: 'docs' | 'freqs' | 'positions',
  docCount: number,
): MergedValues {
  const usedValues = parts.map(valuesUsed)
  const values = mergeTexts(parts, 'values.text', usedValues)
  const column = new Uint32Array(docCount)
  const counts = new Uint32Array(values.size)
  const norms = new Uint8Array(values.size)
  let hasNorms = false
  parts.forEach(({ field, base, numbers }, part) => {
    const own = field.values!.column
    const places = values.ordinals[part]!
    for (let doc = 0; doc < own.length; doc++) {
      const to = numbers === null ? base + doc : numbers[doc]!
      if (to === dropped || own[doc] === 0) continue
      const value = places[own[doc]! - 1]!
      column[to] = value + 1
      counts[value]! += 1
    }
    const ownNorms = field.valueNorms
    if (ownNorms === null) return
    hasNorms = true
    for (let value = 0; value < ownNorms.length; value++) {
      if (usedValues[part] === null || usedValues[part]![value] === 1)
        norms[places[value]!] = ownNorms[value]!
    }
  })
  const terms = new ValueTerms(parts, values.ordinals, usedValues, counts, keeps)
  const texts = mergeTexts(parts, 'text', terms.used(), terms)
  return {
    sums: { sumDocFreq: terms.sumDocFreq, sumTotalFreq: terms.sumTotalFreq },
    *sections() {
      yield ['text', texts.packed]
      yield* postingsSections(terms.writer.finish())
      yield ['values', column]
      yield ['values.text', values.packed]
      yield ['values.doc.freqs', terms.docFreqs.view().slice()]
      if (keeps !== 'docs') yield ['values.total.freqs', terms.totalFreqs.view().slice()]
      if (hasNorms) yield ['values.norms', norms]
    },
  }
}

/** Values of documents that stay. */
function valuesUsed({ field, numbers }: FieldPart): Uint8Array | null {
  if (numbers === null) return null
  const { column, count } = field.values!
  const used = new Uint8Array(count)
  for (let doc = 0; doc < column.length; doc++) {
    if (numbers[doc] !== dropped && column[doc] !== 0) used[column[doc]! - 1] = 1
  }
  return used
}

class ValueTerms {
  readonly writer: PostingsWriter
  readonly docFreqs = new GrowingUint32()
  readonly totalFreqs = new GrowingUint32()
  sumDocFreq = 0
  sumTotalFreq = 0
  readonly #parts: readonly FieldPart[]
  readonly #written
  readonly #places: readonly Uint32Array[]
  readonly #used: UsedTerms
  readonly #counts: Uint32Array
  readonly #keeps: 'docs' | 'freqs' | 'positions'
  /** Of the term at hand: new value, then part and place in its postings. */
  #found: { value: number; postings: Postings; at: number }[] = []

  constructor(
    parts: readonly FieldPart[],
    places: readonly Uint32Array[],
    used: UsedTerms,
    counts: Uint32Array,
    keeps: 'docs' | 'freqs' | 'positions',
  ) {
    this.#parts = parts
    this.#written = parts.map(({ field }) => field.writtenPostings()!)
    this.#places = places
    this.#used = used
    this.#counts = counts
    this.#keeps = keeps
    this.writer = new PostingsWriter(keeps)
  }

  used(): UsedTerms {
    return this.#parts.map((_, part) => {
      const values = this.#used[part]!
      if (values === null) return null
      const parts = this.#written[part]!
      const used = new Uint8Array(parts.docFreqs.length)
      for (let ordinal = 0; ordinal < used.length; ordinal++) {
        const { docs } = readPostings(parts, ordinal)
        for (let i = 0; i < docs.length && used[ordinal] === 0; i++) used[ordinal] = values[docs[i]!]!
      }
      return used
    })
  }

  begin(): void {
    this.#found = []
  }

  visit(part: number, ordinal: number): void {
    const postings = readPostings(this.#written[part]!, ordinal)
    const used = this.#used[part]!
    for (let at = 0; at < postings.docs.length; at++) {
      const value = postings.docs[at]!
      if (used === null || used[value] === 1)
        this.#found.push({ value: this.#places[part]![value]!, postings, at })
    }
  }

  end(): void {
    const found = this.#found.sort((a, b) => a.value - b.value)
    let docFreq = 0
    let totalFreq = 0
    let last = -1
    for (const { value, postings, at } of found) {
      if (value === last) continue
      last = value
      const freq = postings.freqs?.[at] ?? 1
      docFreq += this.#counts[value]!
      totalFreq += this.#counts[value]! * freq
      const { positions } = postings
      if (positions === null) this.writer.add(value, freq)
      else this.writer.add(value, freq, positions.values, positions.starts[at], positions.starts[at + 1])
    }
    this.writer.end()
    if (this.#keeps === 'docs') totalFreq = docFreq
    this.docFreqs.push(docFreq)
    this.totalFreqs.push(totalFreq)
    this.sumDocFreq += docFreq
    this.sumTotalFreq += totalFreq
  }
}
