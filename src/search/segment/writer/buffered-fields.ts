/** The fields of a buffered segment: its rows are turned into sections when a search first reads them. */

import { backgroundWork } from '../../scheduling/background-work.ts'
import { MemorySections } from '../encoding/sections.ts'
import { FieldReader } from '../field-reader.ts'
import type { FieldRows } from './field-rows.ts'
import { type FieldParts, fieldParts, partPrefix } from './field-sections.ts'

/** Estimated milliseconds per thousand documents; texts have to be analysed first. */
const textMillis = 8
const otherMillis = 1.5

function expectedMillis({ text, tokens }: FieldRows, docCount: number): number {
  const isText = text !== undefined || tokens !== undefined
  return (docCount / 1000) * (isText ? textMillis : otherMillis)
}

/** The fields of buffered documents, each built from its rows when it is first read. */
export class BufferedFields implements ReadonlyMap<string, FieldReader> {
  readonly #names: ReadonlySet<string>
  readonly #rowsOf: (name: string) => FieldRows
  readonly #docCount: number
  readonly #made = new Map<string, FieldReader>()

  constructor(names: Iterable<string>, rowsOf: (name: string) => FieldRows, docCount: number) {
    this.#names = new Set(names)
    this.#rowsOf = rowsOf
    this.#docCount = docCount
  }

  get(name: string): FieldReader | undefined {
    const known = this.#made.get(name)
    if (known !== undefined || !this.#names.has(name)) return known
    const docCount = this.#docCount
    const rows = this.#rowsOf(name)
    const keep = (parts: FieldParts): FieldReader => {
      const field = new FieldReader(parts.entry, partPrefix, new MemorySections(parts.sections), docCount)
      this.#made.set(name, field)
      return field
    }
    backgroundWork.give<FieldParts>({
      owner: this,
      key: name,
      job: () => ({ kind: 'field', rows, docCount }),
      keep,
      millis: expectedMillis(rows, docCount),
    })
    return keep(fieldParts(rows, docCount))
  }

  get size(): number {
    return this.#names.size
  }

  has(name: string): boolean {
    return this.#names.has(name)
  }

  keys(): MapIterator<string> {
    return this.#names.keys() as MapIterator<string>
  }

  *entries(): MapIterator<[string, FieldReader]> {
    for (const name of this.#names) yield [name, this.get(name)!]
  }

  *values(): MapIterator<FieldReader> {
    for (const name of this.#names) yield this.get(name)!
  }

  [Symbol.iterator](): MapIterator<[string, FieldReader]> {
    return this.entries()
  }

  forEach(visit: (value: FieldReader, key: string, map: ReadonlyMap<string, FieldReader>) => void): void {
    for (const [name, field] of this) visit(field, name, this)
  }
}
