/** Leaf spans: `span_term`, `span_or`, `span_multi` and `span_gap`. */
import { SearchError } from '../../../request/search-error.ts'
import { finish, type Steps } from '../../../scheduling/steps.ts'
import type { LeafReader } from '../../../segment/segment.ts'
import type { SearchScope } from '../query.ts'
import { expandSteps, type MultiTermSettings } from '../terms/multi-term-query.ts'
import { type AddPattern, type AddTerm, byPlace, type Span, SpanNode, type SpanReader } from './span-node.ts'
import { inAny, TermPositions } from './term-positions.ts'

export class SpanTerm extends SpanNode {
  readonly term: string

  constructor(field: string, term: string) {
    super(field)
    this.term = term
  }

  open(leaf: LeafReader): SpanReader {
    const positions = new TermPositions(leaf, this.field, this.term)
    return {
      docs: positions.docs,
      spans: (doc) => Array.from(positions.at(doc), (start) => ({ start, end: start + 1, width: 0 })),
    }
  }

  expanded(): SpanNode {
    return this
  }

  override addTerms(add: AddTerm): void {
    add(this.field, this.term)
  }

  toString(): string {
    return `${this.field}:${this.term}`
  }
}

export class SpanOr extends SpanNode {
  readonly nodes: readonly SpanNode[]

  constructor(field: string, nodes: readonly SpanNode[]) {
    super(field)
    this.nodes = nodes
  }

  open(leaf: LeafReader): SpanReader {
    const readers = this.nodes.map((node) => node.open(leaf))
    return {
      docs: inAny(
        leaf,
        readers.map(({ docs }) => docs),
      ),
      spans: (doc) => readers.flatMap((reader) => reader.spans(doc)).sort(byPlace),
    }
  }

  override get parts(): readonly SpanNode[] {
    return this.nodes
  }

  expanded(scope: SearchScope): SpanNode {
    return new SpanOr(
      this.field,
      this.nodes.map((node) => node.expanded(scope)),
    )
  }

  toString(): string {
    return `spanOr([${this.nodes.join(', ')}])`
  }
}

type PatternExpansion = Pick<MultiTermSettings, 'field' | 'selection' | 'matcher'>

/** The terms of a prefix, wildcard, regexp, fuzzy or range query (`span_multi`). */
export class SpanPattern extends SpanNode {
  readonly #expansion: PatternExpansion
  readonly #text: string
  readonly #limit: number
  /** The expanded terms per shard. */
  readonly #found = new WeakMap<SearchScope, readonly string[]>()

  constructor(expansion: PatternExpansion, text: string, limit: number) {
    super(expansion.field)
    this.#expansion = expansion
    this.#text = text
    this.#limit = limit
  }

  open(): SpanReader {
    throw new Error('a pattern must be expanded first')
  }

  override *expandTerms(scope: SearchScope): Steps<void> {
    if (this.#found.has(scope)) return
    const found = yield* expandSteps(scope, this.#expansion, this.#limit + 1)
    this.#found.set(scope, [...found.keys()])
  }

  expanded(scope: SearchScope): SpanNode {
    finish(this.expandTerms(scope))
    const terms = this.#found.get(scope)!
    if (terms.length > this.#limit) {
      throw new SearchError(
        'runtime_exception',
        `[${this.#text}] exceeds maxClauseCount [ Boolean maxClauseCount is set to ${this.#limit}]`,
      )
    }
    return new SpanOr(
      this.field,
      terms.map((term) => new SpanTerm(this.field, term)),
    )
  }

  override addPatterns(add: AddPattern): void {
    const { field, matcher } = this.#expansion
    if (matcher !== undefined) add(field, matcher)
  }

  toString(): string {
    return `SpanMultiTermQueryWrapper(${this.#text})`
  }
}

/** Stands for a number of arbitrary words; allowed only inside `span_near`. */
export class SpanGap extends SpanNode {
  readonly width: number

  constructor(field: string, width: number) {
    super(field)
    this.width = width
  }

  open(): SpanReader {
    return { docs: new Uint32Array(0), spans: () => noSpans }
  }

  expanded(): SpanNode {
    return this
  }

  toString(): string {
    return `SpanGap(${this.field}:${this.width})`
  }
}

const noSpans: readonly Span[] = []
