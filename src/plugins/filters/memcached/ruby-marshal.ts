/**
 * Values in Ruby's Marshal format 4.8, which is how Logstash's memcached client keeps everything that is not a text:
 * nil, booleans, integers, floats, strings, symbols, lists and maps. Anything else cannot be read here.
 */
import { Timestamp } from '../../../event/timestamp.ts'
import {
  type Fields,
  float,
  integer,
  LsFloat,
  putField,
  readField,
  type Value,
} from '../../../event/value.ts'
import { rubyFloat } from '../../../text/ruby-float.ts'

const maxDepth = 200
const maxFixnum = 2 ** 30

// --------------------------------------------------------------------------------------------- writing

export function dump(value: Value): Buffer {
  const parts: Buffer[] = [Buffer.from([4, 8])]
  const symbols = new Map<string, number>()
  write(value, parts, symbols, 0)
  return Buffer.concat(parts)
}

function write(value: Value, parts: Buffer[], symbols: Map<string, number>, depth: number): void {
  if (depth > maxDepth) throw new RangeError('the value is nested too deep')
  const mark = (text: string) => parts.push(Buffer.from(text, 'latin1'))
  if (value === null) mark('0')
  else if (typeof value === 'boolean') mark(value ? 'T' : 'F')
  else if (typeof value === 'bigint') parts.push(bigBytes(value))
  else if (value instanceof LsFloat || (typeof value === 'number' && !Number.isInteger(value))) {
    const text = Buffer.from(floatText(Number(value)))
    parts.push(Buffer.from('f'), long(text.length), text)
  } else if (typeof value === 'number') {
    if (value >= -maxFixnum && value < maxFixnum) parts.push(Buffer.from('i'), long(value))
    else parts.push(bigBytes(BigInt(value)))
  } else if (typeof value === 'string' || value instanceof Timestamp) {
    const text = Buffer.from(String(value))
    parts.push(Buffer.from('I"'), long(text.length), text, long(1))
    writeSymbol('E', parts, symbols)
    mark('T')
  } else if (Array.isArray(value)) {
    parts.push(Buffer.from('['), long(value.length))
    for (const item of value) write(item, parts, symbols, depth + 1)
  } else {
    const names = Object.keys(value).filter((name) => value[name] !== undefined)
    parts.push(Buffer.from('{'), long(names.length))
    for (const name of names) {
      write(name, parts, symbols, depth + 1)
      write(readField(value, name)!, parts, symbols, depth + 1)
    }
  }
}

function floatText(value: number): string {
  if (Number.isNaN(value)) return 'nan'
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf'
  return rubyFloat(value).replace(/\.0$/, '')
}

function writeSymbol(name: string, parts: Buffer[], symbols: Map<string, number>): void {
  const known = symbols.get(name)
  if (known !== undefined) {
    parts.push(Buffer.from(';'), long(known))
    return
  }
  symbols.set(name, symbols.size)
  parts.push(Buffer.from(':'), long(name.length), Buffer.from(name))
}

/** One byte for small numbers, else a length and little-endian bytes. */
function long(value: number): Buffer {
  if (value === 0) return Buffer.from([0])
  if (value > 0 && value < 123) return Buffer.from([value + 5])
  if (value < 0 && value > -124) return Buffer.from([(value - 5) & 0xff])
  const bytes: number[] = []
  let rest = value
  while (bytes.length < 4) {
    bytes.push(rest & 0xff)
    rest >>= 8
    if (rest === 0 || rest === -1) break
  }
  return Buffer.from([value < 0 ? 256 - bytes.length : bytes.length, ...bytes])
}

function bigBytes(value: bigint): Buffer {
  const bytes: number[] = []
  for (let rest = value < 0n ? -value : value; rest > 0n; rest >>= 8n) bytes.push(Number(rest & 0xffn))
  if (bytes.length % 2 === 1) bytes.push(0)
  return Buffer.concat([Buffer.from(value < 0n ? 'l-' : 'l+'), long(bytes.length / 2), Buffer.from(bytes)])
}

