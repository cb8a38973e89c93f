/**
 * A GELF message to an event: unpacked if it is compressed, its JSON object the fields, remapped as Logstash does. What
 * cannot be read becomes an event with the text and a tag.
 */

import { gunzipSync, inflateSync } from 'node:zlib'
import { Event } from '../../../event/event.ts'
import { parseJson } from '../../../event/json-parse.ts'
import { Timestamp } from '../../../event/timestamp.ts'
import { utf8Text } from '../../../event/utf8-text.ts'
import { fieldNames, isFields, LsFloat, readField, type Value } from '../../../event/value.ts'
import { maxDateMillis } from '../../../time/calendar.ts'

/** What a message may unpack to. */
const maxUnpackedBytes = 8 * 1024 * 1024

interface GelfReading {
  readonly remap: boolean
  readonly stripUnderscore: boolean
}

type GelfFailure = (message: string, error: Error) => void

/** Undefined when the message is empty: there is nothing to make an event of. */
export function gelfEvent(
  payload: Buffer,
  host: string,
  time: Timestamp,
  reading: GelfReading,
  failed: GelfFailure,
): Event | undefined {
  let plain: Buffer
  try {
    plain = unpack(payload)
  } catch (error) {
    failed('Gelfd failed to parse a message', error as Error)
    return failure(utf8Text(payload), host, time, ['_gelfparsefailure'])
  }
  const text = utf8Text(plain)
  if (text.trim() === '') return undefined
  let value: Value | undefined
  try {
    const parsed = parseJson(text)
    value = Array.isArray(parsed) ? parsed[0] : parsed
    if (value === null || value === undefined) return undefined
    if (!isFields(value)) throw new TypeError('a GELF message must be a JSON object')
    return remapped(Event.from(value, time), host, reading)
  } catch (error) {
    failed('JSON parse failure. Falling back to plain-text', error as Error)
    return failure(text, host, time, ['_jsonparsefailure', '_fromjsonparser'])
  }
}

function failure(message: string, host: string, time: Timestamp, tags: string[]): Event {
  return new Event({ '@timestamp': time, '@version': '1', message, tags, source_host: host })
}

/** `1f 8b`: gzip. `78` and a second byte that makes a multiple of 31: zlib. `1f 3c` stands before plain text. */
function unpack(payload: Buffer): Buffer {
  const [first = 0, second = 0] = payload
  const options = { maxOutputLength: maxUnpackedBytes }
  if (first === 0x1f && second === 0x8b) return gunzipSync(payload, options)
  if (first === 0x78 && (first * 256 + second) % 31 === 0) return inflateSync(payload, options)
  return first === 0x1f && second === 0x3c ? payload.subarray(2) : payload
}

function remapped(event: Event, host: string, { remap, stripUnderscore }: GelfReading): Event {
  event.set('source_host', host)
  const time = timestampOf(event.get('timestamp'))
  if (time !== undefined) {
    event.timestamp = time
    event.remove('timestamp')
  }
  if (remap) remapMessage(event)
  if (stripUnderscore) stripUnderscores(event)
  return event
}

/** Seconds since 1970 with a fraction, to the microsecond. */
function timestampOf(value: Value | undefined): Timestamp | undefined {
  if (typeof value !== 'number' && typeof value !== 'bigint' && !(value instanceof LsFloat)) return undefined
  const micros = Math.round(Number(value) * 1e6)
  const millis = Math.floor(micros / 1000)
  if (!Number.isFinite(millis) || Math.abs(millis) > maxDateMillis) return undefined
  return new Timestamp(millis, (micros - millis * 1000) * 1000)
}

function remapMessage(event: Event): void {
  const [full, short] = [event.get('full_message'), event.get('short_message')]
  if (isFilled(full)) {
    event.set('message', full)
    event.remove('full_message')
    if (short === full) event.remove('short_message')
  } else if (isFilled(short)) {
    event.set('message', short)
    event.remove('short_message')
  }
}

function isFilled(value: Value | undefined): value is Value {
  return typeof value === 'string' || Array.isArray(value) ? value.length > 0 : false
}

function stripUnderscores(event: Event): void {
  for (const name of fieldNames(event.data)) {
    if (!name.startsWith('_') || name.length === 1) continue
    const value = readField(event.data, name)
    if (value === undefined) continue
    try {
      event.set(name.slice(1), value)
    } catch {
      // A reserved field that takes no such value, or no name of a field: it stays as it came.
      continue
    }
    delete event.data[name]
  }
}
