/**
 * `Array#pack` and `String#unpack` for the directives people use on logs: bytes, integers of every size and
 * order, hex, base64, text.
 */

import { float, integer } from '../../event/value.ts'
import { bytesOf, textOfBytes } from '../bytes.ts'
import { argumentError, raise, typeError } from '../errors.ts'
import { toText } from '../inspect.ts'
import { coercionName, isInteger, isNumber, toDouble } from '../number.ts'
import type { RubyValue } from '../ruby-class.ts'
import { isText } from '../values.ts'

interface Item {
  readonly type: string
  readonly little: boolean
  /** How many; undefined for `*`. */
  readonly count: number | undefined
  readonly given: boolean
}

const directive = /([a-zA-Z@])([_!<>]*)(\*|\d+)?\s*/y
const maxBytes = 50_000_000
/** Bytes of the integer directives. */
const sizes: Readonly<Record<string, number>> = {
  C: 1,
  c: 1,
  S: 2,
  s: 2,
  n: 2,
  v: 2,
  L: 4,
  l: 4,
  N: 4,
  V: 4,
  I: 4,
  i: 4,
  Q: 8,
  q: 8,
  J: 8,
  j: 8,
}
const floats: Readonly<Record<string, [size: 4 | 8, little: boolean]>> = {
  F: [4, true],
  f: [4, true],
  e: [4, true],
  g: [4, false],
  D: [8, true],
  d: [8, true],
  E: [8, true],
  G: [8, false],
}

function readTemplate(template: string): Item[] {
  const items: Item[] = []
  const text = template.trim()
  directive.lastIndex = 0
  while (directive.lastIndex < text.length) {
    const at = directive.lastIndex
    const found = directive.exec(text)
    if (found === null)
      raise(argumentError, `unknown pack directive '${text.slice(at, at + 1)}' in '${template}'`)
    const [, type = '', modifiers = '', count] = found
    const big = type === 'n' || type === 'N' || modifiers.includes('>')
    items.push({
      type,
      little: !big,
      count: count === '*' ? undefined : Number(count ?? 1),
      given: count !== undefined,
    })
  }
  return items
}

export function unpack(text: string, template: string): RubyValue[] {
  const bytes = bytesOf(text)
  const values: RubyValue[] = []
  let at = 0
  for (const item of readTemplate(template)) {
    const { type, count } = item
    const size = sizes[type]
    if (size !== undefined || type in floats) {
      const width = size ?? floats[type]![0]
      const times = count ?? Math.floor((bytes.length - at) / width)
      for (let i = 0; i < Math.min(times, maxBytes); i++, at += width) {
        values.push(at + width > bytes.length ? null : readNumber(bytes, at, item, width))
      }
      continue
    }
    const rest = bytes.subarray(at)
    switch (type) {
      case 'a':
      case 'A':
      case 'Z': {
        const piece = rest.subarray(0, count ?? rest.length)
        at += piece.length
        const end = type === 'Z' ? piece.indexOf(0) : -1
        if (type === 'Z' && count === undefined && end >= 0) at += end + 1 - piece.length
        let read = textOfBytes(end >= 0 ? piece.subarray(0, end) : piece)
        if (type === 'A') read = read.replace(/[ \0]+$/, '')
        values.push(read)
        break
      }
      case 'H':
      case 'h': {
        const length = Math.min(count ?? rest.length * 2, rest.length * 2)
        const hex = rest.subarray(0, Math.ceil(length / 2)).toString('hex')
        const ordered = type === 'H' ? hex : hex.replace(/(.)(.)/g, '$2$1')
        values.push(ordered.slice(0, length))
        at += Math.ceil(length / 2)
        break
      }
      case 'B':
      case 'b': {
        const length = Math.min(count ?? rest.length * 8, rest.length * 8)
        const used = rest.subarray(0, Math.ceil(length / 8))
        const bits = Array.from(used, (byte) => {
          const eight = byte.toString(2).padStart(8, '0')
          return type === 'B' ? eight : Array.from(eight).reverse().join('')
        }).join('')
        values.push(bits.slice(0, length))
        at += used.length
        break
      }
      case 'U': {
        const chars = Array.from(rest.toString('utf8')).slice(0, count)
        for (const char of chars) values.push(char.codePointAt(0)!)
        at += Buffer.byteLength(chars.join(''))
        break
      }
      case 'm':
        values.push(textOfBytes(Buffer.from(rest.toString('latin1'), 'base64')))
        at = bytes.length
        break
      case 'x':
        at += count ?? 0
        break
      default:
        raise(argumentError, `unknown unpack directive '${type}' in '${template}'`)
    }
  }
  return values
}

