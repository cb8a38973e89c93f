/**
 * Makes a directory and those above it that are missing; returns the outermost that was made. Node.js's own `recursive`
 * tries for ever where a directory is there but takes nothing in (removed while it is mounted or open, `/proc`), and
 * four such paths hold all threads that read and write files.
 */
import { mkdirSync, type Stats, statSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/** What is at a path; `other` is what no directory can be made at, as making it will say. */
type Found = 'directory' | 'nothing' | 'other'

export async function makeDirectory(path: string, mode?: number): Promise<string | undefined> {
  const missing: string[] = []
  const look = (place: string) => stat(place).then(kindOf, kindOfError)
  for (
    let place = resolve(path), found = await look(place);
    found !== 'directory';
    found = await look(place)
  ) {
    missing.push(place)
    if (found === 'other') break
    place = dirname(place)
  }
  for (const place of missing.toReversed()) {
    try {
      await mkdir(place, mode)
    } catch (error) {
      // Somebody else may have been faster.
      if ((await look(place)) !== 'directory') throw error
    }
  }
  return missing.at(-1)
}

export function makeDirectorySync(path: string, mode?: number): void {
  const missing: string[] = []
  for (let place = resolve(path), found = lookSync(place); found !== 'directory'; found = lookSync(place)) {
    missing.push(place)
    if (found === 'other') break
    place = dirname(place)
  }
  for (const place of missing.toReversed()) {
    try {
      mkdirSync(place, mode)
    } catch (error) {
      if (lookSync(place) !== 'directory') throw error
    }
  }
}

function lookSync(path: string): Found {
  try {
    return kindOf(statSync(path))
  } catch (error) {
    return kindOfError(error)
  }
}

function kindOf(found: Stats): Found {
  return found.isDirectory() ? 'directory' : 'other'
}

function kindOfError(error: unknown): Found {
  return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'nothing' : 'other'
}
