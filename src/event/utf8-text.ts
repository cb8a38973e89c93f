/**
 * Bytes to text. Bytes that are no UTF-8 do not vanish: as in Logstash, such a text is then shown as Ruby's
 * `inspect` shows it, with `\xED` for a foreign byte and with everything else escaped that `inspect` escapes.
 */

import { isUtf8 } from 'node:buffer'
import { rubyEscape } from '../text/ruby-escapes.ts'

/** `foreign` is told of texts that had to be escaped. */
export function utf8Text(
  bytes: Buffer,
  start = 0,
  end = bytes.length,
  foreign?: (text: string) => void,
): string {
  const text = bytes.toString('utf8', start, end)
  if (!text.includes('\ufffd')) return text
  const part = bytes.subarray(start, end)
  if (isUtf8(part)) return text
  const shown = inspectedBytes(part)
  foreign?.(shown)
  return shown
}

/** As above, for JSON: only the foreign bytes inside are shown so, and what they stand in remains JSON. */
export function utf8Json(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  if (!text.includes('\ufffd') || isUtf8(bytes)) return text
  return shownBytes(bytes, '\\\\x', (plain) => plain)
}

const special = /["\\\p{Cc}\p{Cn}\p{Zl}\p{Zp}]|#(?=[{$@])/gu

/** What Ruby's `inspect` puts between the quotes. */
function inspectedBytes(bytes: Buffer): string {
  return shownBytes(bytes, '\\x', (plain) => plain.replace(special, rubyEscape))
}

function shownBytes(bytes: Buffer, mark: string, shown: (plain: string) => string): string {
  const parts: string[] = []
  let from = 0
  for (let at = 0; at < bytes.length; ) {
    const size = sequenceSize(bytes, at)
    if (size > 0) {
      at += size
      continue
    }
    if (at > from) parts.push(shown(bytes.toString('utf8', from, at)))
    parts.push(`${mark}${bytes[at]!.toString(16).toUpperCase().padStart(2, '0')}`)
    at += 1
    from = at
  }
  if (from < bytes.length) parts.push(shown(bytes.toString('utf8', from)))
  return parts.join('')
}

/** Length of the UTF-8 sequence at a place, 0 when there is none. */
function sequenceSize(bytes: Buffer, at: number): number {
  const first = bytes[at]!
  if (first < 0x80) return 1
  const size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0
  if (size === 0 || first > 0xf4 || at + size > bytes.length) return 0
  const second = bytes[at + 1]!
  // No overlong forms, no surrogates, nothing beyond U+10FFFF.
  const lowest = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80
  const highest = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf
  if (second < lowest || second > highest) return 0
  for (let i = 2; i < size; i++) if ((bytes[at + i]! & 0xc0) !== 0x80) return 0
  return size
}
