/**
 * A sector that says up to where pages were synced and what was acknowledged since the last checkpoint. It is written
 * after each sync and never synced itself. After `kill -9` it is exact, because the page cache survives; after a power
 * cut it may be an older one, never a newer one. It tells a torn tail from damage of records that were synced, and it
 * spares the outputs most events that a crash would deliver again. Little endian:
 *   0   8  "MRSYNCED"
 *   8   4  version
 *  12  16  id of the queue
 *  28   4  page
 *  32   8  position in the page after the last synced record
 *  40   8  sequence number after the last synced event
 *  48   4  number of acknowledged ranges, 4 bytes of zeros
 *  56  16  for each range: first sequence number, the one after the last
 * 508   4  CRC-32 of bytes 0 to 507
 */
import { crc32 } from 'node:zlib'
import { UnknownFormat } from '../../storage/checked-file.ts'
import type { Files, InPlaceFile } from '../../storage/files.ts'
import type { Interval } from './interval-set.ts'

interface SyncedMark {
  readonly queueId: Uint8Array
  readonly page: number
  readonly offset: number
  readonly nextSeq: number
  readonly acked: readonly Interval[]
}

const markName = 'millrace.synced'
const markBytes = 512
const markVersion = 1
const rangesFrom = 56
const maxRanges = Math.floor((508 - rangesFrom) / 16)
const magic = Buffer.from('MRSYNCED')

export class SyncedMarkFile {
  readonly #file: InPlaceFile
  readonly #bytes = new Uint8Array(markBytes)
  readonly #view = new DataView(this.#bytes.buffer)

  constructor(files: Files, directory: string, queueId: Uint8Array) {
    this.#file = files.openInPlace(`${directory}/${markName}`)
    this.#bytes.set(magic)
    this.#view.setUint32(8, markVersion, true)
    this.#bytes.set(queueId, 12)
  }

  write(page: number, offset: number, nextSeq: number, acked: Iterable<Interval>): void {
    const view = this.#view
    view.setUint32(28, page, true)
    setNumber(view, 32, offset)
    setNumber(view, 40, nextSeq)
    let count = 0
    for (const [from, to] of acked) {
      if (count === maxRanges) break
      setNumber(view, rangesFrom + count * 16, from)
      setNumber(view, rangesFrom + count * 16 + 8, to)
      count += 1
    }
    view.setUint32(48, count, true)
    view.setUint32(508, crc32(this.#bytes.subarray(0, 508)), true)
    this.#file.write(this.#bytes)
  }

  close(): void {
    this.#file.close()
  }
}

interface FoundMark {
  readonly mark: SyncedMark | undefined
  readonly isDamaged: boolean
}

/** Throws `UnknownFormat` when a newer version wrote it. */
export function readSyncedMark(files: Files, directory: string): FoundMark {
  const path = `${directory}/${markName}`
  if (!files.exists(path)) return { mark: undefined, isDamaged: false }
  let bytes: Uint8Array
  try {
    bytes = files.read(path)
  } catch {
    return { mark: undefined, isDamaged: true }
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const isGood =
    bytes.length === markBytes &&
    Buffer.compare(bytes.subarray(0, 8), magic) === 0 &&
    view.getUint32(508, true) === crc32(bytes.subarray(0, 508))
  if (!isGood) return { mark: undefined, isDamaged: true }
  const version = view.getUint32(8, true)
  if (version > markVersion)
    throw new UnknownFormat(
      path,
      `was written by a newer version of the program (format ${version}; this one knows ${markVersion}); it was left untouched`,
    )
  const acked: Interval[] = []
  const count = Math.min(view.getUint32(48, true), maxRanges)
  for (let i = 0; i < count; i++) {
    const at = rangesFrom + i * 16
    acked.push([Number(view.getBigUint64(at, true)), Number(view.getBigUint64(at + 8, true))])
  }
  const mark = {
    queueId: new Uint8Array(bytes.subarray(12, 28)),
    page: view.getUint32(28, true),
    offset: Number(view.getBigUint64(32, true)),
    nextSeq: Number(view.getBigUint64(40, true)),
    acked,
  }
  return { mark, isDamaged: false }
}

/** Without a BigInt for each number: this runs with every commit. */
function setNumber(view: DataView, at: number, value: number): void {
  view.setUint32(at, value % 2 ** 32, true)
  view.setUint32(at + 4, Math.floor(value / 2 ** 32), true)
}
