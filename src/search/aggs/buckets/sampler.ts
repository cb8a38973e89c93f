/** `sampler` and `diversified_sampler`: sub-aggregations see only the top-scoring matches of each shard. */

import type { SearchLeaf } from '../../collect/sort/sort-key.ts'
import { illegalArgument } from '../../request/errors.ts'
import { SearchError } from '../../request/search-error.ts'
import type { Steps } from '../../scheduling/steps.ts'
import { GrowingUint32 } from '../../segment/encoding/growing-array.ts'
import type { AggKind } from '../agg-kind.ts'
import type { AggContext, SubAggregators } from '../aggregator.ts'
import { type Batch, BucketCounts, ownersOf } from '../batch.ts'
import { firstBuckets } from '../bucket-order.ts'
import { BucketOrdinals } from '../bucket-ordinals.ts'
import { Deferred } from '../deferred.ts'
import { sortSteps } from '../sort-steps.ts'
import { weightsOf } from '../values/doc-weights.ts'
import { type KeySource, keySource } from '../values/key-source.ts'
import { bindField, readValueOptions } from '../values/value-field.ts'
import { SingleBuckets } from './bucket.ts'
import { keyTypes } from './terms.ts'

const defaultSize = 100
/** Entries processed per step. */
const stepEntries = 4096

export const samplerKind: AggKind = {
  name: 'sampler',
  bucketing: 'one',
  parse(options) {
    const size = options.int('shard_size') ?? defaultSize
    options.done()
    return (context, createSub) =>
      new Sampler(size, undefined, 0, context, required(createSub(context), context))
  },
}

export const diversifiedSamplerKind: AggKind = {
  name: 'diversified_sampler',
  bucketing: 'one',
  parse(options) {
    const values = readValueOptions(options)
    const size = options.int('shard_size') ?? defaultSize
    const max = options.int('max_docs_per_value') ?? 1
    options.text('execution_hint')
    options.done()
    if (max < 0) {
      throw illegalArgument(
        `[maxDocsPerValue] must be greater than or equal to 0. Found [${max}] in [${options.aggregation}]`,
      )
    }
    return (context, createSub) => {
      const field = bindField(values, keyTypes, 'diversified_sampler', options.aggregation, context)
      const keys = keySource(field, values, context, undefined)
      return new Sampler(size, keys, max, context, required(createSub(context), context))
    }
  },
}

function required(sub: SubAggregators, { refused }: AggContext): SubAggregators {
  if (sub.isEmpty)
    refused.push(
      new SearchError(
        'aggregation_execution_exception',
        'Sampler aggregation must be used with child aggregations.',
      ),
    )
  return sub
}

class Sampler extends SingleBuckets {
  readonly #size: number
  readonly #keys: KeySource | undefined
  readonly #maxPerKey: number
  readonly #context: AggContext
  readonly #deferred: Deferred
  /** The first key of each entry's document plus one; 0 for none. */
  readonly #keyOf = new GrowingUint32()

  constructor(
    size: number,
    keys: KeySource | undefined,
    maxPerKey: number,
    context: AggContext,
    sub: SubAggregators,
  ) {
    super('sampler', sub)
    this.#size = size
    this.#keys = keys
    this.#maxPerKey = maxPerKey
    this.#context = context
    this.#deferred = new Deferred(context)
  }

