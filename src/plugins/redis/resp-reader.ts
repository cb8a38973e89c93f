/**
 * Replies of a Redis server cut out of a stream. Wire format (RESP 2), each line ended by CR LF:
 *   +text   -error text   :integer
 *   $length, then that many bytes and CR LF; $-1 for nothing
 *   *count, then that many replies; *-1 for nothing
 * Bulk texts stay bytes; an error is a value, as it may be one item of a list. A bulk text that is too long is read past
 * without being kept, and a value of its own takes its place: other items of its list are none the worse for it.
 */
export type RespValue = string | number | bigint | null | Buffer | RespError | RespValue[]

/** What the server says instead of a result, e.g. `NOAUTH Authentication required.` */
export class RespError extends Error {
  /** The first word, `ERR` or more exact. */
  get code(): string {
    return this.message.split(' ', 1)[0] ?? ''
  }
}

/** In place of a bulk text that was not kept. */
export class RespTooLong extends RespError {
  readonly bytes: number

  constructor(bytes: number) {
    super(`TOOLONG a value of ${bytes} bytes is longer than ${maxValueBytes}`)
    this.bytes = bytes
  }
}

class RespProtocolError extends Error {}

const maxLineLength = 64 * 1024
/** The longest text that Redis stores. */
const maxBulkBytes = 512 * 1024 * 1024
/** The longest text that is kept. */
const maxValueBytes = 64 * 1024 * 1024
/** All texts of one reply; more in a list is read past like a text that is too long. */
const maxKeptBytes = 256 * 1024 * 1024
const maxItems = 1024 * 1024
const maxDepth = 16

interface OpenList {
  readonly items: RespValue[]
  readonly count: number
}

export class RespReader {
  #rest: Buffer = Buffer.alloc(0)
  #at = 0
  /** A bulk text that is on the way: its length with the line end, and what has come of it. */
  #bulkLength = -1
  #pieces: Buffer[] = []
  #piecesLength = 0
  #isKept = true
  /** Bytes of texts in the reply that is on the way. */
  #kept = 0
  readonly #lists: OpenList[] = []

  /** The replies that the chunk completes. Throws a RespProtocolError. */
  push(chunk: Buffer): RespValue[] {
    const replies: RespValue[] = []
    this.#rest = this.#at < this.#rest.length ? Buffer.concat([this.#rest.subarray(this.#at), chunk]) : chunk
    this.#at = 0
    for (;;) {
      const value = this.#bulkLength >= 0 ? this.#bulk() : this.#line()
      if (value === undefined) return replies
      const complete = value === opened ? undefined : this.#place(value)
      if (complete !== undefined) replies.push(complete)
    }
  }

  /** Puts a value into the innermost open list; the whole reply when nothing is open any more. */
  #place(value: RespValue): RespValue | undefined {
    let done = value
    for (let list = this.#lists.at(-1); list !== undefined; list = this.#lists.at(-1)) {
      list.items.push(done)
      if (list.items.length < list.count) return undefined
      this.#lists.pop()
      done = list.items
    }
    this.#kept = 0
    return done
  }

  #line(): RespValue | typeof opened | undefined {
    const end = this.#rest.indexOf('\r\n', this.#at, 'latin1')
    if (end < 0) {
      if (this.#rest.length - this.#at > maxLineLength) throw new RespProtocolError('line without end')
      return undefined
    }
    const kind = this.#rest[this.#at]
    const text = this.#rest.toString('utf8', this.#at + 1, end)
    this.#at = end + 2
    switch (kind) {
      case 0x2b:
        return text
      case 0x2d:
        return new RespError(text)
      case 0x3a:
        return integer(text)
      case 0x24:
        return this.#openBulk(length(text, maxBulkBytes))
      case 0x2a:
        return this.#openList(length(text, maxItems))
      default:
        throw new RespProtocolError(`unexpected byte ${kind}`)
    }
  }

  #openBulk(size: number): null | typeof opened {
    if (size < 0) return null
    this.#bulkLength = size + 2
    this.#isKept = size <= maxValueBytes && this.#kept + size <= maxKeptBytes
    if (this.#isKept) this.#kept += size
    return opened
  }

  #openList(count: number): RespValue | typeof opened {
    if (count < 0) return null
    if (count === 0) return []
    if (this.#lists.length >= maxDepth) throw new RespProtocolError('lists nested too deep')
    this.#lists.push({ items: [], count })
    return opened
  }

  #bulk(): Buffer | RespTooLong | undefined {
    const missing = this.#bulkLength - this.#piecesLength
    const piece = this.#rest.subarray(this.#at, this.#at + missing)
    this.#at += piece.length
    if (piece.length < missing) {
      if (piece.length > 0) {
        if (this.#isKept) this.#pieces.push(piece)
        this.#piecesLength += piece.length
      }
      return undefined
    }
    const size = this.#bulkLength - 2
    const pieces = this.#pieces
    this.#pieces = []
    this.#piecesLength = 0
    this.#bulkLength = -1
    if (!this.#isKept) return new RespTooLong(size)
    const whole = pieces.length === 0 ? piece : Buffer.concat([...pieces, piece])
    return whole.subarray(0, -2)
  }
}

/** A list or a bulk text has begun. */
const opened = Symbol('opened')

function length(text: string, max: number): number {
  if (!/^(-1|\d{1,10})$/.test(text)) throw new RespProtocolError(`not a length: ${text.slice(0, 20)}`)
  const value = Number(text)
  if (value > max) throw new RespProtocolError(`length ${value} is too much`)
  return value
}

function integer(text: string): number | bigint {
  if (!/^[+-]?\d{1,20}$/.test(text)) throw new RespProtocolError(`not a number: ${text.slice(0, 20)}`)
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : BigInt(text)
}

export type RespArgument = string | number | Uint8Array

/** A command: a list of bulk texts. */
export function commandBytes(command: readonly RespArgument[]): Buffer {
  const parts: Buffer[] = [Buffer.from(`*${command.length}\r\n`)]
  for (const argument of command) {
    const bytes = argument instanceof Uint8Array ? argument : Buffer.from(String(argument))
    parts.push(
      Buffer.from(`$${bytes.length}\r\n`),
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
      lineEnd,
    )
  }
  return Buffer.concat(parts)
}

const lineEnd = Buffer.from('\r\n')
