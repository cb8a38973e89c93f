/** What the threads do: a sample, taken when somebody asks for it, as a flame graph per thread and as a table. */
import { useState } from 'preact/hooks'
import { ask } from '../api/ask.ts'
import { WideGrid } from '../parts/grid.tsx'
import { Problem, Waiting } from '../parts/states.tsx'
import { useData } from '../parts/use-data.ts'
import type { FoldedStack } from './flame.ts'
import { FlameGraph } from './flame-graph.tsx'

interface Report {
  readonly hot_threads: {
    readonly time: string
    readonly threads: readonly {
      readonly name: string
      readonly thread_id: number
      readonly percent_of_cpu_time: number
      readonly state: string
      readonly traces: readonly string[]
      readonly ext?: { readonly stacks?: readonly FoldedStack[] }
    }[]
  }
}

export function HotThreads() {
  const [round, setRound] = useState(0)
  const [chosen, setChosen] = useState<number>()
  const report = useData(round === 0 ? undefined : `threads ${round}`, (signal) =>
    ask<Report>(
      '/_node/hot_threads?threads=12&stacktrace_size=60&ignore_idle_threads=false&interval=1s&stacks=true',
      { signal },
    ),
  )
  const threads = report.value?.hot_threads.threads ?? []
  const shown = threads.find(({ thread_id }) => thread_id === chosen) ?? threads[0]
  return (
    <section class="card" aria-label="Hot threads">
      <header>
        <h2 class="grow">Hot threads</h2>
        <button type="button" disabled={round > 0 && report.isLoading} onClick={() => setRound(round + 1)}>
          Take a sample
        </button>
      </header>
      {round === 0 && (
        <p class="body muted">A sample takes a second and says where the time of each thread goes.</p>
      )}
      {report.error !== undefined && (
        <Problem error={report.error} doing="The sample" retry={() => setRound(round + 1)} />
      )}
      {round > 0 && report.value === undefined && report.isLoading && <Waiting what="a sample" />}
      {shown && (
        <>
          <h3 class="body">{shown.name}</h3>
          <FlameGraph
            key={`${round} ${shown.thread_id}`}
            stacks={shown.ext?.stacks ?? []}
            name={shown.name}
          />
          <WideGrid titles={['thread', { number: 'processor' }, 'state', 'where']}>
            {threads.map(({ name, thread_id, percent_of_cpu_time, state, traces }) => (
              <tr key={thread_id} aria-selected={thread_id === shown.thread_id}>
                <td>
                  <button
                    type="button"
                    class="plain small"
                    aria-pressed={thread_id === shown.thread_id}
                    onClick={() => setChosen(thread_id)}
                  >
                    {name}
                  </button>
                </td>
                <td class="num">{percent_of_cpu_time.toFixed(1)} %</td>
                <td>{state}</td>
                <td>
                  {traces.length > 1 ? (
                    <details>
                      <summary class="mono">{traces[0]}</summary>
                      <pre>{traces.slice(1).join('\n')}</pre>
                    </details>
                  ) : (
                    <span class="mono">{traces[0] ?? '–'}</span>
                  )}
                </td>
              </tr>
            ))}
          </WideGrid>
        </>
      )}
    </section>
  )
}
