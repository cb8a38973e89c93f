/**
 * LogStash::Event and LogStash::Timestamp as Ruby code sees them.
 */
import { Event } from '../../event/event.ts'
import { parseTimestamp } from '../../event/parse-timestamp.ts'
import { Timestamp } from '../../event/timestamp.ts'
import { float } from '../../event/value.ts'
import { hashArgument, textArgument } from '../arguments.ts'
import { send } from '../dispatch.ts'
import { argumentError, noMethodError, raise, runtimeError, standardError, typeError } from '../errors.ts'
import { hashOf, toEventValue, toFields, toRuby, toRubyWithIdentity } from '../event-values.ts'
import { RubyHash } from '../hash.ts'
import { coercionName, isNumber } from '../number.ts'
import {
  defineMethods,
  defineStatics,
  eventClass,
  logStash,
  newClass,
  type RubyValue,
  timeClass,
  timestampClass,
} from '../ruby-class.ts'
import { RubyTime } from '../time.ts'
import { isText, MutableString, RubySymbol, textOf } from '../values.ts'

newClass('ParserError', standardError, timestampClass)
newClass('Error', standardError, logStash)
newClass('ConfigurationError', standardError, logStash)

const moved = 'Please consult the Logstash 5.0 breaking changes documentation for more details.'

/** Runs an access and gives the errors of events the class they have in Logstash. */
function guarded<T>(access: () => T): T {
  try {
    return access()
  } catch (error) {
    if (error instanceof TypeError) raise(typeError, error.message)
    if (error instanceof RangeError) raise(runtimeError, error.message)
    throw error
  }
}

function reference(value: RubyValue | undefined): string {
  if (value instanceof RubySymbol) return value.name
  return textArgument(value)
}

function setField(event: Event, name: string, value: RubyValue): RubyValue {
  guarded(() => event.set(name, toEventValue(value)))
  // A string that is changed later changes the field too, as long as the field still is that string.
  if (value instanceof MutableString) {
    let known = value.text
    const before = value.onChange
    value.onChange = (text) => {
      before?.(text)
      if (event.get(name) === known) event.set(name, text)
      known = text
    }
  }
  return value
}

function eventOf(value: RubyValue | undefined): Event {
  if (value instanceof Event) return value
  return raise(typeError, `wrong argument type ${coercionName(value ?? null)} (expected LogStash::Event)`)
}

defineStatics(eventClass, {
  'new 0-1': (_, [fields = null]) =>
    guarded(() => Event.from(fields === null ? {} : toFields(hashArgument(fields)))),
})

defineMethods<Event>(eventClass, {
  'get 1': (self, [name]) =>
    guarded(() =>
      name instanceof MutableString ? toRubyWithIdentity(self, name.text) : toRuby(self.get(reference(name))),
    ),
  'set 2': (self, [name, value]) => setField(self, reference(name), value!),
  'remove 1': (self, [name]) => guarded(() => toRuby(self.remove(reference(name)))),
  'include? 1': (self, [name]) => guarded(() => self.include(reference(name))),
  'tag 1': (self, [tag]) => {
    self.tag(reference(tag))
    return null
  },
  cancel: (self) => {
    self.cancel()
    return true
  },
  uncancel: (self) => {
    self.uncancel()
    return false
  },
  'cancelled?': (self) => self.cancelled,
  to_hash: (self) => hashOf(self.data),
  to_hash_with_metadata: (self) => {
    const hash = hashOf(self.data)
    if (self.meta !== null && Object.keys(self.meta).length > 0) hash.put('@metadata', hashOf(self.meta))
    return hash
  },
  'to_json *': (self) => self.toJson(),
  to_s: (self) => self.toString(),
  inspect: (self) => self.toString(),
  'sprintf 1': (self, [template]) =>
    isText(template) ? guarded(() => self.sprintf(textOf(template))) : toSprintf(self, template!),
  timestamp: (self) => self.timestamp ?? null,
  'timestamp= 1': (self, [time]) => {
    setField(self, '@timestamp', time!)
    return time!
  },
  'clone,dup': (self) => self.clone(),
  'overwrite 1': (self, [other]) => {
    self.overwrite(eventOf(other))
    return self
  },
  'append 1': (self, [other]) => {
    self.append(eventOf(other))
    return self
  },
  '[] 1': () =>
    raise(
      noMethodError,
      `Direct event field references (i.e. event['field']) have been disabled in favor of using event get and set methods (e.g. event.get('field')). ${moved}`,
    ),
  '[]= 2': () =>
    raise(
      noMethodError,
      `Direct event field references (i.e. event['field'] = 'value') have been disabled in favor of using event get and set methods (e.g. event.set('field', 'value')). ${moved}`,
    ),
  '==,equal?,eql? 1': (self, [other]) => self === other,
})

function toSprintf(event: Event, template: RubyValue): RubyValue {
  return event.sprintf(textArgument(send(template, 'to_s')))
}

function timestampFrom(value: RubyValue): Timestamp {
  if (value instanceof Timestamp) return value
  if (value instanceof RubyTime && value.kind === 'Time') return value.toTimestamp()
  if (isText(value)) {
    const parsed = parseTimestamp(textOf(value))
    if (parsed === undefined) raise(argumentError, `invalid timestamp string format: ${textOf(value)}`)
    return parsed
  }
  return raise(typeError, `wrong argument type ${coercionName(value)} (expected Time)`)
}

defineStatics(timestampClass, {
  'new 0-1': (_, [value]) => (value === undefined ? Timestamp.now() : timestampFrom(value)),
  now: () => Timestamp.now(),
  'at 1-2': (_, [seconds, micros = 0]) => {
    if (!isNumber(seconds) || !isNumber(micros))
      raise(typeError, `can't convert ${coercionName(seconds!)} into an exact number`)
    return (send(send(timeClass, 'at', [seconds, micros]), 'utc') as RubyTime).toTimestamp()
  },
  'coerce 1': (_, [value]) => (value instanceof RubyHash ? null : timestampFrom(value!)),
  'parse_iso8601 1': (_, [text]) => timestampFrom(textArgument(text)),
})

const asTime =
  (name: string) =>
  (self: Timestamp, args: RubyValue[]): RubyValue =>
    send(RubyTime.of(self), name, args)

defineMethods<Timestamp>(timestampClass, {
  'time,utc,gmtime': (self) => RubyTime.of(self),
  'to_s,to_iso8601,inspect': (self) => self.toString(),
  'to_json *': (self) => JSON.stringify(self.toString()),
  'to_i,tv_sec': (self) => Math.floor(self.millis / 1000),
  to_f: (self) => float(RubyTime.of(self).toDouble()),
  ...Object.fromEntries(
    ['year', 'month', 'day', 'hour', 'min', 'sec', 'usec', 'nsec', 'tv_usec'].map((name) => [
      name,
      asTime(name),
    ]),
  ),
  '+ 1': asTime('+'),
  '- 1': asTime('-'),
  '<=> 1': asTime('<=>'),
  '==,eql? 1': asTime('=='),
  hash: (self) => self.millis,
  to_time: (self) => RubyTime.of(self),
})
