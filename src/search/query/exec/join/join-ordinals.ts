/**
 * Global ordinals of the ids that join parents and children: each distinct id of a shard has one number, whichever
 * segments it is in. They are made of the dictionaries of the segments, once for the same segments, and take four bytes
 * for each entry of a dictionary. Compare Lucene's OrdinalMap.
 */
import { inRanges } from '../../../scheduling/step-size.ts'
import { onceReady, type Steps } from '../../../scheduling/steps.ts'
import type { LeafReader, OrdinalColumn, Segment } from '../../../segment/segment.ts'

/** The ids of one segment. */
interface SegmentIds {
  readonly column: OrdinalColumn
  /** The global ordinal of each term; null when the terms of the segment are all there are. */
  readonly globals: Uint32Array | null
}

export class JoinOrdinals {
  /** The number of distinct ids. */
  readonly size: number
  readonly #segments: ReadonlyMap<Segment, SegmentIds>

  constructor(size: number, segments: ReadonlyMap<Segment, SegmentIds>) {
    this.size = size
    this.#segments = segments
  }

  /** Returns the global ordinals of a segment's documents as a function; -1 for a document without an id. */
  of(segment: Segment): (doc: number) => number {
    const ids = this.#segments.get(segment)
    if (ids === undefined) return () => -1
    const { column, globals } = ids
    const { values, starts } = column
    return (doc) => {
      const ordinal =
        starts === null ? values[doc]! : starts[doc]! < starts[doc + 1]! ? values[starts[doc]!]! : 0
      return ordinal === 0 ? -1 : globals === null ? ordinal - 1 : globals[ordinal - 1]!
    }
  }
}

interface Known {
  readonly segments: readonly Segment[]
  readonly ordinals: JoinOrdinals
}

/** By the newest segment, which a refresh or a merge replaces. */
const known = new WeakMap<Segment, Map<string, Known>>()

/** The ordinals of a field over the segments of a shard, in steps. */
export function* joinOrdinals(leaves: readonly LeafReader[], field: string): Steps<JoinOrdinals> {
  const segments = leaves.map(({ segment }) => segment)
  const newest = segments.at(-1)
  if (newest === undefined) return new JoinOrdinals(0, new Map())
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
  const found: [Segment, NonNullable<ReturnType<typeof columnOf>>][] = []
  for (const segment of segments) {
    const column = yield* onceReady(() => columnOf(segment, field))
    if (column !== undefined) found.push([segment, column])
    yield
  }
  const [only] = found
  if (only === undefined) return new JoinOrdinals(0, new Map())
  if (found.length === 1) {
    const [segment, { column, terms }] = only
    return new JoinOrdinals(terms.size, new Map([[segment, { column, globals: null }]]))
  }
  const numbers = new Map<string, number>()
  const made = new Map<Segment, SegmentIds>()
  for (const [segment, { column, terms }] of found) {
    const globals = new Uint32Array(terms.size)
    yield* inRanges(terms.size, (from, to) => {
      for (let ordinal = from; ordinal < to; ordinal++) {
        const term = terms.term(ordinal)
        let number = numbers.get(term)
        if (number === undefined) {
          number = numbers.size
          numbers.set(term, number)
        }
        globals[ordinal] = number
      }
    })
    made.set(segment, { column, globals })
  }
  return new JoinOrdinals(numbers.size, made)
}

function columnOf(segment: Segment, name: string) {
  const field = segment.fields.get(name)
  const column = field?.ordinals
  const terms = field?.terms
  return column === null || column === undefined || terms === null || terms === undefined
    ? undefined
    : { column, terms }
}
