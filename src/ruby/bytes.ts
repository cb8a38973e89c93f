/**
 * Ruby strings are bytes, ours are text. Bytes that are not UTF-8 are kept as single low surrogates U+DC80 to
 * U+DCFF, which no valid text contains, so that every string of bytes survives the way there and back.
 * Events never see them: there they are U+FFFD, as in Logstash's JSON.
 */

const firstEscape = 0xdc80
const lastEscape = 0xdcff
// Without the u flag a surrogate pair would match too: a low surrogate counts only where no high one stands before it.
const escapes = /(?<![\ud800-\udbff])[\udc80-\udcff]/g
const anyLow = /[\udc80-\udcff]/

export function escapedByte(code: number): number | undefined {
  return code >= firstEscape && code <= lastEscape ? code - 0xdc00 : undefined
}

/** True once a string with foreign bytes was made in this thread: until then nobody needs to look for them. */
const foreignBytes = { seen: false }

export function bytesOf(text: string): Buffer {
  if (!foreignBytes.seen || !anyLow.test(text)) return Buffer.from(text, 'utf8')
  const parts: Buffer[] = []
  let from = 0
  for (const { index } of text.matchAll(escapes)) {
    parts.push(Buffer.from(text.slice(from, index), 'utf8'), Buffer.from([text.charCodeAt(index) - 0xdc00]))
    from = index + 1
  }
  parts.push(Buffer.from(text.slice(from), 'utf8'))
  return Buffer.concat(parts)
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export function textOfBytes(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes)
  } catch {
    foreignBytes.seen = true
    return escapeInvalid(bytes)
  }
}

/** Bytes that are no text: each counts as a character, also where several happen to be one in UTF-8. */
export function binaryText(bytes: Uint8Array): string {
  foreignBytes.seen = true
  return Array.from(bytes, (byte) => String.fromCharCode(byte < 0x80 ? byte : 0xdc00 + byte)).join('')
}

function escapeInvalid(bytes: Uint8Array): string {
  let text = ''
  let at = 0
  while (at < bytes.length) {
    const size = sequenceSize(bytes, at)
    if (size === 0) text += String.fromCharCode(0xdc00 + bytes[at]!)
    else text += Buffer.from(bytes.buffer, bytes.byteOffset + at, size).toString('utf8')
    at += Math.max(size, 1)
  }
  return text
}

/** Length of the valid UTF-8 sequence at a place, 0 when there is none. */
function sequenceSize(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!
  if (first < 0x80) return 1
  const size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0
  if (size === 0 || first > 0xf4 || at + size > bytes.length) return 0
  for (let i = 1; i < size; i++) if ((bytes[at + i]! & 0xc0) !== 0x80) return 0
  const second = bytes[at + 1]!
  if (first === 0xe0 && second < 0xa0) return 0
  if (first === 0xed && second > 0x9f) return 0
  if (first === 0xf0 && second < 0x90) return 0
  return first === 0xf4 && second > 0x8f ? 0 : size
}

export function hasForeignBytes(text: string): boolean {
  return foreignBytes.seen && text.search(escapes) >= 0
}

export function replaceForeignBytes(text: string, by: (byte: number) => string): string {
  return text.replace(escapes, (char) => by(char.charCodeAt(0) - 0xdc00))
}

/** The text as events carry it. */
export function eventText(text: string): string {
  return foreignBytes.seen && anyLow.test(text) ? text.replace(escapes, '\ufffd') : text
}
