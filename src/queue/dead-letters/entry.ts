/**
 * An entry of a dead letter queue: why an event was given up, by whom and when. Its bytes are five blobs, each after its
 * length (int32, big-endian): time of entry as ISO 8601 text, the event as Logstash serializes it, type of the plugin,
 * id of the plugin, reason.
 */
import type { Event } from '../../event/event.ts'
import { parseTimestamp } from '../../event/parse-timestamp.ts'
import type { Timestamp } from '../../event/timestamp.ts'
import { deserializeEvent, serializeEvent } from '../logstash-events/event-bytes.ts'

interface Letter {
  readonly event: Event
  /** Name of the plugin, `elasticsearch`, as Logstash writes it in the place of the type. */
  readonly pluginType: string
  readonly pluginId: string
  readonly reason: string
}

/** An entry whose event is still bytes. */
export interface Entry {
  readonly time: Timestamp
  readonly eventBytes: Uint8Array
  readonly pluginType: string
  readonly pluginId: string
  readonly reason: string
}

const blobs = 5

export function encodeEntry({ event, pluginType, pluginId, reason }: Letter, time: Timestamp): Buffer {
  const parts = [
    Buffer.from(time.toString()),
    serializeEvent(event),
    Buffer.from(pluginType),
    Buffer.from(pluginId),
    Buffer.from(reason),
  ]
  let size = 4 * blobs
  for (const part of parts) size += part.length
  const bytes = Buffer.allocUnsafe(size)
  let at = 0
  for (const part of parts) {
    at = bytes.writeInt32BE(part.length, at)
    at += part.copy(bytes, at)
  }
  return bytes
}

/** Undefined when the bytes are no entry. */
export function decodeEntry(bytes: Uint8Array): Entry | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const parts: Buffer[] = []
  let at = 0
  while (parts.length < blobs) {
    if (at + 4 > buffer.length) return undefined
    const length = buffer.readInt32BE(at)
    at += 4
    if (length < 0 || length > buffer.length - at) return undefined
    parts.push(buffer.subarray(at, at + length))
    at += length
  }
  const [timeText, eventBytes, pluginType, pluginId, reason] = parts as [
    Buffer,
    Buffer,
    Buffer,
    Buffer,
    Buffer,
  ]
  const time = parseTimestamp(timeText.toString('latin1'))
  if (at !== buffer.length || time === undefined) return undefined
  return {
    time,
    eventBytes,
    pluginType: pluginType.toString(),
    pluginId: pluginId.toString(),
    reason: reason.toString(),
  }
}

/** The event of an entry, as it was given up. Throws when its bytes cannot be read. */
export function eventOf({ eventBytes }: Entry): Event {
  return deserializeEvent(eventBytes)
}

/** Events that came out of a dead letter queue do not go into one again: they would go round for ever. */
export function isFromDeadLetters(event: Event): boolean {
  const meta = event.metaView
  return meta !== null && Object.hasOwn(meta, 'dead_letter_queue') && meta['dead_letter_queue'] !== undefined
}
