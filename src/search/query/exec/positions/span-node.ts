/**
 * Spans as in Lucene's SpanQuery: stretches of a text from the position of their first word up to the
 * position after their last. A node is opened on a leaf and then asked document by document.
 */

import type { Steps } from '../../../scheduling/steps.ts'
import type { LeafReader } from '../../../segment/segment.ts'
import type { TermMatcher } from '../../automata/term-matcher.ts'
import type { SearchScope } from '../query.ts'

export interface Span {
  readonly start: number
  readonly end: number
  /** The sum of gaps, by which the sloppy frequency falls. */
  readonly width: number
}

export interface SpanReader {
  /** The candidate documents, rising. */
  readonly docs: Uint32Array
  /** Ordered by start, then by end. */
  spans(doc: number): readonly Span[]
}

export type AddTerm = (field: string, term: string) => void
export type AddPattern = (field: string, matcher: TermMatcher) => void

export abstract class SpanNode {
  /** The field of all spans of the query. */
  readonly field: string

  constructor(field: string) {
    this.field = field
  }

  abstract open(leaf: LeafReader): SpanReader
  /** The nodes this one is built from. */
  get parts(): readonly SpanNode[] {
    return []
  }
  /** Expands patterns in steps; `expanded` then finds the terms without searching a dictionary. */
  *expandTerms(scope: SearchScope): Steps<void> {
    for (const part of this.parts) yield* part.expandTerms(scope)
  }
  /** Returns the node with its patterns replaced by the terms of a shard. */
  abstract expanded(scope: SearchScope): SpanNode
  /** Reports the patterns, for highlighting. */
  addPatterns(add: AddPattern): void {
    for (const part of this.parts) part.addPatterns(add)
  }
  /** Reports the terms whose statistics make up the score. */
  addTerms(add: AddTerm): void {
    for (const part of this.parts) part.addTerms(add)
  }
  abstract toString(): string
}

export function byPlace(a: Span, b: Span): number {
  return a.start - b.start || a.end - b.end
}
