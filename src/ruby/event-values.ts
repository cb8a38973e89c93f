/**
 * Values on their way between events and Ruby code. Lists and maps are copied, as Logstash does: code that changes
 * what it got from an event has to set it again. Strings changed in place do change the event.
 */
import type { Event } from '../event/event.ts'
import { Timestamp } from '../event/timestamp.ts'
import { type Fields, fieldNames, isFields, LsFloat, putField, type Value } from '../event/value.ts'
import { eventText } from './bytes.ts'
import { raise, standardError } from './errors.ts'
import { RubyHash } from './hash.ts'
import { toText } from './inspect.ts'
import { classOf, type RubyClass, type RubyValue } from './ruby-class.ts'
import { RubyTime } from './time.ts'
import { MutableString, RubySymbol } from './values.ts'

export function toRuby(value: Value | undefined): RubyValue {
  if (value === undefined) return null
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(toRuby)
  if (isFields(value)) return hashOf(value)
  return value
}

export function hashOf(fields: Fields): RubyHash {
  const hash = new RubyHash()
  for (const name of fieldNames(fields)) hash.put(name, toRuby(fields[name]))
  return hash
}

/** As `toRuby`, with strings that write back into the event when they are changed. */
export function toRubyWithIdentity(event: Event, reference: string): RubyValue {
  return linked(
    event.get(reference),
    (text) => {
      event.set(reference, text)
    },
    event,
  )
}

function linked(value: Value | undefined, write: (text: string) => void, event: Event): RubyValue {
  if (typeof value === 'string') {
    const text = new MutableString(value)
    text.onChange = (changed) => write(eventText(changed))
    return text
  }
  if (Array.isArray(value)) {
    return value.map((item, i) =>
      linked(
        item,
        (text) => {
          event.raw = null
          value[i] = text
        },
        event,
      ),
    )
  }
  if (value !== undefined && isFields(value)) {
    const hash = new RubyHash()
    for (const name of fieldNames(value)) {
      hash.put(
        name,
        linked(
          value[name],
          (text) => {
            event.raw = null
            putField(value, name, text)
          },
          event,
        ),
      )
    }
    return hash
  }
  return toRuby(value)
}

const maxDepth = 500

/** What objects of classes of the library are in an event. */
export const eventForms = new Map<RubyClass, (value: RubyValue) => Value>()

export function toEventValue(value: RubyValue, depth = 0): Value {
  if (typeof value === 'string') return eventText(value)
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof LsFloat || value instanceof Timestamp) return value
  if (value instanceof MutableString) return eventText(value.text)
  if (value instanceof RubySymbol) return value.name
  if (depth > maxDepth) raise(standardError, 'a value that is nested too deeply or contains itself')
  if (Array.isArray(value)) return value.map((item) => toEventValue(item, depth + 1))
  if (value instanceof RubyHash) return toFields(value, depth)
  if (value instanceof RubyTime && value.kind === 'Time') return value.toTimestamp()
  const form = eventForms.get(classOf(value))
  if (form !== undefined) return form(value)
  const name = javaNames[classOf(value).name] ?? 'RubyObject'
  return raise(
    standardError,
    `Missing Converter handling for full class name=${packageOf(name)}.${name}, simple name=${name}`,
  )
}

export function toFields(hash: RubyHash, depth = 0): Fields {
  const fields: Fields = {}
  for (const [key, item] of hash.pairs()) putField(fields, toText(key), toEventValue(item, depth + 1))
  return fields
}

/** How Logstash calls the classes it cannot put into an event. */
const javaNames: Readonly<Record<string, string>> = {
  Range: 'RubyRange',
  Regexp: 'RubyRegexp',
  MatchData: 'RubyMatchData',
  Proc: 'RubyProc',
  Class: 'RubyClass',
  Module: 'RubyModule',
  DateTime: 'RubyDateTime',
  Date: 'RubyDate',
  Rational: 'RubyRational',
  Set: 'RubySet',
  Enumerator: 'RubyEnumerator',
  'LogStash::Event': 'RubyEvent',
}

function packageOf(name: string): string {
  if (name === 'RubyDateTime' || name === 'RubyDate') return 'org.jruby.ext.date'
  return name === 'RubySet' ? 'org.jruby.ext.set' : 'org.jruby'
}
