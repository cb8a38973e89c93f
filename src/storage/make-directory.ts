/**
 * Makes a directory and those above it that are missing. Node.js's own `recursive` never ends where a directory is there
 * but takes nothing in (one that was removed while it is mounted or open, `/proc`): it tries again for ever, and four
 * such paths hold every thread that reads and writes files.
 */
import { mkdirSync, statSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/** The outermost directory that had to be made; undefined when all were there. */
export async function makeDirectory(path: string, mode?: number): Promise<string | undefined> {
  const missing: string[] = []
  for (let place = resolve(path); ; place = dirname(place)) {
    try {
      await mkdir(place, mode)
      missing.push(place)
      break
    } catch (error) {
      if (isAbove(error, place)) missing.push(place)
      else if (await stat(place).then((found) => found.isDirectory(), () => false)) break
      else throw error
    }
  }
  return undefined
}
