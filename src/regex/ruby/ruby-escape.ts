/**
 * Ruby's ways of writing one character inside a pattern: `\x4A`, `\u00E9`, `\u{1F600 1F601}`, `\101`,
 * `\cA`, `\C-a`, `\M-a`. All become code points; bytes from 0x80 up are joined and read as UTF-8,
 * because in Ruby they are bytes of the text and not code points.
 */

type EscapeFailure = (reason: string, position: number) => never

interface CharacterEscape {
  codes: number[]
  /** Offset behind the escape. */
  end: number
}

const hexByte = /\\x([0-9A-Fa-f]{1,2})/y
const octalByte = /\\([0-3]?[0-7]{1,2})/y
const highOctal = /\\[2-3][0-7]{2}/y
const unicodeFour = /\\u([0-9A-Fa-f]{4})/y
const unicodeList = /\\u\{([^}]*)\}/y

/** Reads the escape that starts with the backslash at `at`, or returns null when it is of another kind. */
export function readCharacterEscape(source: string, at: number, fail: EscapeFailure): CharacterEscape | null {
  const letter = source[at + 1]
  switch (letter) {
    case 'x':
      return readBytes(source, at, fail)
    case '2':
    case '3':
      return stickyMatch(highOctal, source, at) === null ? null : readBytes(source, at, fail)
    case '4':
    case '5':
    case '6':
    case '7':
      if (/^[0-7]{3}/.test(source.slice(at + 1, at + 4))) fail('invalid escape code', at)
      return null
    case '0':
      return readBytes(source, at, fail)
    case 'u':
      return readUnicode(source, at, fail)
    case 'c':
    case 'C':
    case 'M': {
      const { byte, end } = readControl(source, at, fail)
      return byte < 0x80 ? { codes: [byte], end } : fail('too short escaped multibyte character', at)
    }
    default:
      return null
  }
}

function readBytes(source: string, at: number, fail: EscapeFailure): CharacterEscape {
  const first = readByte(source, at)
  if (first === null) return fail('invalid hex escape', at)
  if (first.byte < 0x80) return { codes: [first.byte], end: first.end }
  const length = utf8Length(first.byte)
  if (length === 0) return fail('invalid multibyte escape', at)
  const bytes = [first.byte]
  let end = first.end
  while (bytes.length < length) {
    const next = readByte(source, end)
    if (next === null) return fail('too short escaped multibyte character', at)
    bytes.push(next.byte)
    end = next.end
  }
  const text = Buffer.from(bytes).toString('utf8')
  const code = text.codePointAt(0)
  if (code === undefined || code === 0xfffd) return fail('invalid multibyte escape', at)
  return { codes: [code], end }
}

function readByte(source: string, at: number): { byte: number; end: number } | null {
  const hex = stickyMatch(hexByte, source, at)
  if (hex !== null) return { byte: Number.parseInt(hex[1]!, 16), end: at + hex[0].length }
  const octal = stickyMatch(octalByte, source, at)
  if (octal !== null) return { byte: Number.parseInt(octal[1]!, 8), end: at + octal[0].length }
  return null
}

function utf8Length(lead: number): number {
  if (lead >= 0xc2 && lead <= 0xdf) return 2
  if (lead >= 0xe0 && lead <= 0xef) return 3
  if (lead >= 0xf0 && lead <= 0xf4) return 4
  return 0
}

function readUnicode(source: string, at: number, fail: EscapeFailure): CharacterEscape {
  const four = stickyMatch(unicodeFour, source, at)
  if (four !== null) return { codes: [validCode(four[1]!, at, fail)], end: at + 6 }
  if (source[at + 2] !== '{') return fail('invalid Unicode escape', at)
  const list = stickyMatch(unicodeList, source, at)
  const items = list?.[1]?.trim().split(/[ \t\r\n\f\v]+/) ?? []
  if (list === null || items.length === 0 || !items.every((item) => /^[0-9A-Fa-f]{1,8}$/.test(item))) {
    return fail('invalid Unicode list', at)
  }
  return { codes: items.map((item) => validCode(item, at, fail)), end: at + list[0].length }
}

function validCode(hex: string, at: number, fail: EscapeFailure): number {
  const code = Number.parseInt(hex, 16)
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return fail('invalid Unicode range', at)
  return code
}

function readControl(source: string, at: number, fail: EscapeFailure): { byte: number; end: number } {
  const meta = source.startsWith('\\M-', at)
  const control = source.startsWith('\\c', at) ? 2 : source.startsWith('\\C-', at) ? 3 : 0
  if (!meta && control === 0) {
    return fail(source[at + 1] === 'M' ? 'too short meta escape' : 'too short control escape', at)
  }
  const start = at + (meta ? 3 : control)
  const { byte, end } = readOperand(
    source,
    start,
    meta ? 'too short meta escape' : 'too short control escape',
    fail,
  )
  if (meta) return { byte: (byte & 0xff) | 0x80, end }
  return { byte: byte === 0x3f ? 0x7f : byte & 0x9f, end }
}

function readOperand(
  source: string,
  at: number,
  reason: string,
  fail: EscapeFailure,
): { byte: number; end: number } {
  const code = source.charCodeAt(at)
  if (Number.isNaN(code) || code > 0x7f) return fail(reason, at)
  if (code !== 0x5c) return { byte: code, end: at + 1 }
  if (/^\\(?:c|C-|M-)/.test(source.slice(at, at + 3))) return readControl(source, at, fail)
  const byte = readByte(source, at)
  if (byte !== null) return byte
  const escaped = source.charCodeAt(at + 1)
  if (Number.isNaN(escaped) || escaped > 0x7f) return fail(reason, at)
  return { byte: escaped, end: at + 2 }
}

function stickyMatch(expression: RegExp, source: string, at: number): RegExpExecArray | null {
  expression.lastIndex = at
  return expression.exec(source)
}
