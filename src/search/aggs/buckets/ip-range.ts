/** `ip_range`: address ranges given by bounds or as a CIDR mask. */

import type { SearchLeaf } from '../../collect/sort/sort-key.ts'
import { firstIp, formatIp, ipHex, ipNumber, parseCidr, parseIp } from '../../mapping/values/ip-address.ts'
import { illegalArgument } from '../../request/errors.ts'
import { failedField } from '../../request/object-shape.ts'
import type { JsonObject } from '../../request/request-values.ts'
import { finish, type Steps } from '../../scheduling/steps.ts'
import { partitionPoint } from '../../segment/encoding/binary-search.ts'
import type { AggKind } from '../agg-kind.ts'
import type { AggOptions } from '../agg-options.ts'
import { type AggContext, multipliedOwners, type SubAggregators } from '../aggregator.ts'
import { type Batch, GrowingBatch } from '../batch.ts'
import type { AggResult } from '../result.ts'
import { openTerms, prepareTerms, type TermColumnView } from '../values/columns.ts'
import { weightsOf } from '../values/doc-weights.ts'
import { type BoundField, bindField, columnTerm, readValueOptions } from '../values/value-field.ts'
import { BucketAggregator, bucketOf, bucketSteps } from './bucket.ts'
import { FixedBuckets } from './fixed-buckets.ts'
import { readRanges, requireRanges } from './range.ts'

/** Addresses in hex; `to` is exclusive, and undefined when open. */
interface IpRange {
  readonly key: string
  readonly from: string | undefined
  readonly to: string | undefined
}

function readRange(options: AggOptions, json: JsonObject): IpRange {
  const inner = options.inner(json, 'ip_range')
  const key = inner.text('key')
  const mask = inner.text('mask')
  const from = inner.text('from')
  const to = inner.text('to')
  inner.done()
  if (mask !== undefined) {
    const network = parseCidr(mask)
    if (network === undefined) throw illegalArgument(`Expected [ip/prefix] but was [${mask}]`)
    const end = ipNumber(network.to) + 1n
    return {
      key: key ?? mask,
      from: network.from === firstIp ? undefined : network.from,
      to: end >= 1n << 128n ? undefined : ipHex(end),
    }
  }
  return { key: key ?? `${from ?? '*'}-${to ?? '*'}`, from: address(from), to: address(to) }
}

/** What a range refuses is found at its end. */
function readWrapped(options: AggOptions, json: JsonObject): IpRange {
  try {
    return readRange(options, json)
  } catch (error) {
    throw failedField(error, options.kind, 'ranges', options.places.source.endOf(json))
  }
}

function address(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const hex = parseIp(text)
  if (hex === undefined) throw illegalArgument(`'${text}' is not an IP string literal.`)
  return hex
}

export const ipRangeKind: AggKind = {
  name: 'ip_range',
  parse(options) {
    const values = readValueOptions(options)
    const isKeyed = options.flag('keyed') ?? false
    const ranges = readRanges(options)
      .map((json) => readWrapped(options, json))
      .sort((one, other) => order(one.from ?? '', other.from ?? '') || order(one.to ?? 'g', other.to ?? 'g'))
    options.done()
    return (context, createSub) => {
      requireRanges(ranges, options.aggregation)
      const field = bindField(values, ['ip'], 'ip_range', options.aggregation, context)
      const missing = values.missing === undefined ? undefined : columnTerm(values.missing, 'ip')
      const sub = createSub({ ...context, owners: multipliedOwners(context.owners, ranges.length) })
      return new IpRangeAggregator(ranges, isKeyed, field, missing, context, sub)
    }
  },
}

