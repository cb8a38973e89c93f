/**
 * Intervals kept by their relation to intervals of another source (containing, before, …), or by a predicate.
 */
import type { LeafReader } from '../../../segment/segment.ts'
import type { SearchScope } from '../query.ts'
import { type Interval, type IntervalReader, IntervalSource, WrappedSource } from './interval-source.ts'
import type { AddTerm } from './span-node.ts'

const relations = {
  containing: (one: Interval, other: Interval) => one.start <= other.start && one.end >= other.end,
  contained_by: (one: Interval, other: Interval) => other.start <= one.start && other.end >= one.end,
  overlapping: (one: Interval, other: Interval) => one.start <= other.end && one.end >= other.start,
  before: (one: Interval, other: Interval) => one.end < other.start,
  after: (one: Interval, other: Interval) => one.start > other.end,
}

export const intervalRelations = [
  ...(Object.keys(relations) as (keyof typeof relations)[]),
  'not_containing',
  'not_contained_by',
  'not_overlapping',
] as const

export type IntervalRelation = (typeof intervalRelations)[number]

export class FilteredSource extends IntervalSource {
  readonly extent: number
  readonly #source: IntervalSource
  readonly #relation: IntervalRelation
  readonly #reference: IntervalSource

  constructor(source: IntervalSource, relation: IntervalRelation, reference: IntervalSource) {
    super()
    this.#source = source
    this.#relation = relation
    this.#reference = reference
    this.extent = source.extent
  }

  open(leaf: LeafReader): IntervalReader {
    const source = this.#source.open(leaf)
    // Minimal intervals hide those that contain them, so each alternative is read separately.
    const references = this.#reference.alternatives.map((one) => one.open(leaf))
    const isNegative = this.#relation.startsWith('not_')
    const holds = relations[this.#relation.replace('not_', '') as keyof typeof relations]
    return {
      docs: source.docs,
      intervals: (doc) => {
        const found = source.intervals(doc)
        if (found.length === 0) return found
        const others = references.flatMap((reader) => reader.intervals(doc))
        return found.filter((one) => others.some((other) => holds(one, other)) !== isNegative)
      },
    }
  }

  override get parts(): readonly IntervalSource[] {
    return [this.#source, this.#reference]
  }

  override expanded(scope: SearchScope): IntervalSource {
    return new FilteredSource(this.#source.expanded(scope), this.#relation, this.#reference.expanded(scope))
  }

  override get alternatives(): readonly IntervalSource[] {
    return this.#source.alternatives.map((one) => new FilteredSource(one, this.#relation, this.#reference))
  }

  override addTerms(add: AddTerm): void {
    this.#source.addTerms(add)
  }

  toString(): string {
    const [source, reference] = [String(this.#source), String(this.#reference)]
    // Lucene makes these of others.
    if (this.#relation === 'before')
      return `CONTAINED_BY(${source},EXTEND(PRECEDING(${reference}),${maxPosition},0))`
    if (this.#relation === 'after')
      return `CONTAINED_BY(${source},EXTEND(FOLLOWING(${reference}),0,${maxPosition}))`
    const name = this.#relation === 'not_overlapping' ? 'NON_OVERLAPPING' : this.#relation.toUpperCase()
    return `${name}(${source},${reference})`
  }
}

const maxPosition = 2_147_483_647

/** Keeps the intervals that pass a predicate. */
export class TestedSource extends WrappedSource {
  readonly #test: (interval: Interval) => boolean

  constructor(source: IntervalSource, test: (interval: Interval) => boolean) {
    super(source)
    this.#test = test
  }

  open(leaf: LeafReader): IntervalReader {
    const source = this.source.open(leaf)
    return { docs: source.docs, intervals: (doc) => source.intervals(doc).filter(this.#test) }
  }

  override expanded(scope: SearchScope): IntervalSource {
    return new TestedSource(this.source.expanded(scope), this.#test)
  }

  override get alternatives(): readonly IntervalSource[] {
    return this.source.alternatives.map((one) => new TestedSource(one, this.#test))
  }

  toString(): string {
    return `FILTER(${this.source})`
  }
}
