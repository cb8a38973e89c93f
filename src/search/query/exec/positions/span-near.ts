/**
 * `span_near`. In order: for each span of the first node, the first following span of each further node is
 * taken; the words between them count against the slop. Unordered: all windows with a span of each node that
 * cannot be shortened from the left.
 */
import type { LeafReader } from '../../../segment/segment.ts'
import type { SearchScope } from '../query.ts'
import { type Span, SpanNode, type SpanReader } from './span-node.ts'
import { SpanGap } from './span-terms.ts'
import { inAll } from './term-positions.ts'

export class SpanNear extends SpanNode {
  readonly nodes: readonly SpanNode[]
  readonly slop: number
  readonly inOrder: boolean

  constructor(field: string, nodes: readonly SpanNode[], slop: number, inOrder: boolean) {
    super(field)
    this.nodes = nodes
    this.slop = slop
    this.inOrder = inOrder
  }

  open(leaf: LeafReader): SpanReader {
    const parts: Part[] = []
    let gap = 0
    for (const node of this.nodes) {
      if (node instanceof SpanGap) gap += node.width
      else {
        parts.push({ reader: node.open(leaf), gap })
        gap = 0
      }
    }
    const { slop } = this
    return {
      docs: inAll(
        leaf,
        parts.map(({ reader }) => reader.docs),
      ),
      spans: (doc) => {
        const lists = parts.map(({ reader }) => reader.spans(doc))
        if (lists.some(({ length }) => length === 0)) return []
        if (!this.inOrder) return unordered(lists, slop)
        const gaps = parts.map((part) => part.gap)
        return ordered(lists, gaps, slop, gap)
      },
    }
  }

  override get parts(): readonly SpanNode[] {
    return this.nodes
  }

  expanded(scope: SearchScope): SpanNode {
    const nodes = this.nodes.map((node) => node.expanded(scope))
    return new SpanNear(this.field, nodes, this.slop, this.inOrder)
  }

  toString(): string {
    return `spanNear([${this.nodes.join(', ')}], ${this.slop}, ${this.inOrder})`
  }
}

interface Part {
  readonly reader: SpanReader
  /** The number of words between this part and the one before it. */
  readonly gap: number
}

function ordered(
  lists: readonly (readonly Span[])[],
  gaps: readonly number[],
  slop: number,
  trailing: number,
): Span[] {
  const found: Span[] = []
  const at = new Uint32Array(lists.length)
  starts: for (const first of lists[0]!) {
    let { end } = first
    let width = 0
    for (let i = 1; i < lists.length; i++) {
      const list = lists[i]!
      const from = end + gaps[i]!
      while (at[i]! < list.length && list[at[i]!]!.start < from) at[i]!++
      const next = list[at[i]!]
      if (next === undefined) break starts
      width += next.start - from
      end = next.end
    }
    if (width <= slop) found.push({ start: first.start, end: end + trailing, width })
  }
  return found
}

function unordered(lists: readonly (readonly Span[])[], slop: number): Span[] {
  const found: Span[] = []
  const at = new Uint32Array(lists.length)
  for (;;) {
    let min = 0
    let end = 0
    let length = 0
    for (let i = 0; i < lists.length; i++) {
      const span = lists[i]![at[i]!]!
      const other = lists[min]![at[min]!]!
      if (span.start < other.start || (span.start === other.start && span.end < other.end)) min = i
      end = Math.max(end, span.end)
      length += span.end - span.start
    }
    const { start } = lists[min]![at[min]!]!
    if (end - start - length <= slop) found.push({ start, end, width: end - start })
    if (++at[min]! >= lists[min]!.length) return found
  }
}
