/**
 * What becomes of the values at one place of a document's JSON, for readers that put them into a segment straight
 * from the bytes. The mapping makes the plans; a builder binds them to its collectors.
 */
import type { FieldSpec } from '../document.ts'
import type { FieldCollector } from './field-collector.ts'
import type { Chunk } from './source-arena.ts'
import type { SourceShape } from './source-shape.ts'
import type { TextLeaf } from './text-leaf.ts'

export interface LeafPlan {
  /** Field of the numbers; then there are no texts. */
  readonly numbers?: PlannedField
  /** Field that has whole texts as terms, by document. */
  readonly terms?: PlannedField
  /** Fields that have texts as the standard analyzer cuts them. */
  readonly texts?: readonly PlannedText[]
}

export interface PlannedField {
  readonly name: string
  readonly spec: FieldSpec
}

export interface PlannedText extends PlannedField {
  readonly positionGap: number
}

/** A plan in one segment that is being built: either of the two. */
export interface BoundLeaf {
  readonly texts: TextLeaf | undefined
  readonly numbers: FieldCollector | undefined
}

/** Reads documents from bytes, one at a time. */
export interface ByteReader {
  readonly plans: readonly LeafPlan[]
  /**
   * Reads the document of a number, whose texts wait in their leaves then. False: it has something this reader does not
   * know, and nothing was changed.
   */
  read(chunk: Chunk, from: number, to: number, leaves: readonly BoundLeaf[], doc: number): boolean
  /**
   * The same for a document like one that was read before: its values are copied to a place that has room for all of
   * it, and wait there. The shape it has, or undefined.
   */
  readShape(
    text: Chunk,
    from: number,
    to: number,
    into: Chunk,
    at: number,
    leaves: readonly BoundLeaf[],
    doc: number,
  ): SourceShape | undefined
  /** The same for the values of a document along a shape that it gave out; these wait where they are. */
  readValues(
    values: Chunk,
    from: number,
    to: number,
    shape: SourceShape,
    leaves: readonly BoundLeaf[],
    doc: number,
  ): boolean
  /** How many bytes were copied. */
  readonly copied: number
  /** Adds the numbers of the document that was read. */
  addNumbers(doc: number, leaves: readonly BoundLeaf[]): void
  /** Takes its texts back instead. */
  drop(doc: number, leaves: readonly BoundLeaf[]): void
}
