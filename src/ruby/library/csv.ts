/**
 * CSV: one line or a whole text; `col_sep`, `quote_char`, `headers`, `converters` of numbers.
 */
import { takeOptions, textArgument } from '../arguments.ts'
import { raise, runtimeError } from '../errors.ts'
import { RubyHash } from '../hash.ts'
import { toText } from '../inspect.ts'
import { readFloat, readInteger } from '../number-text.ts'
import {
  arrayClass,
  defineMethods,
  defineStatics,
  newClass,
  type RubyValue,
  stringClass,
} from '../ruby-class.ts'
import { type MutableString, RubySymbol, textOf, truthy } from '../values.ts'

const csv = newClass('CSV')
const malformed = newClass('MalformedCSVError', runtimeError, csv)

interface Dialect {
  separator: string
  quote: string
  numeric: boolean
  headers: boolean
}

const known = [
  'col_sep',
  'quote_char',
  'headers',
  'converters',
  'row_sep',
  'liberal_parsing',
  'skip_blanks',
  'force_quotes',
]

function dialect(options: ReadonlyMap<string, RubyValue>): Dialect {
  for (const name of options.keys()) {
    if (!known.includes(name)) raise(runtimeError, `the CSV option ${name} is not supported`)
  }
  const text = (name: string, fallback: string): string => {
    const value = options.get(name)
    return value === undefined || value === null ? fallback : textArgument(value)
  }
  const converters = options.get('converters')
  return {
    separator: text('col_sep', ','),
    quote: text('quote_char', '"'),
    numeric: converters instanceof RubySymbol && (converters.name === 'numeric' || converters.name === 'all'),
    headers: truthy(options.get('headers') ?? null),
  }
}

/** Rows of cells; a cell without text is nil, `""` is an empty text. */
function read(text: string, { separator, quote, numeric }: Dialect): RubyValue[][] {
  const rows: RubyValue[][] = []
  let row: RubyValue[] = []
  let at = 0
  const bad = (what: string): never => raise(malformed, `${what} in line ${rows.length + 1}.`)
  const add = (cell: string | null): void => {
    row.push(cell === null || !numeric ? cell : (readInteger(cell) ?? readFloat(cell) ?? cell))
  }
  while (at <= text.length) {
    if (text.startsWith(quote, at) && quote !== '') {
      let cell = ''
      at += quote.length
      for (;;) {
        const end = text.indexOf(quote, at)
        if (end < 0) bad('Unclosed quoted field')
        cell += text.slice(at, end)
        at = end + quote.length
        if (!text.startsWith(quote, at)) break
        cell += quote
        at += quote.length
      }
      add(cell)
      if (at < text.length && !text.startsWith(separator, at) && !/^[\r\n]/.test(text.slice(at, at + 1))) {
        bad("Any value after quoted field isn't allowed")
      }
    } else {
      let end = at
      while (
        end < text.length &&
        !text.startsWith(separator, end) &&
        text[end] !== '\n' &&
        text[end] !== '\r'
      )
        end++
      const cell = text.slice(at, end)
      if (quote !== '' && cell.includes(quote)) bad('Illegal quoting')
      const endsText = end >= text.length && cell === '' && row.length === 0
      if (endsText) return rows
      add(cell === '' ? null : cell)
      at = end
    }
    if (at < text.length && text.startsWith(separator, at)) {
      at += separator.length
      continue
    }
    rows.push(row.length === 1 && row[0] === null ? [] : row)
    row = []
    if (at >= text.length) return rows
    at += text.startsWith('\r\n', at) ? 2 : 1
  }
  return rows
}

function line(text: string, options: ReadonlyMap<string, RubyValue>): RubyValue {
  return read(text, dialect(options))[0] ?? null
}

function write(cells: RubyValue[], { separator, quote }: Dialect): string {
  return `${cells
    .map((cell) => {
      if (cell === null) return ''
      const text = toText(cell)
      const needs =
        text === '' || text.includes(separator) || text.includes(quote) || /[\r\n]|^\s|\s$/.test(text)
      return needs ? quote + text.replaceAll(quote, quote + quote) + quote : text
    })
    .join(separator)}\n`
}

function parse(text: string, options: ReadonlyMap<string, RubyValue>): RubyValue {
  const form = dialect(options)
  const rows = read(text, form)
  if (!form.headers) return rows
  const [header = [], ...rest] = rows
  return rest.map((row) => RubyHash.from(header.map((name, i) => [name, row[i] ?? null])))
}

defineStatics(csv, {
  'parse_line 1-2': (_, args) => {
    const given = [...args]
    const options = takeOptions(given)
    return line(textArgument(given[0]), options)
  },
  'parse 1-2': (_, args) => {
    const given = [...args]
    const options = takeOptions(given)
    return parse(textArgument(given[0]), options)
  },
  'generate_line 1-2': (_, args) => {
    const given = [...args]
    const options = takeOptions(given)
    return write(given[0] as RubyValue[], dialect(options))
  },
})
defineMethods<string | MutableString>(stringClass, {
  'parse_csv 0-1': (self, args) => line(textOf(self), takeOptions([...args])),
})
defineMethods<RubyValue[]>(arrayClass, {
  'to_csv 0-1': (self, args) => write(self, dialect(takeOptions([...args]))),
})
