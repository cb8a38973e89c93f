/**
 * What a queue has already taken over from queues of Logstash, so that an import that is run again, or was interrupted,
 * brings nothing twice. A queue of Logstash has no name, and its folder may be copied: it is known again by the first or
 * the last element that was taken, each by its sequence number and the checksum of its payload.
 */

import { DamagedFile, readChecked, writeChecked } from '../../storage/checked-file.ts'
import type { Files } from '../../storage/files.ts'

export interface ElementMark {
  readonly seq: number
  readonly crc: number
}

interface ImportedRange {
  readonly first: ElementMark
  readonly last: ElementMark
}

const kind = { name: 'logstash-imports', version: 1, firstRead: 1 }

/** The record of one queue, for the time of one import. */
export class LogstashImports {
  readonly #files: Files
  readonly #path: string
  readonly #others: ImportedRange[]
  #current: ImportedRange | undefined

  /** Finds the queue whose elements these are among those that were imported. Throws when the record is damaged. */
  constructor(files: Files, directory: string, elements: () => Iterable<ElementMark>) {
    this.#files = files
    this.#path = `${directory}/logstash.imports`
    this.#others = files.exists(this.#path) ? this.#read() : []
    if (this.#others.length === 0) return
    const marks = new Map(
      this.#others.flatMap((range) => [range.first, range.last].map((m) => [keyOf(m), range])),
    )
    for (const element of elements()) {
      const range = marks.get(keyOf(element))
      if (range === undefined || range === this.#current) continue
      if (this.#current === undefined || range.last.seq > this.#current.last.seq) this.#current = range
    }
    if (this.#current !== undefined) this.#others.splice(this.#others.indexOf(this.#current), 1)
  }

  /** Up to which sequence number elements were imported before; zero when none was. */
  get importedTo(): number {
    return this.#current?.last.seq ?? 0
  }

  /** What lies between two elements is stored: on the disk when this returns. */
  add(first: ElementMark, last: ElementMark): void {
    this.#current = { first: this.#current?.first ?? first, last }
    const lines = [...this.#others, this.#current].map(
      (range) => `${keyOf(range.first)} ${keyOf(range.last)}\n`,
    )
    writeChecked(this.#files, this.#path, kind, Buffer.from(lines.join('')))
  }

  #read(): ImportedRange[] {
    const lines = Buffer.from(readChecked(this.#files, this.#path, kind))
      .toString('latin1')
      .split('\n')
    return lines.slice(0, -1).map((line) => {
      const [firstSeq, firstCrc, lastSeq, lastCrc] = line.split(' ').map(Number)
      if (lastCrc === undefined) throw new DamagedFile(this.#path, 'does not say what was imported')
      return { first: { seq: firstSeq!, crc: firstCrc! }, last: { seq: lastSeq!, crc: lastCrc } }
    })
  }
}

function keyOf({ seq, crc }: ElementMark): string {
  return `${seq} ${crc}`
}
