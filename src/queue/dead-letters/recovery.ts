/**
 * What a writer finds when the one before it did not come to its end: segments that were never sealed. Each is sealed
 * with all its good entries. Bytes that cannot be read are kept in the folder `quarantine`: the tail that a crash cut
 * off alone, a segment with damage in its middle as a whole, while its good entries stay where they were: a position
 * that a reader saved is still before the same entry.
 */
import type { Files } from '../../storage/files.ts'
import { listSegments, openPath, quarantineFolder, quarantinePath, sealedPath } from './segment-files.ts'
import { blankOut, lastBlockEnd, segmentVersion, versionBytes } from './segment-format.ts'
import { SegmentScan } from './segment-scan.ts'

interface Recovered {
  readonly path: string
  readonly entries: number
  /** Where the bytes are that could not be read; undefined when everything could be. */
  readonly quarantine: string | undefined
}

const recoveredEnding = '.recovered'

interface Recovery {
  readonly recovered: readonly Recovered[]
  /** Segments that stay as they are, because the disk did not let them be sealed. */
  readonly failures: readonly { readonly path: string; readonly message: string }[]
}

/** Seals every segment that was left open, but the one with the number `current`. */
export async function recoverLeftovers(files: Files, directory: string, current?: number): Promise<Recovery> {
  const names = files.list(directory)
  const sealed = new Set<number>()
  for (const { id, isSealed } of listSegments(files, directory)) if (isSealed) sealed.add(id)
  const recovered: Recovered[] = []
  const failures: { path: string; message: string }[] = []
  for (const name of names) {
    const path = `${directory}/${name}`
    const match = /^(\d{1,15})\.log\.tmp$/.exec(name)
    const id = Number(match?.[1] ?? current)
    try {
      if (name.endsWith(recoveredEnding)) files.remove(path)
      if (match === null || id === current) continue
      const one = sealed.has(id) ? setAside(files, directory, id, 0) : await recover(files, directory, id)
      if (one !== undefined) recovered.push(one)
    } catch (error) {
      failures.push({ path, message: (error as Error).message })
    }
  }
  return { recovered, failures }
}

/** Undefined when there was nothing in it. */
async function recover(files: Files, directory: string, id: number): Promise<Recovered | undefined> {
  const path = openPath(directory, id)
  const { entries, entriesEnd, position, size, skipped, version } = look(files, path)
  if (skipped.length > 0 || (version !== segmentVersion && size > 0)) {
    if (entries > 0) {
      const end = lastBlockEnd(entriesEnd) >= position ? entriesEnd : lastBlockEnd(position)
      rewrite(files, directory, id, end, skipped)
    }
    return setAside(files, directory, id, entries)
  }
  if (entries === 0) {
    if (size > position) return setAside(files, directory, id, 0)
    files.remove(path)
    files.syncDirectory(directory)
    return undefined
  }
  const quarantine = position < size ? keepTail(files, directory, id, position, size) : undefined
  // What was written but not synced is safe before the name says that the segment is sealed.
  const file = files.openAppend(path)
  try {
    if (position < size) file.truncate(position)
    await file.sync()
  } finally {
    file.close()
  }
  files.rename(path, sealedPath(directory, id))
  files.syncDirectory(directory)
  return { path: sealedPath(directory, id), entries, quarantine }
}

type Range = readonly [from: number, to: number]

function look(files: Files, path: string) {
  const file = files.openRead(path)
  try {
    const skipped: Range[] = []
    const scan = new SegmentScan(file, versionBytes, (from, to) => skipped.push([from, to]))
    let entries = 0
    let entriesEnd: number = versionBytes
    for (let next = scan.next(); next !== undefined; next = scan.next()) {
      entries += 1
      entriesEnd = next.end
    }
    const version = file.size > 0 ? file.read(0, versionBytes)[0] : undefined
    return { entries, entriesEnd, position: scan.position, size: file.size, skipped, version }
  } finally {
    file.close()
  }
}

/** Zeros say nothing: a disk that lost power leaves them where it had no time to write. */
function keepTail(files: Files, directory: string, id: number, from: number, to: number): string | undefined {
  const file = files.openRead(openPath(directory, id))
  const tail = file.read(from, to)
  file.close()
  if (!tail.some((byte) => byte !== 0)) return undefined
  const kept = quarantinePath(files, directory, `${id}.log.from-${from}`)
  files.write(kept, [tail])
  files.syncDirectory(`${directory}/${quarantineFolder}`)
  return kept
}

/** Writes the segment up to `end` again, under the same number, without what was skipped. */
function rewrite(files: Files, directory: string, id: number, end: number, skipped: readonly Range[]): void {
  const segment = Buffer.alloc(end)
  segment.set(files.read(openPath(directory, id)).subarray(0, end))
  segment[0] = segmentVersion
  for (const [from, to] of skipped) blankOut(segment, from, Math.min(to, end))
  const path = sealedPath(directory, id)
  files.write(`${path}${recoveredEnding}`, [segment])
  files.rename(`${path}${recoveredEnding}`, path)
  files.syncDirectory(directory)
}

function setAside(files: Files, directory: string, id: number, entries: number): Recovered {
  const quarantine = quarantinePath(files, directory, `${id}.log.tmp`)
  files.rename(openPath(directory, id), quarantine)
  files.syncDirectory(`${directory}/${quarantineFolder}`)
  files.syncDirectory(directory)
  return { path: sealedPath(directory, id), entries, quarantine }
}
