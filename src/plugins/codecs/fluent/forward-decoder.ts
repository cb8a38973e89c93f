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

type EmitRecord = (tag: Value, time: Timestamp, record: Fields) => void

const mostWaiting = 16 * 1024 * 1024
const mostInflated = 100 * 1024 * 1024

export class ForwardDecoder {
  #waiting: Buffer = Buffer.alloc(0)

  /** Throws when the data is no forward protocol; what was waiting is gone then. */
  decode(bytes: Uint8Array, emit: EmitRecord): void {
    const all = this.#waiting.length === 0 ? Buffer.from(bytes) : Buffer.concat([this.#waiting, bytes])
    this.#waiting = Buffer.alloc(0)
    const reader = new MsgpackReader(all)
    while (!reader.atEnd) {
      const start = reader.at
      const ready: (() => void)[] = []
      try {
        readMessage(reader, (tag, time, record) => ready.push(() => emit(tag, time, record)))
      } catch (error) {
        if (!(error instanceof IncompleteData)) throw error
        if (all.length - start > mostWaiting) throw new RangeError('a message is too long')
        this.#waiting = all.subarray(start)
        return
      }
      for (const pass of ready) pass()
    }
  }

  get isWaiting(): boolean {
    return this.#waiting.length > 0
  }
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
  const bytes = compressed ? gunzipSync(packed, { maxOutputLength: mostInflated }) : packed
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
