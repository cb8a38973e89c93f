/**
 * What a named group of a grok expression stores. A group's name is `PATTERN:field:type`, or just the
 * field. Two groups of the very same name are two captures, of which only the first is converted.
 */
import type { Pattern } from '../regex/pattern.ts'

type Cast = 'int' | 'float' | null

export interface GrokCapture {
  readonly field: string
  readonly cast: Cast
  /** Capturing groups of the RegExp that can hold the text; the last that took part counts. */
  readonly groups: readonly number[]
}

export function capturesOf(pattern: Pattern): GrokCapture[] {
  const captures: GrokCapture[] = []
  for (const [name, numbers] of pattern.names) {
    // Ruby's split gives no empty parts at the end.
    const [first, second, type] = name.replace(/:+$/, '').split(':')
    const field = second ?? first!
    numbers.forEach((number, occurrence) => {
      const cast = occurrence > 0 ? null : type === 'int' || type === 'float' ? type : null
      captures.push({ field, cast, groups: pattern.groups[number]! })
    })
  }
  return captures
}
