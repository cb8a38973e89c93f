/**
 * What a sender's map of fields becomes, in the worker: with a `message` (or `line`, as the oldest senders say) the codec reads
 * that text and the other fields are put on its events; without one the map is the event.
 */
import type { Socket } from 'node:net'
import { cloneValue } from '../../../event/clone.ts'
import { Event, lastingName } from '../../../event/event.ts'
import { parseJson } from '../../../event/json-parse.ts'
import { parseTimestamp } from '../../../event/parse-timestamp.ts'
import type { Timestamp } from '../../../event/timestamp.ts'
import { utf8Json, utf8Text } from '../../../event/utf8-text.ts'
import { type Fields, fieldNames, isFields, putField, readField, type Value } from '../../../event/value.ts'
import type {
  CodecInstance,
  EcsCompatibility,
  Emit,
  Origin,
  PayloadReader,
  PluginLogger,
} from '../../../plugin/define.ts'
import { payloadDecoder } from '../../receiving/payload-events.ts'
import { peerAddress } from '../../receiving/peer-address.ts'
import { rubyText } from '../../ruby-values/text.ts'
import type { Enrichments } from './options.ts'
import { peerMetadata } from './tls.ts'

interface EventSettings {
  readonly codec: CodecInstance
  readonly codecName: string
  readonly ecs: EcsCompatibility
  readonly enrich: Enrichments
  readonly addHostname: boolean
  readonly logger: PluginLogger
  decorate(event: Event): void
}

/** Facts about a connection that go into the metadata of its events. */
export function originOf(socket: Socket, enrich: Enrichments, ecs: EcsCompatibility): Origin {
  const { remoteAddress } = socket
  const tls = enrich.peer ? peerMetadata(socket, ecs) : undefined
  return {
    facts: {
      ip: enrich.source && remoteAddress !== undefined ? peerAddress(remoteAddress) : null,
      tls: tls ?? null,
    },
  }
}

export function compileReader(settings: EventSettings): PayloadReader {
  const { codec, codecName, ecs, enrich, logger, decorate } = settings
  const decode = payloadDecoder(codec)
  const ipPath = ecs === 'disabled' ? ['ip_address'] : ['input', 'beats', 'host', 'ip']
  const codecTag = `beats_input_codec_${codecName}_applied`

  const finish = (event: Event, tag: string): void => {
    if (settings.addHostname && ecs === 'disabled' && event.get('host') === undefined) {
      const name = event.get('[beat][hostname]')
      if (name !== undefined && name !== null) event.set('host', name)
    }
    decorate(event)
    if (enrich.codec) event.tag(tag)
  }

  const complete = (event: Event, fields: Fields, time: Timestamp | undefined, names: string[]): void => {
    if (time !== undefined) event.timestamp = time
    event.raw = null
    for (const name of names) putNamed(event, name, cloneValue(readField(fields, name)!))
    finish(event, codecTag)
  }

  const makeEvents = (fields: Fields, facts: Origin['facts'], emit: Emit, now: Timestamp): void => {
    const { ip, tls } = facts ?? {}
    const metadata = fields['@metadata']
    if (typeof ip === 'string' && isFields(metadata)) putPath(metadata, ipPath, ip)
    if (isFields(tls)) mergeMetadata(fields, tls)
    const text = takeText(fields)
    if (text === undefined) {
      const event = Event.from(fields, now)
      finish(event, 'beats_input_raw_event')
      emit(event)
      return
    }
    const time = readTime(fields, logger)
    const names = fieldNames(fields)
    decode(
      text,
      (event) => {
        complete(event, fields, time, names)
        emit(event)
      },
      now,
    )
  }

  return {
    read(payload, { facts }, emit, time) {
      const fields = readFields(payload, logger)
      const lineage = lineageOf(fields, payload)
      if (lineage === undefined) return makeEvents(fields, facts, emit, time)
      let made = 0
      const named = (event: Event): void => {
        event.lineage = lineage
        event.sequence = made++
        emit(event)
      }
      makeEvents(fields, facts, named, time)
    },
  }
}

/**
 * An event that says where in a file it was read is sent again byte for byte when its acknowledgement was lost, and no
 * other event has the same bytes. Events without a position may be alike and still be two.
 */
function lineageOf(fields: Fields, payload: Uint8Array): string | undefined {
  const log = readField(fields, 'log')
  const isNamed = isFields(log) && typeof log['offset'] === 'number' && isFields(log['file'])
  return isNamed ? lastingName(payload) : undefined
}

/** What is no JSON object becomes an event that holds it. */
function readFields(payload: Uint8Array, logger: PluginLogger): Fields {
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength)
  try {
    const value = parseJson(utf8Json(bytes))
    if (isFields(value)) return value
    logger.warn('An event is not a JSON object')
  } catch (error) {
    logger.warn('An event is not JSON', { message: (error as Error).message })
  }
  return { message: utf8Text(bytes), tags: ['_jsonparsefailure'] }
}

/** The text for the codec, which is taken out of the map. */
function takeText(fields: Fields): string | undefined {
  for (const name of ['message', 'line']) {
    const value = fields[name]
    if (value === undefined) continue
    fields[name] = undefined
    return rubyText(value)
  }
  return undefined
}

function readTime(fields: Fields, logger: PluginLogger): Timestamp | undefined {
  const given = fields['@timestamp']
  if (given === undefined) return undefined
  fields['@timestamp'] = undefined
  if (given === null) return undefined
  const time = typeof given === 'string' ? parseTimestamp(given) : undefined
  if (time === undefined) {
    logger.warn('Unrecognized @timestamp value, setting current time to @timestamp', {
      value: rubyText(given),
    })
  }
  return time
}

/** Names are field references here, as in Logstash, but hardly ever more than a name. */
function putNamed(event: Event, name: string, value: Value): void {
  if (name === '@metadata' || name === 'tags' || name.includes('[')) {
    try {
      event.set(name, value)
    } catch {
      if (name === 'tags') {
        event.data['_tags'] = [value]
        event.set('tags', ['_tagsparsefailure'])
      } else putField(event.data, name, value)
    }
  } else putField(event.data, name, value)
}

function mergeMetadata(fields: Fields, more: Fields): void {
  const known = fields['@metadata']
  const metadata: Fields = isFields(known) ? known : {}
  fields['@metadata'] = metadata
  for (const name of Object.keys(more)) mergeInto(metadata, name, more[name]!)
}

function mergeInto(target: Fields, name: string, value: Value): void {
  const old = readField(target, name)
  if (isFields(old) && isFields(value))
    for (const inner of Object.keys(value)) mergeInto(old, inner, value[inner]!)
  else putField(target, name, cloneValue(value))
}

function putPath(target: Fields, path: readonly string[], value: string): void {
  let fields = target
  for (const name of path.slice(0, -1)) {
    const inner = readField(fields, name)
    if (isFields(inner)) fields = inner
    else {
      const next: Fields = {}
      putField(fields, name, next)
      fields = next
    }
  }
  putField(fields, path[path.length - 1]!, value)
}
