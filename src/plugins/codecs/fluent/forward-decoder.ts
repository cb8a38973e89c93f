/**
 * Messages of Fluentd's forward protocol, a stream of MessagePack lists in one of four forms:
 *
 *   [tag, time, record, options]          one event
 *   [tag, [[time, record], …], options]   several
 *   [tag, packed, options]                several, packed once more, perhaps compressed
 *
 * A list that is not complete waits for the rest of it.
 */
import { gunzipSync } from 'node:zlib'
import { Timestamp } from '../../../event/timestamp.ts'
import { type Fields, isFields, type Value } from '../../../event/value.ts'
import { IncompleteData, MsgpackReader } from '../msgpack/reader.ts'
import { ValueEnd } from '../msgpack/value-end.ts'

type EmitRecord = (tag: Value, time: Timestamp, record: Fields) => void

const maxWaitingBytes = 16 * 1024 * 1024
const maxInflatedBytes = 100 * 1024 * 1024

export class ForwardDecoder {
  /** The beginning of a message whose end has not come; the buffer may be longer than that. */
  #waiting: Buffer = Buffer.alloc(0)
  #waitingLength = 0
  #end = new ValueEnd()

  /** Throws when the data is no forward protocol; what was waiting is gone then. */
  decode(bytes: Uint8Array, emit: EmitRecord): void {
    try {
      let at = 0
      while (at < bytes.length) {
        if (this.#waitingLength === 0) checkList(bytes[at]!)
        const end = this.#end.find(bytes, at)
        if (end === undefined) return this.#wait(bytes.subarray(at))
        this.#pass(bytes.subarray(at, end), emit)
        at = end
      }
    } catch (error) {
      this.#waitingLength = 0
      this.#end = new ValueEnd()
      throw error
    }
  }

  /** The rest of a message has come; all its records are read before the first is passed on. */
  #pass(rest: Uint8Array, emit: EmitRecord): void {
    let message = rest
    if (this.#waitingLength > 0) {
      this.#wait(rest)
      message = this.#waiting.subarray(0, this.#waitingLength)
      this.#waiting = Buffer.alloc(0)
      this.#waitingLength = 0
    }
    const ready: (() => void)[] = []
    readMessage(new MsgpackReader(message), (tag, time, record) => ready.push(() => emit(tag, time, record)))
    for (const pass of ready) pass()
  }

  /** The buffer doubles, so that each byte is copied a few times at most however small the pieces are. */
  #wait(bytes: Uint8Array): void {
    const length = this.#waitingLength + bytes.length
    if (length > maxWaitingBytes) throw new RangeError('a message is too long')
    if (length > this.#waiting.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.#waiting.length))
      larger.set(this.#waiting.subarray(0, this.#waitingLength))
      this.#waiting = larger
    }
    this.#waiting.set(bytes, this.#waitingLength)
    this.#waitingLength = length
  }

  get isWaiting(): boolean {
    return this.#waitingLength > 0
  }
}

/** What is no list is refused by its first byte, before more of it is kept. */
function checkList(code: number): void {
  const isList = (code >= 0x90 && code <= 0x9f) || code === 0xdc || code === 0xdd
  if (!isList) throw new TypeError('a message is a list of two items at least')
}

function readMessage(reader: MsgpackReader, emit: EmitRecord): void {
  const length = reader.readListHead()
  if (length === undefined || length < 2) throw new TypeError('a message is a list of two items at least')
  const tag = reader.read()
  const packed = reader.readRaw()
  if (packed !== undefined) {
    const options = length > 2 ? reader.read() : null
    skip(reader, length - 3)
    unpackEntries(packed, options, (time, record) => emit(tag, time, record))
    return
  }
  const second = reader.read()
  if (Array.isArray(second)) {
    skip(reader, length - 2)
    for (const entry of second) {
      if (!Array.isArray(entry)) throw new TypeError('an entry is a list of time and record')
      emit(tag, timeOf(entry[0] ?? null), recordOf(entry[1] ?? null))
    }
    return
  }
  if (length < 3) throw new TypeError('the record is missing')
  const record = recordOf(reader.read())
  skip(reader, length - 3)
  emit(tag, timeOf(second), record)
}

function unpackEntries(
  packed: Buffer,
  options: Value,
  emit: (time: Timestamp, record: Fields) => void,
): void {
  const compressed = isFields(options) && options['compressed'] === 'gzip'
  const bytes = compressed ? gunzipSync(packed, { maxOutputLength: maxInflatedBytes }) : packed
  const reader = new MsgpackReader(bytes)
  while (!reader.atEnd) {
    let entry: Value
    try {
      entry = reader.read()
    } catch (error) {
      // The bytes are all here: nothing more will come.
      throw error instanceof IncompleteData ? new TypeError(error.message) : error
    }
    if (!Array.isArray(entry)) throw new TypeError('an entry is a list of time and record')
    emit(timeOf(entry[0] ?? null), recordOf(entry[1] ?? null))
  }
}

function skip(reader: MsgpackReader, items: number): void {
  for (let i = 0; i < items; i++) reader.read()
}

function timeOf(value: Value): Timestamp {
  if (value instanceof Timestamp) return value
  const seconds = Number(value)
  if (!Number.isFinite(seconds)) throw new TypeError('the time is no number')
  return new Timestamp(Math.floor(seconds * 1000))
}

function recordOf(value: Value): Fields {
  if (!isFields(value)) throw new TypeError('the record is no map')
  return value
}
