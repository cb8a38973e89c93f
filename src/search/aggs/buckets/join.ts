/**
 * `children` moves from parents to their children over a `join` field, `parent` back. Which parents the collected
 * documents have is only known at the end, for the other side may be in any segment of the shard: until then pairs of
 * the parent's ordinal and the bucket are recorded, and then the documents of the other side collected.
 */
import type { SearchIndex } from '../../collect/search-index.ts'
import type { SearchLeaf } from '../../collect/sort/sort-key.ts'
import { type JoinOrdinals, joinOrdinals } from '../../query/exec/join/join-ordinals.ts'
import { postingsOf } from '../../query/exec/terms/term-query.ts'
import { tokenKind } from '../../request/request-values.ts'
import { inRanges } from '../../scheduling/step-size.ts'
import { retryWork, type Steps } from '../../scheduling/steps.ts'
import { GrowingUint32 } from '../../segment/encoding/growing-array.ts'
import type { AggKind } from '../agg-kind.ts'
import type { AggOptions } from '../agg-options.ts'
import type { AggContext, SubAggregators } from '../aggregator.ts'
import { type Batch, GrowingBatch, ownersOf } from '../batch.ts'
import { BatchSize } from '../batch-size.ts'
import { loadWeights, weightsOf } from '../values/doc-weights.ts'
import { SingleBuckets } from './bucket.ts'

interface Sides {
  readonly join: string
  /** The field with the ids of parents. */
  readonly ids: string
  /** The relation that is collected, and the one that the sub-aggregations see. */
  readonly from: string
  readonly to: string
}

/** What was collected of a shard. */
class CollectedParents {
  readonly ordinals: JoinOrdinals
  readonly sides: Sides
  readonly leaves: readonly SearchLeaf[]
  readonly #parents = new GrowingUint32()
  readonly #owners = new GrowingUint32()

  constructor(ordinals: JoinOrdinals, sides: Sides, leaves: readonly SearchLeaf[]) {
    this.ordinals = ordinals
    this.sides = sides
    this.leaves = leaves
  }

  add(parent: number, owner: number): void {
    this.#parents.push(parent)
    this.#owners.push(owner)
  }

  /** The owners of each parent, by counting sort. */
  *sorted(): Steps<{ starts: Uint32Array; owners: Uint32Array }> {
    const parents = this.#parents.view()
    const given = this.#owners.view()
    const starts = new Uint32Array(this.ordinals.size + 2)
    yield* inRanges(parents.length, (from, to) => {
      for (let i = from; i < to; i++) starts[parents[i]! + 2]!++
    })
    for (let i = 2; i < starts.length; i++) starts[i]! += starts[i - 1]!
    yield
    const owners = new Uint32Array(parents.length)
    yield* inRanges(parents.length, (from, to) => {
      for (let i = from; i < to; i++) owners[starts[parents[i]! + 1]!++] = given[i]!
    })
    // Several children of one parent may be in one bucket.
    yield* inRanges(this.ordinals.size, (from, to) => {
      for (let parent = from; parent < to; parent++)
        if (starts[parent + 1]! - starts[parent]! > 1)
          owners.subarray(starts[parent]!, starts[parent + 1]!).sort()
    })
    return { starts, owners }
  }
}

interface ParentReader {
  /** Returns whether a document is on the side that is collected. */
  isFrom(doc: number): boolean
  /** The ordinal of the parent's id, or -1. */
  parentOf(doc: number): number
}

class JoinAggregator extends SingleBuckets {
  readonly #context: AggContext
  readonly #sidesOf: (index: SearchIndex) => Sides | undefined
  readonly #shards = new Map<number, CollectedParents>()
  /** How the documents of a segment are read. */
  readonly #readers = new Map<SearchLeaf, ParentReader>()

  constructor(
    kind: string,
    context: AggContext,
    sub: SubAggregators,
    sidesOf: (index: SearchIndex) => Sides | undefined,
  ) {
    super(kind, sub)
    this.#context = context
    this.#sidesOf = sidesOf
  }

