/**
 * Opens what a crash, a power cut or damage left behind. It reads and decides, and the only thing it changes is a torn
 * tail, which is kept in quarantine and cut off. It never refuses to start because of damage: what is missing follows
 * from the sequence numbers, which have no gaps. A file of a newer version is the one reason to stop, and then nothing
 * was touched.
 */
import { UnknownFormat } from '../../storage/checked-file.ts'
import type { Files } from '../../storage/files.ts'
import { readBestEffort } from '../file-window.ts'
import { type Checkpoint, readCheckpoints } from './checkpoint.ts'
import { IntervalSet } from './interval-set.ts'
import {
  endMarkBytes,
  type PageHeader,
  pageHeaderBytes,
  pageName,
  pageNumber,
  pageVersion,
  readPageHeader,
} from './page-format.ts'
import { PageScan } from './page-scan.ts'
import { QueuePage } from './queue-page.ts'
import { pageSeed } from './record-format.ts'
import { readSyncedMark } from './synced-mark.ts'

interface TornTail {
  readonly page: number
  readonly from: number
  readonly bytes: Uint8Array
}

export interface Recovered {
  /** Undefined when nothing says which queue this is, or was. */
  readonly queueId: Uint8Array | undefined
  readonly checkpoint: Checkpoint | undefined
  readonly epoch: number
  readonly acked: IntervalSet
  readonly pages: readonly QueuePage[]
  /** Sequence number for the next event. */
  readonly nextSeq: number
  /** Events below it were synced for certain. */
  readonly confirmedSeq: number
  /** Numbers no page has: a page is missing. Acknowledged ones among them are no loss. */
  readonly gaps: readonly (readonly [from: number, to: number])[]
  /** Numbers between good records of a group that was never acknowledged: a power cut left a part of it. */
  readonly holes: readonly (readonly [from: number, to: number])[]
  readonly torn: readonly TornTail[]
  /** Names of checkpoint files that could not be read. */
  readonly damagedCheckpoints: readonly string[]
  /** Sentences for the log. */
  readonly findings: readonly string[]
  /** Pages that belong to another queue, or to none. */
  readonly foreign: readonly string[]
  /** Pages with something that may only be in the memory of the machine. */
  readonly unsyncedPages: readonly number[]
  /** What a new page may be called without overwriting anything; the first one is 1. */
  readonly nextPage: number
}

interface FoundPage {
  readonly number: number
  readonly size: number
  readonly header: PageHeader | undefined
}

export function recover(files: Files, directory: string): Recovered {
  const findings: string[] = []
  const { newest, damaged } = readCheckpoints(files, directory)
  for (const { message } of damaged) findings.push(message)
  const { mark: foundMark, isDamaged } = readSyncedMark(files, directory)
  if (isDamaged) findings.push(`${directory}/millrace.synced is damaged; the last checkpoint is used instead`)
  const found = findPages(files, directory)
  const queueId = idOf(newest, foundMark?.queueId, files, directory, found)
  const isOwn = (id: Uint8Array) => queueId !== undefined && Buffer.compare(id, queueId) === 0
  const mark = foundMark !== undefined && isOwn(foundMark.queueId) ? foundMark : undefined
  const foreign = found.filter(
    ({ header }) => queueId === undefined || (header !== undefined && !isOwn(header.queueId)),
  )
  for (const { number } of foreign)
    findings.push(`${directory}/${pageName(number)} is not a page of this queue; it is left alone`)
  const own = found.filter((page) => !foreign.includes(page))

  const acked = IntervalSet.of([...(newest?.acked ?? []), ...(mark?.acked ?? [])])
  const confirmedSeq = Math.max(newest?.nextSeq ?? 1, mark?.nextSeq ?? 1)
  const synced = mark !== undefined && mark.nextSeq >= (newest?.nextSeq ?? 0) ? mark : newest
  const firsts = own.map((page) => page.header?.firstSeq ?? firstSeqOf(files, directory, queueId!, page))

  const pages: QueuePage[] = []
  const gaps: [number, number][] = []
  const holes: [number, number][] = []
  const unsyncedPages: number[] = []
  const torn: TornTail[] = []
  let expected =
    newest === undefined && mark === undefined ? (firsts.find((seq) => seq !== undefined) ?? 1) : 1
  own.forEach((page, i) => {
    const first = firsts[i] ?? expected
    if (first > expected) gaps.push([expected, first])
    const following = firsts.slice(i + 1).find((seq) => seq !== undefined)
    let end = { seq: following ?? Math.max(confirmedSeq, first), bytes: page.size }
    const isVerified = i === own.length - 1 || (synced !== undefined && page.number >= synced.page)
    if (isVerified) {
      const scanned = lastRecord(files, directory, queueId!, page, first)
      unsyncedPages.push(page.number)
      for (const [from, to] of scanned.gaps)
        if (to > confirmedSeq) holes.push([Math.max(from, confirmedSeq), to])
      const syncedBytes =
        synced?.page === page.number
          ? synced.offset
          : synced === undefined || synced.page < page.number
            ? 0
            : page.size
      end = {
        seq: following ?? Math.max(confirmedSeq, scanned.seq, first),
        bytes: Math.max(scanned.bytes, Math.min(page.size, syncedBytes)),
      }
      if (scanned.tail !== undefined && scanned.bytes >= syncedBytes)
        torn.push({ page: page.number, from: scanned.bytes, bytes: scanned.tail })
    }
    const epoch = page.header?.epoch ?? newest?.epoch ?? 0
    pages.push(QueuePage.recovered(page.number, epoch, [first, Math.max(first, end.seq)], end.bytes, acked))
    if (page.header === undefined && firsts[i] !== undefined)
      findings.push(
        `the header of ${directory}/${pageName(page.number)} is damaged; its records are read all the same`,
      )
    expected = Math.max(expected, end.seq)
  })
  const nextSeq = Math.max(expected, confirmedSeq, acked.last ?? 1)
  if (expected < confirmedSeq) gaps.push([expected, confirmedSeq])
  const epochs = own.map(({ header }) => header?.epoch ?? 0)
  return {
    queueId,
    checkpoint: newest,
    epoch: Math.max(newest?.epoch ?? 0, ...epochs),
    acked,
    pages,
    nextSeq,
    confirmedSeq,
    gaps,
    holes,
    torn,
    damagedCheckpoints: damaged.map(({ name }) => name),
    findings,
    foreign: foreign.map(({ number }) => pageName(number)),
    unsyncedPages,
    nextPage: Math.max(newest?.page ?? 0, mark?.page ?? 0, ...found.map(({ number }) => number)) + 1,
  }
}

