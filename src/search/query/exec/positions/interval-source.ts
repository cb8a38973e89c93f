/**
 * Intervals: stretches of a text with all that was asked for, each the shortest of its kind: none holds another.
 * A source is opened on a leaf and then asked document by document.
 */

import type { Steps } from '../../../scheduling/steps.ts'
import type { LeafReader } from '../../../segment/segment.ts'
import type { SearchScope } from '../query.ts'
import { SpanPattern } from './span-terms.ts'
import { inAny, TermPositions } from './term-positions.ts'

export interface Interval {
  readonly start: number
  /** Of the last word, inclusive. */
  readonly end: number
  /** Words within that nobody asked for. */
  readonly gaps: number
}

export interface IntervalReader {
  readonly docs: Uint32Array
  /** Starts and ends rise. */
  intervals(doc: number): readonly Interval[]
}

export abstract class IntervalSource {
  /** Words in the shortest interval it can give. */
  abstract readonly extent: number
  abstract open(leaf: LeafReader): IntervalReader
  abstract toString(): string

  /** What it is made of. */
  get parts(): readonly IntervalSource[] {
    return []
  }

  /** Looks up, in steps, what `expanded` would look for in whole dictionaries. */
  *expanding(scope: SearchScope): Steps<void> {
    for (const part of this.parts) yield* part.expanding(scope)
  }

  /** With patterns spread out to the terms a shard has. */
  expanded(_scope: SearchScope): IntervalSource {
    return this
  }

  /** Sources any of which will do, none of them a choice itself. */
  get alternatives(): readonly IntervalSource[] {
    return [this]
  }

  addTerms(_add: (field: string, term: string) => void): void {}
}

export const noIntervals: readonly Interval[] = []

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

  override addTerms(add: (field: string, term: string) => void): void {
    add(this.#field, this.#term)
  }

  toString(): string {
    return `${this.#field}:${this.#term}`
  }
}

/** Of intervals that hold each other the shortest; of equal ones, the one with the fewest gaps. */
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

  override addTerms(add: (field: string, term: string) => void): void {
    for (const source of this.#sources) source.addTerms(add)
  }

  toString(): string {
    return `or(${this.#sources.join(',')})`
  }
}

/** Any term of a pattern. */
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

  override expanding(scope: SearchScope): Steps<void> {
    return this.#pattern.expanding(scope)
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
