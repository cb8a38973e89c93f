/**
 * Finds files as `glob.ts` does, at once: for plugins that need their files when they are created. Knows
 * everything but `**`, which walks whole trees and has no place there.
 */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expandBraces, matchesSegment } from './glob.ts'

const maxPaths = 100_000

/** Sorted paths (files, directories and others). */
export function globSync(pattern: string): string[] {
  const found = new Set<string>()
  for (const alternative of expandBraces(pattern)) {
    const [first = '', ...segments] = alternative.split('/')
    let bases = [first === '' ? '/' : first]
    if (hasWildcard(first)) bases = entriesOf('.').filter((name) => matchesSegment(first, name))
    for (const segment of segments) {
      if (segment === '') continue
      bases = bases.flatMap((base) =>
        hasWildcard(segment)
          ? entriesOf(base)
              .filter((name) => matchesSegment(segment, name))
              .map((name) => join(base, name))
          : [join(base, segment)],
      )
      if (bases.length > maxPaths) throw new Error(`Too many files match "${pattern}"`)
    }
    for (const path of bases) if (exists(path)) found.add(path)
  }
  return [...found].sort()
}

function hasWildcard(segment: string): boolean {
  return /[*?[\\]/.test(segment)
}

function entriesOf(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}
