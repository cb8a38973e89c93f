/**
 * Remembers which request a part of a body came from, so that errors found later can say where in its text they are.
 */
export interface RequestSource {
  /** The parsed body. */
  readonly body: unknown
  /** The text of the body; only read when there is an error. */
  readonly text?: (() => string) | undefined
}

const sources = new WeakMap<object, RequestSource>()

/** Remembers the request of a part for as long as the part lives. */
export function rememberSource(part: unknown, source: RequestSource): void {
  if (typeof part === 'object' && part !== null) sources.set(part, source)
}

export function sourceOf(part: unknown): RequestSource | undefined {
  return typeof part === 'object' && part !== null ? sources.get(part) : undefined
}
