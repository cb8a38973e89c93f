/**
 * One record as CSV text, quoted as Ruby's CSV library does: only fields that need it, empty texts always,
 * absent ones never.
 */

import { writeJson } from '../../event/json-write.ts'
import { valueText } from '../../event/sprintf.ts'
import { Timestamp } from '../../event/timestamp.ts'
import { isFields, type Value } from '../../event/value.ts'

interface CsvForm {
  readonly separator: string
  readonly quote: string
  readonly rowEnd: string
  readonly forceQuotes: boolean
}

export const usualForm: CsvForm = { separator: ',', quote: '"', rowEnd: '\n', forceQuotes: false }

export function compileWriteRecord({ separator, quote, rowEnd, forceQuotes }: CsvForm) {
  const needsQuotes = (text: string) =>
    forceQuotes ||
    text === '' ||
    /^[ \t]|[\r\n]/.test(text) ||
    text.includes(separator) ||
    text.includes(quote)
  const fieldText = (value: Value | undefined): string => {
    if (value === undefined || value === null) return forceQuotes ? quote + quote : ''
    const text = cellText(value)
    return needsQuotes(text) ? quote + text.replaceAll(quote, quote + quote) + quote : text
  }
  return (values: readonly (Value | undefined)[]): string => values.map(fieldText).join(separator) + rowEnd
}

/** A value as it stands in a cell: maps and lists as JSON. */
export function cellText(value: Value): string {
  if (typeof value === 'string') return value
  if (value instanceof Timestamp) return value.toString()
  return Array.isArray(value) || isFields(value) ? writeJson(value) : valueText(value)
}
