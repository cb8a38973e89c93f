/**
 * Formats `_cat` tables: columns padded to the widest cell and separated by one space, numbers right-aligned;
 * `v` adds a header, `h` selects columns, `s` sorts, `help` describes them, and `format` selects JSON or
 * YAML.
 */

import { duration } from '../../../http/human.ts'
import { illegalArgument } from '../../../search/request/errors.ts'
import { SearchError } from '../../../search/request/search-error.ts'
import { simpleMatch } from '../../../search/request/simple-match.ts'
import { millisPerUnit } from '../../../search/request/units/duration-units.ts'
import type { Call } from '../call.ts'
import { type Answer, type Handle, type Route, route } from '../route.ts'
import { unrecognized } from '../unknown-parameters.ts'

export interface Column {
  readonly name: string
  readonly aliases?: readonly string[]
  readonly doc: string
  readonly right?: boolean
  /** Shown only on request. */
  readonly hidden?: boolean
}

/** Sizes and times are wrapped numbers; null is an empty cell. */
export type Cell = string | number | Bytes | Millis | null

export class Bytes {
  readonly bytes: number
  constructor(bytes: number) {
    this.bytes = bytes
  }
}

export class Millis {
  readonly millis: number
  constructor(millis: number) {
    this.millis = millis
  }
}

export function column(name: string, doc: string, traits: Partial<Column> = {}): Column {
  return { name, doc, ...traits }
}

export const tableParameters =
  'format h help s v local master_timeout cluster_manager_timeout bytes time ts size'

/**
 * The route of a table whose path may name what it lists. Elasticsearch and OpenSearch answer `help` before they read
 * the path, and refuse the part of it that is left over.
 */
export function narrowedTable(paths: string, parameters: string, handle: Handle): Route {
  return route('GET', paths, `${tableParameters} ${parameters}`, (call) => {
    const unread = Object.keys(call.parts)
    if (unread.length > 0 && call.flag('help'))
      throw illegalArgument(unrecognized(call.path, 'parameter', unread, []))
    return handle(call)
  })
}

interface Shown {
  readonly label: string
  readonly index: number
  readonly right: boolean
}

export function table(call: Call, columns: readonly Column[], rows: readonly (readonly Cell[])[]): Answer {
  if (call.flag('help')) return { text: help(columns) }
  const shown = shownColumns(call, columns)
  const sorted = sort(call, columns, rows)
  const texts = sorted.map((row) => shown.map(({ index }) => cellText(call, row[index] ?? null)))
  const format = call.text('format')
  const accept = call.headers.accept ?? ''
  const wantsJson =
    format === undefined ? /json|yaml/.test(accept) && !accept.includes('text/plain') : format !== 'text'
  if (wantsJson) {
    const nulled = sorted.map((row) => shown.map(({ index }) => row[index] ?? null))
    const body = texts.map((cells, position) =>
      Object.fromEntries(
        cells.map((cell, at) => [shown[at]!.label, nulled[position]![at] === null ? null : cell]),
      ),
    )
    return { body }
  }
  return { text: layOut(shown, texts, call.flag('v')) }
}

function layOut(shown: readonly Shown[], rows: readonly (readonly string[])[], withHeader: boolean): string {
  const lines = withHeader ? [shown.map(({ label }) => label), ...rows] : rows
  const widths = shown.map((_, at) => Math.max(0, ...lines.map((line) => line[at]!.length)))
  return lines
    .map((line) => {
      const cells = line.map((cell, at) => {
        if (shown[at]!.right) return cell.padStart(widths[at]!)
        return at === line.length - 1 ? cell : cell.padEnd(widths[at]!)
      })
      return `${cells.join(' ')}\n`
    })
    .join('')
}

function help(columns: readonly Column[]): string {
  const rows = columns.map(({ name, aliases = [], doc }) => [name, aliases.join(','), doc])
  const widths = [0, 1, 2].map((at) => Math.max(...rows.map((row) => row[at]!.length)))
  return rows.map((row) => `${row.map((cell, at) => cell.padEnd(widths[at]!)).join(' | ')}\n`).join('')
}

function shownColumns(call: Call, columns: readonly Column[]): Shown[] {
  const asked = call.list('h')
  if (asked.length === 0)
    return columns.flatMap(({ name, hidden = false, right = false }, index) =>
      hidden ? [] : [{ label: name, index, right }],
    )
  const seen = new Set<string>()
  return asked.flatMap((text) => {
    const isPattern = text.includes('*')
    return columns.flatMap(({ name, aliases = [], right = false }, index) => {
      if (isPattern) {
        if (!simpleMatch(text, name) || seen.has(name)) return []
        seen.add(name)
        return [{ label: name, index, right }]
      }
      if (name !== text && !aliases.includes(text)) return []
      return [{ label: text, index, right }]
    })
  })
}

function sort(
  call: Call,
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
): readonly (readonly Cell[])[] {
  const orders = call.list('s').map((text) => {
    const [key = '', direction] = text.split(/:(?=(?:asc|desc)$)/)
    const index = columns.findIndex(({ name, aliases = [] }) => name === key || aliases.includes(key))
    if (index < 0)
      throw new SearchError(
        'unsupported_operation_exception',
        `Unable to sort by unknown sort key \`${key}\``,
        {
          status: 500,
        },
      )
    return { index, sign: direction === 'desc' ? -1 : 1 }
  })
  if (orders.length === 0) return rows
  return [...rows].sort((a, b) => {
    for (const { index, sign } of orders) {
      const order = compare(a[index] ?? null, b[index] ?? null)
      if (order !== 0) return order * sign
    }
    return 0
  })
}

function plain(cell: Cell): string | number | null {
  return cell instanceof Bytes ? cell.bytes : cell instanceof Millis ? cell.millis : cell
}

function compare(one: Cell, other: Cell): number {
  const a = plain(one)
  const b = plain(other)
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1
  return a < b ? -1 : a > b ? 1 : 0
}

const byteUnits = ['b', 'k', 'm', 'g', 't', 'p']

function cellText(call: Call, cell: Cell): string {
  if (cell === null) return ''
  if (cell instanceof Bytes) return bytesText(cell.bytes, call.text('bytes'))
  if (cell instanceof Millis) return timeText(cell.millis, call.text('time'))
  return String(cell)
}

function bytesText(bytes: number, unit: string | undefined): string {
  if (unit === undefined) return readableBytes(bytes)
  const at = byteUnits.indexOf(unit.replace(/b$/, '') || 'b')
  if (at < 0) throw illegalArgument(`unknown unit [${unit}]`)
  return String(Math.floor(bytes / 1024 ** at))
}

/** `208b`, `3.4kb`: one decimal, none when it is zero. */
function readableBytes(bytes: number): string {
  let unit = 0
  let scaled = bytes
  while (scaled >= 1024 && unit < byteUnits.length - 1) {
    scaled /= 1024
    unit += 1
  }
  const text = unit === 0 ? String(bytes) : String(Math.round(scaled * 10) / 10)
  return `${text}${unit === 0 ? '' : byteUnits[unit]}b`
}

function timeText(millis: number, unit: string | undefined): string {
  if (unit === undefined) return duration(millis, 1e6)
  const size = millisPerUnit.get(unit)
  if (size === undefined) throw illegalArgument(`unknown unit [${unit}]`)
  return String(Math.floor(millis / size))
}
