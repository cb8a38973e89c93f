/** `sampler`: of each shard only the best matches, for what is costly or wants quality over quantity. */

import type { SearchLeaf } from '../../collect/sort-key.ts'
import type { AggKind } from '../agg-kind.ts'
import { illegalArgument } from '../agg-options.ts'
import type { AggContext, Aggregator, SubAggregators } from '../aggregator.ts'
import { type Batch, ownersOf } from '../batch.ts'
import { Deferred } from '../deferred.ts'
import { weightsOf } from '../values/doc-weights.ts'
import { type KeySource, keySource } from '../values/key-source.ts'
import { bindField, readValueOptions } from '../values/value-field.ts'
import { SingleBuckets } from './bucket.ts'
import { keyTypes } from './terms.ts'

const usualSize = 100

export const samplerKind: AggKind = {
  name: 'sampler',
  bucketing: 'one',
  parse(options) {
    const size = options.int('shard_size') ?? usualSize
    options.done()
    return (context, createSub) => new Sampler(size, undefined, 0, context, createSub(context))
  },
}

export const diversifiedSamplerKind: AggKind = {
  name: 'diversified_sampler',
  bucketing: 'one',
  parse(options) {
    const values = readValueOptions(options)
    const size = options.int('shard_size') ?? usualSize
    const most = options.int('max_docs_per_value') ?? 1
    options.text('execution_hint')
    options.done()
    if (most < 0) {
      throw illegalArgument(
        `[maxDocsPerValue] must be greater than or equal to 0. Found [${most}] in [${options.aggregation}]`,
      )
    }
    return (context, createSub) => {
      const field = bindField(values, keyTypes, 'diversified_sampler', options.aggregation, context)
      const keys = keySource(field, values, context, undefined)
      return new Sampler(size, keys, most, context, createSub(context))
    }
  },
}

interface Candidate {
  readonly leaf: SearchLeaf
  readonly doc: number
  readonly score: number
}

class Sampler extends SingleBuckets implements Aggregator {
  readonly #size: number
  readonly #keys: KeySource | undefined
  readonly #mostPerKey: number
  readonly #context: AggContext
  readonly #deferred = new Deferred()
  readonly #keyOf = new Map<SearchLeaf, Map<number, number>>()

  constructor(
    size: number,
    keys: KeySource | undefined,
    mostPerKey: number,
    context: AggContext,
    sub: SubAggregators,
  ) {
    super('sampler', sub)
    this.#size = size
    this.#keys = keys
    this.#mostPerKey = mostPerKey
    this.#context = context
  }

  collect(batch: Batch): void {
    const { leaf, docs, owners, length } = batch
    const { scores } = this.#context.search
    for (let i = 0; i < length; i++) this.#deferred.add(leaf, docs[i]!, owners[i]!, scores.at(leaf, docs[i]!))
    if (this.#keys === undefined) return
    let known = this.#keyOf.get(leaf)
    if (known === undefined) this.#keyOf.set(leaf, (known = new Map()))
    const keyed = this.#keys.read(batch)
    for (let i = 0; i < keyed.length; i++) {
      if (!known.has(keyed.docs[i]!)) known.set(keyed.docs[i]!, keyed.keys[i]!)
    }
  }

  finish(): void {
    const chosen = this.#chosen()
    this.#deferred.replay(
      (batch) => {
        const counts = this.counts.reserve(ownersOf(batch))
        const weights = weightsOf(batch.leaf)
        for (let i = 0; i < batch.length; i++)
          counts[batch.owners[i]!]! += weights === null ? 1 : weights[batch.docs[i]!]!
        this.sub.collect(batch)
      },
      (owner, _score, doc, leaf) => (chosen.get(owner)?.get(leaf)?.has(doc) === true ? owner : -1),
    )
    this.sub.finish()
  }

  /** By owner and segment the documents that count. */
  #chosen(): Map<number, Map<SearchLeaf, Set<number>>> {
    const candidates = new Map<string, { readonly owner: number; readonly list: Candidate[] }>()
    this.#deferred.each((leaf, doc, owner, score) => {
      const name = `${owner}/${leaf.shardNumber}`
      let group = candidates.get(name)
      if (group === undefined) candidates.set(name, (group = { owner, list: [] }))
      group.list.push({ leaf, doc, score })
    })
    const chosen = new Map<number, Map<SearchLeaf, Set<number>>>()
    for (const { owner, list } of candidates.values()) {
      list.sort((one, other) => other.score - one.score)
      let ofOwner = chosen.get(owner)
      if (ofOwner === undefined) chosen.set(owner, (ofOwner = new Map()))
      for (const { leaf, doc } of this.#best(list)) {
        let docs = ofOwner.get(leaf)
        if (docs === undefined) ofOwner.set(leaf, (docs = new Set()))
        docs.add(doc)
      }
    }
    return chosen
  }

  #best(list: readonly Candidate[]): readonly Candidate[] {
    if (this.#keys === undefined) return list.slice(0, this.#size)
    const counts = new Map<number, number>()
    const best: Candidate[] = []
    for (const candidate of list) {
      if (best.length === this.#size) break
      const key = this.#keyOf.get(candidate.leaf)?.get(candidate.doc)
      if (key !== undefined) {
        const count = counts.get(key) ?? 0
        if (count >= this.#mostPerKey) continue
        counts.set(key, count + 1)
      }
      best.push(candidate)
    }
    return best
  }
}
