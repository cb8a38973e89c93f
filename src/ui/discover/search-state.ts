/** What is searched and how it is shown, as it stands in the address. Defaults are left out. */
import { type Filter, readFilters, writeFilters } from './filters.ts'
import { readRange, type TimeRange, writeRange } from './time-range.ts'

export interface SearchState {
  /** Names, aliases, streams and patterns of indices, separated by commas. */
  readonly index: string
  readonly query: string
  readonly syntax: 'lucene' | 'simple'
  readonly range: TimeRange
  readonly filters: readonly Filter[]
  /** Empty: time and message, or time and the whole document. */
  readonly columns: readonly string[]
  /** Columns that stay in sight when the others are scrolled. */
  readonly pinned: readonly string[]
  /** `-@timestamp` is newest first; empty is by time where there is one. */
  readonly sort: readonly string[]
  /** From 1. */
  readonly page: number
  readonly size: number
  /** Lines of a row: 1, 3 or all of them, which is 0. */
  readonly lines: 0 | 1 | 3
  readonly hasChart: boolean
}

export const pageSizes: readonly number[] = [25, 50, 100, 250, 500]

export function readState(parameters: URLSearchParams, preferredSize: number): SearchState {
  const list = (name: string) => (parameters.get(name) ?? '').split(',').filter((part) => part !== '')
  const size = Number(parameters.get('n'))
  const lines = parameters.get('w')
  return {
    index: parameters.get('i') || '*',
    query: parameters.get('q') ?? '',
    syntax: parameters.get('sy') === 'simple' ? 'simple' : 'lucene',
    range: readRange(parameters.get('t')),
    filters: readFilters(parameters.get('f') ?? ''),
    columns: list('c'),
    pinned: list('pin'),
    sort: list('s'),
    page: Math.max(1, Math.min(1e12, Math.trunc(Number(parameters.get('p')) || 1))),
    size: pageSizes.includes(size) ? size : preferredSize,
    lines: lines === '3' ? 3 : lines === '0' ? 0 : 1,
    hasChart: parameters.get('h') !== '0',
  }
}

export function writeState(state: SearchState, preferredSize: number): Record<string, string | undefined> {
  return {
    i: state.index === '*' ? undefined : state.index,
    q: state.query === '' ? undefined : state.query,
    sy: state.syntax === 'simple' ? 'simple' : undefined,
    t: writeRange(state.range),
    f: state.filters.length === 0 ? undefined : writeFilters(state.filters),
    c: state.columns.length === 0 ? undefined : state.columns.join(','),
    pin: state.pinned.length === 0 ? undefined : state.pinned.join(','),
    s: state.sort.length === 0 ? undefined : state.sort.join(','),
    p: state.page === 1 ? undefined : String(state.page),
    n: state.size === preferredSize ? undefined : String(state.size),
    w: state.lines === 1 ? undefined : String(state.lines),
    h: state.hasChart ? undefined : '0',
  }
}

/** What makes another search: the rest only shows it in another way. */
export function searchKey({ index, query, syntax, range, filters }: SearchState): string {
  return JSON.stringify([index, query, syntax, range, writeFilters(filters)])
}
