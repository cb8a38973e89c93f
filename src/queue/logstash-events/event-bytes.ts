/**
 * Events as Logstash's `Event#serialize` writes them, in its persisted queue and its dead letter queue: a CBOR map of
 * `DATA` and `META`, in which a value of a class that Java cannot guess is an array of the class's name and the value:
 *   ["java.util.HashMap", {"DATA": ["org.logstash.ConvertedMap", {…}], "META": ["org.logstash.ConvertedMap", {…}]}]
 * Texts are `org.jruby.RubyString`, times `org.logstash.Timestamp` with ISO 8601 text, nil is `org.jruby.RubyNil`;
 * integers, floats and booleans stand for themselves.
 */
import { Event } from '../../event/event.ts'
import { checkNesting } from '../../event/nesting.ts'
import { parseTimestamp } from '../../event/parse-timestamp.ts'
import { Timestamp } from '../../event/timestamp.ts'
import { type Fields, float, integer, isFields, LsFloat, putField, type Value } from '../../event/value.ts'
import { CborReader, cborKind, MalformedCbor, unknownLength } from './cbor-reader.ts'
import { CborWriter } from './cbor-writer.ts'

const className = {
  root: 'java.util.HashMap',
  map: 'org.logstash.ConvertedMap',
  list: 'org.logstash.ConvertedList',
  string: 'org.jruby.RubyString',
  time: 'org.logstash.Timestamp',
  nil: 'org.jruby.RubyNil',
} as const

// ----------------------------------------------------------------------------------------------- writing

export function serializeEvent(event: Event): Buffer {
  const writer = new CborWriter()
  writer.openArray()
  writer.text(className.root)
  writer.openMap()
  writer.text('DATA')
  writeMap(writer, event.data, 0)
  writer.text('META')
  writeMap(writer, event.metaView ?? {}, 0)
  writer.close()
  writer.close()
  return writer.written
}

function writeMap(writer: CborWriter, fields: Fields, depth: number): void {
  checkNesting(depth)
  writer.openArray()
  writer.text(className.map)
  writer.openMap()
  for (const name of Object.keys(fields)) {
    const value = fields[name]
    if (value === undefined) continue
    writer.text(name)
    writeValue(writer, value, depth + 1)
  }
  writer.close()
  writer.close()
}

function writeList(writer: CborWriter, items: readonly Value[], depth: number): void {
  checkNesting(depth)
  writer.openArray()
  writer.text(className.list)
  writer.openArray()
  for (const item of items) writeValue(writer, item, depth + 1)
  writer.close()
  writer.close()
}

function writeValue(writer: CborWriter, value: Value, depth: number): void {
  switch (typeof value) {
    case 'string':
      return writeTyped(writer, className.string, value)
    case 'number':
      return Number.isSafeInteger(value) ? writer.long(BigInt(value)) : writer.double(value)
    case 'boolean':
      return writer.boolean(value)
    case 'bigint':
      return isLong(value) ? writer.long(value) : writer.bigInteger(value)
  }
  if (value === null) {
    writer.openArray()
    writer.text(className.nil)
    writer.null()
    writer.close()
  } else if (Array.isArray(value)) writeList(writer, value, depth)
  else if (value instanceof Timestamp) writeTyped(writer, className.time, value.toString())
  else if (value instanceof LsFloat) writer.double(value.value)
  else writeMap(writer, value, depth)
}

function writeTyped(writer: CborWriter, name: string, text: string): void {
  writer.openArray()
  writer.text(name)
  writer.text(text)
  writer.close()
}

function isLong(value: bigint): boolean {
  return value >= -(2n ** 63n) && value < 2n ** 63n
}

// ----------------------------------------------------------------------------------------------- reading

