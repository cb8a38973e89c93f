/**
 * Upper and lower case one code point at a time, as the indexes we agree with do it: no final sigma, no
 * letter that becomes two. Neither changes the length of a text.
 */

/** Lower case of a whole text. */
export function toLower(text: string): string {
  const lower = text.toLowerCase()
  // JavaScript writes U+0130 as two characters and a final sigma as U+03C2; both are seen in the source.
  if (lower === text || !/[\u0130\u03a3]/.test(text)) return lower
  return text.replaceAll('\u0130', 'i').replaceAll('\u03a3', '\u03c3').toLowerCase()
}

/** Letters with iota below, whose one-letter capital JavaScript has no call for. */
function capitalWithIota(code: number): number {
  if (code >= 0x1f80 && code <= 0x1faf) return code | 8
  return code === 0x1fb3 || code === 0x1fc3 || code === 0x1ff3 ? code + 9 : code
}

/** Upper case of a whole text. */
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
