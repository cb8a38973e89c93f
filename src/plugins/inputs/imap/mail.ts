/**
 * A mail (RFC 5322, MIME) taken apart: its headers with encoded words decoded, and its parts. Depth and number of parts
 * are bounded; what breaks the rules is read as far as it can be, a mail is never refused.
 */
import { utf8Text } from '../../../event/utf8-text.ts'

const maxDepth = 20
const maxParts = 1000
const maxHeaders = 5000

interface Header {
  readonly name: string
  readonly value: string
}

export interface MailPart {
  readonly headers: readonly Header[]
  /** `text/plain`, in small letters, without parameters. */
  readonly type: string
  readonly filename: string | undefined
  readonly isAttachment: boolean
  /** Without children: the bytes, decoded from their transfer encoding. */
  readonly body: Buffer
  readonly charset: string | undefined
  readonly children: readonly MailPart[]
}

export function readMail(source: Buffer): MailPart {
  return readPart(source, 0, { left: maxParts })
}

export function headerOf({ headers }: { headers: readonly Header[] }, name: string): string | undefined {
  return headers.find((header) => header.name.toLowerCase() === name)?.value
}

/** Text of a part without children. */
export function partText({ body, charset, type }: MailPart): string {
  if (!type.startsWith('text/') || charset === undefined || /^utf-?8$|^us-ascii$/i.test(charset))
    return utf8Text(body)
  return decodeCharset(body, charset)
}

/** The parts in their order, those inside others after them. */
export function* everyPart(part: MailPart): Generator<MailPart> {
  yield part
  for (const child of part.children) yield* everyPart(child)
}

function readPart(source: Buffer, depth: number, parts: { left: number }): MailPart {
  parts.left -= 1
  const { headers, body } = splitHeaders(source)
  const contentType = parameters(headerOf({ headers }, 'content-type') ?? 'text/plain')
  const disposition = parameters(headerOf({ headers }, 'content-disposition') ?? '')
  const type = contentType.value === '' ? 'text/plain' : contentType.value
  const filename = disposition.parameters.get('filename') ?? contentType.parameters.get('name')
  const boundary = contentType.parameters.get('boundary')
  const base = {
    headers,
    type,
    filename: filename === undefined ? undefined : decodeWords(filename),
    isAttachment:
      disposition.value === 'attachment' || (disposition.value === 'inline' && filename !== undefined),
    charset: contentType.parameters.get('charset'),
  }
  if (type.startsWith('multipart/') && boundary !== undefined && boundary !== '' && depth < maxDepth) {
    const children: MailPart[] = []
    for (const piece of pieces(body, boundary)) {
      if (parts.left <= 0) break
      children.push(readPart(piece, depth + 1, parts))
    }
    if (children.length > 0) return { ...base, body, children }
  }
  const encoding = (headerOf({ headers }, 'content-transfer-encoding') ?? '').trim().toLowerCase()
  return { ...base, body: decodeBody(body, encoding), children: [] }
}

function splitHeaders(source: Buffer): { headers: Header[]; body: Buffer } {
  const end = headerEnd(source)
  const text = utf8Text(source.subarray(0, end.at))
  const headers: Header[] = []
  let current: { name: string; parts: string[] } | undefined
  const close = () => {
    if (current !== undefined)
      headers.push({ name: current.name, value: decodeWords(current.parts.join(' ').trim()) })
    current = undefined
  }
  for (const line of text.split(/\r?\n/)) {
    if (/^[ \t]/.test(line)) {
      current?.parts.push(line.trim())
      continue
    }
    close()
    const colon = line.indexOf(':')
    if (colon > 0 && headers.length < maxHeaders) {
      current = { name: line.slice(0, colon).trim(), parts: [line.slice(colon + 1).trim()] }
    }
  }
  close()
  return { headers, body: source.subarray(end.next) }
}

