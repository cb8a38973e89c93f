/**
 * Global ordinals of the ids that join parents and children: each distinct id of a shard has one number, whichever
 * segments it is in. They are made of the dictionaries of the segments, once for the same segments, and take four bytes
 * for each entry of a dictionary. Compare Lucene's OrdinalMap.
 */
import { inRanges } from '../../../scheduling/step-size.ts'
import { retryWork, type Steps } from '../../../scheduling/steps.ts'
import type { LeafReader, Segment } from '../../../segment/segment.ts'

export class JoinOrdinals {
  /** The number of distinct ids. */
  readonly size: number
  readonly #field: string
  /** The global ordinal of each term by segment; undefined where the terms of the segment are all there are. */
  readonly #globals: ReadonlyMap<Segment, Uint32Array>

  constructor(field: string, size: number, globals: ReadonlyMap<Segment, Uint32Array>) {
    this.#field = field
    this.size = size
    this.#globals = globals
  }

  /**
   * Returns the global ordinals of a segment's documents as a function; -1 for a document without an id. The column is
   * read again, so that it may leave the cache of decoded sections.
   */
  of(segment: Segment): (doc: number) => number {
    const column = segment.fields.get(this.#field)?.ordinals
    if (column === null || column === undefined) return () => -1
    const { values, starts } = column
    const globals = this.#globals.get(segment)
    return (doc) => {
      const ordinal =
        starts === null ? values[doc]! : starts[doc]! < starts[doc + 1]! ? values[starts[doc]!]! : 0
      return ordinal === 0 ? -1 : globals === undefined ? ordinal - 1 : globals[ordinal - 1]!
    }
  }
}

interface Known {
  readonly segments: readonly Segment[]
  readonly ordinals: JoinOrdinals
}

/** Ordinals by their newest segment, which a refresh or a merge replaces. */
const known = new WeakMap<Segment, Map<string, Known>>()

/** The ordinals of a field over the segments of a shard, in steps. */
export function* joinOrdinals(leaves: readonly LeafReader[], field: string): Steps<JoinOrdinals> {
  const segments = leaves.map(({ segment }) => segment)
  const newest = segments.at(-1)
  if (newest === undefined) return new JoinOrdinals(field, 0, new Map())
  let fields = known.get(newest)
  if (fields === undefined) {
    fields = new Map()
    known.set(newest, fields)
  }
  const before = fields.get(field)
  if (
    before !== undefined &&
    before.segments.length === segments.length &&
    before.segments.every((segment, i) => segment === segments[i])
  )
    return before.ordinals
  const ordinals = yield* madeOf(segments, field)
  fields.set(field, { segments, ordinals })
  return ordinals
}

function* madeOf(segments: readonly Segment[], field: string): Steps<JoinOrdinals> {
  const sizes = new Map<Segment, number>()
  for (const segment of segments) {
    const size = yield* retryWork(() => segment.fields.get(field)?.terms?.size ?? 0)
    if (size > 0) sizes.set(segment, size)
  }
  if (sizes.size < 2) return new JoinOrdinals(field, [...sizes.values()][0] ?? 0, new Map())
  const numbers = new IdNumbers()
  const made = new Map<Segment, Uint32Array>()
  for (const [segment, size] of sizes) {
    const terms = yield* retryWork(() => segment.fields.get(field)!.terms!)
    const globals = new Uint32Array(size)
    yield* inRanges(size, (from, to) => {
      for (let ordinal = from; ordinal < to; ordinal++) globals[ordinal] = numbers.of(terms.term(ordinal))
    })
    made.set(segment, globals)
  }
  return new JoinOrdinals(field, numbers.size, made)
}

/** Numbers of ids in order of arrival, in many small maps: one map cannot hold more than 16 million. */
class IdNumbers {
  size = 0
  readonly #parts = Array.from({ length: 64 }, () => new Map<string, number>())

  of(id: string): number {
    const { length } = id
    const hash =
      length === 0 ? 0 : Math.imul(id.charCodeAt(length - 1), 31) + id.charCodeAt(length >> 1) + length
    const part = this.#parts[hash & 63]!
    let number = part.get(id)
    if (number === undefined) {
      number = this.size++
      part.set(id, number)
    }
    return number
  }
}
