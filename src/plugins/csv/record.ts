/**
 * The first record of a CSV text, by the rules of Ruby's CSV library: a field is quoted as a whole or not
 * at all, a quote inside is doubled, a quoted field may span lines. An empty field without quotes is null.
 * The line end is whichever comes first in the text: `\r\n`, `\n` or `\r`.
 */

class MalformedCsv extends Error {
  constructor(message: string) {
    super(`${message} in line 1.`)
    this.name = 'CSV::MalformedCSVError'
  }
}

export type CsvRecord = (string | null)[]
/** Undefined for an empty text, which has no record; a blank line is a record without fields. */
type ReadRecord = (text: string) => CsvRecord | undefined

export function compileRecord(separator: string, quote: string): ReadRecord {
  if (separator === '') return refuse(':col_sep must be 1 or more characters: ""')
  if ([...quote].length !== 1) return refuse(':quote_char has to be nil or a single character String')
  return (text) => {
    if (text === '') return undefined
    const line = firstLine(text)
    if (line !== undefined) {
      const firstQuote = line.indexOf(quote)
      if (firstQuote < 0) return plainFields(line, separator)
      if (line === text) return lineFields(line, separator, quote, firstQuote)
    }
    return readFields(text, separator, quote)
  }
}

function refuse(message: string): ReadRecord {
  return () => {
    throw new Error(message)
  }
}

/** The first line, or undefined where another kind of line end follows, which only the full reader judges. */
function firstLine(text: string): string | undefined {
  const lineFeed = text.indexOf('\n')
  const carriageReturn = text.indexOf('\r')
  if (carriageReturn < 0) return lineFeed < 0 ? text : text.slice(0, lineFeed)
  return carriageReturn === lineFeed - 1 ? text.slice(0, carriageReturn) : undefined
}

function plainFields(line: string, separator: string): CsvRecord {
  if (line === '') return []
  const fields: CsvRecord = line.split(separator)
  for (let i = 0; i < fields.length; i++) if (fields[i] === '') fields[i] = null
  return fields
}

/** Splits a text without line ends. */
function lineFields(line: string, separator: string, quote: string, firstQuote: number): CsvRecord {
  const fields: CsvRecord = []
  let nextQuote = firstQuote
  for (let at = 0; ; at += separator.length) {
    if (nextQuote >= 0 && nextQuote < at) nextQuote = line.indexOf(quote, at)
    if (at === nextQuote) {
      const found = quotedField(line, at + quote.length, quote)
      fields.push(found.field)
      at = found.after
      if (at < line.length && !line.startsWith(separator, at))
        throw new MalformedCsv("Any value after quoted field isn't allowed")
    } else {
      const next = line.indexOf(separator, at)
      const end = next < 0 ? line.length : next
      if (nextQuote >= 0 && nextQuote + quote.length <= end) throw new MalformedCsv('Illegal quoting')
      fields.push(at === end ? null : line.slice(at, end))
      at = end
    }
    if (at >= line.length) return fields
  }
}

function rowEnd(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? '\n'
}

function readFields(text: string, separator: string, quote: string): CsvRecord {
  const end = rowEnd(text)
  const fields: CsvRecord = []
  if (text.startsWith(end)) return fields
  let at = 0
  /** Searched for once, not from every field of the line again. */
  let lineEnd = 0
  for (;;) {
    let field: string | null
    if (text.startsWith(quote, at)) {
      const found = quotedField(text, at + quote.length, quote)
      field = found.field
      at = found.after
      if (at < text.length && !text.startsWith(separator, at) && !text.startsWith(end, at))
        throw new MalformedCsv("Any value after quoted field isn't allowed")
    } else {
      const start = at
      if (lineEnd < start || start === 0) lineEnd = placeOf(end, text, start)
      at = Math.min(placeOf(separator, text, start), lineEnd)
      field = at === start ? null : text.slice(start, at)
      if (field?.includes(quote)) throw new MalformedCsv('Illegal quoting')
      if (field !== null && /[\r\n]/.test(field))
        throw new MalformedCsv('Unquoted fields do not allow new line')
    }
    fields.push(field)
    if (at >= text.length || !text.startsWith(separator, at)) return fields
    at += separator.length
  }
}

function quotedField(text: string, start: number, quote: string): { field: string; after: number } {
  let field = ''
  let from = start
  for (;;) {
    const close = text.indexOf(quote, from)
    if (close < 0) throw new MalformedCsv('Unclosed quoted field')
    field += text.slice(from, close)
    from = close + quote.length
    if (!text.startsWith(quote, from)) return { field, after: from }
    field += quote
    from += quote.length
  }
}

/** The end of the text, where it is not in it. */
function placeOf(wanted: string, text: string, from: number): number {
  const place = text.indexOf(wanted, from)
  return place < 0 ? text.length : place
}
