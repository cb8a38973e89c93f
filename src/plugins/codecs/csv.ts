/**
 * The csv codec: a line is an event with a field per column. Names of columns are given, taken from the first
 * line of each stream, or made up.
 */
import { Event } from '../../event/event.ts'
import type { Timestamp } from '../../event/timestamp.ts'
import { fieldNames, type Value } from '../../event/value.ts'
import {
  type CodecInstance,
  defineCodec,
  type Emit,
  option,
  type StreamDecoder,
} from '../../plugin/define.ts'
import { textOf } from '../../plugin/raw-text.ts'
import { columnOptions } from '../csv/column-options.ts'
import { type Convert, conversions } from '../csv/convert.ts'
import { type CsvRecord, compileRecord } from '../csv/record.ts'
import { compileWriteRecord, usualForm } from '../csv/write-record.ts'
import { charsetOption, decodeText } from '../decoding/charset.ts'
import { nestedReference, setDynamic } from '../values/dynamic-field.ts'

type Names = readonly (string | null)[]

export default defineCodec({
  name: 'csv',
  summary: 'Reads lines of comma-separated values, and writes events as such lines.',
  description:
    'Columns without a name are called `columnN`, counted from 1. A line that is not well-formed becomes an event ' +
    'with the text in `message` and the tag `_csvparsefailure`; a blank one becomes nothing.',
  options: {
    charset: charsetOption,
    columns: option.array({ default: [], doc: 'Names of the columns, from left to right.' }),
    separator: option.string({ default: ',', doc: 'Text between columns.' }),
    ...columnOptions,
    autodetect_column_names: option.boolean({
      default: false,
      doc: 'Take the names of columns from the first line of a stream.',
    }),
    skip_empty_columns: option.boolean({ default: false, doc: 'Whether empty columns make no field.' }),
    include_headers: option.boolean({
      default: false,
      doc: 'Whether to write the names of the columns before the first event.',
    }),
    convert: option.hash({
      default: new Map(),
      doc: 'Types of columns: integer, float, date, date_time or boolean. What cannot be converted stays.',
    }),
    target: option.fieldReference({ doc: 'Field for the columns. Unless given, the event itself.' }),
  },
  examples: [
    {
      title: 'Named and converted columns',
      config:
        'csv { columns => ["user", "n"] convert => { "n" => "integer" } ecs_compatibility => "disabled" }',
      decode: {
        text: 'kim,7\n"a, b",x,y\n',
        out: [
          { user: 'kim', n: 7 },
          { user: 'a, b', n: 'x', column3: 'y' },
        ],
      },
    },
    {
      title: 'Names from the first line',
      config: 'csv { autodetect_column_names => true ecs_compatibility => "disabled" }',
      decode: { text: 'a,b\n1,2\n', out: [{ a: '1', b: '2' }] },
    },
    {
      title: 'Writing',
      config: 'csv { columns => ["a", "b"] }',
      encode: { in: { a: 'x, y', b: 1 }, text: '"x, y",1\n' },
    },
  ],
  create({ options, ecs, logger }) {
    const { target, separator, quote_char, skip_empty_columns, autogenerate_column_names } = options
    const given: Names = options.columns.map(textOf)
    const converts = conversionsOf(options.convert)
    const read = compileRecord(separator, quote_char)
    read('a')

    const eventOf = (values: CsvRecord, names: Names, text: string, time: Timestamp): Event => {
      const event = new Event({ '@timestamp': time, '@version': '1' })
      values.forEach((value, index) => {
        if (skip_empty_columns && (value === null || value === '')) return
        const name = names[index] ?? (autogenerate_column_names ? `column${index + 1}` : undefined)
        if (name === undefined) return
        const converted = value === null ? null : (converts.get(name)?.(value) ?? value)
        setDynamic(event, target === undefined ? name : nestedReference(target, name), converted)
      })
      if (ecs !== 'disabled' && !event.include('[event][original]')) event.set('[event][original]', text)
      return event
    }

    /** Reads one line; a first line without names gives them. */
    const decodeLine = (text: string, names: Names, emit: Emit, time: Timestamp): void => {
      let event: Event
      try {
        const values = read(text)
        if (values === undefined || values.length === 0) return
        event = eventOf(values, names, text, time)
      } catch (error) {
        const { message, name } = error as Error
        logger.error('CSV parse failure. Falling back to plain-text', { error: name, message, data: text })
        event = new Event({ '@timestamp': time, '@version': '1', message: text, tags: ['_csvparsefailure'] })
      }
      emit(event)
    }

    const namesOf = (text: string): Names | undefined => {
      try {
        return read(text)
      } catch {
        return undefined
      }
    }

    const detecting = (): StreamDecoder => {
      let names: Names | undefined
      return {
        decode(text, emit, time) {
          if (names === undefined) names = namesOf(text)
          else decodeLine(text, names, emit, time)
        },
        flush() {},
      }
    }

    const instance: CodecInstance = {
      delimiter: Buffer.from('\n'),
      encode: encoderOf(options, given.map(String)),
    }
    if (options.autodetect_column_names && given.length === 0) return { ...instance, decoder: detecting }
    return {
      ...instance,
      ...decodeText(options.charset, (text, emit, time) => decodeLine(text, given, emit, time)),
    }
  },
})

function conversionsOf(asked: ReadonlyMap<string, Value>): ReadonlyMap<string, Convert> {
  return new Map(
    [...asked].map(([column, type]) => {
      const convert = conversions.get(textOf(type))
      if (convert === undefined) throw new Error(`Invalid conversion types: ${textOf(type)}`)
      return [column, convert]
    }),
  )
}

function encoderOf(
  options: { separator: string; quote_char: string; include_headers: boolean },
  columns: readonly string[],
): (event: Event) => string {
  const write = compileWriteRecord({ ...usualForm, separator: options.separator, quote: options.quote_char })
  let withHeader = options.include_headers
  return (event) => {
    const names = columns.length === 0 ? fieldNames(event.data) : columns
    const line = write(
      columns.length === 0 ? names.map((name) => event.data[name]) : names.map((name) => event.get(name)),
    )
    if (!withHeader) return line
    withHeader = false
    return write(names) + line
  }
}
