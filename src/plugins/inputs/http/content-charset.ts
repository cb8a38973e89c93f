/**
 * The character encoding a request names for its body (`Content-Type: text/plain; charset=iso-8859-1`): such a
 * body becomes UTF-8 before any codec sees it. What nobody knows the name of stays as it came.
 */
import { bytesToText, charsetNames } from '../../decoding/charset.ts'

type ToText = (bytes: Uint8Array) => string

const named = /;\s*charset\s*=\s*"?([^\s";]+)/i
const ascii = /^(?:us-)?ascii$/i
const known = new Map<string, ToText | undefined>()
/** Names come from clients. */
const maxKnown = 200

export function inUtf8(body: Buffer, contentType: string | undefined): Buffer {
  const charset = contentType === undefined ? undefined : named.exec(contentType)?.[1]
  if (charset === undefined) return body
  const toText = known.has(charset) ? known.get(charset) : readerOf(charset)
  return toText === undefined ? body : Buffer.from(toText(body))
}

function readerOf(charset: string): ToText | undefined {
  const toText = find(charset.toLowerCase())
  if (known.size < maxKnown) known.set(charset, toText)
  return toText
}

function find(name: string): ToText | undefined {
  if (ascii.test(name)) return undefined
  const ours = charsetNames.find((one) => one.toLowerCase() === name)
  try {
    if (ours !== undefined) return bytesToText(ours)
    const decoder = new TextDecoder(name)
    return (bytes) => decoder.decode(bytes)
  } catch {
    return undefined
  }
}
