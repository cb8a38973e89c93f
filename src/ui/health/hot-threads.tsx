/** What the threads do: a sample of half a second, taken when somebody asks for it. */
import { useState } from 'preact/hooks'
import { ask } from '../api/ask.ts'
import { Problem, Waiting } from '../parts/states.tsx'
import { useData } from '../parts/use-data.ts'

interface Report {
  readonly hot_threads: {
    readonly time: string
    readonly threads: readonly {
      readonly name: string
      readonly percent_of_cpu_time: number
      readonly state: string
      readonly traces: readonly string[]
    }[]
  }
}

export function HotThreads() {
  const [round, setRound] = useState(0)
  const report = useData(round === 0 ? undefined : `threads ${round}`, (signal) =>
    ask<Report>('/_node/hot_threads?threads=10&stacktrace_size=20&ignore_idle_threads=false', { signal }),
  )
  return (
    <section class="card" aria-label="Hot threads">
      <header>
        <h2 class="grow">Hot threads</h2>
        <button type="button" disabled={round > 0 && report.isLoading} onClick={() => setRound(round + 1)}>
          Take a sample
        </button>
      </header>
      {round === 0 && (
        <p class="body muted">A sample takes half a second and says where the time of each thread goes.</p>
      )}
      {report.error !== undefined && (
        <Problem error={report.error} doing="The sample" retry={() => setRound(round + 1)} />
      )}
      {round > 0 && report.value === undefined && report.isLoading && <Waiting what="a sample" />}
      {report.value && (
        <div class="scroll" tabIndex={0}>
          <table class="grid">
            <thead>
              <tr>
                <th>thread</th>
                <th class="num">processor</th>
                <th>state</th>
                <th>where</th>
              </tr>
            </thead>
            <tbody>
              {report.value.hot_threads.threads.map(({ name, percent_of_cpu_time, state, traces }) => (
                <tr key={name}>
                  <td>{name}</td>
                  <td class="num">{percent_of_cpu_time.toFixed(1)} %</td>
                  <td>{state}</td>
                  <td>
                    <details>
                      <summary class="mono">{traces[0] ?? '–'}</summary>
                      <pre>{traces.slice(1).join('\n')}</pre>
                    </details>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}
