/**
 * All hits of a search as a file. Pages of a point in time follow each other by `search_after`, so a document is in the
 * file once, whatever is written meanwhile. The file is put together in the browser, up to a limit that is told.
 */
import { askSearch } from '../api/ask.ts'
import { writeExact } from '../api/exact-json.ts'
import { flatten, type Hit, valueText } from '../parts/documents.ts'
import { queryOf, type SearchContext, sorted } from './request.ts'
import type { SearchState } from './search-state.ts'

export type ExportForm = 'csv' | 'ndjson'

const maxExportBytes = 200 * 1024 * 1024
const pageSize = 1000

interface ExportResult {
  readonly file: Blob
  readonly hits: number
  readonly isCut: boolean
}

export async function exportHits(
  state: SearchState,
  context: SearchContext,
  form: ExportForm,
  columns: readonly string[],
  signal: AbortSignal,
  progress: (hits: number) => void,
): Promise<ExportResult> {
  const { id } = await askSearch<{ id: string }>(`/${encodeURIComponent(state.index)}/_pit?keep_alive=2m`, {
    method: 'POST',
    signal,
  })
  try {
    const parts: string[] = form === 'csv' ? [`${columns.map(csvCell).join(',')}\r\n`] : []
    let after: readonly unknown[] | undefined
    let hits = 0
    let size = 0
    for (;;) {
      const answer = await askSearch<{ hits: { hits: readonly Hit[] } }>('/_search', {
        method: 'POST',
        signal,
        body: {
          pit: { id, keep_alive: '2m' },
          query: queryOf(state, context),
          size: pageSize,
          track_total_hits: false,
          sort: [...((sorted(state, context)['sort'] as unknown[]) ?? []), { _shard_doc: 'asc' }],
          ...(after !== undefined && { search_after: after }),
        },
      })
      const page = answer.hits.hits
      const text = page.map((hit) => (form === 'csv' ? csvLine(hit, columns) : ndjsonLine(hit))).join('')
      parts.push(text)
      size += text.length
      hits += page.length
      progress(hits)
      const isCut = size > maxExportBytes
      if (page.length < pageSize || isCut) {
        const type = form === 'csv' ? 'text/csv' : 'application/x-ndjson'
        return { file: new Blob(parts, { type }), hits, isCut }
      }
      after = page.at(-1)?.sort
    }
  } finally {
    void askSearch('/_pit', { method: 'DELETE', body: { id } }).catch(() => undefined)
  }
}

export function ndjsonLine({ _index, _id, _source }: Hit): string {
  return `${writeExact({ _index, _id, _source }, 0)}\n`
}

export function csvLine(hit: Hit, columns: readonly string[]): string {
  const fields = new Map(flatten(hit._source))
  const own: Readonly<Record<string, string>> = { _id: hit._id, _index: hit._index }
  return `${columns.map((name) => csvCell(Object.hasOwn(own, name) ? own[name]! : valueText(fields.get(name)))).join(',')}\r\n`
}

/** RFC 4180; a text that a spreadsheet would take for a formula gets an apostrophe in front. */
export function csvCell(text: string): string {
  const isFormula = /^[=+\-@\t\r]/.test(text) && !/^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text)
  const safe = isFormula ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
