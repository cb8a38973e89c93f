/**
 * Plans for the values at one leaf of the JSON, for readers that index documents straight from their bytes. The
 * mapping makes the plans; a segment builder binds them to its field writers.
 */
import type { FieldSpec } from '../document.ts'
import type { FieldWriter } from './field-writer.ts'
import type { Chunk } from './source-arena.ts'
import type { SourceShape } from './source-shape.ts'
import type { TextColumn } from './text-column.ts'

export interface LeafPlan {
  /** The field that takes numbers; such a plan has no texts. */
  readonly numbers?: PlannedField
  /** The field that has whole texts as terms and doc values. */
  readonly terms?: PlannedField
  /** Longer texts, in UTF-16 units, are no terms (`ignore_above`). */
  readonly maxTermLength?: number
  /** Fields that have texts as the standard analyzer tokenizes them. */
  readonly texts?: readonly PlannedText[]
}

export interface PlannedField {
  readonly name: string
  readonly spec: FieldSpec
}

export interface PlannedText extends PlannedField {
  readonly positionGap: number
}

/** A plan bound to one segment builder: either numbers or a text column. */
export interface BoundLeaf {
  readonly texts: TextColumn | undefined
  readonly numbers: FieldWriter | undefined
}

/** Reads documents from bytes, one at a time. */
export interface ByteReader {
  readonly plans: readonly LeafPlan[]
  /**
   * Reads a document, whose texts are then pending in their columns. False when it has something this reader does
   * not support; then nothing was changed.
   */
  read(chunk: Chunk, from: number, to: number, leaves: readonly BoundLeaf[], doc: number): boolean
  /**
   * Like `read`, for a document of a known shape: its values are copied to `into`, which has room for the whole
   * document, and are pending there. Returns the shape, or undefined.
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
  /**
   * Like `read`, for the values of a document of a shape that this reader gave out; they are pending where they are.
   */
  readValues(
    values: Chunk,
    from: number,
    to: number,
    shape: SourceShape,
    leaves: readonly BoundLeaf[],
    doc: number,
  ): boolean
  /** The number of bytes that were copied. */
  readonly copied: number
  /** Adds the numbers of the document that was read. */
  addNumbers(doc: number, leaves: readonly BoundLeaf[]): void
  /** Removes the pending texts of the document that was read. */
  drop(doc: number, leaves: readonly BoundLeaf[]): void
}
