/**
 * Collection statistics for BM25: document counts and frequencies by field and term. They cover the leaves of
 * one shard, or of all shards for `dfs_query_then_fetch`; deleted documents count until a merge drops them.
 */

import type { Steps } from '../../scheduling/steps.ts'
import { inverseNorms } from '../../scoring/bm25.ts'
import { mapOf } from '../../segment/map-of-maps.ts'
import type { LeafReader } from '../../segment/segment.ts'

interface FieldStatistics {
  readonly docCount: number
  readonly sumDocFreq: number
  readonly sumTotalFreq: number
}

export interface TermStatistics {
  readonly docFreq: number
  readonly totalFreq: number
}

export class Statistics {
  readonly leaves: readonly LeafReader[]
  readonly #fields = new Map<string, FieldStatistics>()
  readonly #terms = new Map<string, Map<string, TermStatistics>>()
  readonly #opened = new Set<string>()
  readonly #transposed = new Map<string, Float32Array>()

  constructor(leaves: readonly LeafReader[]) {
    this.leaves = leaves
  }

  field(name: string): FieldStatistics {
    const known = this.#fields.get(name)
    if (known !== undefined) return known
    let docCount = 0
    let sumDocFreq = 0
    let sumTotalFreq = 0
    for (const { segment } of this.leaves) {
      const field = segment.fields.get(name)
      if (field === undefined) continue
      docCount += field.termDocs
      sumDocFreq += field.sumDocFreq
      sumTotalFreq += field.sumTotalFreq
    }
    const made = { docCount, sumDocFreq, sumTotalFreq }
    this.#fields.set(name, made)
    return made
  }

  /** Opens the term dictionaries of a field, one per step. */
  *opening(field: string): Steps<void> {
    if (this.#opened.has(field)) return
    for (const { segment } of this.leaves) {
      const terms = segment.fields.get(field)?.terms
      if (terms !== undefined) yield
    }
    this.#opened.add(field)
  }

  term(field: string, term: string): TermStatistics {
    const terms = mapOf(this.#terms, field)
    let found = terms.get(term)
    if (found === undefined) {
      found = this.#find(field, term)
      terms.set(term, found)
    }
    return found
  }

  /** The norm table of a field for its average length, shared by all its terms. */
  inverseNorms(field: string, average: number): Float32Array {
    let table = this.#transposed.get(field)
    if (table === undefined) {
      table = inverseNorms(average)
      this.#transposed.set(field, table)
    }
    return table
  }

  #find(field: string, term: string): TermStatistics {
    let docFreq = 0
    let totalFreq = 0
    for (const { segment } of this.leaves) {
      const terms = segment.fields.get(field)?.terms
      const ordinal = terms?.find(term) ?? -1
      if (terms === null || terms === undefined || ordinal === -1) continue
      docFreq += terms.docFreq(ordinal)
      totalFreq += terms.totalFreq(ordinal)
    }
    return { docFreq, totalFreq }
  }
}
