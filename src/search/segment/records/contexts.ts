/**
 * Which of its codes a symbol of a record has depends on the byte before it: digits follow digits in numbers and
 * hexadecimal texts.
 */

export const contextCount = 4
/** The context of the first symbol. */
export const firstContext = 0
/** Indexed by the byte before: digits, the other hexadecimal letters, the other small letters, anything else. */
export const contextOf = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x30 && byte <= 0x39) return 1
  if (byte >= 0x61 && byte <= 0x66) return 2
  return byte >= 0x67 && byte <= 0x7a ? 3 : 0
})