// --------------------------------------------------------------------------------------------- reading

/** Throws for whatever is not plain data. */
export function load(bytes: Buffer): Value {
  if (bytes[0] !== 4 || (bytes[1] ?? 99) > 8) throw new Error('not in the Marshal format 4.8')
  return new Reader(bytes).value(0)
}

class Reader {
  readonly #bytes: Buffer
  readonly #symbols: string[] = []
  readonly #objects: Value[] = []
  #at = 2

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  value(depth: number): Value {
    if (depth > maxDepth) throw new RangeError('the value is nested too deep')
    const type = String.fromCharCode(this.#byte())
    switch (type) {
      case '0':
        return null
      case 'T':
      case 'F':
        return type === 'T'
      case 'i':
        return this.#long()
      case ':':
      case ';':
        this.#at -= 1
        return this.#symbol()
      case '"':
        return this.#kept(this.#text())
      case 'f':
        return this.#kept(floatOf(this.#text()))
      case 'l':
        return this.#kept(this.#big())
      case 'I': {
        const value = this.value(depth + 1)
        for (let count = this.#long(); count > 0; count--) {
          this.#symbol()
          this.value(depth + 1)
        }
        return value
      }
      case '[': {
        const list: Value[] = []
        this.#objects.push(list)
        for (let count = this.#long(); count > 0; count--) list.push(this.value(depth + 1))
        return list
      }
      case '{':
      case '}': {
        const fields: Fields = {}
        this.#objects.push(fields)
        for (let count = this.#long(); count > 0; count--) {
          const name = this.value(depth + 1)
          putField(fields, String(name), this.value(depth + 1))
        }
        if (type === '}') this.value(depth + 1)
        return fields
      }
      case '@': {
        const known = this.#objects[this.#long()]
        if (known === undefined || typeof known === 'object') throw new Error('a link to another object')
        return known
      }
      default:
        throw new Error(`objects of the type ${JSON.stringify(type)} cannot be read`)
    }
  }

  #kept<T extends Value>(value: T): T {
    this.#objects.push(value)
    return value
  }

  #byte(): number {
    const byte = this.#bytes[this.#at++]
    if (byte === undefined) throw new Error('the data ends too early')
    return byte
  }

  #long(): number {
    const first = (this.#byte() << 24) >> 24
    if (first === 0) return 0
    if (first > 4) return first - 5
    if (first < -4) return first + 5
    let value = first > 0 ? 0 : -1
    for (let i = 0; i < Math.abs(first); i++) {
      value &= ~(0xff << (8 * i))
      value |= this.#byte() << (8 * i)
    }
    return value
  }

  #raw(length: number): Buffer {
    if (length < 0 || this.#at + length > this.#bytes.length) throw new Error('the data ends too early')
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }

  #text(): string {
    return this.#raw(this.#long()).toString('utf8')
  }

  #symbol(): string {
    const type = String.fromCharCode(this.#byte())
    if (type === ';') return this.#symbols[this.#long()] ?? ''
    if (type !== ':') throw new Error('a symbol is missing')
    const name = this.#text()
    this.#symbols.push(name)
    return name
  }

  #big(): number | bigint {
    const sign = this.#byte()
    const bytes = this.#raw(this.#long() * 2)
    if (bytes.length > 1024) throw new RangeError('an integer is too long')
    let value = 0n
    for (let i = bytes.length - 1; i >= 0; i--) value = (value << 8n) | BigInt(bytes[i]!)
    return integer(sign === 0x2d ? -value : value)
  }
}

function floatOf(text: string): number | LsFloat {
  if (text === 'nan') return float(Number.NaN)
  if (text === 'inf') return float(Infinity)
  return float(text === '-inf' ? -Infinity : Number(text.split('\0')[0]))
}
