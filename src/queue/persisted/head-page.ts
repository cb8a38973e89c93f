/**
 * The page that is written to. Writes go to given positions, so that one that failed for want of room is simply done
 * again. Small groups take some zeros along, so that the next ones lie inside of the file: syncing them then needs no
 * change of the file's size, which is what makes an fsync wait for the journal of the file system. A file that was a page
 * before gets its new name after the sync of its new header, so that no page is found under another one's name.
 */
import type { Files, RandomFile } from '../../storage/files.ts'
import type { Packed } from './compression.ts'
import { endMarkBytes, pageHeader, pageHeaderBytes, pageName } from './page-format.ts'
import type { QueuePage } from './queue-page.ts'
import { pageSeed, recordHeader, recordHeaderBytes } from './record-format.ts'
import type { SparePage } from './spare-pages.ts'

export interface WritableRecord extends Packed {
  readonly seq: number
  readonly count: number
  readonly payloadCrc: number
}

const aheadBytes = 256 * 1024
/** Larger groups change the size of the file anyway. */
const maxPaddedGroup = 16 * 1024
const zeros = new Uint8Array(aheadBytes)

interface PagePlace {
  readonly files: Files
  readonly directory: string
  readonly queueId: Uint8Array
  readonly capacity: number
}

export class HeadPage {
  readonly page: QueuePage
  readonly #place: PagePlace
  readonly #file: RandomFile
  readonly #header: Uint8Array
  readonly #seed: number
  /** Bytes of the file that are there for certain, with what is behind the last record. */
  #allocated: number
  readonly #spare: SparePage | undefined
  #isNamed = false

  constructor(place: PagePlace, page: QueuePage, spare?: SparePage) {
    const { files, queueId } = place
    const { number, firstSeq, epoch } = page
    this.page = page
    this.#place = place
    this.#spare = spare
    this.#allocated = spare?.bytes ?? 0
    this.#header = pageHeader({ queueId, page: number, firstSeq, epoch, reusedFrom: spare?.number ?? 0 })
    this.#seed = pageSeed(queueId, number)
    this.#file = files.openRandom(spare?.path ?? this.#path)
  }

  get #path(): string {
    return `${this.#place.directory}/${pageName(this.page.number)}`
  }

  /** Where the next record goes. */
  get end(): number {
    return Math.max(pageHeaderBytes, this.page.bytes)
  }

  /** The first record of a page fits always. */
  fits(bytes: number): boolean {
    return this.end === pageHeaderBytes || this.end + bytes <= this.#place.capacity
  }

  /** Writes records behind what counts; answers the position of each and the end. The page itself does not change. */
  write(records: readonly WritableRecord[]): number[] {
    const isFirst = this.page.bytes === 0
    const start = isFirst ? 0 : this.page.bytes
    const pieces: Uint8Array[] = isFirst ? [this.#header] : []
    const positions: number[] = []
    let at = this.end
    for (const record of records) {
      positions.push(at)
      pieces.push(recordHeader(record, this.#seed, at), ...record.pieces)
      at += recordHeaderBytes + record.storedBytes
    }
    positions.push(at)
    if (at > this.#allocated && at - start <= maxPaddedGroup) {
      const padding = Math.max(0, Math.min(aheadBytes, this.#place.capacity - at))
      pieces.push(zeros.subarray(0, padding))
      this.#file.write(start, pieces)
      this.#allocated = at + padding
    } else {
      if (this.#spare !== undefined && at < this.#allocated)
        pieces.push(zeros.subarray(0, Math.min(endMarkBytes, this.#allocated - at)))
      this.#file.write(start, pieces)
      this.#allocated = Math.max(this.#allocated, at)
    }
    return positions
  }

  /** Resolves when what was written, and the page's name, survive a power cut. */
  async sync(): Promise<void> {
    await this.#file.sync()
    if (this.#isNamed) return
    const { files, directory } = this.#place
    if (this.#spare !== undefined) files.rename(this.#spare.path, this.#path)
    files.syncDirectory(directory)
    this.#isNamed = true
  }

  /** Gives back what is behind the last record, where it is worth it; a page that is left as it is does no harm. */
  close(isTrimmed: boolean): void {
    try {
      const unused = this.#allocated - this.page.bytes
      if (isTrimmed && this.page.bytes > 0 && unused > this.#place.capacity / 64)
        this.#file.truncate(this.page.bytes)
    } catch {
      // What is behind the last record means nothing.
    }
    this.#file.close()
  }
}
