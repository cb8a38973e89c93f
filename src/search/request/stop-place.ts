/**
 * Remembers where reading stopped when an error was found. OpenSearch's object parsers report that place when they
 * wrap an error, and it is not always the place that the error itself names.
 */
import { SearchError } from './search-error.ts'
import type { Place } from './source-place.ts'

const stops = new WeakMap<Error, Place>()

export function stoppedAt<T extends Error>(error: T, place: Place): T {
  stops.set(error, place)
  return error
}

export function stopOf(error: Error): Place | undefined {
  const known = stops.get(error)
  if (known !== undefined || !(error instanceof SearchError)) return known
  const { line, col } = error.details
  return typeof line === 'number' && typeof col === 'number' ? { line, col } : undefined
}