function findPages(files: Files, directory: string): FoundPage[] {
  const pages: FoundPage[] = []
  for (const name of files.list(directory)) {
    const number = pageNumber(name)
    if (number === undefined) continue
    const path = `${directory}/${name}`
    const file = files.openRead(path)
    const { size } = file
    const read = readPageHeader(readBestEffort(file, 0, Math.min(size, pageHeaderBytes)))
    file.close()
    if (read !== undefined && read.version > pageVersion)
      throw new UnknownFormat(
        path,
        `was written by a newer version of the program (format ${read.version}; this one knows ${pageVersion}); it was left untouched`,
      )
    // A page under another page's name is not the page it says it is.
    const header = read?.page === number ? read : undefined
    pages.push({ number, size, header })
  }
  return pages.sort((a, b) => a.number - b.number)
}

/** Checkpoint, mark and every page name the queue. With all of them damaged, bytes that make a record good still do. */
function idOf(
  checkpoint: Checkpoint | undefined,
  mark: Uint8Array | undefined,
  files: Files,
  directory: string,
  pages: readonly FoundPage[],
): Uint8Array | undefined {
  if (checkpoint !== undefined) return Buffer.from(checkpoint.queueId, 'hex')
  const named = pages.find(({ header }) => header !== undefined)?.header?.queueId ?? mark
  if (named !== undefined) return named
  for (const page of pages) {
    if (page.size < pageHeaderBytes) continue
    const file = files.openRead(`${directory}/${pageName(page.number)}`)
    const id = readBestEffort(file, 12, 28)
    file.close()
    if (firstSeqOf(files, directory, id, page) !== undefined) return id
  }
  return undefined
}

function scanOf(files: Files, directory: string, id: Uint8Array, { number, size }: FoundPage): PageScan {
  const file = files.openRead(`${directory}/${pageName(number)}`)
  return new PageScan(file, pageSeed(id, number), Math.min(size, pageHeaderBytes), size)
}

function firstSeqOf(files: Files, directory: string, id: Uint8Array, page: FoundPage): number | undefined {
  const scan = scanOf(files, directory, id, page)
  for (let one = scan.next(); one !== undefined; one = scan.next()) {
    if (one.kind === 'record') {
      scan.close()
      return one.seq
    }
  }
  scan.close()
  return undefined
}

interface LastRecord {
  /** After the last event and the last good record. */
  readonly seq: number
  readonly bytes: number
  /** Numbers that no good record before it has. */
  readonly gaps: readonly (readonly [from: number, to: number])[]
  /** What follows the last good record and is not zeros. */
  readonly tail: Uint8Array | undefined
}

function lastRecord(
  files: Files,
  directory: string,
  id: Uint8Array,
  page: FoundPage,
  first: number,
): LastRecord {
  const scan = scanOf(files, directory, id, page)
  const gaps: [number, number][] = []
  let seq = first
  let bytes = Math.min(page.size, pageHeaderBytes)
  let isTorn = false
  for (let one = scan.next(); one !== undefined; one = scan.next()) {
    isTorn = one.kind === 'damage'
    if (one.kind === 'record') {
      if (one.seq > seq) gaps.push([seq, one.seq])
      seq = one.seq + one.count
      bytes = one.to
    }
  }
  scan.close()
  return { seq, bytes, gaps, tail: isTorn ? tornTail(files, directory, id, page, bytes) : undefined }
}

/** In a file that was another page before, what a write did not get to begins with a record of that page. */
function tornTail(
  files: Files,
  directory: string,
  id: Uint8Array,
  { number, size, header }: FoundPage,
  from: number,
): Uint8Array | undefined {
  const path = `${directory}/${pageName(number)}`
  const reusedFrom = header?.reusedFrom ?? 0
  let to = size
  if (reusedFrom > 0) {
    const before = new PageScan(files.openRead(path), pageSeed(id, reusedFrom), from, size)
    to = before.next()?.kind === 'damage' ? before.position : from
    before.close()
  }
  const file = files.openRead(path)
  const tail = readBestEffort(file, from, to)
  file.close()
  const isWhole = reusedFrom > 0 && tail.subarray(0, endMarkBytes).every((byte) => byte === 0)
  return isWhole ? undefined : tail
}
