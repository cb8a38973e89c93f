/** JSON strings as bytes: UTF-8 validation and unescaping. */
import { backslash, quote } from '../../../text/ascii.ts'
import type { TermScratch } from '../../segment/encoding/term-scratch.ts'

/** Strict validation: no overlong forms, no surrogates, nothing beyond U+10FFFF. */
export function isUtf8(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; ) {
    const lead = bytes[at++]!
    if (lead < 0x80) continue
    let more: number
    let minSecond = 0x80
    let maxSecond = 0xbf
    if (lead >= 0xc2 && lead <= 0xdf) more = 1
    else if (lead >= 0xe0 && lead <= 0xef) {
      more = 2
      if (lead === 0xe0) minSecond = 0xa0
      if (lead === 0xed) maxSecond = 0x9f
    } else if (lead >= 0xf0 && lead <= 0xf4) {
      more = 3
      if (lead === 0xf0) minSecond = 0x90
      if (lead === 0xf4) maxSecond = 0x8f
    } else return false
    if (at + more > to) return false
    const second = bytes[at++]!
    if (second < minSecond || second > maxSecond) return false
    for (let i = 1; i < more; i++) if ((bytes[at++]! & 0xc0) !== 0x80) return false
  }
  return true
}

const plain = new Map<number, number>([
  [34, 34],
  [92, 92],
  [47, 47],
  [98, 8],
  [102, 12],
  [110, 10],
  [114, 13],
  [116, 9],
])

/**
 * Unescapes the text that starts at `from` and has its first backslash at `slash` into the scratch. Returns the
 * offset of the closing quote; -1 when the text is invalid or has surrogates, which may have to be replaced.
 */
export function unescapeJson(
  bytes: Uint8Array,
  from: number,
  slash: number,
  to: number,
  scratch: TermScratch,
): number {
  let at = slash
  scratch.reserve(slash - from)
  scratch.bytes.set(bytes.subarray(from, slash))
  let length = slash - from
  while (at < to) {
    // An escape sequence is never shorter than what it stands for.
    if (length + 8 > scratch.bytes.length) scratch.grow(length + (to - at))
    const own = scratch.bytes
    const byte = bytes[at++]!
    if (byte === quote) {
      scratch.length = length
      return at - 1
    }
    if (byte < 32) return -1
    if (byte !== backslash) {
      own[length++] = byte
      continue
    }
    const letter = bytes[at++]!
    const meant = plain.get(letter)
    if (meant !== undefined) {
      own[length++] = meant
      continue
    }
    if (letter !== 117 || at + 4 > to) return -1
    const code = hexWord(bytes, at)
    if (code < 0 || (code >= 0xd800 && code <= 0xdfff)) return -1
    at += 4
    if (code < 0x80) own[length++] = code
    else if (code < 0x800) {
      own[length++] = 0xc0 | (code >> 6)
      own[length++] = 0x80 | (code & 63)
    } else {
      own[length++] = 0xe0 | (code >> 12)
      own[length++] = 0x80 | ((code >> 6) & 63)
      own[length++] = 0x80 | (code & 63)
    }
  }
  return -1
}

function hexWord(bytes: Uint8Array, from: number): number {
  let code = 0
  for (let at = from; at < from + 4; at++) {
    const byte = bytes[at]!
    const lower = byte | 32
    if (byte >= 48 && byte <= 57) code = code * 16 + byte - 48
    else if (lower >= 97 && lower <= 102) code = code * 16 + lower - 87
    else return -1
  }
  return code
}
