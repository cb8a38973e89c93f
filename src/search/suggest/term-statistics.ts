/** Term statistics of a field over all shards of a search: document frequency and total term frequency. */

import type { Analyzer } from '../analysis/analyzer.ts'
import type { SearchIndex } from '../collect/search-index.ts'
import { foundByShards } from '../collect/shard-failures.ts'
import type { MappedField } from '../mapping/mapped-field.ts'
import { illegalArgument } from '../request/errors.ts'
import { StepSize } from '../scheduling/step-size.ts'
import type { Steps } from '../scheduling/steps.ts'
import type { LeafReader, TermIndex } from '../segment/segment.ts'

export class FieldTerms {
  readonly field: string
  readonly #dictionaries: readonly TermIndex[]
  /** All documents, with or without the field. */
  readonly docCount: number
  /** The sum of total term frequencies. */
  readonly wordCount: number
  /** The number of different terms; that of the documents where several segments would count a term twice. */
  readonly termCount: number
  readonly #mapped: MappedField
  readonly #index: SearchIndex
  /** A cache by term. */
  readonly #totalFreqs = new Map<string, number>()

  constructor(indices: readonly SearchIndex[], name: string) {
    const found = indices.flatMap((index) => {
      const field = index.mapping.field(name)
      return field === undefined ? [] : [{ index, field }]
    })
    const first = found[0]
    if (first === undefined) throw foundByShards(illegalArgument(`no mapping found for field [${name}]`))
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
    this.termCount = this.#dictionaries.length === 1 ? this.#dictionaries[0]!.size : this.docCount
  }

  /** The analyzer of the text; undefined when it is a single term. */
  analyzer(name: string | undefined): Analyzer | undefined {
    if (name === undefined) return this.#mapped.searchAnalyzer ?? this.#mapped.normalizer
    const found = this.#index.queries.analyzer(name)
    if (found === undefined) throw illegalArgument(`analyzer [${name}] doesn't exists`)
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
    const known = this.#totalFreqs.get(term)
    if (known !== undefined) return known
    let sum = 0
    for (const terms of this.#dictionaries) {
      const ordinal = terms.find(term)
      if (ordinal !== -1) sum += terms.totalFreq(ordinal)
    }
    this.#totalFreqs.set(term, sum)
    return sum
  }

  /** Returns the terms with a prefix that pass a test, with their document frequencies. */
  *near(prefix: string, test: (term: string) => boolean): Steps<Map<string, number>> {
    const found = new Map<string, number>()
    const pace = new StepSize(256, 64, 4096)
    for (const terms of this.#dictionaries) {
      let isWithin = true
      for (let ordinal = terms.lowerBound(prefix); isWithin && ordinal < terms.size; ) {
        const end = Math.min(terms.size, ordinal + pace.begin())
        for (; ordinal < end; ordinal++) {
          const term = terms.term(ordinal)
          isWithin = term.startsWith(prefix)
          if (!isWithin) break
          if (test(term)) found.set(term, (found.get(term) ?? 0) + terms.docFreq(ordinal))
        }
        pace.end()
        yield
      }
    }
    return found
  }
}
