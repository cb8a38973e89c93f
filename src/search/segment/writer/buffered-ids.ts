/**
 * Looks up buffered documents by id. The hash table is built by the first lookup and extended by each further one,
 * so that appends with generated ids never pay for it. Documents with the same id are chained, the newest first.
 */
import type { BuilderMemory } from '../encoding/builder-memory.ts'
import type { ByteWriter } from '../encoding/byte-writer.ts'
import { GrowingUint32 } from '../encoding/growing-array.ts'
import { hashText, TermScratch } from '../encoding/term-scratch.ts'
import { ByteDictionary } from './byte-dictionary.ts'
import type { DocRange } from './field-rows.ts'

export class BufferedIds {
  readonly #ids: ByteWriter
  readonly #ends: GrowingUint32
  readonly #texts: ByteDictionary
  readonly #scratch = new TermScratch()
  /** Indexed by id: its last document plus one. */
  readonly #last: GrowingUint32
  /** Indexed by document: the one before it with the same id, plus one. */
  readonly #before: GrowingUint32

  constructor(ids: ByteWriter, ends: GrowingUint32, memory: BuilderMemory) {
    this.#texts = new ByteDictionary(memory)
    this.#last = new GrowingUint32(memory)
    this.#before = new GrowingUint32(memory)
    this.#ids = ids
    this.#ends = ends
  }

  /** Returns the last root document of a range with the id, or -1; `nested` tells which documents are no roots. */
  find(id: string, { from, to }: DocRange, docCount: number, nested: GrowingUint32 | null): number {
    this.#goOn(docCount, nested)
    const length = this.#scratch.write(id)
    const { view } = this.#scratch
    const number = this.#texts.find(view, 0, length, hashText(view, 0, length))
    if (number < 0) return -1
    let doc = this.#last.at(number) - 1
    while (doc >= to) doc = this.#before.at(doc) - 1
    return doc >= from ? doc : -1
  }

  #goOn(docCount: number, nested: GrowingUint32 | null): void {
    if (this.#before.length === docCount) return
    const bytes = this.#ids.view()
    const view = new DataView(bytes.buffer)
    for (let doc = this.#before.length; doc < docCount; doc++) {
      if (nested !== null && nested.at(doc) !== 0) {
        this.#before.push(0)
        continue
      }
      const from = doc === 0 ? 0 : this.#ends.at(doc - 1)
      const to = this.#ends.at(doc)
      const number = this.#texts.idOf(view, from, to, hashText(view, from, to))
      if (number === this.#last.length) {
        this.#last.push(doc + 1)
        this.#before.push(0)
      } else {
        this.#before.push(this.#last.at(number))
        this.#last.set(number, doc + 1)
      }
    }
  }
}