  override *prepare(leaf: SearchLeaf): Steps<void> {
    if (this.#keys?.prepare !== undefined) yield* this.#keys.prepare(leaf)
  }

  collect(batch: Batch): void {
    const { leaf, docs, owners, length } = batch
    const { scores } = this.#context.search
    const keyed = this.#keys?.read(batch)
    for (let i = 0; i < length; i++) this.#deferred.add(leaf, docs[i]!, owners[i]!, scores.at(leaf, docs[i]!))
    if (keyed === undefined) return
    let at = 0
    for (let i = 0; i < length; i++) {
      // Entries of a source are in batch order.
      const isKeyed = at < keyed.length && keyed.docs[at] === docs[i] && keyed.owners[at] === owners[i]
      this.#keyOf.push(isKeyed ? keyed.keys[at]! + 1 : 0)
      while (at < keyed.length && keyed.docs[at] === docs[i] && keyed.owners[at] === owners[i]) at++
    }
  }

  override *finish(): Steps<void> {
    const isChosen = yield* this.#chosen()
    yield* this.#deferred.replay(
      this.sub,
      (batch) => {
        const counts = this.counts.reserve(ownersOf(batch))
        const weights = weightsOf(batch.leaf)
        for (let i = 0; i < batch.length; i++)
          counts[batch.owners[i]!]! += weights === null ? 1 : weights[batch.docs[i]!]!
      },
      (owner, _score, _doc, _leaf, entry) => (isChosen[entry] === 1 ? owner : -1),
    )
    yield* this.sub.finish()
  }

  /** Marks the entries that are in the sample. */
  *#chosen(): Steps<Uint8Array> {
    const { length } = this.#deferred
    const isChosen = new Uint8Array(length)
    const scores = new Float64Array(length)
    // Each owner and shard is one group.
    const groups = new BucketOrdinals()
    const groupOf = new Uint32Array(length)
    yield* this.#deferred.each((leaf, _doc, owner, score, entry) => {
      scores[entry] = score
      groupOf[entry] = groups.id(owner, leaf.shardNumber)
    })
    const { starts, entries } = yield* grouped(groupOf, groups.size)
    const compare = (one: number, other: number) => scores[other]! - scores[one]! || one - other
    const kept = new KeptKeys(this.#maxPerKey)
    for (let group = 0; group < groups.size; group++) {
      const all = entries.subarray(starts[group], starts[group + 1])
      if (this.#keys === undefined) {
        for (const entry of yield* firstBuckets(all, this.#size, { compare })) isChosen[entry] = 1
      } else yield* this.#chooseDiverse(group, yield* sortSteps(all, compare), kept, isChosen)
      yield
    }
    return isChosen
  }

  *#chooseDiverse(group: number, sorted: Uint32Array, kept: KeptKeys, isChosen: Uint8Array): Steps<void> {
    let count = 0
    // Documents without a value share one key; among numbers it is that of zero.
    const isNumber = this.#keys!.field.type !== 'string' && this.#keys!.field.type !== 'ip'
    const none = isNumber ? this.#keys!.keyOf(0) + 1 : 0
    for (let i = 0; i < sorted.length && count < this.#size; i++) {
      if (i % stepEntries === stepEntries - 1) yield
      const entry = sorted[i]!
      if (!kept.takes(group, this.#keyOf.at(entry) || none)) continue
      isChosen[entry] = 1
      count += 1
    }
  }
}

/** Groups the entries by a counting sort, stable within a group. */
function* grouped(
  groupOf: Uint32Array,
  groups: number,
): Steps<{ readonly starts: Uint32Array; readonly entries: Uint32Array<ArrayBuffer> }> {
  const starts = new Uint32Array(groups + 1)
  for (let entry = 0; entry < groupOf.length; entry++) starts[groupOf[entry]! + 1]! += 1
  for (let group = 0; group < groups; group++) starts[group + 1]! += starts[group]!
  yield
  const next = starts.slice()
  const entries = new Uint32Array(groupOf.length)
  for (let entry = 0; entry < groupOf.length; entry++) {
    if (entry % (16 * stepEntries) === 0) yield
    entries[next[groupOf[entry]!]!++] = entry
  }
  return { starts, entries }
}

/** Counts how many documents of each key are in the sample, group by group. */
class KeptKeys {
  readonly #max: number
  readonly #ids = new BucketOrdinals()
  readonly #counts = new BucketCounts()

  constructor(max: number) {
    this.#max = max
  }

  /** Returns true when another document with this key (plus one; 0 for none) fits. */
  takes(group: number, keyPlusOne: number): boolean {
    const id = this.#ids.id(group, keyPlusOne)
    if (this.#counts.at(id) >= this.#max) return false
    this.#counts.add(id, 1)
    return true
  }
}
