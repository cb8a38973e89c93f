/**
 * Runs the aggregations of a request over the matches of a prepared search, segment by segment, with
 * cooperative yields.
 */
import type { AnswerBytes } from '../answer/answer-memory.ts'
import { TimeOut } from '../collect/guard.ts'
import type { AggregationAnswer, Aggregations, PreparedSearch } from '../collect/prepared-search.ts'
import { bindFiltered } from '../collect/prepared-search.ts'
import type { SearchIndex } from '../collect/search-index.ts'
import { isOfRequest, searchFailed } from '../collect/shard-failures.ts'
import type { SearchLeaf } from '../collect/sort/sort-key.ts'
import { filterWeight } from '../query/exec/compound/simple-queries.ts'
import { DocBatches } from '../query/exec/doc-batches.ts'
import { DocSet } from '../query/exec/doc-set.ts'
import { visible } from '../query/exec/visible-docs.ts'
import { SearchError } from '../request/search-error.ts'
import { NotReady } from '../scheduling/not-ready.ts'
import { retrySteps, type Steps } from '../scheduling/steps.ts'
import type { CreateSub } from './agg-kind.ts'
import { type AggContext, BucketBudget, SubAggregators } from './aggregator.ts'
import { batchSize as maxDocuments } from './batch.ts'
import { BatchSize } from './batch-size.ts'
import { AllDocuments } from './buckets/global.ts'
import { fetchHits } from './metrics/fetch-hits.ts'
import type { QuantileMethod } from './numbers/distribution.ts'
import { type AggRequest, type AggRequests, parseAggregations } from './parse-aggs.ts'
import { applyPipelines } from './pipeline/apply.ts'
import { printSteps } from './print-results.ts'
import { profileOf } from './profile.ts'
import { afterShards, ReduceError, reducing } from './reduce-error.ts'
import { ResultBytes } from './result-bytes.ts'
import { loadWeights } from './values/doc-weights.ts'

export const defaultMaxBuckets = 65_535
/** The approximate size of an aggregator without buckets, most of it the arrays of a batch. */
const aggregatorBytes = 48 * 1024

/** The documents of a batch, which is collected before the next one is made, and their owners, which are all 0. */
const room = new Uint32Array(maxDocuments)
const noOwners = new Uint32Array(maxDocuments)

interface AggregateOptions {
  readonly node: string
  /** `search.max_buckets`; 65,535 when absent. */
  readonly maxBuckets?: number | undefined
  readonly typedKeys?: boolean | undefined
  readonly totalAsNumber?: boolean | undefined
  /** How percentiles are interpolated; as in OpenSearch when absent. */
  readonly quantileMethod?: QuantileMethod | undefined
  /** A fixed batch size; adaptive when absent. */
  readonly batchSize?: number | undefined
  /** Accounts for the memory of the answer. */
  readonly answer?: AnswerBytes | undefined
}

/** Collects one leaf at a time; `finish` is called once after all of them. */
class Aggregation {
  readonly #requests: AggRequests
  readonly #search: PreparedSearch
  readonly #options: AggregateOptions
  readonly #all: SubAggregators
  /** Aggregators that see the documents of the query, and those that see all documents. */
  readonly #seeing: { readonly matching: SubAggregators; readonly everything: SubAggregators }
  readonly #batches: BatchSize

