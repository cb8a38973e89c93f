/** How many hits when: bars to drag over, keys that move the range, and the same figures as a table for screen readers. */
import { askSearch } from '../api/ask.ts'
import Chart from '../parts/chart.tsx'
import { count, duration, moment } from '../parts/format.ts'
import { Problem } from '../parts/states.tsx'
import { useData } from '../parts/use-data.ts'
import { chartBody, type SearchContext, spanBody } from './request.ts'
import type { SearchState } from './search-state.ts'
import { fixedRange, stepOf, type TimeRange } from './time-range.ts'

interface HistogramProps {
  readonly state: SearchState
  readonly context: SearchContext
  readonly searchId: string
  readonly isUtc: boolean
  readonly choose: (range: TimeRange) => void
}

interface Bars {
  readonly times: readonly number[]
  readonly values: readonly number[]
  readonly from: number
  readonly to: number
}

interface ChartAnswer {
  readonly aggregations?: {
    readonly chart?: { readonly buckets: readonly { readonly key: number; readonly doc_count: number }[] }
    readonly first?: { readonly value: number | null }
    readonly last?: { readonly value: number | null }
  }
}

export function Histogram({ state, context, searchId, isUtc, choose }: HistogramProps) {
  const bars = useData(`chart ${searchId}`, (signal) => load(state, context, signal))
  const value = bars.value
  if (bars.error !== undefined) return <Problem error={bars.error} doing="The chart" retry={bars.again} />
  if (value === undefined) return <div class="histogram empty" />
  const shift = (share: number, zoom = 1) => {
    const span = value.to - value.from
    const middle = (value.from + value.to) / 2 + span * share
    choose(
      fixedRange({
        from: Math.round(middle - (span * zoom) / 2),
        to: Math.round(middle + (span * zoom) / 2),
      }),
    )
  }
  const keys: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => shift(-0.5),
    ArrowRight: () => shift(0.5),
    '+': () => shift(0, 0.5),
    '-': () => shift(0, 2),
  }
  const step = stepOf(value.from, value.to)
  return (
    <figure
      class="histogram"
      tabIndex={0}
      aria-label="Hits over time. Arrow keys move the range, plus and minus change its length."
      onKeyDown={(event) => {
        const act = keys[event.key]
        if (act === undefined || event.ctrlKey || event.metaKey) return
        event.preventDefault()
        event.stopPropagation()
        act()
      }}
    >
      <Chart
        kind="bars"
        height={120}
        label="hits"
        isUtc={isUtc}
        times={value.times}
        values={value.values}
        onRange={(from, to) => choose(fixedRange({ from, to }))}
      />
      <figcaption class="muted tiny">one bar is {duration(step)} · drag to choose a range</figcaption>
      <table class="unseen">
        <caption>Hits over time</caption>
        <tbody>
          {value.times.map((time, index) => (
            <tr key={time}>
              <th>{moment(time, isUtc, false)}</th>
              <td>{count(value.values[index])}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}

async function load(state: SearchState, context: SearchContext, signal: AbortSignal): Promise<Bars> {
  const path = `/${encodeURIComponent(state.index)}/_search?ignore_unavailable=true`
  let { from, to } = context.bounds
  if (from === undefined || to === undefined) {
    const { aggregations } = await askSearch<ChartAnswer>(path, {
      method: 'POST',
      body: spanBody(state, context),
      signal,
    })
    from ??= aggregations?.first?.value ?? undefined
    to ??= aggregations?.last?.value ?? undefined
  }
  if (from === undefined || to === undefined) return { times: [], values: [], from: 0, to: 0 }
  const { aggregations } = await askSearch<ChartAnswer>(path, {
    method: 'POST',
    body: chartBody(state, context, from, to),
    signal,
  })
  const buckets = aggregations?.chart?.buckets ?? []
  return { times: buckets.map(({ key }) => key), values: buckets.map(({ doc_count }) => doc_count), from, to }
}
