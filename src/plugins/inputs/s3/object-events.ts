/**
 * The events of one object: its records through the codec, with what is known of the object. The first two lines of
 * CloudFront's logs are no events; what they say goes with those that follow.
 */
import type { Event } from '../../../event/event.ts'
import { Timestamp } from '../../../event/timestamp.ts'
import { utf8Text } from '../../../event/utf8-text.ts'
import type { Fields, Value } from '../../../event/value.ts'
import type { CodecInstance, EcsCompatibility } from '../../../plugin/define.ts'

const versionLine = '#Version: '
const fieldsLine = '#Fields: '

export class ObjectEvents {
  readonly #codec: CodecInstance
  readonly #decoder: ReturnType<NonNullable<CodecInstance['decoder']>> | undefined
  readonly #facts: Fields
  readonly #places: { readonly version: string; readonly fields: string }
  #version: string | undefined
  #fields: string | undefined

  /** `facts`: what goes into `[@metadata][s3]`. */
  constructor(codec: CodecInstance, ecs: EcsCompatibility, facts: Fields) {
    this.#codec = codec
    this.#decoder = codec.decoder?.()
    this.#facts = facts
    this.#places =
      ecs === 'disabled'
        ? { version: 'cloudfront_version', fields: 'cloudfront_fields' }
        : { version: '[@metadata][s3][cloudfront][version]', fields: '[@metadata][s3][cloudfront][fields]' }
  }

  decode(records: readonly Buffer[]): Event[] {
    const events: Event[] = []
    const emit = (event: Event) => this.#take(event, events)
    const time = Timestamp.now()
    const { decode, decodeBytes } = this.#decoder ?? this.#codec
    const target = this.#decoder ?? this.#codec
    for (const record of records) {
      if (decodeBytes !== undefined) decodeBytes.call(target, record, emit, time)
      else decode?.call(target, utf8Text(record), emit, time)
    }
    return events
  }

  flush(): Event[] {
    const events: Event[] = []
    this.#decoder?.flush((event) => events.push(this.#finished(event)), Timestamp.now())
    return events
  }

  #take(event: Event, events: Event[]): void {
    const message = event.get('message')
    if (typeof message === 'string' && message.startsWith('#')) {
      if (message.startsWith(versionLine)) {
        this.#version = message.slice(versionLine.length).trim()
        return
      }
      if (message.startsWith(fieldsLine)) {
        this.#fields = message.slice(fieldsLine.length).trim()
        return
      }
    }
    events.push(this.#finished(event))
  }

  #finished(event: Event): Event {
    event.set('[@metadata][s3]', { ...this.#facts })
    if (this.#version !== undefined) event.set(this.#places.version, this.#version)
    if (this.#fields !== undefined) event.set(this.#places.fields, this.#fields)
    return event
  }
}

/** What the service says of an object, under the names of the AWS SDK for Ruby: `LastModified` is `last_modified`. */
export function objectProperties(answer: Readonly<Record<string, unknown>>): Fields {
  const fields: Fields = {}
  for (const [name, given] of Object.entries(answer)) {
    if (name === 'Body' || name.startsWith('$')) continue
    const value = fieldValue(given)
    if (value !== undefined) fields[snakeCase(name)] = value
  }
  return fields
}

function fieldValue(given: unknown): Value | undefined {
  if (given instanceof Date) return new Timestamp(given.getTime())
  if (typeof given === 'string' || typeof given === 'number' || typeof given === 'boolean') return given
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]))
}

function snakeCase(name: string): string {
  return name
    .replace(/^ETag$/, 'etag')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
}
