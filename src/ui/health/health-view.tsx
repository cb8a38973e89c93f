/** How the node is: its report, queues and dead letters, reloads, memory, and what its threads do right now. */
import type { ComponentType } from 'preact'
import { useState } from 'preact/hooks'
import { ask } from '../api/ask.ts'
import { latest } from '../api/live.ts'
import { ChangeButton } from '../parts/change-button.tsx'
import { say } from '../parts/copy.ts'
import { bytes, count, duration, percent } from '../parts/format.ts'
import { WideGrid } from '../parts/grid.tsx'
import { Problem, Waiting } from '../parts/states.tsx'
import { Status, toneOf } from '../parts/status.tsx'
import { useData } from '../parts/use-data.ts'
import { Worded } from '../parts/worded.tsx'
import { DeadLetters } from './dead-letters.tsx'
import { HotThreads } from './hot-threads.tsx'
import { MemoryAccount } from './memory-account.tsx'
import { QueuePages, ReloadHistory } from './pipeline-history.tsx'
import { type Finding, findingsOf, type HealthReport } from './report.ts'

const reportEvery = 10_000

export function HealthView() {
  const report = useData('health', (signal) => ask<HealthReport>('/_health_report', { signal }), {
    every: reportEvery,
  })
  return (
    <div class="view health">
      <header class="view-head">
        <h1>Health</h1>
        {report.value && <Status word={report.value.status} />}
        <span class="muted">
          <Worded text={report.value?.symptom ?? ''} />
        </span>
      </header>
      {report.error !== undefined && (
        <Problem error={report.error} doing="Reading the report" retry={report.again} />
      )}
      {report.value === undefined && report.isLoading && <Waiting what="the health report" />}
      {report.value && (
        <ul class="findings" aria-label="Indicators">
          {findingsOf(report.value).map((finding) => (
            <FindingCard key={finding.name} {...finding} />
          ))}
        </ul>
      )}
      <Queues />
      <DeadLetters />
      <Reloads />
      <MemoryAccount />
      <HotThreads />
    </div>
  )
}

function FindingCard({ name, indicator: { status, symptom, diagnosis = [], impacts = [] } }: Finding) {
  return (
    <li class={`card finding ${toneOf(status)}`}>
      <div class="line">
        <Status word={status} />
        <strong>{name}</strong>
        <span>
          <Worded text={symptom} />
        </span>
      </div>
      {impacts.map(({ description }) => (
        <p key={description}>
          <span class="muted">Effect:</span> <Worded text={description} />
        </p>
      ))}
      {diagnosis.map(({ cause, action, help_url }) => (
        <div key={cause}>
          <p>
            <span class="muted">Cause:</span> <Worded text={cause} />
          </p>
          <p>
            <span class="muted">What to do:</span> <Worded text={action} />
          </p>
          {help_url && <p class="muted tiny">{help_url}</p>}
        </div>
      ))}
    </li>
  )
}

/** The pipelines as they are now, and the one of which more is shown below its table. */
function usePipelines() {
  const [opened, setOpened] = useState<string>()
  return {
    pipelines: Object.entries(latest.value?.stats.pipelines ?? {}),
    opened,
    toggle: (id: string) => setOpened(opened === id ? undefined : id),
  }
}

interface MoreProps {
  readonly title: string
  readonly pipeline: string | undefined
  readonly of: ComponentType<{ pipeline: string }>
}

/** What stands below the table while a pipeline is opened. */
function More({ title, pipeline, of: Part }: MoreProps) {
  if (pipeline === undefined) return null
  return (
    <div class="body stack">
      <h3>
        {title} {pipeline}
      </h3>
      <Part key={pipeline} pipeline={pipeline} />
    </div>
  )
}

function Queues() {
  const { pipelines, opened, toggle } = usePipelines()
  if (pipelines.length === 0) return null
  const figure = (value: unknown) => (typeof value === 'number' ? value : undefined)
  return (
    <section class="card" aria-label="Queues">
      <header>
        <h2>Queues and dead letters</h2>
      </header>
      <WideGrid
        titles={[
          'pipeline',
          'queue',
          { number: 'events' },
          { number: 'size' },
          { number: 'limit' },
          { number: 'full' },
          { number: 'dead letters' },
          { number: 'dropped' },
          'last error',
        ]}
      >
        {pipelines.map(([id, stats]) => {
          const queue = stats?.queue
          const dead = stats?.dead_letter_queue
          const limit = queue?.max_queue_size_in_bytes ?? 0
          return (
            <tr key={id}>
              <td>{id}</td>
              <td>
                {queue?.type === 'persisted' ? (
                  <button
                    type="button"
                    class="small"
                    aria-expanded={opened === id}
                    aria-label={`persisted queue of ${id}, its pages`}
                    onClick={() => toggle(id)}
                  >
                    persisted
                  </button>
                ) : (
                  (queue?.type ?? '–')
                )}
              </td>
              <td class="num">{count(queue?.events_count)}</td>
              <td class="num">{bytes(queue?.queue_size_in_bytes)}</td>
              <td class="num">{bytes(limit)}</td>
              <td class="num">
                {percent(limit === 0 ? undefined : ((queue?.queue_size_in_bytes ?? 0) / limit) * 100)}
              </td>
              <td class="num">{dead === undefined ? 'off' : bytes(figure(dead['queue_size_in_bytes']))}</td>
              <td class="num">{dead === undefined ? '' : count(figure(dead['dropped_events']))}</td>
              <td>{dead === undefined ? '' : String(dead['last_error'] ?? '')}</td>
            </tr>
          )
        })}
      </WideGrid>
      <More title="Pages of" pipeline={opened} of={QueuePages} />
    </section>
  )
}

function Reloads() {
  const { pipelines, opened, toggle } = usePipelines()
  if (pipelines.length === 0) return null
  const reload = async (id: string) => {
    try {
      await ask(`/_node/pipelines/${encodeURIComponent(id)}/_reload`, { method: 'POST' })
      say(`${id} was loaded anew.`)
    } catch (error) {
      say(`${id} could not be loaded: ${(error as Error).message}`)
    }
  }
  return (
    <section class="card" aria-label="Reloads">
      <header>
        <h2>Reloads</h2>
      </header>
      <WideGrid
        titles={['pipeline', { number: 'worked' }, { number: 'failed' }, 'last success', 'last failure']}
        actions="Reload"
      >
        {pipelines.map(([id, stats]) => {
          const reloads = stats?.reloads
          return (
            <tr key={id}>
              <td>{id}</td>
              <td class="num">{count(reloads?.successes)}</td>
              <td class="num">{count(reloads?.failures)}</td>
              <td class="mono">{reloads?.last_success_timestamp ?? '–'}</td>
              <td class="mono">{reloads?.last_failure_timestamp ?? '–'}</td>
              <td class="num">
                <button
                  type="button"
                  class="small"
                  aria-expanded={opened === id}
                  aria-label={`History of ${id}`}
                  onClick={() => toggle(id)}
                >
                  History
                </button>{' '}
                <ChangeButton class="small" label={`Reload ${id}`} onClick={() => void reload(id)}>
                  Reload
                </ChangeButton>
              </td>
            </tr>
          )
        })}
      </WideGrid>
      <More title="Reloads of" pipeline={opened} of={ReloadHistory} />
      <p class="body muted tiny">The node is up for {duration(latest.value?.stats.jvm.uptime_in_millis)}.</p>
    </section>
  )
}