  /** The sub-aggregations are prepared when they get documents. */
  override *prepare(leaf: SearchLeaf): Steps<void> {
    const sides = this.#sidesOf(leaf.index)
    if (sides === undefined || this.#readers.has(leaf)) return
    if (!this.#shards.has(leaf.shardNumber)) {
      const ordinals = yield* joinOrdinals(leaf.scope.leaves, sides.ids)
      const shard = this.#context.search.shards.find(({ number }) => number === leaf.shardNumber)
      this.#shards.set(leaf.shardNumber, new CollectedParents(ordinals, sides, shard?.leaves ?? []))
    }
    const { ordinals } = this.#shards.get(leaf.shardNumber)!
    const read = () => ({ isFrom: testOf(leaf, sides), parentOf: ordinals.of(leaf.reader.segment) })
    this.#readers.set(leaf, yield* retryWork(read))
  }

  collect({ leaf, docs, owners, length }: Batch): void {
    const reader = this.#readers.get(leaf)
    const shard = this.#shards.get(leaf.shardNumber)
    if (reader === undefined || shard === undefined) return
    const { isFrom, parentOf } = reader
    for (let i = 0; i < length; i++) {
      const doc = docs[i]!
      if (!isFrom(doc)) continue
      const parent = parentOf(doc)
      if (parent !== -1) shard.add(parent, owners[i]!)
    }
  }

  override *finish(): Steps<void> {
    for (const shard of this.#shards.values()) {
      const { starts, owners } = yield* shard.sorted()
      if (owners.length === 0) continue
      for (const leaf of shard.leaves) yield* this.#collectOthers(shard, leaf, starts, owners)
    }
    yield* this.sub.finish()
  }

  *#collectOthers(
    { ordinals, sides }: CollectedParents,
    leaf: SearchLeaf,
    starts: Uint32Array,
    owners: Uint32Array,
  ): Steps<void> {
    const { live } = leaf.reader
    const docs = yield* retryWork(() => postingsOf(leaf.reader, sides.join, sides.to)?.docs)
    if (docs === undefined) return
    yield* loadWeights(leaf)
    yield* this.sub.prepare(leaf)
    const parentOf = yield* retryWork(() => ordinals.of(leaf.reader.segment))
    const out = new GrowingBatch()
    const batches = new BatchSize({ fixed: this.#context.batchSize })
    out.start(leaf)
    for (let i = 0; i < docs.length; i++) {
      const doc = docs[i]!
      const parent = live === null || live.has(doc) ? parentOf(doc) : -1
      if (parent !== -1) pushOwners(out, doc, owners, starts[parent]!, starts[parent + 1]!)
      if (out.length < batches.size && i % stepDocs !== stepDocs - 1) continue
      this.#handOn(out, batches)
      yield
    }
    this.#handOn(out, batches)
  }

  #handOn(out: GrowingBatch, batches: BatchSize): void {
    if (out.length === 0) return
    this.#context.search.guard.check()
    batches.begin()
    const counts = this.counts.reserve(ownersOf(out))
    const weights = weightsOf(out.leaf)
    for (let i = 0; i < out.length; i++)
      counts[out.owners[i]!]! += weights === null ? 1 : weights[out.docs[i]!]!
    this.sub.collect(out)
    batches.end(out.length)
    out.length = 0
  }
}

/** Documents looked at per step. */
const stepDocs = 16 * 1024

/** Owners of a parent are sorted, the same one may stand there several times. */
function pushOwners(out: GrowingBatch, doc: number, owners: Uint32Array, from: number, to: number): void {
  for (let i = from; i < to; i++) if (i === from || owners[i] !== owners[i - 1]) out.push(doc, owners[i]!)
}

/** Returns whether a document has the relation that is collected. */
function testOf({ reader: { segment } }: SearchLeaf, { join, from }: Sides): (doc: number) => boolean {
  const field = segment.fields.get(join)
  const ordinal = field?.terms?.find(from) ?? -1
  const column = field?.ordinals
  if (ordinal === -1 || column === null || column === undefined) return () => false
  const { starts, values } = column
  return starts === null
    ? (doc) => values[doc] === ordinal + 1
    : (doc) => starts[doc]! < starts[doc + 1]! && values[starts[doc]!] === ordinal + 1
}

/** The body has one member, which must be a text. */
function typeOf(options: AggOptions): string {
  const { aggregation, json, places, kind } = options
  let type: string | undefined
  for (const [key, value] of Object.entries(json)) {
    if (typeof value !== 'string')
      throw places.error(`Unexpected token ${tokenKind(value)} in [${aggregation}].`, json, key)
    if (key !== 'type')
      throw places.error(`Unknown key for a VALUE_STRING in [${aggregation}]: [${key}].`, json, key)
    type = value
  }
  if (type === undefined)
    throw places.errorAfter(`Missing [child_type] field for ${kind} aggregation [${aggregation}]`, json)
  return type
}

function kindOf(name: 'children' | 'parent'): AggKind {
  return {
    name,
    bucketing: 'one',
    parse(options) {
      const type = typeOf(options)
      return (context, createSub) => {
        const sides = ({ mapping: { join } }: SearchIndex): Sides | undefined => {
          const parent = join?.parentOf(type)
          if (join === undefined || parent === undefined) return undefined
          const [from, to] = name === 'children' ? [parent, type] : [type, parent]
          return { join: join.name, ids: join.idField(parent)!.name, from, to }
        }
        return new JoinAggregator(name, context, createSub({ ...context, nestedPath: undefined }), sides)
      }
    },
  }
}

export const joinKinds: readonly AggKind[] = [kindOf('children'), kindOf('parent')]
