/** Looks through a queue without changing anything: every record of every page, with both checksums. */
import type { Files } from '../../storage/files.ts'
import { pageHeaderBytes, pageName } from './page-format.ts'
import { PageScan, type ScannedDamage } from './page-scan.ts'
import { pageSeed } from './record-format.ts'
import { recover } from './recovery.ts'

interface CheckedPage {
  readonly number: number
  readonly bytes: number
  readonly records: number
  readonly firstSeq: number
  readonly endSeq: number
  readonly unacked: number
  readonly damage: readonly ScannedDamage[]
}

interface QueueCheck {
  readonly queueId: string | undefined
  readonly pages: readonly CheckedPage[]
  readonly unacked: number
  /** Events that are not acknowledged and have no good record. */
  readonly missing: number
  /** Bytes at the end of a page that a crash cut off before they were acknowledged. */
  readonly tornBytes: number
  readonly findings: readonly string[]
}

export function isQueue(files: Files, directory: string): boolean {
  return files.list(directory).some((name) => name.startsWith('millrace.'))
}

/** Below the queue of a pipeline: the queues of its outputs, where they have queues of their own. */
export const outputsFolder = 'outputs'

/** Events to deliver, as far as can be told without reading all of them. */
export function waitingEvents(files: Files, directory: string): number {
  return recover(files, directory).pages.reduce((sum, { unacked }) => sum + unacked, 0)
}

interface WaitingQueue {
  readonly path: string
  readonly events: number
}

/** The queues of outputs below that of a pipeline, as far as they have events. */
export function waitingForOutputs(files: Files, directory: string): WaitingQueue[] {
  const outputs = `${directory}/${outputsFolder}`
  return withEvents(
    files,
    files.list(outputs).map((name) => `${outputs}/${name}`),
  )
}

/** The queue of a pipeline and those of its outputs, as far as they have events. */
export function waitingBelow(files: Files, directory: string): WaitingQueue[] {
  return [...withEvents(files, [directory]), ...waitingForOutputs(files, directory)]
}

function withEvents(files: Files, directories: readonly string[]): WaitingQueue[] {
  return directories
    .filter((path) => isQueue(files, path))
    .map((path) => ({ path, events: waitingEvents(files, path) }))
    .filter(({ events }) => events > 0)
}

export function checkQueue(files: Files, directory: string): QueueCheck {
  const recovered = recover(files, directory)
  const { acked, queueId } = recovered
  let missing = 0
  for (const [from, to] of recovered.gaps) missing += acked.countMissing(from, to)
  const pages = recovered.pages.map((page): CheckedPage => {
    const file = files.openRead(`${directory}/${pageName(page.number)}`)
    const scan = new PageScan(file, pageSeed(queueId!, page.number), pageHeaderBytes, page.bytes)
    const damage: ScannedDamage[] = []
    let records = 0
    let expected = page.firstSeq
    let found: ScannedDamage[] = []
    const miss = (to: number) => {
      const gone = acked.countMissing(expected, to)
      missing += gone
      if (gone > 0) damage.push(...found)
      found = []
    }
    for (let one = scan.next(); one !== undefined; one = scan.next()) {
      if (one.kind === 'damage') found.push(one)
      else if (one.seq >= expected && one.seq + one.count <= page.endSeq) {
        miss(one.seq)
        records += 1
        expected = one.seq + one.count
      }
    }
    miss(page.endSeq)
    scan.close()
    const { number, bytes, firstSeq, endSeq, unacked } = page
    return { number, bytes, records, firstSeq, endSeq, unacked, damage }
  })
  return {
    queueId: queueId === undefined ? undefined : Buffer.from(queueId).toString('hex'),
    pages,
    unacked: pages.reduce((sum, { unacked }) => sum + unacked, 0),
    missing,
    tornBytes: recovered.torn.reduce((sum, { bytes }) => sum + bytes.length, 0),
    findings: recovered.findings,
  }
}
