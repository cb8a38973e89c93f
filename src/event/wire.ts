/**
 * Events on their way from one pipeline to another. Wire format: UTF-8 text, four lines per event:
 *   1. the fields as JSON
 *   2. the metadata as JSON, empty when there is none
 *   3. where values stand that JSON cannot tell from strings, as JSON, empty when there are none:
 *      a list of `[kind, map, ...names]`, kind `t` timestamp or `f` float that is NaN or infinite,
 *      map `d` fields or `m` metadata
 *   4. its permanent name, empty when it has none
 * JSON text written by us holds no line feed. `@timestamp` of the fields is always a timestamp.
 */
import { Event } from './event.ts'
import { needsExactParse, parseJson, parseJsonFast } from './json-parse.ts'
import { writeJson } from './json-write.ts'
import { parseTimestamp } from './parse-timestamp.ts'
import { readPath, writePath } from './path-access.ts'
import { Timestamp } from './timestamp.ts'
import { type Fields, isFields, LsFloat, type Value } from './value.ts'

type Place = [kind: 't' | 'f', map: 'd' | 'm', ...names: string[]]

const encoder = new TextEncoder()

const linesPerEvent = 4
const lineFeed = 0x0a

/** `branch` tells copies apart that go several ways. */
export function encodeEvents(events: readonly Event[], branch = ''): Uint8Array {
  let text = ''
  for (const event of events) {
    const { data, meta, raw } = event
    const places: Place[] = []
    // An event that still is the JSON text it came as has no typed values but its time.
    if (raw === null) findPlaces(data, 'd', [], places)
    if (meta !== null) findPlaces(meta, 'm', [], places)
    const body = event.toJson()
    text += body.includes('\n') ? writeJson(data) : body
    text += meta === null ? '\n\n' : `\n${writeJson(meta)}\n`
    text += places.length === 0 ? '\n' : `${JSON.stringify(places)}\n`
    const name = event.permanentName
    text += name === undefined ? '\n' : `${name}${branch}\n`
  }
  return encoder.encode(text)
}

/** How many events there are. */
export function wireCount(bytes: Uint8Array): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let lines = 0
  for (let at = buffer.indexOf(lineFeed); at >= 0; at = buffer.indexOf(lineFeed, at + 1)) lines += 1
  return lines / linesPerEvent
}

export function decodeEvents(bytes: Uint8Array): Event[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  const parse = needsExactParse(text) ? parseJson : parseJsonFast
  const events: Event[] = []
  let at = 0
  while (at < text.length) {
    const first = lineEnd(text, at)
    const second = lineEnd(text, first + 1)
    const third = lineEnd(text, second + 1)
    const fourth = lineEnd(text, third + 1)
    const raw = text.slice(at, first)
    const data = parse(raw)
    if (!isFields(data)) throw new TypeError('not the fields of an event')
    const time = data['@timestamp']
    if (typeof time === 'string') data['@timestamp'] = parseTimestamp(time)
    const meta = second === first + 1 ? null : (parse(text.slice(first + 1, second)) as Fields)
    const event = new Event(data, meta)
    // Text stands for fields without typed values only, see `encodeEvents`.
    if (third > second + 1) restorePlaces(data, meta, text.slice(second + 1, third))
    else event.raw = raw
    if (fourth > third + 1) event.lineage = text.slice(third + 1, fourth)
    events.push(event)
    at = fourth + 1
  }
  return events
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  if (end < 0) throw new RangeError('events cut short')
  return end
}

function findPlaces(value: Value, map: 'd' | 'm', path: string[], places: Place[]): void {
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) visit(value[i]!, String(i), map, path, places)
  } else {
    const fields = value as Fields
    for (const name of Object.keys(fields)) {
      const child = fields[name]
      if (typeof child === 'object' && child !== null) visit(child, name, map, path, places)
    }
  }
}

function visit(value: Value, name: string, map: 'd' | 'm', path: string[], places: Place[]): void {
  if (typeof value !== 'object' || value === null) return
  if (value instanceof Timestamp) {
    if (map === 'm' || path.length > 0 || name !== '@timestamp') places.push(['t', map, ...path, name])
  } else if (value instanceof LsFloat) {
    if (!Number.isFinite(value.value)) places.push(['f', map, ...path, name])
  } else {
    path.push(name)
    findPlaces(value, map, path, places)
    path.pop()
  }
}

function restorePlaces(data: Fields, meta: Fields | null, text: string): void {
  for (const [kind, map, ...path] of JSON.parse(text) as Place[]) {
    const root = map === 'd' ? data : meta
    const value = root === null ? undefined : readPath(root, path)
    if (root === null || typeof value !== 'string') continue
    const typed = kind === 't' ? parseTimestamp(value) : new LsFloat(Number(value))
    if (typed !== undefined) writePath(root, path, typed)
  }
}
