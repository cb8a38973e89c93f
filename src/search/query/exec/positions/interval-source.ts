/**
 * Minimal intervals after Clarke, Cormack and Burkowski (1995), as Lucene's IntervalsSource has them:
 * stretches of a text that contain everything asked for, none of which contains another. A source is opened
 * on a leaf and then asked document by document.
 */

import type { Steps } from '../../../scheduling/steps.ts'
import type { LeafReader } from '../../../segment/segment.ts'
import type { SearchScope } from '../query.ts'
import type { AddPattern, AddTerm } from './span-node.ts'
import { SpanPattern } from './span-terms.ts'
import { inAny, TermPositions } from './term-positions.ts'

export interface Interval {
  readonly start: number
  /** The position of the last word, inclusive. */
  readonly end: number
  /** Positions inside the interval that no source matched. */
  readonly gaps: number
}

export interface IntervalReader {
  readonly docs: Uint32Array
  /** Both starts and ends rise. */
  intervals(doc: number): readonly Interval[]
}

export abstract class IntervalSource {
  /** The length of the shortest possible interval. */
  abstract readonly extent: number
  abstract open(leaf: LeafReader): IntervalReader
  abstract toString(): string

  /** The sources this one is built from. */
  get parts(): readonly IntervalSource[] {
    return []
  }

  /** Expands patterns in steps; `expanded` then finds the terms without searching a dictionary. */
  *expandTerms(scope: SearchScope): Steps<void> {
    for (const part of this.parts) yield* part.expandTerms(scope)
  }

  /** Returns the source with its patterns replaced by the terms of a shard. */
  expanded(_scope: SearchScope): IntervalSource {
    return this
  }

  /** The sources of a disjunction, flattened; otherwise this source alone. */
  get alternatives(): readonly IntervalSource[] {
    return [this]
  }

  /** Reports the terms whose statistics make up the score. */
  addTerms(add: AddTerm): void {
    for (const part of this.parts) part.addTerms(add)
  }

  /** Reports the patterns, for highlighting. */
  addPatterns(add: AddPattern): void {
    for (const part of this.parts) part.addPatterns(add)
  }
}

/** A source that changes the intervals of one other. */
export abstract class WrappedSource extends IntervalSource {
  readonly extent: number
  protected readonly source: IntervalSource

  constructor(source: IntervalSource, extent = source.extent) {
    super()
    this.source = source
    this.extent = extent
  }

  override get parts(): readonly IntervalSource[] {
    return [this.source]
  }
}

const noIntervals: readonly Interval[] = []

export class NothingSource extends IntervalSource {
  readonly extent = 0

  open(): IntervalReader {
    return { docs: new Uint32Array(0), intervals: () => noIntervals }
  }

  toString(): string {
    return 'NOMATCH'
  }
}

export class TermSource extends IntervalSource {
  readonly extent = 1
  readonly #field: string
  readonly #term: string

  constructor(field: string, term: string) {
    super()
    this.#field = field
    this.#term = term
  }

  open(leaf: LeafReader): IntervalReader {
    const positions = new TermPositions(leaf, this.#field, this.#term)
    return {
      docs: positions.docs,
      intervals: (doc) => Array.from(positions.at(doc), (start) => ({ start, end: start, gaps: 0 })),
    }
  }

  override addTerms(add: AddTerm): void {
    add(this.#field, this.#term)
  }

  toString(): string {
    return `${this.#field}:${this.#term}`
  }
}

/** Drops intervals that contain another; of equal ones it keeps the one with the fewest gaps. */
export function shortest(intervals: readonly Interval[]): Interval[] {
  const sorted = [...intervals].sort((a, b) => a.start - b.start || b.end - a.end || b.gaps - a.gaps)
  const kept: Interval[] = []
  for (const interval of sorted) {
    while (kept.length > 0 && kept.at(-1)!.end >= interval.end) kept.pop()
    kept.push(interval)
  }
  return kept
}

export class AnySource extends IntervalSource {
  readonly extent: number
  readonly #sources: readonly IntervalSource[]

  private constructor(sources: readonly IntervalSource[]) {
    super()
    this.#sources = sources
    this.extent = Math.min(...sources.map(({ extent }) => extent))
  }

  static of(sources: readonly IntervalSource[]): IntervalSource {
    if (sources.length === 0) return new NothingSource()
    return sources.length === 1 ? sources[0]! : new AnySource(sources)
  }

  open(leaf: LeafReader): IntervalReader {
    const readers = this.#sources.map((source) => source.open(leaf))
    return {
      docs: inAny(
        leaf,
        readers.map(({ docs }) => docs),
      ),
      intervals: (doc) => shortest(readers.flatMap((reader) => reader.intervals(doc))),
    }
  }

  override get parts(): readonly IntervalSource[] {
    return this.#sources
  }

  override expanded(scope: SearchScope): IntervalSource {
    return new AnySource(this.#sources.map((source) => source.expanded(scope)))
  }

  override get alternatives(): readonly IntervalSource[] {
    return this.#sources.flatMap(({ alternatives }) => alternatives)
  }

  toString(): string {
    const texts = [...new Set(this.#sources.map(String))].sort()
    return texts.length === 1 ? texts[0]! : `or(${texts.join(',')})`
  }
}

/** Any term that a pattern matches. */
export class PatternSource extends IntervalSource {
  readonly extent = 1
  readonly #pattern: SpanPattern

  constructor(...settings: ConstructorParameters<typeof SpanPattern>) {
    super()
    this.#pattern = new SpanPattern(...settings)
  }

  open(): IntervalReader {
    throw new Error('a pattern must be expanded first')
  }

  override expandTerms(scope: SearchScope): Steps<void> {
    return this.#pattern.expandTerms(scope)
  }

  override addPatterns(add: AddPattern): void {
    this.#pattern.addPatterns(add)
  }

  override expanded(scope: SearchScope): IntervalSource {
    const sources: IntervalSource[] = []
    this.#pattern.expanded(scope).addTerms((field, term) => void sources.push(new TermSource(field, term)))
    return AnySource.of(sources)
  }

  toString(): string {
    return `MultiTerm(${this.#pattern})`
  }
}
