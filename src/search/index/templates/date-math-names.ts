/** Date math in index names, `<logs-{now/d}>`. `{math{format|zone}}`; `\{` and `\}` are plain braces. */
import { parseError } from '../../request/errors.ts'
import type { SearchError } from '../../request/search-error.ts'
import { compileDateFormat } from '../../time/date-format.ts'
import { parseDateMath } from '../../time/date-math.ts'
import { findTimeZone } from '../../time/time-zone.ts'

const standardFormat = 'yyyy.MM.dd'

function isDateMathName(name: string): boolean {
  return name.length > 2 && name.startsWith('<') && name.endsWith('>')
}

/** Returns the name with its date math resolved. */
export function resolveDateMathName(name: string, now: number): string {
  if (!isDateMathName(name)) return name
  const text = name.slice(1, -1)
  let result = ''
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    if (character === '\\' && (text[at + 1] === '{' || text[at + 1] === '}')) result += text[++at]
    else if (character === '}') throw failure(name, 'nothing captured')
    else if (character === '{') {
      const end = closing(text, at)
      if (end < 0) throw failure(name, 'date math placeholder is open ended')
      result += dateOf(text.slice(at + 1, end), name, now)
      at = end
    } else result += character
  }
  if (result === '') throw failure(name, 'nothing captured')
  return result
}

function closing(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    if (text[at] === '{') depth++
    else if (text[at] === '}' && --depth === 0) return at
  }
  return -1
}

function dateOf(placeholder: string, name: string, now: number): string {
  const brace = placeholder.indexOf('{')
  if (brace >= 0 && !placeholder.endsWith('}'))
    throw failure(name, 'missing closing `}` for date math format')
  if (brace === placeholder.length - 2 && brace >= 0) throw failure(name, 'missing date format')
  const math = brace < 0 ? placeholder : placeholder.slice(0, brace)
  const [pattern = standardFormat, zoneName = 'UTC'] =
    brace < 0 ? [] : placeholder.slice(brace + 1, -1).split('|')
  const zone = findTimeZone(zoneName)
  if (zone === undefined) throw failure(name, `unknown time zone [${zoneName}]`)
  const format = compileDateFormat(pattern)
  const instant = parseDateMath(math, { format, now, zone })
  return format.format(instant, zone)
}

function failure(name: string, what: string): SearchError {
  return parseError(`invalid dynamic name expression [${name.slice(1, -1)}]. ${what}`)
}
