/**
 * The fields an event reserves: `@timestamp`, `@version`, `@metadata`, `tags`. What they may hold, what
 * happens to foreign data that holds something else, and the texts of the refusals.
 */
import type { Event } from './event.ts'
import { parseTimestamp } from './parse-timestamp.ts'
import { describe } from './path-access.ts'
import { Timestamp } from './timestamp.ts'
import { isFields, type Value } from './value.ts'

export function completeReservedFields(event: Event, now: Timestamp | undefined): void {
  const { data } = event
  const given = data['@timestamp']
  if (given === undefined || given === null) data['@timestamp'] = now ?? Timestamp.now()
  else if (!(given instanceof Timestamp)) adoptTimestamp(event, given, now)
  if (data['@version'] === undefined) data['@version'] = '1'
  const metadata = data['@metadata']
  if (metadata !== undefined) {
    if (!isFields(metadata)) throw new TypeError(`wrong argument type ${typeName(metadata)} (expected Hash)`)
    event.meta = metadata
    data['@metadata'] = undefined
  }
  const tags = data['tags']
  if (tags !== undefined && !areTags(tags)) {
    data['_tags'] = [tags]
    data['tags'] = ['_tagsparsefailure']
  }
}

function adoptTimestamp(event: Event, given: Value, now: Timestamp | undefined): void {
  const parsed = typeof given === 'string' ? parseTimestamp(given) : undefined
  event.data['@timestamp'] = parsed ?? now ?? Timestamp.now()
  if (parsed !== undefined) return
  event.data['_@timestamp'] = given
  event.tag('_timestampparsefailure')
}

function areTags(value: Value): boolean {
  return (
    value === null ||
    typeof value === 'string' ||
    (Array.isArray(value) && value.every((item) => typeof item === 'string'))
  )
}

export function checkTags(path: readonly string[], value: Value): void {
  if (path.length === 1 && areTags(value)) return
  const reference = path.map((name) => `[${name}]`).join('')
  throw new Error(
    `Could not set the reserved tags field '${reference}' to value '${describe(value)}'. ` +
      'The tags field only accepts string or array of string.',
  )
}

export function checkTimestamp(value: Value): void {
  if (value instanceof Timestamp) return
  throw new TypeError(`wrong argument type ${typeName(value)} (expected LogStash::Timestamp)`)
}

export function typeName(value: Value): string {
  if (value === null) return 'nil'
  if (typeof value === 'string') return 'String'
  if (typeof value === 'number') return Number.isInteger(value) ? 'Integer' : 'Float'
  if (typeof value === 'bigint') return 'Integer'
  if (typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return 'Array'
  return value instanceof Timestamp ? 'LogStash::Timestamp' : isFields(value) ? 'Hash' : 'Float'
}