function order(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

/** Ranges whose bounds are looked up per step. */
const stepRanges = 32

class IpRangeAggregator extends BucketAggregator {
  readonly #ranges: readonly IpRange[]
  readonly #isKeyed: boolean
  readonly #field: BoundField
  /** By range: whether the `missing` value falls into it. */
  readonly #withMissing: readonly boolean[]
  readonly #context: AggContext
  readonly #buckets: FixedBuckets
  readonly #out = new GrowingBatch()
  #leaf: SearchLeaf | undefined
  #column: TermColumnView | null = null
  /** By range: its first ordinal plus one, and the first ordinal after it. */
  #bounds = new Uint32Array(0)

  constructor(
    ranges: readonly IpRange[],
    isKeyed: boolean,
    field: BoundField,
    missing: string | undefined,
    context: AggContext,
    sub: SubAggregators,
  ) {
    super(sub)
    this.#ranges = ranges
    this.#buckets = new FixedBuckets(ranges.length)
    this.#isKeyed = isKeyed
    this.#field = field
    this.#withMissing = ranges.map((range) => isWithin(missing, range))
    this.#context = context
  }

  override *prepare(leaf: SearchLeaf): Steps<void> {
    if (this.#leaf !== leaf) {
      yield* prepareTerms(leaf, this.#field)
      yield* this.#open(leaf)
    }
    yield* this.sub.prepare(leaf)
  }

  *#open(leaf: SearchLeaf): Steps<void> {
    const column = openTerms(leaf, this.#field)
    const bounds = new Uint32Array(this.#ranges.length * 2)
    for (let at = 0; at < this.#ranges.length && column !== null; at++) {
      const { from, to } = this.#ranges[at]!
      bounds[at * 2] = from === undefined ? 1 : lowerBound(column, from) + 1
      bounds[at * 2 + 1] = to === undefined ? column.size + 1 : lowerBound(column, to) + 1
      if (at % stepRanges === stepRanges - 1) yield
    }
    this.#column = column
    this.#bounds = bounds
    this.#leaf = leaf
  }

  collect(batch: Batch): void {
    const { leaf, docs, owners, length } = batch
    if (this.#leaf !== leaf) finish(this.#open(leaf))
    const column = this.#column
    const bounds = this.#bounds
    const width = this.#ranges.length
    const withMissing = this.#withMissing
    const out = this.#out
    out.start(leaf)
    const weights = weightsOf(leaf)
    for (let i = 0; i < length; i++) {
      const doc = docs[i]!
      let from = doc
      let to = doc + 1
      if (column !== null && column.starts !== null) {
        from = column.starts[doc]!
        to = column.starts[doc + 1]!
      } else if (column === null || column.values[doc] === 0) to = from
      for (let range = 0; range < width; range++) {
        let isInside = from === to && withMissing[range]!
        for (let at = from; at < to && !isInside; at++) {
          const place = column!.values[at]!
          isInside = place >= bounds[range * 2]! && place < bounds[range * 2 + 1]!
        }
        if (!isInside) continue
        out.push(doc, this.#buckets.add(owners[i]!, range, weights === null ? 1 : weights[doc]!))
      }
    }
    this.sub.collect(out)
  }

  *resultSteps(owner: number): Steps<AggResult> {
    // In a bucket that fills a gap OpenSearch has none.
    const numbers = this.#context.gaps.isInside ? new Uint32Array(0) : this.#buckets.of(owner)
    this.#context.budget.add(numbers.length)
    const buckets = yield* bucketSteps(numbers, this.sub, (bucket, aggs, at) => {
      const { key, from, to } = this.#ranges[at]!
      return bucketOf({
        keyText: key,
        docCount: this.#buckets.count(bucket),
        aggs,
        head: {
          ...(this.#isKeyed ? {} : { key }),
          ...(from !== undefined && { from: formatIp(from) }),
          ...(to !== undefined && { to: formatIp(to) }),
        },
      })
    })
    return { typedName: 'ip_range', isKeyed: this.#isKeyed, buckets, toJson: () => ({}) }
  }
}

function isWithin(missing: string | undefined, { from, to }: IpRange): boolean {
  return (
    missing !== undefined && (from === undefined || missing >= from) && (to === undefined || missing < to)
  )
}

function lowerBound(column: TermColumnView, term: string): number {
  return partitionPoint(0, column.size, (ordinal) => column.term(ordinal) < term)
}
