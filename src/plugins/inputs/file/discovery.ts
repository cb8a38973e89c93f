/** Looks for the files that `path` names and `exclude` does not. */
import type { BigIntStats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { glob, matchesSegment } from '../../../storage/glob.ts'
import { fileKey } from './sincedb.ts'
import type { Position } from './sincedb-records.ts'

export interface FoundFile {
  readonly path: string
  readonly key: string
  readonly size: number
  /** Milliseconds since 1970, with fractions. */
  readonly modified: number
  readonly born: number
  readonly changed: number
  /** Whether the time of birth is one: systems that do not keep it show none, or the time of the last change. */
  readonly knowsBirth: boolean
}

export async function discover(
  patterns: readonly string[],
  exclude: readonly string[],
): Promise<FoundFile[]> {
  const found = new Map<string, FoundFile>()
  for (const pattern of patterns) {
    for (const path of await glob(pattern)) {
      if (found.has(path)) continue
      const name = basename(path)
      if (exclude.some((unwanted) => matchesSegment(unwanted, name))) continue
      const file = await lookAt(path)
      if (file === undefined) continue
      const knowsBirth = file.knowsBirth || (file.born > 0 && (await birthsAreTold(dirname(path))))
      found.set(path, { ...file, knowsBirth })
    }
  }
  return [...found.values()]
}

/** The file the path leads to; undefined when there is none. */
export async function lookAt(path: string): Promise<FoundFile | undefined> {
  const stats = await stat(path, { bigint: true }).catch(() => undefined)
  if (stats === undefined || !stats.isFile()) return undefined
  return {
    path,
    key: fileKey(stats),
    size: Number(stats.size),
    modified: Number(stats.mtimeNs) / 1e6,
    born: Number(stats.birthtimeNs) / 1e6,
    changed: Number(stats.ctimeNs) / 1e6,
    knowsBirth: hasBirth(stats),
  }
}

function hasBirth({ birthtimeNs, ctimeNs }: BigIntStats): boolean {
  return birthtimeNs > 0n && birthtimeNs < ctimeNs
}

let tellsBirths = false

/**
 * A file that never changed does not tell, but its folder changed when the file came, unless it is as new. The
 * system call is the same for all files, so one that is known to be older than its last change is proof enough.
 */
async function birthsAreTold(folder: string): Promise<boolean> {
  for (const path of [folder, import.meta.dirname, process.execPath]) {
    if (tellsBirths) break
    const stats = await stat(path, { bigint: true }).catch(() => undefined)
    tellsBirths = stats !== undefined && hasBirth(stats)
  }
  return tellsBirths
}

/**
 * Where to go on in a file that has a recorded position: undefined when the record is of another file that had the
 * same inode before, 0 when the file is shorter now. Without a time of birth a record under another path is taken
 * as of another file.
 */
export function resumeAt(file: FoundFile, position: Position | undefined): number | undefined {
  if (position === undefined) return undefined
  const { knowsBirth } = file
  // Recorded times are whole milliseconds.
  if (knowsBirth && Math.floor(file.born) > position.active) return undefined
  if (!knowsBirth && position.path !== undefined && position.path !== file.path) return undefined
  return file.size < position.offset ? 0 : position.offset
}

export function compareFiles(
  by: 'last_modified' | 'path',
  direction: 'asc' | 'desc',
): (a: FoundFile, b: FoundFile) => number {
  const sign = direction === 'asc' ? 1 : -1
  if (by === 'path') return (a, b) => sign * (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)
  return (a, b) => sign * (a.modified - b.modified)
}
