/**
 * Names of the files of a dead letter queue, as Logstash gives them: `N.log` is a sealed segment, `N.log.tmp` the one
 * that is being written, N counts from 1. What was damaged and could not be read is kept in the folder `quarantine`.
 */
import type { Timestamp } from '../../event/timestamp.ts'
import type { Files } from '../../storage/files.ts'
import { SegmentScan } from './segment-scan.ts'

export interface SegmentFile {
  readonly id: number
  readonly path: string
  readonly isSealed: boolean
}

export const quarantineFolder = 'quarantine'
/** Written by a reader that removed segments, so that the writer counts again. */
export const removalNotice = '.deleted_segment'

export function sealedPath(directory: string, id: number): string {
  return `${directory}/${id}.log`
}

export function openPath(directory: string, id: number): string {
  return `${directory}/${id}.log.tmp`
}

/** A name in the quarantine that nothing has yet. */
export function quarantinePath(files: Files, directory: string, name: string): string {
  const folder = `${directory}/${quarantineFolder}`
  if (!files.exists(folder)) {
    files.makeDirectory(folder)
    files.syncDirectory(directory)
  }
  for (let i = 0; ; i++) {
    const path = `${folder}/${name}${i === 0 ? '' : `.${i}`}`
    if (!files.exists(path)) return path
  }
}

/** In the order of their ids. Of a segment that is there sealed and open, the sealed one counts. */
export function listSegments(files: Files, directory: string): SegmentFile[] {
  const found = new Map<number, SegmentFile>()
  for (const name of files.list(directory)) {
    const match = /^(\d{1,15})\.log(\.tmp)?$/.exec(name)
    if (match === null) continue
    const id = Number(match[1])
    const isSealed = match[2] === undefined
    if (isSealed || !found.has(id)) found.set(id, { id, path: `${directory}/${name}`, isSealed })
  }
  return [...found.values()].sort((a, b) => a.id - b.id)
}

/**
 * Numbers are never given twice, or a reader would take a new segment for the one it has read. The highest one is in
 * the name of a segment; it is written down before that segment is removed.
 */
const lastNumberFile = '.last_segment'

export function lastNumber(files: Files, directory: string): number {
  const path = `${directory}/${lastNumberFile}`
  const text = files.exists(path) ? Buffer.from(files.read(path)).toString('latin1') : ''
  const recorded = /^\d{1,9}\n$/.test(text) ? Number(text) : 0
  return Math.max(recorded, listSegments(files, directory).at(-1)?.id ?? 0)
}

export function recordLastNumber(files: Files, directory: string, id: number): void {
  const path = `${directory}/${lastNumberFile}`
  files.write(`${path}.tmp`, [Buffer.from(`${id}\n`)])
  files.rename(`${path}.tmp`, path)
  files.syncDirectory(directory)
}

/** 0 when the file is gone. */
export function sizeOf(files: Files, path: string): number {
  try {
    const file = files.openRead(path)
    const { size } = file
    file.close()
    return size
  } catch (error) {
    if (isMissing(error)) return 0
    throw error
  }
}

export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}

export interface SegmentSummary {
  readonly entries: number
  readonly bytes: number
  readonly damaged: number
  readonly oldest: Timestamp | undefined
  readonly newest: Timestamp | undefined
}

/** Reads a whole segment; undefined when the file is gone. */
export function summarize(files: Files, path: string): SegmentSummary | undefined {
  try {
    const file = files.openRead(path)
    try {
      const scan = new SegmentScan(file)
      let entries = 0
      let oldest: Timestamp | undefined
      let newest: Timestamp | undefined
      for (let next = scan.next(); next !== undefined; next = scan.next()) {
        const { time } = next.entry
        entries += 1
        if (oldest === undefined || time.millis < oldest.millis) oldest = time
        if (newest === undefined || time.millis >= newest.millis) newest = time
      }
      return { entries, bytes: file.size, damaged: scan.damaged + (scan.endsShort ? 1 : 0), oldest, newest }
    } finally {
      file.close()
    }
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}
