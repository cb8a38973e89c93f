/** Buffers the preanalysed tokens of one field, with their positions, document by document. */
import { hashBytes } from '../../analysis/tokenizers/standard-bytes.ts'
import type { TokenList } from '../document.ts'
import type { BuilderMemory } from '../encoding/builder-memory.ts'
import { GrowingUint32 } from '../encoding/growing-array.ts'
import { TermScratch } from '../encoding/term-scratch.ts'
import { ByteDictionary } from './byte-dictionary.ts'
import { DocIdList, forgetRows } from './doc-id-list.ts'
import { type DocRange, RowCut, type TokenRows } from './field-rows.ts'

export class TokenWriter {
  readonly #terms: ByteDictionary
  readonly #scratch = new TermScratch()
  readonly #docs: DocIdList
  readonly #ids: GrowingUint32
  readonly #positions: GrowingUint32
  readonly #lengthDocs: DocIdList
  readonly #lengths: GrowingUint32

  constructor(memory: BuilderMemory) {
    this.#terms = new ByteDictionary(memory)
    this.#docs = new DocIdList(memory)
    this.#ids = new GrowingUint32(memory)
    this.#positions = new GrowingUint32(memory)
    this.#lengthDocs = new DocIdList(memory)
    this.#lengths = new GrowingUint32(memory)
  }

  add(doc: number, { terms, ids, positions, length }: TokenList): void {
    if (ids === undefined)
      for (let i = 0; i < terms.length; i++) this.#add(doc, this.#idOf(terms[i]!), positions[i]!)
    else {
      const known = Uint32Array.from(terms, (term) => this.#idOf(term))
      for (let i = 0; i < ids.length; i++) this.#add(doc, known[ids[i]!]!, positions[i]!)
    }
    this.#lengthDocs.push(doc)
    this.#lengths.push(length)
  }

  #add(doc: number, id: number, position: number): void {
    this.#docs.push(doc)
    this.#ids.push(id)
    this.#positions.push(position)
  }

  #idOf(term: string): number {
    const scratch = this.#scratch
    const length = scratch.write(term)
    const hash = hashBytes(scratch.bytes, 0, length)
    return this.#terms.idOf(scratch.view, 0, length, hash)
  }

  forget(doc: number): void {
    forgetRows(doc, this.#docs, this.#ids, this.#positions)
    forgetRows(doc, this.#lengthDocs, this.#lengths)
  }

  rows(range: DocRange): TokenRows | undefined {
    const lengths = new RowCut(this.#lengthDocs, range)
    if (lengths.docs.length === 0) return undefined
    const tokens = new RowCut(this.#docs, range)
    return {
      terms: this.#terms.texts(),
      docs: tokens.docs,
      ids: tokens.of(this.#ids),
      positions: tokens.of(this.#positions),
      lengthDocs: lengths.docs,
      lengths: lengths.of(this.#lengths),
    }
  }
}
