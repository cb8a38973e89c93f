/**
 * Buffered documents as a search in another thread sees them: rows and sources in shared memory, which the thread that
 * buffers them keeps until this segment is released.
 */
import { utf8Text } from '../../../text/utf8-text.ts'
import type { BitSet } from '../encoding/bit-set.ts'
import { IdLookup } from '../id-lookup.ts'
import type { Segment } from '../segment.ts'
import { BufferedFields } from './buffered-fields.ts'
import { type DocumentRows, rootsOf } from './document-rows.ts'
import type { ArenaTexts } from './source-arena.ts'
import { documentOf, SourceShape } from './source-shape.ts'

export interface SharedDocuments {
  readonly rows: DocumentRows
  readonly sources: ArenaTexts
  /** The number of the first document among the sources. */
  readonly from: number
}

const nothing = new Uint8Array(0)

export class SharedSegment implements Segment {
  readonly name: string
  readonly docCount: number
  readonly fields: BufferedFields
  readonly roots: BitSet | null
  readonly #rows: DocumentRows
  readonly #sources: ArenaTexts
  readonly #from: number
  readonly #routings: ReadonlyMap<number, string>
  #shapes: readonly SourceShape[] | undefined
  #ids: IdLookup | undefined

  constructor(name: string, { rows, sources, from }: SharedDocuments) {
    this.name = name
    this.docCount = rows.docCount
    const fields = new Map(rows.fields.map((field) => [field.name, field]))
    this.fields = new BufferedFields(fields.keys(), (field) => fields.get(field)!, rows.docCount)
    this.roots = rootsOf(rows)
    this.#rows = rows
    this.#sources = sources
    this.#from = from
    this.#routings = new Map(rows.routings)
  }

  get bytes(): number {
    const { lengths } = this.#sources
    let bytes = 0
    for (let doc = this.#from; doc < this.#from + this.docCount; doc++) bytes += lengths[doc]!
    return bytes
  }

  nestedPath(doc: number): string | undefined {
    const { nestedPaths, nested } = this.#rows
    return nestedPaths[nested[doc]! - 1]
  }

  source(doc: number): Uint8Array {
    const { chunks, chunkOf, starts, lengths, shapeOf, shapes } = this.#sources
    const at = this.#from + doc
    const length = lengths[at]!
    if (length === 0) return nothing
    this.#shapes ??= shapes.map((definition) => SourceShape.at(definition, 0))
    const start = starts[at]!
    const bytes = chunks[chunkOf[at]!]!.subarray(start, start + length)
    return documentOf({ bytes, shape: this.#shapes[shapeOf[at]! - 1] })
  }

  sourceText(doc: number): string {
    return utf8Text(this.source(doc))
  }

  /** Nothing is compressed here. */
  get readsAhead(): boolean {
    return false
  }

  readAhead(): void {}

  get #idLookup(): IdLookup {
    const { bytes, ends } = this.#rows.ids
    // Texts are decoded from memory of this thread alone.
    this.#ids ??= new IdLookup({ bytes: new Uint8Array(bytes), ends }, this.roots)
    return this.#ids
  }

  id(doc: number): string {
    return this.#idLookup.id(doc)
  }

  findId(id: string): number {
    return this.#idLookup.find(id)
  }

  routing(doc: number): string | undefined {
    return this.#routings.get(doc)
  }

  get seqNos(): Float64Array {
    return this.#rows.seqNos
  }

  get versions(): Float64Array {
    return this.#rows.versions
  }

  get primaryTerms(): Uint32Array {
    return this.#rows.primaryTerms
  }
}
