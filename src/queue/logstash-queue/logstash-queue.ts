/**
 * Reads the events that Logstash left in its persisted queue, so that a node can be switched with events in it. Nothing
 * is written. A page is a version byte (1 or 2) and elements, big endian: sequence number (i64), length (i32), payload,
 * CRC-32 of the payload (i32). Pages may be larger than what is in them. Everything that was not acknowledged is given,
 * also what the head page has beyond its checkpoint; elements that are damaged are counted and skipped.
 */
import * as zlib from 'node:zlib'
import type { Event } from '../../event/event.ts'
import type { Files } from '../../storage/files.ts'
import { FileWindow } from '../file-window.ts'
import { deserializeEvent } from '../logstash-events/event-bytes.ts'
import { type LogstashCheckpoint, readCheckpointFile } from './checkpoint-file.ts'

export interface LogstashQueueReport {
  events: number
  /** Elements that could not be read. */
  damaged: number
  readonly findings: string[]
}

interface LogstashElement {
  readonly seq: number
  /** Of the payload, as it is on the disk. */
  readonly crc: number
  readonly event: Event
}

/** The sequence number and the length of an element. */
const elementHeaderBytes = 8 + 4
const crcBytes = 4
const maxElementBytes = 0x4000_0000
const zstdMagic = 0xfd2fb528
const maxUnpacked = 256 * 1024 * 1024
const { zstdDecompressSync } = zlib as {
  zstdDecompressSync?: (bytes: Uint8Array, options: { maxOutputLength: number }) => Buffer
}
const noZstd = `it is compressed with Zstandard, which Node.js ${process.versions.node} cannot read; 22.15 can`

/** The first element whose compression this version of Node.js does not know, as far as there is one. */
export function unreadableCompression(files: Files, directory: string): string | undefined {
  if (zstdDecompressSync !== undefined) return undefined
  const report = { events: 0, damaged: 0, findings: [] as string[] }
  for (const _ of readLogstashQueue(files, directory, report)) {
    // The report is all that counts.
  }
  return report.findings.find((finding) => finding.endsWith(noZstd))
}

export function isLogstashQueue(files: Files, directory: string): boolean {
  return files.exists(`${directory}/checkpoint.head`)
}

/** The report is complete when the last event was given. */
export function* readLogstashQueue(
  files: Files,
  directory: string,
  report: LogstashQueueReport,
): Generator<LogstashElement> {
  const head = readHead(files, directory, report)
  for (const { number, firstUnacked, isHead } of pagesToRead(files, directory, head, report))
    yield* readPage(files, `${directory}/page.${number}`, firstUnacked, isHead, report)
}

function readHead(
  files: Files,
  directory: string,
  report: LogstashQueueReport,
): LogstashCheckpoint | undefined {
  const path = `${directory}/checkpoint.head`
  const head = files.exists(path) ? readCheckpointFile(files.read(path)) : undefined
  if (head === undefined)
    report.findings.push(
      `${path} is missing or damaged; all elements of all pages are taken as not acknowledged`,
    )
  return head
}

interface PageToRead {
  readonly number: number
  readonly firstUnacked: number
  readonly isHead: boolean
}

function pagesToRead(
  files: Files,
  directory: string,
  head: LogstashCheckpoint | undefined,
  report: LogstashQueueReport,
): PageToRead[] {
  const numbers = files
    .list(directory)
    .flatMap((name) => /^page\.(\d{1,9})$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b)
  const pages: PageToRead[] = []
  for (const number of numbers) {
    if (head !== undefined && (number < head.firstUnackedPage || number > head.page)) continue
    const isHead = number === head?.page
    const path = `${directory}/checkpoint.${number}`
    const own = isHead ? head : files.exists(path) ? readCheckpointFile(files.read(path)) : undefined
    if (own === undefined && head !== undefined)
      report.findings.push(
        `${path} is missing or damaged; all elements of its page are taken as not acknowledged`,
      )
    if (own !== undefined && !isHead && own.firstUnackedSeq >= own.minSeq + own.elements) continue
    pages.push({ number, firstUnacked: own?.firstUnackedSeq ?? 0, isHead: isHead || own === undefined })
  }
  for (let number = head?.firstUnackedPage ?? 0; number <= (head?.page ?? -1); number++)
    if (!numbers.includes(number) && files.exists(`${directory}/checkpoint.${number}`))
      report.findings.push(`${directory}/page.${number} is missing`)
  return pages
}

function* readPage(
  files: Files,
  path: string,
  firstUnacked: number,
  isHead: boolean,
  report: LogstashQueueReport,
): Generator<LogstashElement> {
  const file = files.openRead(path)
  const { size } = file
  const window = new FileWindow(file)
  try {
    const version = size > 0 ? window.read(0, 1, size)[0] : 0
    if (version !== 1 && version !== 2) {
      // A page that was just made is all zeros.
      if (version !== 0) report.findings.push(`${path} has version ${version}; 1 and 2 are known`)
      return
    }
    let expected = 0
    for (let at = 1; at + elementHeaderBytes <= size; ) {
      const header = Buffer.from(window.read(at, at + elementHeaderBytes, size))
      const seq = Number(header.readBigInt64BE(0))
      const length = header.readInt32BE(8)
      const end = at + elementHeaderBytes + length + crcBytes
      const isPlausible =
        length > 0 &&
        length <= maxElementBytes &&
        end <= size &&
        (expected === 0 ? seq > 0 : seq === expected)
      if (!isPlausible) {
        if (seq !== 0 || length !== 0) noteEnd(path, at, isHead, report)
        return
      }
      const payload = Buffer.from(window.read(at + elementHeaderBytes, end - crcBytes, size))
      const crc = Buffer.from(window.read(end - crcBytes, end, size)).readUInt32BE(0)
      expected = seq + 1
      at = end
      if (seq < firstUnacked) continue
      const event = crc === zlib.crc32(payload) ? decode(payload) : 'its checksum is wrong'
      if (typeof event === 'string') {
        report.damaged += 1
        report.findings.push(`element ${seq} of ${path} cannot be read: ${event}`)
        continue
      }
      report.events += 1
      yield { seq, crc, event }
    }
  } finally {
    window.close()
  }
}

/** A write that a crash cut off leaves a part of an element at the end of the head page. */
function noteEnd(path: string, at: number, isHead: boolean, report: LogstashQueueReport): void {
  if (!isHead) report.damaged += 1
  report.findings.push(`${path} has no further element from byte ${at} on, and not only zeros`)
}

function decode(payload: Buffer): Event | string {
  try {
    return deserializeEvent(unpacked(payload))
  } catch (error) {
    return (error as Error).message
  }
}

/** `queue.compression` of Logstash 9.2 and later. */
function unpacked(payload: Buffer): Uint8Array {
  if (payload.length < 4 || payload.readUInt32LE(0) !== zstdMagic) return payload
  if (zstdDecompressSync === undefined) throw new Error(noZstd)
  return zstdDecompressSync(payload, { maxOutputLength: maxUnpacked })
}