function readNumber(bytes: Buffer, at: number, { type, little }: Item, width: number): RubyValue {
  const real = floats[type]
  if (real !== undefined) {
    if (width === 4) return float(real[1] ? bytes.readFloatLE(at) : bytes.readFloatBE(at))
    return float(real[1] ? bytes.readDoubleLE(at) : bytes.readDoubleBE(at))
  }
  const isSigned = 'cslqij'.includes(type)
  if (width === 8) {
    if (isSigned) return integer(little ? bytes.readBigInt64LE(at) : bytes.readBigInt64BE(at))
    return integer(little ? bytes.readBigUInt64LE(at) : bytes.readBigUInt64BE(at))
  }
  if (isSigned) return little ? bytes.readIntLE(at, width) : bytes.readIntBE(at, width)
  return little ? bytes.readUIntLE(at, width) : bytes.readUIntBE(at, width)
}

export function pack(values: RubyValue[], template: string): string {
  const parts: Buffer[] = []
  let next = 0
  const take = (): RubyValue => {
    const value = values[next++]
    if (value === undefined) raise(argumentError, 'too few arguments')
    return value
  }
  for (const item of readTemplate(template)) {
    const { type, count, given } = item
    const size = sizes[type]
    if (size !== undefined || type in floats || type === 'U' || type === 'w') {
      const times = count ?? values.length - next
      for (let i = 0; i < times; i++) parts.push(writeNumber(take(), item, size ?? floats[type]?.[0] ?? 0))
      continue
    }
    if (type === 'x') {
      parts.push(Buffer.alloc(Math.min(count ?? 0, maxBytes)))
      continue
    }
    const value = take()
    if (!isText(value) && value !== null)
      raise(typeError, `no implicit conversion of ${coercionName(value)} into String`)
    const text = toText(value)
    const bytes = bytesOf(text)
    switch (type) {
      case 'a':
      case 'A':
      case 'Z': {
        const length = count ?? bytes.length + (type === 'Z' ? 1 : 0)
        if (length > maxBytes) raise(argumentError, 'argument too big')
        const piece = Buffer.alloc(given ? length : 1, type === 'A' ? ' ' : 0)
        bytes.copy(piece)
        parts.push(piece)
        break
      }
      case 'H':
      case 'h': {
        const hex = text.slice(0, count ?? text.length)
        const even = hex.length % 2 === 0 ? hex : `${hex}0`
        parts.push(Buffer.from(type === 'H' ? even : even.replace(/(.)(.)/g, '$2$1'), 'hex'))
        break
      }
      case 'B': {
        const bits = text.slice(0, count ?? text.length)
        parts.push(
          Buffer.from(bits.match(/.{1,8}/g)?.map((eight) => Number.parseInt(eight.padEnd(8, '0'), 2)) ?? []),
        )
        break
      }
      case 'm': {
        const encoded = bytes.toString('base64')
        parts.push(Buffer.from(given && count === 0 ? encoded : encoded.replace(/.{1,60}/g, '$&\n')))
        break
      }
      default:
        raise(argumentError, `unknown pack directive '${type}' in '${template}'`)
    }
  }
  return textOfBytes(Buffer.concat(parts))
}

function writeNumber(value: RubyValue, { type, little }: Item, width: number): Buffer {
  if (!isNumber(value)) raise(typeError, `no implicit conversion of ${coercionName(value)} into Integer`)
  if (type === 'U') return Buffer.from(String.fromCodePoint(Number(value)))
  const bytes = Buffer.alloc(width)
  const real = floats[type]
  if (real !== undefined) {
    const number = toDouble(value)
    if (width === 4) real[1] ? bytes.writeFloatLE(number) : bytes.writeFloatBE(number)
    else real[1] ? bytes.writeDoubleLE(number) : bytes.writeDoubleBE(number)
    return bytes
  }
  const whole = BigInt.asUintN(width * 8, BigInt(isInteger(value) ? value : Math.trunc(toDouble(value))))
  for (let i = 0; i < width; i++) {
    bytes[little ? i : width - 1 - i] = Number((whole >> BigInt(8 * i)) & 0xffn)
  }
  return bytes
}
