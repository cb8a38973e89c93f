/** `nested` moves from documents to their nested objects, `reverse_nested` back to their parents. */

import type { SearchLeaf } from '../../collect/sort/sort-key.ts'
import { objectSteps, objectsOf } from '../../query/exec/compound/nested-query.ts'
import { illegalArgument } from '../../request/errors.ts'
import { SearchError } from '../../request/search-error.ts'
import type { Steps } from '../../scheduling/steps.ts'
import type { AggKind } from '../agg-kind.ts'
import type { AggOptions } from '../agg-options.ts'
import type { SubAggregators } from '../aggregator.ts'
import { type Batch, GrowingBatch, ownersOf } from '../batch.ts'
import { weightsOf } from '../values/doc-weights.ts'
import { SingleBuckets } from './bucket.ts'

class NestedAggregator extends SingleBuckets {
  readonly #path: string
  readonly #parentPath: string | undefined
  readonly #out = new GrowingBatch()

  constructor(path: string, parentPath: string | undefined, sub: SubAggregators) {
    super('nested', sub)
    this.#path = path
    this.#parentPath = parentPath
  }

  override *prepare(leaf: SearchLeaf): Steps<void> {
    yield* objectSteps(leaf.reader.segment, this.#parentPath)
    yield* objectSteps(leaf.reader.segment, this.#path)
    yield* super.prepare(leaf)
  }

  collect(batch: Batch): void {
    const { leaf, docs, owners, length } = batch
    const { segment } = leaf.reader
    const parents = objectsOf(segment, this.#parentPath)
    const objects = segment.roots === null ? null : objectsOf(segment, this.#path)
    if (parents === null || objects === null) return
    const counts = this.counts.reserve(ownersOf(batch))
    const out = this.#out
    out.start(leaf)
    for (let i = 0; i < length; i++) {
      const doc = docs[i]!
      const owner = owners[i]!
      const previous = parents.previous(doc - 1)
      for (
        let object = objects.next(previous + 1);
        object !== -1 && object < doc;
        object = objects.next(object + 1)
      ) {
        counts[owner]! += 1
        out.push(object, owner)
      }
    }
    this.sub.collect(out)
  }
}

/** The only option of both aggregations. */
function readPath(options: AggOptions): string | undefined {
  const path = options.text('path')
  options.done()
  return path
}

export const nestedKind: AggKind = {
  name: 'nested',
  bucketing: 'one',
  parse(options) {
    const path = readPath(options)
    if (path === undefined) {
      throw options.places.errorAfter(
        `Missing [path] field for nested aggregation [${options.aggregation}]`,
        options.json,
      )
    }
    return (context, createSub) => {
      for (const { mapping } of context.indices) {
        const node = mapping.object(path)
        if (node !== undefined && !node.definition.isNested) {
          throw new SearchError(
            'aggregation_execution_exception',
            `[nested] nested path [${path}] is not nested`,
          )
        }
      }
      return new NestedAggregator(path, context.nestedPath, createSub({ ...context, nestedPath: path }))
    }
  },
}

class ReverseNestedAggregator extends SingleBuckets {
  readonly #path: string | undefined
  readonly #out = new GrowingBatch()
  #leaf = -1
  /** The last collected document by owner, so that several objects of one document count once. */
  #last = new Int32Array(16).fill(-1)

  constructor(path: string | undefined, sub: SubAggregators) {
    super('reverse_nested', sub)
    this.#path = path
  }

  override *prepare(leaf: SearchLeaf): Steps<void> {
    yield* objectSteps(leaf.reader.segment, this.#path)
    yield* super.prepare(leaf)
  }

  collect(batch: Batch): void {
    const { leaf, docs, owners, length } = batch
    const targets = objectsOf(leaf.reader.segment, this.#path)
    if (targets === null) return
    const max = ownersOf(batch)
    const counts = this.counts.reserve(max)
    this.#reserve(max, leaf.number)
    const out = this.#out
    out.start(leaf)
    const weights = weightsOf(leaf)
    for (let i = 0; i < length; i++) {
      const owner = owners[i]!
      const target = targets.next(docs[i]!)
      if (target === -1 || this.#last[owner] === target) continue
      this.#last[owner] = target
      counts[owner]! += weights === null ? 1 : weights[target]!
      out.push(target, owner)
    }
    this.sub.collect(out)
  }

  #reserve(owners: number, leaf: number): void {
    if (this.#leaf !== leaf) {
      this.#leaf = leaf
      this.#last.fill(-1)
    }
    if (owners <= this.#last.length) return
    const larger = new Int32Array(Math.max(owners, this.#last.length * 2)).fill(-1)
    larger.set(this.#last)
    this.#last = larger
  }
}

export const reverseNestedKind: AggKind = {
  name: 'reverse_nested',
  bucketing: 'one',
  parse(options) {
    const path = readPath(options)
    return (context, createSub) => {
      if (!context.parents.includes('nested')) {
        throw illegalArgument(
          `Reverse nested aggregation [${options.aggregation}] can only be used inside a [nested] aggregation`,
        )
      }
      return new ReverseNestedAggregator(path, createSub({ ...context, nestedPath: path }))
    }
  },
}
