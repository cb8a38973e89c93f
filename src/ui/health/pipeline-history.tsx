/** Reloads of a pipeline with the frames of their errors, and the pages of its queue: asked for when they are opened. */
import { ask } from '../api/ask.ts'
import { reloaded } from '../api/live.ts'
import { bytes, count } from '../parts/format.ts'
import { Grid } from '../parts/grid.tsx'
import { Problem, Waiting } from '../parts/states.tsx'
import { useData } from '../parts/use-data.ts'

interface Reload {
  readonly timestamp: string
  readonly success: boolean
  readonly message?: string
  readonly explanation?: string
}

export function ReloadHistory({ pipeline }: { pipeline: string }) {
  const history = useData(`${pipeline} ${reloaded.value}`, (signal) =>
    ask<{ reloads: readonly Reload[] }>(`/_node/pipelines/${encodeURIComponent(pipeline)}/_reloads`, {
      signal,
    }),
  )
  if (history.error !== undefined)
    return <Problem error={history.error} doing="Reading the reloads" retry={history.again} />
  if (history.value === undefined) return <Waiting what="reloads" />
  if (history.value.reloads.length === 0)
    return <p class="muted">It was not loaded again since it was started.</p>
  return (
    <ol class="stack reload-history" aria-label={`Reloads of ${pipeline}`}>
      {history.value.reloads.map(({ timestamp, success, message, explanation }, index) => (
        <li key={`${timestamp} ${index}`}>
          <div class="line">
            <span class={`tag ${success ? 'ok' : 'bad'}`}>{success ? 'worked' : 'failed'}</span>
            <span class="mono">{timestamp}</span>
          </div>
          {!success && <pre class="frame">{explanation ?? message}</pre>}
        </li>
      ))}
    </ol>
  )
}

interface QueueAnswer {
  readonly queue: {
    readonly type: string
    readonly path?: string
    readonly page_capacity_in_bytes?: number
    readonly pages: readonly {
      readonly page: number
      readonly size_in_bytes: number
      readonly first_event: number | null
      readonly unacknowledged_events: number | null
    }[]
  }
}

export function QueuePages({ pipeline }: { pipeline: string }) {
  const answer = useData(
    pipeline,
    (signal) => ask<QueueAnswer>(`/_node/pipelines/${encodeURIComponent(pipeline)}/_queue`, { signal }),
    { every: 5000 },
  )
  if (answer.error !== undefined)
    return <Problem error={answer.error} doing="Reading the queue" retry={answer.again} />
  if (answer.value === undefined) return <Waiting what="pages" />
  const { path, pages, page_capacity_in_bytes } = answer.value.queue
  return (
    <>
      <p class="muted">
        <code>{path}</code> · pages of {bytes(page_capacity_in_bytes)}
      </p>
      <Grid
        titles={[
          { number: 'page' },
          { number: 'size' },
          { number: 'first event' },
          { number: 'not acknowledged' },
        ]}
        class="grid queue-pages"
      >
        {pages.map((page, index) => (
          <tr key={page.page}>
            <td class="num">{count(page.page)}</td>
            <td class="num">{bytes(page.size_in_bytes)}</td>
            <td class="num">{page.first_event === null ? 'damaged' : count(page.first_event)}</td>
            <td class="num">
              {index === pages.length - 1 ? 'being written' : count(page.unacknowledged_events ?? undefined)}
            </td>
          </tr>
        ))}
      </Grid>
    </>
  )
}