  /** Throws SearchError when a shard does not support the request. */
  constructor(requests: AggRequests, search: PreparedSearch, options: AggregateOptions) {
    this.#search = search
    this.#options = options
    this.#requests = requests
    this.#batches = new BatchSize({ fixed: options.batchSize })
    try {
      const indices = new Map(search.shards.map(({ index }) => [index.name, index]))
      expectAggregators(requests, options.answer)
      this.#all = createAll(requests.aggs, contextOf(search, [...indices.values()], options))
    } catch (error) {
      throw this.#ofShards(error)
    }
    const { list } = this.#all
    const isGlobal = ({ aggregator }: (typeof list)[number]) => aggregator instanceof AllDocuments
    this.#seeing = {
      matching: new SubAggregators(list.filter((each) => !isGlobal(each))),
      everything: new SubAggregators(list.filter(isGlobal)),
    }
  }

  #ofShards(error: unknown): unknown {
    if (!(error instanceof SearchError) || isOfRequest(error)) return error
    const { node } = this.#options
    const failures = this.#search.shards.map(({ index, reader }) => ({
      shard: reader.shard,
      index: index.name,
      node,
      error,
    }))
    return searchFailed(failures)
  }

  /** Yields after every batch. */
  *collect(leaf: SearchLeaf, docs: DocSet): Steps<void> {
    try {
      const { matching, everything } = this.#seeing
      yield* this.#feed(matching, leaf, docs)
      if (!everything.isEmpty) yield* this.#feed(everything, leaf, yield* allowedDocs(leaf))
    } catch (error) {
      throw this.#ofShards(error)
    }
  }

  *#feed(aggregators: SubAggregators, leaf: SearchLeaf, docs: DocSet): Steps<void> {
    if (aggregators.isEmpty || docs.isEmpty) return
    yield* loadWeights(leaf)
    yield* aggregators.prepare(leaf)
    const sizes = this.#batches
    const batches = new DocBatches(docs)
    while (batches.left > 0) {
      this.#search.guard.check()
      const part = batches.next(sizes.size, room)
      sizes.begin()
      aggregators.collect({ leaf, docs: part, owners: noOwners, length: part.length })
      sizes.end(part.length)
      if (batches.left > 0) yield
    }
  }

  *finish(): Steps<Omit<AggregationAnswer, 'timedOut'>> {
    try {
      yield* this.#all.finish()
      yield
      const results = yield* this.#all.resultSteps(0)
      yield
      const bytes = new ResultBytes(this.#options.answer)
      yield* reducing(applyPipelines(results, this.#requests, bytes))
      yield* fetchHits(results, this.#requests)
      yield
      const json = yield* printSteps(results, this.#options.typedKeys ?? false, bytes)
      return { json, profile: profileOf(this.#all) }
    } catch (error) {
      if (error instanceof ReduceError) throw error
      throw isTooLarge(error) ? afterShards(error) : this.#ofShards(error)
    }
  }
}

function isTooLarge(error: unknown): error is SearchError {
  return error instanceof SearchError && error.type === 'too_many_buckets_exception'
}

/** All documents of a segment that the alias filters allow. */
function* allowedDocs(leaf: SearchLeaf): Steps<DocSet> {
  const { query } = bindFiltered(undefined, leaf.index)
  yield* query.expandTerms(leaf.scope)
  const weight = filterWeight(query, leaf.scope)
  yield* weight.prepare(leaf.reader)
  const docs = weight.matches(leaf.reader)
  const mask = visible(leaf.reader)
  return mask === null ? docs : docs.and(mask)
}

function contextOf(
  search: PreparedSearch,
  indices: readonly SearchIndex[],
  options: AggregateOptions,
): AggContext {
  return {
    search,
    indices,
    node: options.node,
    budget: new BucketBudget(options.maxBuckets ?? defaultMaxBuckets),
    now: indices[0]?.queries.now ?? Date.now(),
    totalAsNumber: options.totalAsNumber ?? false,
    quantileMethod: options.quantileMethod ?? 'nearest',
    batchSize: options.batchSize,
    answer: options.answer,
    nestedPath: undefined,
    parents: [],
    noteRewrite() {},
    owners: 'one',
    gaps: { isInside: false, isSeen: false },
    refused: [],
  }
}

/** Refuses early what would be refused after thousands of aggregators were created. */
function expectAggregators({ aggs }: AggRequests, answer: AnswerBytes | undefined): void {
  answer?.expect(aggregatorCount(aggs) * aggregatorBytes)
}

function aggregatorCount(aggs: readonly AggRequest[]): number {
  return aggs.reduce((count, agg) => count + 1 + aggregatorCount(agg.aggs), 0)
}

function createAll(requests: readonly AggRequest[], context: AggContext): SubAggregators {
  const all = subOf(requests)(context)
  const [refused] = context.refused
  if (refused !== undefined) throw refused
  return all
}

/** Aggregations of one bucket, and those that say into how many they divide one. */
const keepsOwners: ReadonlySet<string> = new Set(
  'filter global missing nested reverse_nested children parent filters range date_range ip_range geo_distance'.split(
    ' ',
  ),
)

function subOf(requests: readonly AggRequest[]): CreateSub {
  return (context) =>
    new SubAggregators(
      requests.map(({ name, kind, meta, create, aggs }) => {
        let sub: SubAggregators | undefined
        let isRewritten = false
        const noteRewrite = () => {
          isRewritten = true
          context.noteRewrite()
        }
        const createSub: CreateSub = (inner) => {
          const owners = keepsOwners.has(kind) ? inner.owners : 'many'
          sub = subOf(aggs)({ ...inner, owners, parents: [...inner.parents, kind], parentName: name })
          return sub
        }
        // Accounted for before creation: ten thousand of them would take half a gigabyte.
        context.answer?.add(aggregatorBytes)
        const aggregator = create({ ...context, noteRewrite }, createSub)
        return { name, kind, meta: meta ?? (isRewritten ? {} : undefined), aggregator, sub, collected: 0 }
      }),
    )
}

/** The settings of the node. */
export interface AggregationSettings {
  readonly node: string
  /** Read for every request. */
  readonly maxBuckets?: () => number
  readonly quantileMethod?: QuantileMethod
  readonly batchSize?: number
  /** Accounts for the memory of a request's aggregators. */
  readonly answerBytes?: () => AnswerBytes
}

export function aggregations(settings: AggregationSettings): Aggregations {
  const { node, maxBuckets, quantileMethod, batchSize } = settings
  const parsed = new WeakMap<object, AggRequests>()
  const read = (json: unknown): AggRequests => {
    const known = typeof json === 'object' && json !== null ? parsed.get(json) : undefined
    if (known !== undefined) return known
    const requests = parseAggregations(json)
    parsed.set(json as object, requests)
    return requests
  }
  return {
    read,
    check(json, index) {
      // Creating the aggregators does not read anything else of the search.
      const search = { shards: [] } as unknown as PreparedSearch
      const answer = settings.answerBytes?.()
      try {
        expectAggregators(read(json), answer)
        createAll(read(json).aggs, contextOf(search, [index], { node, quantileMethod, answer }))
      } finally {
        answer?.release()
      }
    },
    *steps(json, search, { typedKeys, totalAsNumber }, answer) {
      const requests = read(json)
      if (requests.aggs.length === 0 && requests.pipelines.length === 0) {
        return { json: undefined, timedOut: false, profile: [] }
      }
      const options = {
        node,
        typedKeys,
        totalAsNumber,
        quantileMethod,
        batchSize,
        answer,
        maxBuckets: maxBuckets?.(),
      }
      const begin = () => collectSteps(new Aggregation(requests, search, options), search)
      yield
      try {
        return yield* begin()
      } catch (error) {
        if (!(error instanceof NotReady)) throw error
        yield error
        yield* touch(new Aggregation(requests, search, options), search)
        return yield* retrySteps(begin)
      }
    },
  }
}

/**
 * Collects one document of every segment and discards the result, so that everything the aggregation needs is
 * loaded.
 */
function* touch(aggregation: Aggregation, search: PreparedSearch): Steps<void> {
  for (const { leaf, docs } of search.matches) {
    if (docs.isEmpty) continue
    const one = DocSet.ofSorted(docs.size, docs.array().subarray(0, 1))
    yield* retrySteps(() => aggregation.collect(leaf, one))
  }
}

function* collectSteps(aggregation: Aggregation, search: PreparedSearch): Steps<AggregationAnswer> {
  let timedOut = false
  yield
  for (const { leaf, docs } of search.matches) {
    try {
      yield* aggregation.collect(leaf, docs)
    } catch (error) {
      if (!(error instanceof TimeOut)) throw error
      timedOut = true
      break
    }
    yield
  }
  return { ...(yield* aggregation.finish()), timedOut }
}
