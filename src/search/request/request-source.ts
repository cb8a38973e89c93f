/** Which request a part of a body came with, so that errors found later can say where in its text they are. */
export interface RequestSource {
  /** The parsed body. */
  readonly body: unknown
  /** Its text; read only when something is wrong. */
  readonly text?: (() => string) | undefined
}

const sources = new WeakMap<object, RequestSource>()

/** Remembers where a part of a body belongs, for as long as the part lives. */
export function rememberSource(part: unknown, source: RequestSource): void {
  if (typeof part === 'object' && part !== null) sources.set(part, source)
}

export function sourceOf(part: unknown): RequestSource | undefined {
  return typeof part === 'object' && part !== null ? sources.get(part) : undefined
}
