/**
 * The first 64 bytes of a page. Their form never changes, so that every version can tell a newer page from a damaged
 * one. Little endian:
 *   0  8  "MRQUEUE\n"
 *   8  4  version of the records that follow
 *  12 16  id of the queue
 *  28  4  number of the page
 *  32  8  sequence number of the first event
 *  40  4  epoch: how often the queue had been opened when the page was made
 *  44  4  number of the page whose file this was before, 0 for a new file: behind the last record lie bytes of that one
 *  60  4  CRC-32 of bytes 0 to 59
 * The queue and the epoch together with a sequence number name an event for ever: a page is never written again after
 * the queue was opened anew, so numbers that a power cut took back are not given out twice in one epoch.
 */
import { crc32 } from 'node:zlib'

export const pageHeaderBytes = 64
export const pageVersion = 1
/** Zeros between the last record and what the file held before: who finds them knows that nothing was cut off. */
export const endMarkBytes = 32
const magic = Buffer.from('MRQUEUE\n')
const namePrefix = 'millrace.page.'
const spareSuffix = '.spare'

export interface PageHeader {
  readonly version: number
  readonly queueId: Uint8Array
  readonly page: number
  readonly firstSeq: number
  readonly epoch: number
  /** The page whose file it was before; 0 for a new file. */
  readonly reusedFrom: number
}

/** Logstash would take `page.0` for a page of its own and write into it. */
export function pageName(page: number): string {
  return `${namePrefix}${page}`
}

/** The file of a page that was released, until it becomes another page. */
export function sparePageName(page: number): string {
  return `${pageName(page)}${spareSuffix}`
}

export function isSparePageName(name: string): boolean {
  return name.endsWith(spareSuffix) && pageNumber(name.slice(0, -spareSuffix.length)) !== undefined
}

export function pageNumber(name: string): number | undefined {
  const digits = name.startsWith(namePrefix) ? name.slice(namePrefix.length) : ''
  return /^(?:0|[1-9]\d{0,8})$/.test(digits) ? Number(digits) : undefined
}

export function pageHeader({
  queueId,
  page,
  firstSeq,
  epoch,
  reusedFrom,
}: Omit<PageHeader, 'version'>): Uint8Array {
  const bytes = new Uint8Array(pageHeaderBytes)
  const view = new DataView(bytes.buffer)
  bytes.set(magic)
  view.setUint32(8, pageVersion, true)
  bytes.set(queueId, 12)
  view.setUint32(28, page, true)
  view.setBigUint64(32, BigInt(firstSeq), true)
  view.setUint32(40, epoch, true)
  view.setUint32(44, reusedFrom, true)
  view.setUint32(60, crc32(bytes.subarray(0, 60)), true)
  return bytes
}

/** Undefined when the header is damaged. */
export function readPageHeader(bytes: Uint8Array): PageHeader | undefined {
  if (bytes.length < pageHeaderBytes || Buffer.compare(bytes.subarray(0, 8), magic) !== 0) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, pageHeaderBytes)
  if (view.getUint32(60, true) !== crc32(bytes.subarray(0, 60))) return undefined
  return {
    version: view.getUint32(8, true),
    queueId: new Uint8Array(bytes.subarray(12, 28)),
    page: view.getUint32(28, true),
    firstSeq: Number(view.getBigUint64(32, true)),
    epoch: view.getUint32(40, true),
    reusedFrom: view.getUint32(44, true),
  }
}
