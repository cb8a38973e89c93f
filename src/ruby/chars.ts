/**
 * Ruby counts characters, JavaScript counts UTF-16 units: the same unless a text has characters beyond U+FFFF.
 */

const surrogates = /[\ud800-\udbff][\udc00-\udfff]/

function isWide(text: string): boolean {
  return surrogates.test(text)
}

export function charLength(text: string): number {
  if (!isWide(text)) return text.length
  let count = 0
  for (const _ of text) count++
  return count
}

export function charsOf(text: string): string[] {
  return isWide(text) ? Array.from(text) : text.split('')
}

/** The character number of a UTF-16 index. */
export function charIndex(text: string, unit: number): number {
  return unit === 0 || !isWide(text) ? unit : charLength(text.slice(0, unit))
}

/** The UTF-16 index of a character number. */
export function unitIndex(text: string, char: number): number {
  if (!isWide(text)) return char
  let unit = 0
  for (let i = 0; i < char && unit < text.length; i++) unit += text.codePointAt(unit)! > 0xffff ? 2 : 1
  return unit
}

/** `text[start, length]` in characters; null when the start is outside. */
export function charSlice(text: string, start: number, length: number): string | null {
  const size = charLength(text)
  const from = start < 0 ? start + size : start
  if (from < 0 || from > size || length < 0) return null
  if (size === text.length) return text.slice(from, from + length)
  return charsOf(text)
    .slice(from, from + length)
    .join('')
}
