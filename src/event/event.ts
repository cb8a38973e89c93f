/**
 * The event: a map of fields, a map of metadata that is never serialised, and a cancelled flag.
 * `raw` is the JSON text of `data` as it arrived, kept while nobody has changed the event;
 * whoever writes into `data` without going through this class or a compiled accessor must clear it.
 * Values are immutable by convention: change an event by setting fields, not by editing a value got from it.
 */
import { hash } from 'node:crypto'
import { cloneValue } from './clone.ts'
import { deepEqual } from './equal.ts'
import { parseFieldReference } from './field-reference.ts'
import { writeJson } from './json-write.ts'
import { readPath, removePath, writePath } from './path-access.ts'
import type { RawText } from './raw-text.ts'
import { checkTags, checkTimestamp, completeReservedFields, typeName } from './reserved-fields.ts'
import { compileTemplate } from './sprintf.ts'
import { Timestamp } from './timestamp.ts'
import { type Fields, isFields, putField, readField, type Value } from './value.ts'

/** Prefix of lineages that survive the process: only such events can be delivered again by another process. */
const lasting = 'p'

/** The lineage of what its source has named, the same each time it is read. */
export function lastingName(name: string | Uint8Array): string {
  return lasting + hash('sha1', name, 'base64url')
}

export function lastingLineage(queueId: string, epoch: number): string {
  return lasting + queueId + epoch.toString(36)
}

export function isLasting({ lineage }: Event): boolean {
  return lineage?.startsWith(lasting) === true
}

export class Event {
  /** Declared only: an event that makes its fields when they are asked for has pairs of accessors instead. */
  declare data: Fields
  declare meta: Fields | null
  cancelled = false
  raw: string | RawText | null = null
  /**
   * What names the event for ever, so that a delivery that is repeated can be recognised: the lineage of the queue it
   * waited in, its number there, and which copy of it this is. A number below 0: the lineage says it all.
   */
  lineage: string | null = null
  sequence = -1
  copy = ''
  #copies = 0

  /** Takes the maps as they are: for callers that already gave `data` its `@timestamp` and `@version`. */
  constructor(data: Fields, meta: Fields | null = null) {
    this.data = data
    this.meta = meta
  }

  /** An event of foreign data: reserved fields are checked and completed. */
  static from(data: Fields, now?: Timestamp): Event {
    const event = new Event(data)
    completeReservedFields(event, now)
    return event
  }

  get(reference: string): Value | undefined {
    const { metadata, path } = parseFieldReference(reference)
    if (!metadata) return readPath(this.data, path)
    return path.length === 0 ? this.metadata() : this.meta === null ? undefined : readPath(this.meta, path)
  }

  set(reference: string, value: Value): void {
    const { metadata, path } = parseFieldReference(reference)
    if (metadata) this.#setMetadata(path, value)
    else {
      const name = path[0]!
      if (name === 'tags') checkTags(path, value)
      else if (name === '@timestamp' && path.length === 1) checkTimestamp(value)
      this.raw = null
      writePath(this.data, path, value)
    }
  }

