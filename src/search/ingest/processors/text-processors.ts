/** Processors that change a text, or each text of a list: lowercase, trim, gsub, bytes, urldecode, html_strip. */
import { replaceMatches } from '../../analysis/char-filters/char-filters.ts'
import { htmlStrip } from '../../analysis/char-filters/html-strip.ts'
import { OffsetMap } from '../../analysis/char-filters/offset-map.ts'
import { illegalArgument, numberFormat, parseError } from '../../request/errors.ts'
import { SearchError } from '../../request/search-error.ts'
import { parseBytes } from '../../request/units/units.ts'
import { classOf, valueText } from '../ingest-document.ts'
import { compilePattern } from '../java-pattern.ts'
import type { IngestContext, Process, ProcessorFactory } from '../processor.ts'
import type { ProcessorConfig } from '../processor-config.ts'

type Change = (text: string) => unknown

/** `make` reads further properties. */
function textProcessor(make: (config: ProcessorConfig, context: IngestContext) => Change): ProcessorFactory {
  return (config, context): Process => {
    const field = config.text('field')
    const ignoreMissing = config.flag('ignore_missing')
    const target = config.text('target_field', field)
    const change = make(config, context)
    return (document) => {
      const value = document.get(field, 'any', ignoreMissing)
      if (value === null) {
        if (ignoreMissing) return true
        throw illegalArgument(`field [${field}] is null, cannot process it.`)
      }
      const next = changed(value, field, change)
      for (const text of Array.isArray(next) ? next : [next])
        document.budget.makes(typeof text === 'string' ? text.length : 0)
      document.set(target, next)
      return true
    }
  }
}

function changed(value: unknown, field: string, change: Change): unknown {
  if (typeof value === 'string') return change(value)
  if (!Array.isArray(value))
    throw illegalArgument(`field [${field}] of type [${classOf(value)}] cannot be cast to [java.lang.String]`)
  return value.map((item: unknown) => {
    if (typeof item === 'string') return change(item)
    throw illegalArgument(
      `value [${valueText(item)}] of type [${classOf(item)}] in list field [${field}] cannot be cast to [java.lang.String]`,
    )
  })
}

/** Java's `trim`: everything up to the space. */
function trimmed(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && text.charCodeAt(start) <= 32) start++
  while (end > start && text.charCodeAt(end - 1) <= 32) end--
  return text.slice(start, end)
}

function bytesOf(text: string): number {
  try {
    const fraction = /^(\d*\.\d+)\s*[kmgtp]?b$/.exec(text.trim().toLowerCase())?.[1]
    if (fraction !== undefined)
      throw parseError(
        `Failed to parse bytes value [${text}]. Fractional bytes values have been deprecated since Legacy 6.2. Use non-fractional bytes values instead: found for setting [Ingest Field]`,
        numberFormat(fraction),
      )
    return parseBytes(text, 'Ingest Field')
  } catch (error) {
    if (!(error instanceof SearchError)) throw error
    throw parseError(error.message, error.causedBy)
  }
}

/** Java's URLDecoder: bytes of UTF-8 by `%`, and a plus sign for a space. */
function urlDecoded(text: string): string {
  if (!/[%+]/.test(text)) return text
  const parts: Buffer[] = []
  let plain = ''
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]!
    if (sign !== '%') {
      plain += sign === '+' ? ' ' : sign
      continue
    }
    const digits = text.slice(at + 1, at + 3)
    if (digits.length < 2) throw illegalArgument('URLDecoder: Incomplete trailing escape (%) pattern')
    const wrong = /[^0-9a-fA-F]/.exec(digits)?.[0]
    if (wrong !== undefined)
      throw illegalArgument(
        `URLDecoder: Illegal hex characters in escape (%) pattern - not a hexadecimal digit: "${wrong}" = ${wrong.charCodeAt(0)}`,
      )
    if (plain !== '') parts.push(Buffer.from(plain))
    plain = ''
    parts.push(Buffer.from([Number.parseInt(digits, 16)]))
    at += 2
  }
  return Buffer.concat([...parts, Buffer.from(plain)]).toString('utf8')
}

export const textProcessors: Readonly<Record<string, ProcessorFactory>> = {
  lowercase: textProcessor(() => (text) => text.toLowerCase()),
  uppercase: textProcessor(() => (text) => text.toUpperCase()),
  trim: textProcessor(() => trimmed),
  bytes: textProcessor(() => bytesOf),
  urldecode: textProcessor(() => urlDecoded),
  html_strip: textProcessor(() => {
    const filter = htmlStrip([])
    return (text) => filter.apply(text, new OffsetMap())
  }),
  gsub: textProcessor((config, { tools }) => {
    const source = config.text('pattern')
    const replacement = config.text('replacement')
    const pattern = compilePattern(tools, source, (reason) =>
      config.error('pattern', `Invalid regex pattern. ${reason}`),
    )
    return (text) => {
      try {
        return replaceMatches(text, pattern, replacement)
      } catch (error) {
        if (!(error instanceof Error) || !error.message.startsWith('No group')) throw error
        throw new SearchError('index_out_of_bounds_exception', error.message)
      }
    }
  }),
}
