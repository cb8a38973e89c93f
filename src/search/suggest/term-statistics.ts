/** Terms of a field over all shards of a search: how many documents have each, and how often it occurs. */
import type { Analyzer } from '../analysis/analyzer.ts'
import type { SearchIndex } from '../collect/search-index.ts'
import type { MappedField } from '../mapping/mapped-field.ts'
import type { LeafReader, TermIndex } from '../segment/segment.ts'
import { illegal } from './suggest-request.ts'

export class FieldTerms {
  readonly field: string
  readonly #dictionaries: readonly TermIndex[]
  /** Documents, whether they have the field or not. */
  readonly docCount: number
  /** Words in all documents. */
  readonly wordCount: number
  readonly #mapped: MappedField
  readonly #index: SearchIndex

  constructor(indices: readonly SearchIndex[], name: string) {
    const found = indices.flatMap((index) => {
      const field = index.mapping.field(name)
      return field === undefined ? [] : [{ index, field }]
    })
    const first = found[0]
    if (first === undefined) throw illegal(`no mapping found for field [${name}]`)
    this.field = first.field.name
    this.#mapped = first.field
    this.#index = first.index
    const leaves: LeafReader[] = found.flatMap(({ index }) => index.shards.flatMap((shard) => shard.leaves))
    this.#dictionaries = leaves.flatMap(({ segment }) => segment.fields.get(this.field)?.terms ?? [])
    this.docCount = leaves.reduce((sum, { segment }) => sum + segment.docCount, 0)
    this.wordCount = leaves.reduce(
      (sum, { segment }) => sum + (segment.fields.get(this.field)?.sumTotalFreq ?? 0),
      0,
    )
  }

  /** What texts go through; undefined where they are taken whole. */
  analyzer(name: string | undefined): Analyzer | undefined {
    if (name === undefined) return this.#mapped.searchAnalyzer ?? this.#mapped.normalizer
    const found = this.#index.queries.analyzer(name)
    if (found === undefined) throw illegal(`analyzer [${name}] doesn't exists`)
    return found
  }

  docFreq(term: string): number {
    let sum = 0
    for (const terms of this.#dictionaries) {
      const ordinal = terms.find(term)
      if (ordinal !== -1) sum += terms.docFreq(ordinal)
    }
    return sum
  }

  totalFreq(term: string): number {
    let sum = 0
    for (const terms of this.#dictionaries) {
      const ordinal = terms.find(term)
      if (ordinal !== -1) sum += terms.totalFreq(ordinal)
    }
    return sum
  }

  /** Terms that begin like this, with their documents. */
  *startingWith(prefix: string): Generator<readonly [term: string, docFreq: number]> {
    const found = new Map<string, number>()
    for (const terms of this.#dictionaries) {
      for (let ordinal = terms.lowerBound(prefix); ordinal < terms.size; ordinal++) {
        const term = terms.term(ordinal)
        if (!term.startsWith(prefix)) break
        found.set(term, (found.get(term) ?? 0) + terms.docFreq(ordinal))
      }
    }
    yield* found
  }
}
