/**
 * The cef codec: messages of the Common Event Format become events with a field per key, under the full names
 * of the keys or those of the Elastic Common Schema; events are written as such messages.
 */
import { Event } from '../../event/event.ts'
import { writeJson } from '../../event/json-write.ts'
import { valueText } from '../../event/sprintf.ts'
import { Timestamp } from '../../event/timestamp.ts'
import { isFields, type Value } from '../../event/value.ts'
import { type CodecInstance, defineCodec, type Emit, option, withoutEffect } from '../../plugin/define.ts'
import type { Zone } from '../../time/zone.ts'
import { charsetOption, decodeText } from '../decoding/charset.ts'
import { type CefField, cefDictionary } from './cef/dictionary.ts'
import { escapeHeader, escapeValue, readCefMessage } from './cef/message.ts'
import { defaultZone, readCefTime, zoneNamed } from './cef/time.ts'

const maxLoggedLength = 10_000

export default defineCodec({
  name: 'cef',
  summary: 'Reads and writes the Common Event Format (CEF).',
  description:
    'Without a `delimiter` each payload is one message. A message that cannot be read becomes an event with the ' +
    'text in `message` and the tag `_cefparsefailure`.',
  options: {
    charset: charsetOption,
    delimiter: option.string({
      doc: 'What ends a message, read or written; `\\r` and `\\n` stand for those characters.',
    }),
    device: option.oneOf(['observer', 'host'], {
      default: 'observer',
      doc: 'In ECS mode: whether the device is an observer or the host itself.',
    }),
    default_timezone: option.string({
      doc: 'In ECS mode: zone of times that have none, in messages without `dtz`: an offset (`+02:00`) or a name; that of the computer unless given.',
    }),
    locale: option.string(withoutEffect('months are read by their English names.')),
    raw_data_field: option.fieldReference({ doc: 'Field that keeps the message as it came.' }),
    vendor: option.string({ default: 'Elasticsearch', doc: 'Vendor to write; may contain `%{…}`.' }),
    product: option.string({ default: 'Logstash', doc: 'Product to write; may contain `%{…}`.' }),
    version: option.string({ default: '1.0', doc: 'Product version to write; may contain `%{…}`.' }),
    signature: option.string({ default: 'Logstash', doc: 'Event class to write; may contain `%{…}`.' }),
    name: option.string({ default: 'Logstash', doc: 'Name to write; may contain `%{…}`.' }),
    severity: option.string({
      default: '6',
      doc: 'Severity to write, 0 to 10; may contain `%{…}`, and what is no severity becomes 6.',
    }),
    fields: option.array({ default: [], doc: 'Fields to write into the extension.' }),
    reverse_mapping: option.boolean({
      default: false,
      doc: 'Whether to write the short keys of CEF for fields with the full names.',
    }),
  },
  examples: [
    {
      title: 'A message',
      config: 'cef { ecs_compatibility => "disabled" }',
      decode: {
        text: 'CEF:0|Acme|Wall|1.0|100|Blocked|5|src=10.0.0.1 msg=two words',
        out: [
          {
            cefVersion: '0',
            deviceVendor: 'Acme',
            deviceProduct: 'Wall',
            deviceVersion: '1.0',
            deviceEventClassId: '100',
            name: 'Blocked',
            severity: '5',
            sourceAddress: '10.0.0.1',
            message: 'two words',
          },
        ],
      },
    },
    {
      title: 'Written with some fields',
      config: 'cef { vendor => "Acme" fields => ["user"] }',
      encode: { in: { user: 'a=b' }, text: 'CEF:0|Acme|Logstash|1.0|Logstash|Logstash|6|user=a\\=b' },
    },
  ],
  create({ options, ecs, compile, logger }) {
    const dictionary = cefDictionary(ecs, options.device)
    const keep = options.raw_data_field === undefined ? undefined : compile.set(options.raw_data_field)
    const setters = new Map<CefField, (event: Event, value: Value) => void>()
    const setterOf = (field: CefField) => {
      let set = setters.get(field)
      if (set === undefined) setters.set(field, (set = compile.set(field.reference)))
      return set
    }

    const usualZone = defaultZone(options.default_timezone)

    const put = (event: Event, field: CefField, text: string, time: Timestamp, zone: Zone): void => {
      if (field.kind === 'text') {
        setterOf(field)(event, text)
        return
      }
      const found = readCefTime(text, zone, time)
      if (found === undefined) throw new Error(`failed to read the time ${text}`)
      setterOf(field)(event, found)
    }

    const read = (text: string, time: Timestamp): Event => {
      const { syslog, header, extension } = readCefMessage(text)
      const event = new Event({ '@timestamp': time, '@version': '1' })
      const device = extension.find(([key]) => key === 'dtz' || key === 'deviceTimeZone')?.[1]
      const zone = (device === undefined ? undefined : zoneNamed(device)) ?? usualZone
      dictionary.header.forEach((field, index) => {
        const value = index < header.length ? header[index] : syslog
        if (value !== undefined) put(event, field, value, time, zone)
      })
      for (const [key, value] of extension) {
        const field = dictionary.extensions.get(key)
        if (field !== undefined) put(event, field, value, time, zone)
        else event.set(referenceOf(key), value)
      }
      return event
    }

    const decode = (text: string, emit: Emit, time: Timestamp): void => {
      if (text.trim() === '') return
      let event: Event
      try {
        event = read(text.replace(/\r?\n$/, ''), time)
      } catch (error) {
        logger.error(
          'Failed to decode CEF payload. Generating failure event with payload in message field.',
          {
            exception: (error as Error).name,
            message: (error as Error).message,
            original_data: text.slice(0, maxLoggedLength),
          },
        )
        event = new Event({ '@timestamp': time, '@version': '1', message: text, tags: ['_cefparsefailure'] })
      }
      keep?.(event, text)
      emit(event)
    }

    const delimiter = options.delimiter?.replaceAll('\\r', '\r').replaceAll('\\n', '\n')
    const encode = encoderOf(options, dictionary.extensions, compile.template)
    const instance: CodecInstance = {
      ...decodeText(options.charset, decode),
      encode: (event) => encode(event) + (delimiter ?? ''),
    }
    return delimiter === undefined ? instance : { ...instance, delimiter: Buffer.from(delimiter) }
  },
})

