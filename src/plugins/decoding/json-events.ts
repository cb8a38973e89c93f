/**
 * JSON text to events, for the json and json_lines codecs: an object is an event, a list of objects several,
 * anything else an event that holds the text and the tag `_jsonparsefailure`. An event made of one object
 * keeps the text it came as (`raw`), completed with the members every event gets, so that an output can pass
 * it on without writing it anew.
 */
import { Event } from '../../event/event.ts'
import { mayHaveInexactNumber } from '../../event/json/number-scan.ts'
import { parseJson, parseJsonFast } from '../../event/json-parse.ts'
import { ObjectText } from '../../event/raw-text.ts'
import { TextEvent } from '../../event/text-event.ts'
import type { Timestamp } from '../../event/timestamp.ts'
import { type Fields, isFields, type Value } from '../../event/value.ts'
import type { Compile } from '../../plugin/compile.ts'
import type { Emit } from '../../plugin/define.ts'
import { JsonShapes } from './json-shapes.ts'

interface JsonReading {
  /** Field that takes the parsed object, instead of the event itself. */
  target: string | undefined
  /** Copy the text of a payload that is one event to `[event][original]`. */
  keepOriginal: boolean
  compile: Compile
  onFailure(details: { message: string; exception: string; data: string }): void
}

const maxLoggedLength = 10_000

interface JsonDecoding {
  decode(text: string, emit: Emit, time: Timestamp): void
  preview(records: Uint8Array | undefined): void
}

export function compileJsonDecode(reading: JsonReading): JsonDecoding {
  const { target, keepOriginal, compile, onFailure } = reading
  const setTarget = target === undefined ? undefined : compile.set(target)
  const getOriginal = compile.get('[event][original]')
  const setOriginal = compile.set('[event][original]')

  const create = (value: Value, time: Timestamp): Event => {
    if (!isFields(value))
      throw new TypeError('incompatible json object type, only hash map or arrays are supported')
    if (setTarget === undefined) return Event.from(value, time)
    const event = new Event({ '@timestamp': time, '@version': '1' })
    setTarget(event, value)
    return event
  }

  const addOriginal = (event: Event, text: string): void => {
    if (keepOriginal && getOriginal(event) === undefined) setOriginal(event, text)
  }

  const single = (value: Value, text: string, time: Timestamp): Event => {
    const event =
      setTarget === undefined && isFields(value) ? withText(value, text, time) : create(value, time)
    addOriginal(event, text)
    return event
  }

  let records: Uint8Array | undefined
  let cleared: boolean | undefined = false
  /** Whether the numbers of all records at hand were found harmless, in one look when it is first asked. */
  const isCleared = (): boolean => {
    cleared ??= !mayHaveInexactNumber(records!)
    return cleared
  }
  /** Only events that are their object, and nothing else, can stay text. */
  const shapes = setTarget === undefined && !keepOriginal ? new JsonShapes() : undefined

  const decode = (text: string, emit: Emit, time: Timestamp): void => {
    const origin = shapes?.originOf(text, time)
    if (origin !== undefined) return emit(new TextEvent(text, origin))
    let only: Event | undefined
    let several: Event[] = []
    try {
      const value = isCleared() ? parseJsonFast(text) : parseJson(text)
      if (isFields(value)) shapes?.learn(value, text)
      if (!Array.isArray(value)) only = single(value, text, time)
      else {
        several = value.map((item) => create(item, time))
        if (several.length === 1) addOriginal(several[0]!, text)
      }
    } catch (error) {
      if (text.trim() === '') return
      onFailure({
        message: (error as Error).message,
        exception: 'LogStash::Json::ParserError',
        data: text.length > maxLoggedLength ? `${text.slice(0, maxLoggedLength)}...` : text,
      })
      only = new Event({ '@timestamp': time, '@version': '1', message: text, tags: ['_jsonparsefailure'] })
    }
    if (only !== undefined) emit(only)
    else for (const event of several) emit(event)
  }
  const preview = (given: Uint8Array | undefined): void => {
    records = given
    cleared = given === undefined ? false : undefined
  }
  return { decode, preview }
}

/** An event of an object, with its text where that text may say exactly what the event holds. */
function withText(data: Fields, text: string, now: Timestamp): Event {
  const { '@timestamp': time, '@version': version, '@metadata': metadata, tags } = data
  const event = Event.from(data, now)
  const kept =
    metadata === undefined &&
    data['tags'] === tags &&
    (time === undefined || (typeof time === 'string' && String(data['@timestamp']) === time))
  if (kept)
    event.raw = new ObjectText(
      text,
      membersFor(now, time === undefined, version === undefined),
      (time === undefined ? 1 : 0) + (version === undefined ? 1 : 0),
    )
  return event
}

let knownTime: Timestamp | undefined
let timeMember = ''

/** The members every event has and this object lacked. */
function membersFor(now: Timestamp, addTime: boolean, addVersion: boolean): string {
  if (addTime && now !== knownTime) {
    timeMember = `,"@timestamp":"${now.toString()}"`
    knownTime = now
  }
  return `${addTime ? timeMember : ''}${addVersion ? ',"@version":"1"' : ''}`
}
