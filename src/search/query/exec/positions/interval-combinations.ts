/** Interval sources that must all occur: ordered, unordered or adjacent, with a limit of gaps. */
import type { LeafReader } from '../../../segment/segment.ts'
import type { SearchScope } from '../query.ts'
import {
  AnySource,
  type Interval,
  type IntervalReader,
  IntervalSource,
  WrappedSource,
} from './interval-source.ts'
import { inAll } from './term-positions.ts'

type Arrangement = 'ordered' | 'unordered' | 'phrase'

/** Combinations of alternatives beyond this number are not expanded. */
const maxWays = 256

export class AllSource extends IntervalSource {
  readonly extent: number
  readonly #sources: readonly IntervalSource[]
  readonly #arrangement: Arrangement

  constructor(sources: readonly IntervalSource[], arrangement: Arrangement) {
    super()
    this.#sources = sources
    this.#arrangement = arrangement
    this.extent = this.#sources.reduce((total, { extent }) => total + extent, 0)
  }

  /** As a request names them. Alternatives of patterns may turn out to be the same term, which need not occur twice. */
  static of(sources: readonly IntervalSource[], arrangement: Arrangement): AllSource {
    return new AllSource(arrangement === 'unordered' ? withRepetitions(sources) : sources, arrangement)
  }

