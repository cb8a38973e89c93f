/**
 * `function_score`: every function whose filter matches gives a factor, `scoreMode` combines the factors into
 * one, and `boostMode` combines that with the query's own score.
 */
import { illegalArgument } from '../../../request/errors.ts'
import { SearchError } from '../../../request/search-error.ts'
import { inRanges, StepSize } from '../../../scheduling/step-size.ts'
import type { Steps } from '../../../scheduling/steps.ts'
import type { BoundFunction, ScoreFunction } from '../../../scoring/score-functions.ts'
import type { LeafReader } from '../../../segment/segment.ts'
import { DocBatches } from '../doc-batches.ts'
import { DocSet } from '../doc-set.ts'
import { type Explanation, explained, floatText, unmatched } from '../explanation.ts'
import type { TermVisitor } from '../highlight-terms.ts'
import { firstPageTopDocs, maxTopDocs, type PrunedTopDocs } from '../pruning/block-max-pruning.ts'
import { TopDocsHeap } from '../pruning/top-docs-heap.ts'
import { Query, type ScoredDocs, type SearchScope, Weight } from '../query.ts'
import { batchesOf, type ScoredBatches } from '../scored-batches.ts'
import {
  boosted,
  functionScoreExplanation,
  functionText,
  type ShownFunction,
  withName,
} from './function-score-explanation.ts'
import { filterWeight } from './simple-queries.ts'

export type ScoreMode = 'multiply' | 'sum' | 'avg' | 'first' | 'max' | 'min'
export type BoostMode = 'multiply' | 'replace' | 'sum' | 'avg' | 'max' | 'min'

export interface FilteredFunction {
  readonly filter: Query | undefined
  /** Undefined for a bare `weight`. */
  readonly score: ScoreFunction | undefined
  /** True when scoring one document may take milliseconds, as a script does. */
  readonly isSlow?: boolean
  /** How a script is printed. */
  readonly scriptText?: string
  /** How another function is printed and explained. */
  readonly shown?: ShownFunction
  /** The `_name` of the filter. */
  readonly filterName?: string | undefined
  readonly weight: number | undefined
}

export interface FunctionScoreSettings {
  readonly query: Query
  /** The `_name` of the query. */
  readonly queryName?: string | undefined
  readonly functions: readonly FilteredFunction[]
  readonly scoreMode: ScoreMode
  readonly boostMode: BoostMode
  readonly maxBoost: number
  readonly minScore: number | undefined
  /** True when the boost applies to the result and functions see unboosted scores. */
  readonly boostsResult?: boolean
  /** It is a `script_score` query. */
  readonly isScriptScore?: boolean
}

export class FunctionScoreQuery extends Query {
  readonly settings: FunctionScoreSettings

  constructor(settings: FunctionScoreSettings) {
    super()
    this.settings = settings
  }

  weight(scope: SearchScope, boost: number): Weight {
    return new FunctionScoreWeight(scope, this.settings, boost === 0 && this.matchesByScore ? 1 : boost)
  }

  override get matchesByScore(): boolean {
    return this.settings.minScore !== undefined
  }

  toString(): string {
    return this.printed(String)
  }

  override get lucene(): string {
    return this.printed((query) => query.lucene)
  }

  /** As OpenSearch prints it; `text` prints the queries inside. */
  printed(text: (query: Query) => string): string {
    const { query, queryName, functions, isScriptScore = false } = this.settings
    // OpenSearch leaves the bracket open.
    if (isScriptScore) {
      const name = queryName === undefined ? '' : `, _name: ${queryName}`
      return `script_score (${text(query)}${name}, script: {${functions[0]!.scriptText}}`
    }
    const list = functions.map((one) => `{${functionText(one, text)}}`)
    return `function score (${text(query)}, functions: [${list.join('')}])`
  }

  override *expandTerms(scope: SearchScope): Steps<void> {
    yield* this.settings.query.expandTerms(scope)
    for (const { filter } of this.settings.functions)
      if (filter !== undefined) yield* filter.expandTerms(scope)
  }

  override get leafCount(): number {
    return this.settings.query.leafCount
  }

  override visit(visitor: TermVisitor): void {
    this.settings.query.visit(visitor)
  }
}

