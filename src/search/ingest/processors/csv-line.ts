/** One line of CSV, field by field. White space around quoted fields is skipped. */
import { illegalArgument } from '../../request/errors.ts'

interface CsvNotation {
  readonly quote: string
  readonly separator: string
  /** White space around unquoted fields does not belong to them. */
  readonly trim: boolean
}

/**
 * Calls `take` for each field, `max` at most. A line that ends with a separator has no field behind it, as
 * OpenSearch reads it.
 */
export function parseCsv(
  line: string,
  { quote, separator, trim }: CsvNotation,
  max: number,
  take: (number: number, value: string) => void,
): void {
  const isBlank = (at: number) => line[at] === ' ' || line[at] === '\t'
  let number = 0
  let at = 0
  while (at < line.length && number < max) {
    let start = at
    while (isBlank(at)) at++
    if (line[at] === quote) {
      const { value, end } = quoted(line, at + 1, quote)
      take(number++, value)
      at = end
      while (isBlank(at)) at++
      if (at < line.length && line[at] !== separator)
        throw illegalArgument(`character '${line[at]}' after quoted field at ${at}`)
      at++
      continue
    }
    if (trim) start = at
    // Blanks alone are no field unless a separator ends them.
    if (at >= line.length) return
    while (at < line.length && line[at] !== separator) {
      const sign = line[at]!
      if (sign === quote || sign === '\n' || sign === '\r')
        throw illegalArgument(`Illegal character inside unquoted field at ${at}`)
      at++
    }
    let end = at
    // The last field keeps its blanks.
    if (trim && at < line.length) while (end > start && isBlank(end - 1)) end--
    take(number++, line.slice(start, end))
    at++
  }
}

/** A doubled quote stands for one. */
function quoted(line: string, start: number, quote: string): { value: string; end: number } {
  let value = ''
  for (let at = start; ; ) {
    const end = line.indexOf(quote, at)
    if (end < 0) throw illegalArgument('Unmatched quote')
    value += line.slice(at, end)
    if (line[end + 1] !== quote) return { value, end: end + 1 }
    value += quote
    at = end + 2
  }
}
