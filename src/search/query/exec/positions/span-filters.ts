/**
 * Span queries that filter by position: `span_first`, `span_not`, `span_containing`, `span_within`,
 * `field_masking_span`.
 */
import type { LeafReader } from '../../../segment/segment.ts'
import type { SearchScope } from '../query.ts'
import { type AddTerm, type Span, SpanNode, type SpanReader } from './span-node.ts'
import { inAll } from './term-positions.ts'

export class SpanFirst extends SpanNode {
  readonly #node: SpanNode
  readonly #end: number

  /** Keeps spans that end at or before `end`. */
  constructor(node: SpanNode, end: number) {
    super(node.field)
    this.#node = node
    this.#end = end
  }

  open(leaf: LeafReader): SpanReader {
    const { docs, spans } = this.#node.open(leaf)
    return { docs, spans: (doc) => spans(doc).filter(({ end }) => end <= this.#end) }
  }

  override get parts(): readonly SpanNode[] {
    return [this.#node]
  }

  expanded(scope: SearchScope): SpanNode {
    return new SpanFirst(this.#node.expanded(scope), this.#end)
  }

  toString(): string {
    return `spanFirst(${this.#node}, ${this.#end})`
  }
}

export class SpanNot extends SpanNode {
  readonly #include: SpanNode
  readonly #exclude: SpanNode
  readonly #before: number
  readonly #after: number

  /** Keeps spans of `include` that contain no span of `exclude`, with a margin of words before and after. */
  constructor(include: SpanNode, exclude: SpanNode, before: number, after: number) {
    super(include.field)
    this.#include = include
    this.#exclude = exclude
    this.#before = before
    this.#after = after
  }

  open(leaf: LeafReader): SpanReader {
    const include = this.#include.open(leaf)
    const exclude = this.#exclude.open(leaf)
    return {
      docs: include.docs,
      spans: (doc) => {
        const spans = include.spans(doc)
        const others = spans.length === 0 ? [] : exclude.spans(doc)
        if (others.length === 0) return spans
        return spans.filter(({ start, end }) => {
          return !others.some((other) => other.end > start - this.#before && other.start < end + this.#after)
        })
      },
    }
  }

  override get parts(): readonly SpanNode[] {
    return [this.#include, this.#exclude]
  }

  expanded(scope: SearchScope): SpanNode {
    const [include, exclude] = [this.#include.expanded(scope), this.#exclude.expanded(scope)]
    return new SpanNot(include, exclude, this.#before, this.#after)
  }

  override addTerms(add: AddTerm): void {
    this.#include.addTerms(add)
  }

  toString(): string {
    return `spanNot(${this.#include}, ${this.#exclude}, ${this.#before}, ${this.#after})`
  }
}

export class SpanAround extends SpanNode {
  readonly #big: SpanNode
  readonly #little: SpanNode
  readonly #kept: 'big' | 'little'

  /** Keeps big spans that contain a little one, or the little ones that are contained. */
  constructor(big: SpanNode, little: SpanNode, kept: 'big' | 'little') {
    super(big.field)
    this.#big = big
    this.#little = little
    this.#kept = kept
  }

  open(leaf: LeafReader): SpanReader {
    const big = this.#big.open(leaf)
    const little = this.#little.open(leaf)
    return {
      docs: inAll(leaf, [big.docs, little.docs]),
      spans: (doc) => {
        const bigs = big.spans(doc)
        const littles = little.spans(doc)
        return this.#kept === 'big'
          ? bigs.filter((one) => littles.some((other) => holds(one, other)))
          : littles.filter((one) => bigs.some((other) => holds(other, one)))
      },
    }
  }

  override get parts(): readonly SpanNode[] {
    return [this.#big, this.#little]
  }

  expanded(scope: SearchScope): SpanNode {
    return new SpanAround(this.#big.expanded(scope), this.#little.expanded(scope), this.#kept)
  }

  toString(): string {
    const name = this.#kept === 'big' ? 'SpanContaining' : 'SpanWithin'
    return `${name}(${this.#big}, ${this.#little})`
  }
}

function holds(big: Span, little: Span): boolean {
  return big.start <= little.start && big.end >= little.end
}

/** Presents spans of one field as those of another, so that both fit into one span query. */
export class SpanMask extends SpanNode {
  readonly #node: SpanNode

  constructor(node: SpanNode, field: string) {
    super(field)
    this.#node = node
  }

  open(leaf: LeafReader): SpanReader {
    return this.#node.open(leaf)
  }

  override get parts(): readonly SpanNode[] {
    return [this.#node]
  }

  expanded(scope: SearchScope): SpanNode {
    return new SpanMask(this.#node.expanded(scope), this.field)
  }

  toString(): string {
    return `mask(${this.#node}) as ${this.field}`
  }
}
