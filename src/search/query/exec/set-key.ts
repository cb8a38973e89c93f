/** Names of large sets of values for the filter cache: as short as a digest, however many values there are. */
import { createHash } from 'node:crypto'

/** Texts up to this length stand for themselves. */
const longest = 4096

export function shortKey(text: string): string {
  return text.length <= longest ? text : createHash('sha256').update(text).digest('base64')
}

/** Different for different lists, whatever is in their texts. */
export function keyOfTexts(texts: readonly string[]): string {
  if (texts.length <= longest / 16) return shortKey(JSON.stringify(texts))
  const lengths = Uint32Array.from(texts, ({ length }) => length)
  return createHash('sha256').update(texts.join('')).update(lengths).digest('base64')
}
