/** Filter cache keys for large sets of values: digests, so their length does not grow with the set. */
import { createHash } from 'node:crypto'

/** Shorter texts are their own key. */
const maxPlainLength = 4096

export function shortKey(text: string): string {
  return text.length <= maxPlainLength ? text : createHash('sha256').update(text).digest('base64')
}

/** Different lists have different keys, whatever characters their texts contain. */
export function keyOfTexts(texts: readonly string[]): string {
  if (texts.length <= maxPlainLength / 16) return shortKey(JSON.stringify(texts))
  const lengths = Uint32Array.from(texts, ({ length }) => length)
  return createHash('sha256').update(texts.join('')).update(lengths).digest('base64')
}
