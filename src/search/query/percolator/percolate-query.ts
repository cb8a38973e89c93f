/**
 * `percolate`: the documents of an index whose stored query matches one of the documents of the request. Every stored
 * query is run over these few documents; its best score is the score of the hit. Compare OpenSearch's PercolateQuery,
 * which leaves out queries by their terms first.
 */
import { parseExactJson } from '../../request/json-literals.ts'
import { inRanges, StepSize } from '../../scheduling/step-size.ts'
import { finish, retryWork, type Steps } from '../../scheduling/steps.ts'
import type { LeafReader } from '../../segment/segment.ts'
import { type BoundQuery, CompiledQuery, type Percolation } from '../exec/compiled-query.ts'
import { DocSet } from '../exec/doc-set.ts'
import { type Explanation, explained, unmatched } from '../exec/explanation.ts'
import { Query, type ScoredDocs, type SearchScope, Weight } from '../exec/query.ts'

interface PercolateSettings {
  /** The field with the stored queries. */
  readonly field: string
  /** What tells this query from others of the request. */
  readonly name: string
  /** The documents of the request. */
  readonly documents: LeafReader
  /** Binds a stored query. Throws SearchError. */
  bind(json: unknown): BoundQuery
}

export class PercolateQuery extends Query implements Percolation {
  readonly settings: PercolateSettings
  /** The root documents by slot. */
  readonly #roots: readonly number[]

  constructor(settings: PercolateSettings) {
    super()
    this.settings = settings
    const { docCount, roots } = settings.documents.segment
    this.#roots = Array.from({ length: docCount }, (_, doc) => doc).filter(
      (doc) => roots === null || roots.has(doc),
    )
  }

  get name(): string {
    return this.settings.name
  }

  get documents(): LeafReader {
    return this.settings.documents
  }

  get documentCount(): number {
    return this.#roots.length
  }

  rootOf(slot: number): number {
    return this.#roots[slot]!
  }

  weight(scope: SearchScope, boost: number): Weight {
    return new PercolateWeight(scope, this, boost !== 0)
  }

  toString(): string {
    return 'PercolateQuery'
  }

  storedQuery(leaf: LeafReader, doc: number): BoundQuery | undefined {
    const stored = new StoredColumn(leaf, this.settings.field)
    const ordinal = stored.ordinal(doc)
    return ordinal === -1 ? undefined : this.settings.bind(stored.query(ordinal))
  }

  slots(scope: Pick<SearchScope, 'scoreFactor' | 'check'>, leaf: LeafReader, doc: number): number[] {
    const bound = this.storedQuery(leaf, doc)
    if (bound === undefined) return []
    const matches = this.compiled(bound, scope).matching(this.documents)
    return [...this.#roots.keys()].filter((slot) => matches.has(this.#roots[slot]!))
  }

  compiled(
    bound: BoundQuery,
    { scoreFactor, check }: Pick<SearchScope, 'scoreFactor' | 'check'>,
  ): CompiledQuery {
    const compiled = new CompiledQuery(bound, { leaves: [this.documents], scoreFactor, check })
    finish(compiled.expandTerms())
    return compiled
  }
}

/** The stored queries of a segment by ordinal. */
class StoredColumn {
  readonly #field: ReturnType<LeafReader['segment']['fields']['get']>

  constructor({ segment }: LeafReader, field: string) {
    this.#field = segment.fields.get(field)
  }

  /** The number of distinct queries. */
  get size(): number {
    return this.#field?.terms?.size ?? 0
  }

  ordinal(doc: number): number {
    const column = this.#field?.ordinals
    if (column === null || column === undefined) return -1
    const { starts, values } = column
    if (starts === null) return values[doc]! - 1
    return starts[doc]! < starts[doc + 1]! ? values[starts[doc]!]! - 1 : -1
  }

  query(ordinal: number): unknown {
    return parseExactJson(Buffer.from(this.#field!.terms!.term(ordinal)))
  }
}

class PercolateWeight extends Weight {
  readonly #query: PercolateQuery
  readonly #isScored: boolean
  /** The best score of each distinct query of a segment; NaN where it does not match. */
  readonly #scores = new Map<LeafReader, Float32Array>()

  constructor(scope: SearchScope, query: PercolateQuery, isScored: boolean) {
    super(scope)
    this.#query = query
    this.#isScored = isScored
  }

  cost(leaf: LeafReader): number {
    return leaf.segment.fields.get(this.#query.settings.field)?.docCount ?? 0
  }

  *#run(leaf: LeafReader): Steps<Float32Array> {
    const known = this.#scores.get(leaf)
    if (known !== undefined) return known
    const stored = new StoredColumn(leaf, this.#query.settings.field)
    const scores = new Float32Array(yield* retryWork(() => stored.size)).fill(Number.NaN)
    const pace = new StepSize(16, 1, 1024)
    for (let ordinal = 0; ordinal < scores.length; ) {
      const end = Math.min(scores.length, ordinal + pace.begin())
      this.scope.check()
      for (; ordinal < end; ordinal++) scores[ordinal] = this.#best(stored.query(ordinal))
      pace.end()
      yield
    }
    this.#scores.set(leaf, scores)
    return scores
  }

  #best(json: unknown): number {
    const { settings, documents } = this.#query
    const compiled = this.#query.compiled(settings.bind(json), this.scope)
    if (!this.#isScored) return compiled.matching(documents).isEmpty ? Number.NaN : 1
    const { scores } = compiled.scores(documents)
    let best = Number.NaN
    for (const score of scores) if (!(score <= best)) best = score
    return best
  }

  protected *find(leaf: LeafReader): Steps<DocSet> {
    const scores = yield* this.#run(leaf)
    const { docCount } = leaf.segment
    if (scores.length === 0) return DocSet.none(docCount)
    const stored = new StoredColumn(leaf, this.#query.settings.field)
    const found = new Uint32Array(docCount)
    let count = 0
    yield* inRanges(docCount, (from, to) => {
      for (let doc = from; doc < to; doc++) {
        const ordinal = stored.ordinal(doc)
        if (ordinal !== -1 && !Number.isNaN(scores[ordinal]!)) found[count++] = doc
      }
    })
    return DocSet.ofSorted(docCount, found.slice(0, count))
  }

  score(leaf: LeafReader, within: DocSet | null): ScoredDocs {
    const matches = this.matches(leaf)
    const docs = (within === null ? matches : matches.and(within)).array()
    const byOrdinal = finish(this.#run(leaf))
    const stored = new StoredColumn(leaf, this.#query.settings.field)
    return { docs, scores: Float32Array.from(docs, (doc) => byOrdinal[stored.ordinal(doc)]!) }
  }

  explain(leaf: LeafReader, doc: number): Explanation {
    const bound = this.#query.storedQuery(leaf, doc)
    const score = this.scoreOf(leaf, doc)
    if (bound === undefined || score === undefined) return unmatched('PercolateQuery')
    const compiled = this.#query.compiled(bound, this.scope)
    return explained(score, 'PercolateQuery', [
      compiled.explain(this.#query.documents, this.#query.rootOf(0)),
    ])
  }
}