  open(leaf: LeafReader): IntervalReader {
    const readers = this.#sources.map((source) => source.open(leaf))
    const combine = combinations[this.#arrangement]
    return {
      docs: inAll(
        leaf,
        readers.map(({ docs }) => docs),
      ),
      intervals: (doc) => {
        const lists = readers.map((reader) => reader.intervals(doc))
        return lists.some(({ length }) => length === 0) ? [] : combine(lists)
      },
    }
  }

  override get parts(): readonly IntervalSource[] {
    return this.#sources
  }

  override expanded(scope: SearchScope): IntervalSource {
    return new AllSource(
      this.#sources.map((source) => source.expanded(scope)),
      this.#arrangement,
    )
  }

  override get alternatives(): readonly IntervalSource[] {
    const choices = this.#sources.map(({ alternatives }) => alternatives)
    const ways = choices.reduce((total, { length }) => total * length, 1)
    if (ways === 1 || ways > maxWays) return [this]
    let rows: IntervalSource[][] = [[]]
    for (const choice of choices) rows = rows.flatMap((row) => choice.map((one) => [...row, one]))
    return rows.map((row) => new AllSource(row, this.#arrangement))
  }

  toString(): string {
    return `${this.#arrangement.toUpperCase()}(${this.#sources.join(',')})`
  }
}

/** A source that is given twice must occur twice. */
function withRepetitions(sources: readonly IntervalSource[]): IntervalSource[] {
  const counts = new Map<string, { source: IntervalSource; count: number }>()
  for (const source of sources) {
    const known = counts.get(source.toString())
    if (known === undefined) counts.set(source.toString(), { source, count: 1 })
    else known.count++
  }
  return Array.from(counts.values(), ({ source, count }) =>
    count === 1 ? source : new RepeatedSource(source, count),
  )
}

class RepeatedSource extends WrappedSource {
  readonly #count: number

  constructor(source: IntervalSource, count: number) {
    super(source, source.extent * count)
    this.#count = count
  }

  open(leaf: LeafReader): IntervalReader {
    const { docs, intervals } = this.source.open(leaf)
    const count = this.#count
    return {
      docs,
      intervals: (doc) => {
        const list = intervals(doc)
        const found: Interval[] = []
        for (let i = 0; i + count <= list.length; i++) {
          const row = list.slice(i, i + count)
          const { start } = row[0]!
          const { end } = row.at(-1)!
          found.push({ start, end, gaps: Math.max(0, end - start + 1 - lengthOf(row)) })
        }
        return found
      },
    }
  }

  override expanded(scope: SearchScope): IntervalSource {
    return new RepeatedSource(this.source.expanded(scope), this.#count)
  }

  toString(): string {
    return Array(this.#count).fill(this.source.toString()).join(',')
  }
}

function lengthOf(row: readonly Interval[]): number {
  let length = 0
  for (const { start, end, gaps } of row) length += end - start + 1 - gaps
  return length
}

type Combine = (lists: readonly (readonly Interval[])[]) => Interval[]

/**
 * Keeps the list minimal. Starts and ends rise, so of two intervals with one end the later is shorter, and of
 * two with one start the earlier.
 */
function push(found: Interval[], interval: Interval): void {
  const last = found.at(-1)
  if (last?.end === interval.end) found.pop()
  else if (last?.start === interval.start) return
  found.push(interval)
}

/** Intervals with one element of each list in order; without gaps between them when `isPhrase`. */
function inOrder(lists: Parameters<Combine>[0], isPhrase: boolean): Interval[] {
  const found: Interval[] = []
  const at = new Uint32Array(lists.length)
  starts: for (const first of lists[0]!) {
    let { end, gaps } = first
    for (let i = 1; i < lists.length; i++) {
      const list = lists[i]!
      while (at[i]! < list.length && list[at[i]!]!.start <= end) at[i]!++
      const next = list[at[i]!]
      if (next === undefined) break starts
      const gap = next.start - end - 1
      if (isPhrase && gap > 0) continue starts
      gaps += gap + next.gaps
      end = next.end
    }
    push(found, { start: first.start, end, gaps })
  }
  return found
}

const ordered: Combine = (lists) => inOrder(lists, false)
const phrase: Combine = (lists) => inOrder(lists, true)

const unordered: Combine = (lists) => {
  const found: Interval[] = []
  const at = new Uint32Array(lists.length)
  for (;;) {
    const row = lists.map((list, i) => list[at[i]!]!)
    let min = 0
    let end = 0
    for (let i = 0; i < row.length; i++) {
      const { start, end: last } = row[i]!
      if (start < row[min]!.start || (start === row[min]!.start && last < row[min]!.end)) min = i
      end = Math.max(end, last)
    }
    const { start } = row[min]!
    push(found, { start, end, gaps: Math.max(0, end - start + 1 - lengthOf(row)) })
    if (++at[min]! >= lists[min]!.length) return found
  }
}

const combinations: Readonly<Record<Arrangement, Combine>> = { ordered, unordered, phrase }

class MaxGapsSource extends WrappedSource {
  readonly #max: number

  constructor(source: IntervalSource, max: number) {
    super(source)
    this.#max = max
  }

  open(leaf: LeafReader): IntervalReader {
    const { docs, intervals } = this.source.open(leaf)
    return { docs, intervals: (doc) => intervals(doc).filter(({ gaps }) => gaps <= this.#max) }
  }

  override expanded(scope: SearchScope): IntervalSource {
    return maxGaps(this.source.expanded(scope), this.#max)
  }

  toString(): string {
    return `MAXGAPS/${this.#max}(${this.source})`
  }
}

/** Tests each alternative apart: the shortest interval of all may have more gaps than a longer one. */
export function maxGaps(source: IntervalSource, max: number): IntervalSource {
  return AnySource.of(source.alternatives.map((one) => new MaxGapsSource(one, max)))
}

/** A source whose intervals begin `before` positions earlier, whatever stands there. */
export class ExtendedSource extends WrappedSource {
  readonly #before: number

  constructor(source: IntervalSource, before: number) {
    super(source, source.extent + before)
    this.#before = before
  }

  open(leaf: LeafReader): IntervalReader {
    const { docs, intervals } = this.source.open(leaf)
    return {
      docs,
      intervals: (doc) =>
        intervals(doc).map((one) => ({ ...one, start: Math.max(0, one.start - this.#before) })),
    }
  }

  override expanded(scope: SearchScope): IntervalSource {
    return new ExtendedSource(this.source.expanded(scope), this.#before)
  }

  toString(): string {
    return `EXTEND(${this.source},${this.#before},0)`
  }
}
