/** No hits: says since when there are none in this range, and takes the person there. */
import { askSearch } from '../api/ask.ts'
import { ago } from '../parts/format.ts'
import { Empty } from '../parts/states.tsx'
import { useData } from '../parts/use-data.ts'
import { type SearchContext, spanBody } from './request.ts'
import type { SearchState } from './search-state.ts'
import { allTime, fixedRange, rangeText } from './time-range.ts'

interface NothingFoundProps {
  readonly state: SearchState
  readonly context: SearchContext
  readonly searchId: string
  readonly now: number
  readonly search: (changes: Partial<SearchState>) => void
}

interface Span {
  readonly aggregations?: { readonly last?: { readonly value: number | null } }
}

export function NothingFound({ state, context, searchId, now, search }: NothingFoundProps) {
  const { timeField, bounds } = context
  const isBounded = timeField !== undefined && (bounds.from !== undefined || bounds.to !== undefined)
  const span = useData(isBounded ? `span ${searchId}` : undefined, (signal) =>
    askSearch<Span>(`/${encodeURIComponent(state.index)}/_search?ignore_unavailable=true`, {
      method: 'POST',
      body: spanBody(state, { timeField, bounds: { from: undefined, to: undefined } }),
      signal,
    }),
  )
  const newest = span.value?.aggregations?.last?.value ?? undefined
  const what = state.query !== '' || state.filters.length > 0 ? 'Nothing matches' : 'There is nothing'
  if (!isBounded) return <Empty title={`${what}.`} />
  return (
    <Empty title={`${what} in this range (${rangeText(state.range).toLowerCase()}).`}>
      {newest !== undefined && (
        <div class="line">
          <span>The newest hit is of {ago(newest, now)}.</span>
          <button
            type="button"
            onClick={() => search({ range: fixedRange({ from: newest - 900_000, to: newest }) })}
          >
            Go there
          </button>
          <button type="button" onClick={() => search({ range: allTime })}>
            All time
          </button>
        </div>
      )}
      {newest === undefined && !span.isLoading && <p>Nor is there any at another time.</p>}
    </Empty>
  )
}
