/**
 * Spans: stretches of a text, from the position of their first word to the position behind their last, found by
 * terms and by how spans stand to each other. A node is opened on a leaf and then asked document by document.
 */

import type { Steps } from '../../../scheduling/steps.ts'
import type { LeafReader } from '../../../segment/segment.ts'
import type { SearchScope } from '../query.ts'

export interface Span {
  readonly start: number
  readonly end: number
  /** How far the words are from standing in a row; a wider span counts less. */
  readonly width: number
}

export interface SpanReader {
  /** Documents that may have spans, rising. */
  readonly docs: Uint32Array
  /** Ordered by start, then by end. */
  spans(doc: number): readonly Span[]
}

export type AddTerm = (field: string, term: string) => void

export abstract class SpanNode {
  /** All spans of a query stand in one field. */
  abstract readonly field: string
  abstract open(leaf: LeafReader): SpanReader
  /** What it is made of. */
  get parts(): readonly SpanNode[] {
    return []
  }
  /** Looks up, in steps, what `expanded` would look for in whole dictionaries. */
  *expanding(scope: SearchScope): Steps<void> {
    for (const part of this.parts) yield* part.expanding(scope)
  }
  /** With patterns spread out to the terms a shard has. */
  abstract expanded(scope: SearchScope): SpanNode
  /** The terms scores are made of. */
  abstract addTerms(add: AddTerm): void
  abstract toString(): string
}

export function byPlace(a: Span, b: Span): number {
  return a.start - b.start || a.end - b.end
}