/** `a[0]` and `a.b[1]` name members of a field; any other key is a field by that name. */
function referenceOf(key: string): string {
  const found = /^([^[\]]+)((?:\[[^[\]]+\])+)$/.exec(key)
  return found === null ? `[${key.replace(/[[\]]/g, '')}]` : `[${found[1]}]${found[2]}`
}

interface Writing {
  readonly vendor: string
  readonly product: string
  readonly version: string
  readonly signature: string
  readonly name: string
  readonly severity: string
  readonly fields: readonly Value[]
  readonly reverse_mapping: boolean
}

function encoderOf(
  options: Writing,
  extensions: ReadonlyMap<string, CefField>,
  template: (text: string) => (event: Event) => string,
): (event: Event) => string {
  const { vendor, product, version, signature, name } = options
  const header = [vendor, product, version, signature, name].map(template)
  const severity = template(options.severity)
  const fields = options.fields.map(valueText)
  const keys = new Map([...extensions].map(([, field]) => [field.reference, field.key]))
  const keyOf = (reference: string) =>
    (options.reverse_mapping ? keys.get(reference) : undefined) ?? reference.replace(/[^a-zA-Z0-9]/g, '')
  return (event) => {
    const pairs = fields.flatMap((reference) => {
      const value = event.get(reference)
      return value === undefined || value === null ? [] : [`${keyOf(reference)}=${escapeValue(shown(value))}`]
    })
    const head = header.map((part) => escapeHeader(part(event)))
    return `CEF:0|${head.join('|')}|${severityOf(severity(event))}|${pairs.join(' ')}`
  }
}

function severityOf(text: string): string {
  return /^(?:\d|10)$/.test(text.trim()) ? text.trim() : '6'
}

function shown(value: Value): string {
  if (value instanceof Timestamp) return value.toString()
  return Array.isArray(value) || isFields(value) ? writeJson(value) : valueText(value)
}