  #setMetadata(path: readonly string[], value: Value): void {
    if (path.length > 0) writePath(this.metadata(), path, value)
    else if (isFields(value)) this.meta = value
    else throw new TypeError(`wrong argument type ${typeName(value)} (expected Hash)`)
  }

  /** Removes a field and returns what it held. `@metadata` itself is emptied. */
  remove(reference: string): Value | undefined {
    const { metadata, path } = parseFieldReference(reference)
    if (metadata) {
      if (path.length > 0) return this.meta === null ? undefined : removePath(this.meta, path)
      const old = this.metadata()
      this.meta = null
      return old
    }
    this.raw = null
    return removePath(this.data, path)
  }

  include(reference: string): boolean {
    const { metadata, path } = parseFieldReference(reference)
    return (metadata && path.length === 0) || this.get(reference) !== undefined
  }

  metadata(): Fields {
    this.meta ??= {}
    return this.meta
  }

  /** The metadata for looking only: events that arrived together may share it. */
  get metaView(): Fields | null {
    return this.meta
  }

  get timestamp(): Timestamp | undefined {
    const value = this.data['@timestamp']
    return value instanceof Timestamp ? value : undefined
  }

  set timestamp(value: Timestamp) {
    this.raw = null
    this.data['@timestamp'] = value
  }

  /** Appends a tag unless it is there already; a scalar `tags` becomes a list first. */
  tag(tag: string): void {
    const tags = this.data['tags']
    const list = tags === undefined || tags === null ? [] : Array.isArray(tags) ? tags : [tags]
    if (Array.isArray(tags) && list.includes(tag)) return
    this.raw = null
    this.data['tags'] = list.includes(tag) ? list : [...list, tag]
  }

  cancel(): void {
    this.cancelled = true
  }

  uncancel(): void {
    this.cancelled = false
  }

  sprintf(template: string): string {
    return compileTemplate(template)(this)
  }

  clone(): Event {
    const copy = new Event(
      cloneValue(this.data) as Fields,
      this.meta === null ? null : (cloneValue(this.meta) as Fields),
    )
    copy.raw = this.raw
    copy.descendFrom(this)
    return copy
  }

  /** Named as the next one that is made of `parent`. */
  descendFrom(parent: Event): void {
    if (parent.lineage === null) return
    parent.#copies += 1
    this.lineage = parent.lineage
    this.sequence = parent.sequence
    this.copy = `${parent.copy}.${parent.#copies}`
  }

  /** Does not change when the event is delivered again; undefined for an event that came from no queue. */
  get permanentName(): string | undefined {
    const { lineage, sequence, copy } = this
    if (lineage === null) return undefined
    return sequence < 0 ? lineage + copy : `${lineage}-${sequence.toString(36)}${copy}`
  }

  /** Takes data and cancelled flag of another event; the own metadata stays. */
  overwrite(other: Event): void {
    this.data = other.data
    this.cancelled = other.cancelled
    this.raw = other.raw
  }

  /** Merges another event in: maps merge, lists unite, different scalars become a list. */
  append(other: Event): void {
    this.raw = null
    mergeFields(this.data, other.data)
  }

  /** A deep copy of the fields, without metadata. */
  toHash(): Fields {
    return cloneValue(this.data) as Fields
  }

  toHashWithMetadata(): Fields {
    const all = this.toHash()
    if (this.meta !== null && Object.keys(this.meta).length > 0) all['@metadata'] = cloneValue(this.meta)
    return all
  }

  toJson(): string {
    const { raw } = this
    if (raw === null) return fieldsText(this.data)
    return (typeof raw === 'string' ? raw : raw.render(this)) ?? fieldsText(this.data)
  }

  /** `<timestamp> <host> <message>`, the default text of the plain and line codecs. */
  toString(): string {
    return defaultText(this)
  }
}

const defaultText = compileTemplate('%{@timestamp} %{host} %{message}')

/** The time is put in as text meanwhile: calling back into `toJSON` is the dearest part of native JSON.stringify. */
function fieldsText(data: Fields): string {
  const time = data['@timestamp']
  if (!(time instanceof Timestamp)) return writeJson(data)
  data['@timestamp'] = time.toString()
  try {
    return writeJson(data)
  } finally {
    data['@timestamp'] = time
  }
}

function mergeFields(target: Fields, source: Fields): void {
  for (const name of Object.keys(source)) {
    const value = source[name]
    if (value === undefined) continue
    const old = readField(target, name)
    if (old === undefined) putField(target, name, cloneValue(value))
    else if (isFields(old) && isFields(value)) mergeFields(old, value)
    else if (!deepEqual(old, value)) putField(target, name, union(old, value))
  }
}

function union(left: Value, right: Value): Value[] {
  const all = Array.isArray(left) ? [...left] : [left]
  for (const item of Array.isArray(right) ? right : [right]) {
    if (!all.some((known) => deepEqual(known, item))) all.push(cloneValue(item))
  }
  return all
}