/** The empty line behind the headers. */
function headerEnd(source: Buffer): { at: number; next: number } {
  for (let i = source.indexOf(10); i >= 0; i = source.indexOf(10, i + 1)) {
    if (source[i + 1] === 10) return { at: i, next: i + 2 }
    if (source[i + 1] === 13 && source[i + 2] === 10) return { at: i, next: i + 3 }
  }
  return { at: source.length, next: source.length }
}

/** What stands between the lines `--boundary`; an end that is missing is where the bytes end. */
function pieces(body: Buffer, boundary: string): Buffer[] {
  const mark = Buffer.from(`--${boundary}`, 'utf8')
  const found: Buffer[] = []
  let start = -1
  for (let i = body.indexOf(mark); i >= 0; i = body.indexOf(mark, i + mark.length)) {
    if (i > 0 && body[i - 1] !== 10) continue
    if (start >= 0) found.push(withoutLineEnd(body.subarray(start, i)))
    const isLast = body[i + mark.length] === 45 && body[i + mark.length + 1] === 45
    const lineEnd = body.indexOf(10, i + mark.length)
    start = isLast || lineEnd < 0 ? -1 : lineEnd + 1
    if (isLast) break
  }
  if (start >= 0) found.push(body.subarray(start))
  return found
}

function withoutLineEnd(bytes: Buffer): Buffer {
  if (bytes.at(-1) !== 10) return bytes
  return bytes.subarray(0, bytes.at(-2) === 13 ? -2 : -1)
}

function decodeBody(body: Buffer, encoding: string): Buffer {
  if (encoding === 'base64') return Buffer.from(body.toString('latin1'), 'base64')
  return encoding === 'quoted-printable' ? decodeQuotedPrintable(body.toString('latin1')) : body
}

function decodeQuotedPrintable(text: string): Buffer {
  const plain = text
    .replace(/[ \t]+(?=\r?\n)/g, '')
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(plain, 'latin1')
}

/** `=?utf-8?Q?na=C3=AFve?=`; white space between two such words does not count. */
export function decodeWords(text: string): string {
  if (!text.includes('=?')) return text
  return text
    .replace(/(\?=)\s+(?==\?)/g, '$1')
    .replace(
      /=\?([\w.:-]+)(?:\*[\w-]*)?\?([bBqQ])\?([^?]*)\?=/g,
      (whole, charset: string, kind: string, data: string) => {
        const bytes =
          kind.toLowerCase() === 'b'
            ? Buffer.from(data, 'base64')
            : decodeQuotedPrintable(data.replaceAll('_', ' '))
        try {
          return decodeCharset(bytes, charset)
        } catch {
          return whole
        }
      },
    )
}

function decodeCharset(bytes: Buffer, charset: string): string {
  if (/^utf-?8$/i.test(charset)) return utf8Text(bytes)
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return utf8Text(bytes)
  }
}

interface Parameters {
  /** In small letters. */
  readonly value: string
  readonly parameters: ReadonlyMap<string, string>
}

/** `text/plain; charset="utf-8"; name*=utf-8''na%C3%AFve.txt`, continuations (`name*0=`) joined. */
function parameters(text: string): Parameters {
  const [value = ''] = text.split(';', 1)
  const found = new Map<string, string>()
  const pattern = /;\s*([^\s=;*]+)(\*\d+)?(\*)?\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))/g
  for (const [, name = '', , isEncoded, quoted, bare] of text.matchAll(pattern)) {
    const raw = quoted === undefined ? (bare ?? '') : quoted.replace(/\\(.)/g, '$1')
    const key = name.toLowerCase()
    const plain = isEncoded === undefined ? raw : percentDecoded(raw)
    found.set(key, (found.get(key) ?? '') + plain)
  }
  return { value: value.trim().toLowerCase(), parameters: found }
}

function percentDecoded(text: string): string {
  const [, charset = 'utf-8', data = text] = /^([\w-]*)'[^']*'(.*)$/.exec(text) ?? []
  const bytes = data.replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return decodeCharset(Buffer.from(bytes, 'latin1'), charset === '' ? 'utf-8' : charset)
}
