/** Merges postings that are written out, also where some parts have a value index instead. */

import { PostingsCursor } from '../postings/postings-cursor.ts'
import { PostingsWriter } from '../postings/postings-writer.ts'
import { ValueTermIndex } from '../postings/value-term-index.ts'
import type { Postings, TermIndex } from '../segment.ts'
import type { WrittenSection } from '../segment-file.ts'
import { dropped, type FieldPart } from './merge-part.ts'
import type { TextVisitor } from './merge-texts.ts'

export class WrittenPostings implements TextVisitor {
  readonly writer: PostingsWriter
  readonly #parts: readonly FieldPart[]
  /** Undefined for a part with a value index, whose postings are of values and not of documents. */
  readonly #cursors: readonly (PostingsCursor | undefined)[]
  readonly #indices: readonly (TermIndex | null)[]
  #docs = 0

  constructor(parts: readonly FieldPart[], keeps: 'docs' | 'freqs' | 'positions') {
    this.writer = new PostingsWriter(keeps)
    this.#parts = parts
    this.#cursors = parts.map(({ field }) =>
      field.entry.postings === 'written' ? new PostingsCursor(field) : undefined,
    )
    this.#indices = parts.map(({ field }, part) => (this.#cursors[part] === undefined ? field.terms : null))
  }

  visit(part: number, ordinal: number): void {
    const { base, docMap } = this.#parts[part]!
    const cursor = this.#cursors[part]
    if (cursor === undefined) {
      const index = this.#indices[part]!
      // Each term is read once, so nothing is cached.
      const postings = index instanceof ValueTermIndex ? index.expand(ordinal) : index.postings(ordinal)
      this.#addKept(postings, base, docMap)
      return
    }
    cursor.moveTo(ordinal)
    if (docMap !== null || cursor.keeps !== this.writer.keeps) {
      this.#addKept(cursor.read(), base, docMap)
      return
    }
    this.writer.addMoved(cursor, base)
    this.#docs += cursor.docFreq
  }

  #addKept({ docs, freqs, positions }: Postings, base: number, docMap: Uint32Array | null): void {
    const { writer } = this
    for (let i = 0; i < docs.length; i++) {
      const to = docMap === null ? base + docs[i]! : docMap[docs[i]!]!
      if (to === dropped) continue
      this.#docs += 1
      const freq = freqs?.[i] ?? 1
      if (positions === null) writer.add(to, freq)
      else writer.add(to, freq, positions.values, positions.starts[i], positions.starts[i + 1])
    }
  }

  /** A term whose documents are all deleted is dropped. */
  end(): boolean {
    if (this.#docs === 0) return false
    this.#docs = 0
    this.writer.end()
    return true
  }

  get isFull(): boolean {
    return this.writer.isFull
  }

  take(): Iterable<WrittenSection> {
    return this.writer.take(false)
  }
}
