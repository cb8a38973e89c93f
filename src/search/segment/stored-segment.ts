/** A segment over its sections: fields and columns are decoded when they are first asked for, and kept. */
import { BitSet } from './bit-set.ts'
import type { FieldEntry } from './field-collector.ts'
import { IdLookup } from './id-lookup.ts'
import { alignedBuffer, unpackNumbers, unpackOrdinals } from './packed-numbers.ts'
import type { Sections } from './sections.ts'
import type { Segment, SegmentField } from './segment.ts'
import { SourceReader } from './source-blocks.ts'
import { StoredField } from './stored-field.ts'

/** The section `table`, as JSON. */
export interface SegmentTable {
  readonly docCount: number
  readonly fields: readonly FieldEntry[]
  readonly nestedPaths: readonly string[]
  readonly routings: readonly (readonly [doc: number, routing: string])[]
}

const decoder = new TextDecoder()

export class StoredSegment<S extends Sections = Sections> implements Segment {
  readonly name: string
  readonly sections: S
  readonly docCount: number
  readonly fields: ReadonlyMap<string, SegmentField>
  readonly table: SegmentTable
  #routings: ReadonlyMap<number, string>
  #roots: BitSet | null | undefined
  #nested: Uint32Array | undefined
  #seqNos: Float64Array | undefined
  #versions: Float64Array | undefined
  #primaryTerms: Uint32Array | undefined
  #ids: IdLookup | undefined
  #source: SourceReader | undefined

  constructor(name: string, sections: S) {
    this.name = name
    this.sections = sections
    this.table = JSON.parse(decoder.decode(sections.read('table'))) as SegmentTable
    this.docCount = this.table.docCount
    this.#routings = new Map(this.table.routings)
    this.fields = new Map(
      this.table.fields.map((entry, i) => [
        entry.name,
        new StoredField(entry, `f${i}`, sections, this.docCount),
      ]),
    )
  }

  get bytes(): number {
    return this.sections.bytes
  }

  get roots(): BitSet | null {
    if (this.#roots === undefined) {
      this.#roots = this.sections.has('roots')
        ? new BitSet(this.docCount, new Uint32Array(alignedBuffer(this.sections.read('roots'))))
        : null
    }
    return this.#roots
  }

  nestedPath(doc: number): string | undefined {
    if (this.roots === null) return undefined
    this.#nested ??= unpackOrdinals(this.sections.read('nested'))
    return this.table.nestedPaths[this.#nested[doc]! - 1]
  }

  get seqNos(): Float64Array {
    this.#seqNos ??= unpackNumbers(this.sections.read('seq.nos'))
    return this.#seqNos
  }

  get versions(): Float64Array {
    this.#versions ??= unpackNumbers(this.sections.read('versions'))
    return this.#versions
  }

  get primaryTerms(): Uint32Array {
    this.#primaryTerms ??= unpackOrdinals(this.sections.read('primary.terms'))
    return this.#primaryTerms
  }

  get #idLookup(): IdLookup {
    this.#ids ??= new IdLookup(
      this.sections.read('ids'),
      new Uint32Array(alignedBuffer(this.sections.read('ids.ends'))),
      this.roots,
    )
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

  source(doc: number): Uint8Array {
    const { sections } = this
    this.#source ??= new SourceReader(sections, {
      storedEnds: new Float64Array(alignedBuffer(sections.read('source.stored'))),
      plainEnds: new Float64Array(alignedBuffer(sections.read('source.plain'))),
      lengths: new Uint32Array(alignedBuffer(sections.read('source.lengths'))),
    })
    return this.#source.read(doc)
  }
}
