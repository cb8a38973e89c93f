/**
 * Files of released pages that are written again instead of removed. A file system takes longer to free 64 MB and to
 * find room for them anew than the queue takes for the events in them, and a sync that changes no size needs no journal.
 *
 * Only pages of this opening are kept: their numbers are never given out twice, and the number of a page is part of the
 * checksums of its records, so that nothing left in a file is taken for a record of the page it becomes. Whatever a
 * process before left under the name of a spare was acknowledged, and is removed.
 */
import type { Files } from '../../storage/files.ts'
import { isSparePageName, pageName, sparePageName } from './page-format.ts'
import type { QueuePage } from './queue-page.ts'

export interface SparePage {
  readonly path: string
  /** The page it was. */
  readonly number: number
  /** Size of the file. */
  readonly bytes: number
}

/** One is written to while the other one waits for the checkpoint that releases it. */
const maxSpares = 2

export class SparePages {
  readonly #files: Files
  readonly #directory: string
  readonly #epoch: number
  readonly #pageCapacity: number
  #spares: SparePage[] = []

  constructor(files: Files, directory: string, epoch: number, pageCapacity: number) {
    this.#files = files
    this.#directory = directory
    this.#epoch = epoch
    this.#pageCapacity = pageCapacity
  }

  /** Those of a process before. */
  removeOld(): void {
    for (const name of this.#files.list(this.#directory))
      if (isSparePageName(name)) this.#files.remove(`${this.#directory}/${name}`)
  }

  /** Takes over the file of a page that a durable checkpoint released; false when it should be removed. */
  keep(page: QueuePage, freeBytes: number): boolean {
    const { number, bytes } = page
    const isFull = bytes >= this.#pageCapacity / 2 && bytes <= this.#pageCapacity
    if (page.epoch !== this.#epoch || page.isSuspect || !isFull) return false
    if (this.#spares.length >= maxSpares || bytes + this.bytes > freeBytes) return false
    const path = `${this.#directory}/${sparePageName(number)}`
    this.#files.rename(`${this.#directory}/${pageName(number)}`, path)
    this.#spares.push({ path, number, bytes })
    return true
  }

  get bytes(): number {
    let bytes = 0
    for (const spare of this.#spares) bytes += spare.bytes
    return bytes
  }

  take(): SparePage | undefined {
    return this.#spares.pop()
  }

  /** Gives their room back to the disk; false when there are none. */
  remove(): boolean {
    const spares = this.#spares
    this.#spares = []
    for (const { path } of spares) this.#files.remove(path)
    return spares.length > 0
  }
}
