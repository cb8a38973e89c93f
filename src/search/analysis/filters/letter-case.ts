/**
 * Upper and lower case per code point, as Java's Character does: no final sigma, no letter that becomes two. The
 * length of a text never changes.
 */

/** Lower-cases a text. */
export function toLower(text: string): string {
  const lower = text.toLowerCase()
  // JavaScript maps U+0130 to two characters and a final sigma to U+03C2; both can be detected in the source.
  if (lower === text || !/[\u0130\u03a3]/.test(text)) return lower
  return text.replaceAll('\u0130', 'i').replaceAll('\u03a3', '\u03c3').toLowerCase()
}

/** Letters with iota subscript, for whose single-letter capital JavaScript has no function. */
function capitalWithIota(code: number): number {
  if (code >= 0x1f80 && code <= 0x1faf) return code | 8
  return code === 0x1fb3 || code === 0x1fc3 || code === 0x1ff3 ? code + 9 : code
}

/** Upper-cases a text. */
export function toUpper(text: string): string {
  const upper = text.toUpperCase()
  if (upper.length === text.length && !/[\u1f80-\u1fff]/.test(text)) return upper
  let result = ''
  for (const character of text) {
    const one = character.toUpperCase()
    result +=
      one.length === character.length ? one : String.fromCodePoint(capitalWithIota(character.codePointAt(0)!))
  }
  return result
}
