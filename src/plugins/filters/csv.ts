/**
 * csv: the first record of a CSV text becomes fields, one per column. Names of columns are given, taken
 * from the first event, or made up; a setter per column is compiled when its name is known.
 */
import type { Setter } from '../../event/accessors.ts'
import type { Event } from '../../event/event.ts'
import { type Fields, putField, type Value } from '../../event/value.ts'
import { defineFilter, option } from '../../plugin/define.ts'
import { columnOptions } from '../csv/column-options.ts'
import { type Convert, conversions, toBoolean } from '../csv/convert.ts'
import { type CsvRecord, compileRecord } from '../csv/record.ts'
import { rubyText } from '../ruby-values/text.ts'
import { isPlainName, nestedReference } from '../values/dynamic-field.ts'
import { noteMissingTarget } from '../values/ecs-target.ts'
import { orThrowWhenUsed } from './mutate/step.ts'

interface Column {
  /** Undefined where the name is more than the name of a field. */
  readonly plainName: string | undefined
  readonly set: Setter
  readonly convert: Convert | undefined
}

/** More columns than any file has: setters beyond are not kept. */
const maxColumns = 20_000
const maxCompiledColumns = 1000

export default defineFilter({
  name: 'csv',
  concurrency: (options) => (remembersNames(options) ? 'shared-state' : 'stateless'),
  oneToOne: (options) => !remembersNames(options),
  summary: 'Makes fields of the columns of a CSV text.',
  description: [
    'Only the first record of the text is read. A column without a name is called `columnN`, counted from 1.',
    'Empty columns are null, quoted empty ones are empty texts. A text that is not well-formed CSV, by a quote',
    'in the middle of a column for instance, is tagged `_csvparsefailure`.',
  ].join('\n'),
  options: {
    source: option.string({ default: 'message', doc: 'The field that holds the CSV text.' }),
    target: option.fieldReference({ doc: 'Field for the columns. Unless given, the event itself.' }),
    columns: option.array({
      default: [],
      doc: 'Names of the columns, from left to right; a name may be a field reference.',
    }),
    separator: option.string({
      default: ',',
      doc: 'Text between columns. Escapes like a backslash and t mean a tab only where `config.support_escapes` is on.',
    }),
    ...columnOptions,
    autodetect_column_names: option.boolean({
      default: false,
      doc: 'Take the names of columns from the first event, which is dropped. The pipeline then runs with one worker.',
    }),
    skip_header: option.boolean({
      default: false,
      doc: 'Drop events that repeat the names of the columns.',
    }),
    skip_empty_columns: option.boolean({ default: false, doc: 'Whether empty columns make no field.' }),
    skip_empty_rows: option.boolean({
      default: false,
      doc: 'Tag events with an empty text `_csvskippedemptyfield` instead of `_csvparsefailure`.',
    }),
    convert: option.hash({
      default: new Map(),
      names: 'keys',
      doc: 'Types of columns: integer, float, date, date_time or boolean. What cannot be converted stays.',
    }),
  },
  examples: [
    {
      title: 'Named columns',
      config:
        'csv { columns => ["name", "age"] convert => { "age" => "integer" } remove_field => ["message"] }',
      in: { message: '"Doe, Jane",42,x' },
      out: { name: 'Doe, Jane', age: 42, column3: 'x' },
    },
    {
      title: 'Header lines dropped, empty columns left out, under a target',
      config:
        'csv { columns => ["a", "b"] skip_header => true skip_empty_columns => true target => "row" remove_field => ["message"] }',
      in: [{ message: 'a,b' }, { message: '1,' }],
      out: [{ row: { a: '1' } }],
    },
    {
      title: 'Not CSV',
      config: 'csv { }',
      in: { message: 'a "quoted" word' },
      out: { message: 'a "quoted" word', tags: ['_csvparsefailure'] },
    },
  ],
  create({ options, compile, logger, ecs, matched }) {
    const { source, target, skip_header, skip_empty_columns, skip_empty_rows } = options
    const { autogenerate_column_names, autodetect_column_names } = options
    const converts = conversionsOf(options.convert)
    const get = compile.get(source)
    const getTarget = target === undefined ? undefined : compile.get(target)
    const setTarget = target === undefined ? undefined : compile.set(target)
    const read = compileRecord(options.separator, options.quote_char)
    let names: readonly (string | null)[] = options.columns.map(rubyText)
    let columns: (Column | undefined)[] = []

    function columnAt(place: number): Column | undefined {
      const name = names[place] ?? (autogenerate_column_names ? `column${place + 1}` : undefined)
      if (name === undefined) return undefined
      const reference = target === undefined ? name : nestedReference(target, name)
      return {
        plainName: isPlainName(name) ? name : undefined,
        set: setterOf(place, reference),
        convert: converts.get(name),
      }
    }

    /** Compiling one takes far longer than using it once: what a single text of many columns makes is not compiled. */
    function setterOf(place: number, reference: string): Setter {
      if (place < maxCompiledColumns) return orThrowWhenUsed(() => compile.set(reference))
      return (event, value) => event.set(reference, value)
    }

    function column(place: number): Column | undefined {
      if (place < columns.length) return columns[place]
      if (place >= maxColumns) return columnAt(place)
      while (columns.length <= place) columns.push(columnAt(columns.length))
      return columns[place]
    }

    function setEach(event: Event, values: CsvRecord): void {
      for (let i = 0; i < values.length; i++) {
        const value = values[i]!
        if (skip_empty_columns && (value === null || value === '')) continue
        const one = column(i)
        if (one !== undefined) one.set(event, converted(value, one))
      }
    }

    /** All columns as the map of a target that is not there yet; undefined if a name makes more than a field. */
    function mapOf(values: CsvRecord): Fields | undefined {
      const map: Fields = {}
      for (let i = 0; i < values.length; i++) {
        const value = values[i]!
        if (skip_empty_columns && (value === null || value === '')) continue
        const one = column(i)
        if (one === undefined) continue
        if (one.plainName === undefined) return undefined
        putField(map, one.plainName, converted(value, one))
      }
      return map
    }

    function setColumns(event: Event, values: CsvRecord): void {
      const isNew = getTarget !== undefined && getTarget(event) === undefined
      const map = isNew ? mapOf(values) : undefined
      if (map === undefined || isEmpty(map)) setEach(event, values)
      else setTarget!(event, map)
    }

    return {
      register: () => noteMissingTarget(ecs, target, logger),
      filter(event) {
        const text = get(event)
        if (text === undefined || text === null || text === false) return false
        try {
          if (typeof text !== 'string') throw new TypeError(`no implicit conversion into String`)
          const values = read(text)
          if (autodetect_column_names && names.length === 0) {
            names = values ?? []
            columns = []
            event.cancel()
            return false
          }
          if (values === undefined) {
            if (!skip_empty_rows) throw new TypeError("undefined method `each_index' for nil:NilClass")
            event.tag('_csvskippedemptyfield')
            return false
          }
          if (skip_header && sameTexts(names, values)) {
            event.cancel()
            return false
          }
          setColumns(event, values)
          // A failure of add_field and the like is tagged too, so they run here and not in the host.
          matched(event)
          return false
        } catch (exception) {
          logger.warn('Error parsing csv', { field: source, source: text, exception })
          event.tag('_csvparsefailure')
          return false
        }
      },
    }
  },
})

function converted(value: string | null, { convert }: Column): Value {
  if (convert === undefined) return value
  // Ruby strips the text before it compares it with true and false.
  if (value === null && convert === toBoolean)
    throw new TypeError("undefined method `strip' for nil:NilClass")
  return value === null ? null : convert(value)
}

function isEmpty(map: Fields): boolean {
  for (const _ in map) return false
  return true
}

/** The first event names the columns of all others. */
function remembersNames(options: { autodetect_column_names: boolean; columns: readonly Value[] }): boolean {
  return options.autodetect_column_names && options.columns.length === 0
}

function conversionsOf(given: ReadonlyMap<string, Value>): ReadonlyMap<string, Convert> {
  const bad = [...given.values()].map(rubyText).filter((type) => !conversions.has(type))
  if (bad.length > 0) throw new Error(`Invalid conversion types: ${[...new Set(bad)].join(', ')}`)
  return new Map([...given].map(([name, type]) => [name, conversions.get(rubyText(type))!]))
}

function sameTexts(left: readonly (string | null)[], right: readonly (string | null)[]): boolean {
  return left.length > 0 && left.length === right.length && left.every((text, i) => text === right[i])
}