/** Throws `MalformedCbor` when the bytes are no event. */
export function deserializeEvent(bytes: Uint8Array): Event {
  const reader = new CborReader(bytes)
  const root = readValue(reader, 0)
  if (!reader.isAtEnd) throw new MalformedCbor('there are bytes after the event')
  const data = isFields(root) ? root['DATA'] : undefined
  const meta = isFields(root) ? root['META'] : undefined
  if (!isFields(data)) throw new MalformedCbor('The deserialized Map must contain the "DATA" key')
  if (!isFields(meta)) throw new MalformedCbor('The deserialized Map must contain the "META" key')
  const event = Event.from(data)
  event.meta = Object.keys(meta).length === 0 ? null : meta
  return event
}

/** Any value, with the class that may stand around it taken off. */
function readValue(reader: CborReader, depth: number): Value {
  checkNesting(depth)
  switch (reader.peekKind()) {
    case cborKind.unsigned:
    case cborKind.negative:
      return integer(reader.readInteger())
    case cborKind.text:
      return reader.readText()
    case cborKind.bytes:
      return reader.readBytes().toString('utf8')
    case cborKind.array:
      return readWrapped(reader, depth)
    case cborKind.map:
      return readFields(reader, depth)
    case cborKind.tag:
      return readTagged(reader, depth)
    default: {
      const simple = reader.readSimple()
      return typeof simple === 'number' ? float(simple) : simple
    }
  }
}

/** `[class, value]`: inside of it a list is a list. */
function readWrapped(reader: CborReader, depth: number): Value {
  const length = reader.readLength(cborKind.array)
  if (length !== 2 && length !== unknownLength) throw new MalformedCbor('a list stands without its class')
  const name = reader.readKey()
  const value =
    reader.peekKind() === cborKind.array ? readItems(reader, depth) : readOfClass(reader, name, depth)
  if (length === unknownLength && !reader.takeBreak())
    throw new MalformedCbor(`a value of ${name} does not end where it should`)
  return value
}

function readOfClass(reader: CborReader, name: string, depth: number): Value {
  const value = readValue(reader, depth)
  if (name !== className.time || typeof value !== 'string') return value
  // A time that cannot be read stays the text it is: an event is worth more than one of its fields.
  return parseTimestamp(value) ?? value
}

function readItems(reader: CborReader, depth: number): Value[] {
  const items: Value[] = []
  const length = reader.readLength(cborKind.array)
  if (length === unknownLength) while (!reader.takeBreak()) items.push(readValue(reader, depth + 1))
  else for (let i = 0; i < length; i++) items.push(readValue(reader, depth + 1))
  return items
}

function readFields(reader: CborReader, depth: number): Fields {
  const fields: Fields = {}
  const length = reader.readLength(cborKind.map)
  for (let i = 0; length === unknownLength ? !reader.takeBreak() : i < length; i++) {
    const name = reader.readKey()
    putField(fields, name, readValue(reader, depth + 1))
  }
  return fields
}

function readTagged(reader: CborReader, depth: number): Value {
  const tag = reader.readTag()
  switch (tag) {
    case 2:
      return integer(magnitude(reader.readBytes()))
    case 3:
      return integer(-magnitude(reader.readBytes()))
    case 4:
      return readDecimal(reader)
    case 25:
      return reader.readReference(tag)
    case 256: {
      const outer = reader.openNamespace()
      const value = readValue(reader, depth + 1)
      reader.closeNamespace(outer)
      return value
    }
    default:
      // Other tags only explain the item after them; 55799 says that this is CBOR.
      return readValue(reader, depth + 1)
  }
}

function magnitude(bytes: Buffer): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${bytes.toString('hex')}`)
}

/** `[exponent, digits]` of Java's `BigDecimal`; becomes the nearest float, the only decimal number events have. */
function readDecimal(reader: CborReader): Value {
  if (reader.readLength(cborKind.array) !== 2) throw new MalformedCbor('a decimal number has two parts')
  const exponent = reader.readInteger()
  let digits: bigint
  if (reader.peekKind() === cborKind.tag) {
    const tag = reader.readTag()
    if (tag !== 2 && tag !== 3) throw new MalformedCbor(`the digits of a decimal number have the tag ${tag}`)
    digits = magnitude(reader.readBytes())
    if (tag === 3) digits = -digits
  } else digits = reader.readInteger()
  return float(Number(`${digits}e${exponent}`))
}
