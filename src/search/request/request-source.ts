/**
 * Records which request a part of a body came from, so that errors found later can give their position in its text.
 */
import { SourcePlaces } from './source-place.ts'

export interface RequestSource {
  /** The parsed body. */
  readonly body: unknown
  /** The text of the body; only read when there is an error. */
  readonly text?: (() => string) | undefined
}

/** Longer bodies are not retained for error positions. */
export const maxRetainedBytes = 1024 * 1024

const sources = new WeakMap<object, RequestSource>()

/** Remembers the request of a part for as long as the part lives. */
export function rememberSource(part: unknown, source: RequestSource): void {
  if (typeof part === 'object' && part !== null) sources.set(part, source)
}

/** Positions in the text of the request that a part came from; without one, in the printed part. */
export function placesOf(part: unknown): SourcePlaces {
  const source = sourceOf(part)
  return new SourcePlaces(source?.body ?? part, source?.text)
}

export function sourceOf(part: unknown): RequestSource | undefined {
  return typeof part === 'object' && part !== null ? sources.get(part) : undefined
}