class FunctionScoreWeight extends Weight {
  readonly #settings: FunctionScoreSettings
  readonly #inner: Weight
  readonly #filters: readonly (Weight | undefined)[]
  /** The factor of the final score. */
  readonly #boost: number
  readonly #isSlow: boolean
  #kept: KeptScores | undefined

  constructor(scope: SearchScope, settings: FunctionScoreSettings, boost: number) {
    super(scope)
    this.#settings = settings
    const boostsResult = settings.boostsResult === true
    this.#boost = boostsResult ? boost : 1
    this.#isSlow = settings.functions.some(({ isSlow }) => isSlow === true)
    this.#inner = settings.query.weight(scope, boostsResult ? 1 : boost)
    this.#filters = settings.functions.map(({ filter }) =>
      filter === undefined ? undefined : filterWeight(filter, scope),
    )
  }

  cost(leaf: LeafReader): number {
    return this.#inner.cost(leaf)
  }

  protected find(leaf: LeafReader): DocSet {
    if (this.#settings.minScore === undefined) return this.#inner.matches(leaf)
    return DocSet.ofSorted(leaf.segment.docCount, this.score(leaf, null).docs)
  }

  override *prepare(leaf: LeafReader): Steps<void> {
    if (this.isCached(leaf)) return
    if (this.#settings.minScore === undefined) {
      yield* this.#inner.prepare(leaf)
      yield* super.prepare(leaf)
    } else {
      const { docs } = yield* this.scoreSteps(leaf, null)
      this.cacheMatches(leaf, DocSet.ofSorted(leaf.segment.docCount, docs))
    }
  }

  override *prepareScores(leaf: LeafReader, count: number): Steps<void> {
    yield* this.#inner.prepareScores(leaf, count)
    const scored = Math.min(count, this.#inner.cost(leaf))
    for (const filter of this.#filters) if (filter !== undefined) yield* filter.prepareFor(leaf, scored)
    if (this.#isSlow && this.#kept?.leaf !== leaf) this.#kept = yield* this.#keepAll(leaf)
  }

  /**
   * Runs slow functions over a few documents per step; documents whose function fails are scored again later,
   * so that the error reaches the caller.
   */
  *#keepAll(leaf: LeafReader): Steps<KeptScores> {
    const { segment } = leaf
    const { docs } = yield* this.#inner.scoreSteps(leaf, null)
    const scores = new Float32Array(segment.docCount).fill(Number.NaN)
    const one = (doc: number): number => {
      try {
        return this.#scored(leaf, DocSet.interval(segment.docCount, doc, doc + 1)).scores[0] ?? Number.NaN
      } catch (error) {
        if (error instanceof SearchError) return Number.NaN
        throw error
      }
    }
    const each = (from: number, to: number) => {
      for (let i = from; i < to; i++) scores[docs[i]!] = one(docs[i]!)
    }
    yield* inRanges(docs.length, each, new StepSize(1, 1))
    return { leaf, docs: DocSet.ofSorted(segment.docCount, docs), scores }
  }

  score(leaf: LeafReader, within: DocSet | null): ScoredDocs {
    const found = this.#kept?.leaf === leaf ? this.#fromKept(this.#kept, within) : undefined
    return this.#enough(found ?? this.#scored(leaf, within))
  }

  #fromKept({ docs: all, scores }: KeptScores, within: DocSet | null): ScoredDocs | undefined {
    const docs = (within === null ? all : all.and(within)).array()
    const found = Float32Array.from(docs, (doc) => scores[doc]!)
    return found.some(Number.isNaN) ? undefined : { docs, scores: found }
  }

  /** Functions without filters score all matches into one array, where ranges of the segment would have to be joined. */
  protected override *scoreRanges(leaf: LeafReader, within: DocSet | null): Steps<ScoredDocs> {
    if (!this.#isPlain(leaf)) return yield* super.scoreRanges(leaf, within)
    const inner = yield* this.#inner.scoreSteps(leaf, within)
    const opened = this.#opened(leaf, inner.docs)
    const changed = new Float32Array(inner.docs.length)
    const fill = (from: number, to: number) => this.#fill(leaf, opened, inner, changed, from, to)
    yield* inRanges(changed.length, fill, new StepSize(firstStep, batchSize))
    return this.#enough({ docs: inner.docs, scores: changed })
  }

  /** True when all matches are scored alike, by functions without filters. */
  #isPlain(leaf: LeafReader): boolean {
    return this.#kept?.leaf !== leaf && this.#filters.every((filter) => filter === undefined)
  }

  /** Finds the top k while it computes the scores, of which no array is made. */
  override *topDocsSteps(
    leaf: LeafReader,
    within: DocSet | null,
    ranks: number,
  ): Steps<PrunedTopDocs | undefined> {
    if (this.#isSlow || this.#settings.minScore !== undefined || !this.#isPlain(leaf)) return undefined
    const inner = yield* this.#innerBatches(leaf, within)
    const { matches } = inner
    const opened = this.#opened(leaf, noDocs)
    const batches = new DocBatches(matches)
    const best = new TopDocsHeap(ranks <= firstPageTopDocs ? firstPageTopDocs : maxTopDocs)
    const add = (from: number, to: number) => {
      for (let start = from; start < to; start += batchSize) {
        this.scope.check()
        const end = Math.min(to, start + batchSize)
        const docs = batches.next(end - start, batchDocs)
        const own = inner.scores(start, end, batchOwn)
        this.#fillBatch(leaf, opened, docs, own, batchChanged)
        best.addAll(docs, batchChanged)
      }
    }
    yield* inRanges(matches.count, add, new StepSize(firstStep, batchSize))
    return { matches, best: best.sorted() }
  }

  *#innerBatches(leaf: LeafReader, within: DocSet | null): Steps<ScoredBatches> {
    const steps = within === null || within.isAll ? this.#inner.batchSteps?.(leaf) : undefined
    const found = steps === undefined ? undefined : yield* steps
    if (found !== undefined) return found
    const scored = yield* this.#inner.scoreSteps(leaf, within)
    return batchesOf(DocSet.ofSorted(leaf.segment.docCount, scored.docs), scored)
  }

  #enough(scored: ScoredDocs): ScoredDocs {
    const { minScore } = this.#settings
    return minScore === undefined ? scored : atLeast(scored, minScore)
  }

  #scored(leaf: LeafReader, within: DocSet | null): ScoredDocs {
    const inner = this.#inner.score(leaf, within)
    const { docs } = inner
    const changed = new Float32Array(docs.length)
    this.#fill(leaf, this.#opened(leaf, docs), inner, changed, 0, docs.length)
    return { docs, scores: changed }
  }

  #opened(leaf: LeafReader, docs: Uint32Array): OpenFunction[] {
    return this.#settings.functions.map(({ score, weight }, index) => ({
      score: score?.(leaf),
      weight,
      set:
        this.#filters[index] === undefined
          ? undefined
          : DocSet.ofSorted(leaf.segment.docCount, this.#filters[index].restrict(leaf, docs)),
    }))
  }

  /** Writes the scores of the matches from `from` up to, not including, `to`. */
  #fill(
    leaf: LeafReader,
    opened: readonly OpenFunction[],
    { docs, scores }: ScoredDocs,
    changed: Float32Array,
    from: number,
    to: number,
  ): void {
    for (let start = from; start < to; start += batchSize) {
      this.scope.check()
      const end = Math.min(to, start + batchSize)
      const own = scores.subarray(start, end)
      this.#fillBatch(leaf, opened, docs.subarray(start, end), own, changed.subarray(start, end))
    }
  }

  /** Writes the scores of at most `batchSize` documents; those of deleted ones are 0. */
  #fillBatch(
    leaf: LeafReader,
    opened: readonly OpenFunction[],
    docs: Uint32Array,
    scores: Float32Array,
    changed: Float32Array,
  ): void {
    const { boostMode, maxBoost } = this.#settings
    const { live } = leaf
    const boost = this.#boost
    const replaces = boostMode === 'replace'
    const factors = factorsOf(opened, docs, scores)
    for (let i = 0; i < docs.length; i++) {
      if (live !== null && !live.has(docs[i]!)) {
        changed[i] = 0
        continue
      }
      const known = factors[i]!
      const factor = Math.min(known, maxBoost)
      const score = Math.fround((replaces ? factor : boosted(scores[i]!, factor, boostMode)) * boost)
      changed[i] = score
      // Assigned apart: what may be the result of a call would be put into an object for each document.
      if (!(known >= 0 && score >= 0)) changed[i] = this.#scoreOne(opened, docs[i]!, scores[i]!)
    }
  }

  /** Scores a document whose factor is not known yet, or whose score is refused. */
  #scoreOne(opened: readonly OpenFunction[], doc: number, own: number): number {
    const { boostMode, maxBoost, scoreMode } = this.#settings
    const factor = combine(opened, doc, own, scoreMode)
    const score = Math.fround(
      (factor === undefined ? own : boosted(own, Math.min(factor, maxBoost), boostMode)) * this.#boost,
    )
    if (score >= 0) return score
    throw illegalArgument(
      `function score query returned an invalid score: ${floatText(score)} for doc: ${doc}`,
    )
  }

  explain(leaf: LeafReader, doc: number): Explanation {
    const inner = withName(this.#inner.explain(leaf, doc), this.#settings.queryName)
    if (!inner.matched) return inner
    if (this.scope.scoreFactor === 1) {
      const applies = this.#filters.map((filter) => filter === undefined || filter.matches(leaf).has(doc))
      return functionScoreExplanation(this.#settings, inner, this.#boost, { leaf, doc, applies })
    }
    const score = this.scoreOf(leaf, doc)
    if (score === undefined) {
      const minimum = floatText(this.#settings.minScore ?? 0)
      return unmatched(`Score value is too low, expected at least ${minimum}`, [inner])
    }
    return explained(score, `function score, score mode [${this.#settings.scoreMode}]`, [inner])
  }
}

/** Scores by document, NaN where none is computed yet. */
interface KeptScores {
  readonly leaf: LeafReader
  readonly docs: DocSet
  readonly scores: Float32Array
}

interface OpenFunction {
  readonly score: BoundFunction | undefined
  readonly weight: number | undefined
  readonly set: DocSet | undefined
}

/** The matches that are scored at once; what belongs to them stays in the processor's cache. */
const batchSize = 2048
/** The matches of the first step. */
const firstStep = 4 * batchSize
const noDocs = new Uint32Array(0)
/** The documents, scores and factors of one batch; no batch is scored while another is. */
const batchDocs = new Uint32Array(batchSize)
const batchOwn = new Float32Array(batchSize)
const batchChanged = new Float32Array(batchSize)
const batchFactors = new Float64Array(batchSize)

/**
 * The factors of a batch at once, where a function stands alone and can give them. Those that are negative or NaN have
 * to be asked one by one. The next batch overwrites them.
 */
function factorsOf(
  functions: readonly OpenFunction[],
  docs: Uint32Array,
  scores: Float32Array,
): Float64Array {
  const only = functions.length === 1 ? functions[0]! : undefined
  const all = only?.weight === undefined && only?.set === undefined ? only?.score?.all : undefined
  if (all === undefined) batchFactors.fill(Number.NaN, 0, docs.length)
  else all(docs, scores, batchFactors)
  return batchFactors
}

/** Undefined when no function applies: then the factor is one in every mode. */
function combine(
  functions: readonly OpenFunction[],
  doc: number,
  own: number,
  mode: ScoreMode,
): number | undefined {
  if (functions.length === 0) return undefined
  let result = 1
  let weights = 0
  let isFirst = true
  for (const { score, weight, set } of functions) {
    if (set !== undefined && !set.has(doc)) continue
    const factor = (score === undefined ? 1 : score(doc, own)) * (weight ?? 1)
    weights += weight ?? 1
    if (isFirst) result = factor
    else if (mode === 'multiply') result *= factor
    else if (mode === 'sum' || mode === 'avg') result += factor
    else if (mode === 'max') result = Math.max(result, factor)
    else if (mode === 'min') result = Math.min(result, factor)
    isFirst = false
    if (mode === 'first') break
  }
  if (isFirst) return 1
  // A single function that applies to all documents is not combined with anything.
  if (functions.length === 1 && functions[0]!.set === undefined) return result
  return mode === 'avg' && weights !== 0 ? result / weights : result
}

function atLeast({ docs, scores }: ScoredDocs, minimum: number): ScoredDocs {
  const kept = new Uint32Array(docs.length)
  const high = new Float32Array(docs.length)
  let count = 0
  for (let i = 0; i < docs.length; i++) {
    if (scores[i]! < minimum) continue
    kept[count] = docs[i]!
    high[count++] = scores[i]!
  }
  return { docs: kept.subarray(0, count), scores: high.subarray(0, count) }
}
