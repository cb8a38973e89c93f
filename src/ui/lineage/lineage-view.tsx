/** The way of one event: every step from input to output with its time and verdict, and the event behind each. */

import { useEffect, useState } from 'preact/hooks'
import { ApiProblem, ask } from '../api/ask.ts'
import { ChangeButton } from '../parts/change-button.tsx'
import { ChangesView } from '../parts/changes-view.tsx'
import { say } from '../parts/copy.ts'
import { count, micros } from '../parts/format.ts'
import { JsonView } from '../parts/json-view.tsx'
import { SearchForm } from '../parts/search-box.tsx'
import { Empty, Problem, Waiting } from '../parts/states.tsx'
import { useData } from '../parts/use-data.ts'
import { addressOf, go, place, setParameters } from '../shell/place.ts'
import { shownChanges, type Trace } from './trace.ts'

export function LineageView() {
  const key = place.value.path[1]
  const [typed, setTyped] = useState(key ?? '')
  useEffect(() => setTyped(key ?? ''), [key])
  const trace = useData(
    key,
    (signal) => ask<Trace>(`/_node/traces/${encodeURIComponent(key!)}`, { signal }),
    {
      keep: false,
    },
  )
  const isMissing = trace.error instanceof ApiProblem && trace.error.status === 404
  return (
    <div class="view lineage">
      <header class="view-head">
        <h1>Lineage</h1>
        <SearchForm
          look="line grow"
          label="Id of a document or name of an event"
          placeholder="Id of a document"
          class="grow mono"
          value={typed}
          set={setTyped}
          action="Follow"
          submit={() => {
            if (typed.trim() !== '') go(addressOf(['lineage', typed.trim()]))
          }}
        />
      </header>
      <Recording again={trace.again} />
      {key === undefined ? (
        <Empty title="Open a hit of Discover and choose Lineage, or type the id of a document." />
      ) : isMissing ? (
        <Empty title="The way of this event was not recorded.">
          <p>
            Only events that come in while recording is on are followed, one of some; the last few hundred are
            kept.
          </p>
          <a class="button" href="/ui/editor">
            Simulate its text
          </a>
        </Empty>
      ) : trace.error !== undefined ? (
        <Problem error={trace.error} doing="Reading the way of the event" retry={trace.again} />
      ) : trace.value === undefined ? (
        <Waiting what="the way of the event" />
      ) : (
        <Way trace={trace.value} />
      )}
    </div>
  )
}

interface RecordingState {
  readonly enabled: boolean
  readonly until?: string | null
  readonly sample: number
  readonly traces: readonly { readonly key: string; readonly pipeline: string; readonly time: string }[]
}

function Recording({ again }: { again: () => void }) {
  const state = useData('recording', (signal) => ask<RecordingState>('/_node/traces', { signal }), {
    every: 10_000,
  })
  if (state.value === undefined) return null
  const switchOn = async () => {
    try {
      await ask('/_node/traces', { method: 'PUT', body: { enabled: true, minutes: 5 } })
      say('The ways of events are recorded for five minutes.')
      state.again()
      again()
    } catch (error) {
      say((error as Error).message)
    }
  }
  const { enabled, sample, until, traces } = state.value
  return (
    <div class="card body stack recording">
      <div class="line">
        {enabled ? (
          <span class="grow">
            <span class="tag ok">recording</span>{' '}
            {sample === 1 ? 'every event' : `one of ${count(sample)} events`}
            {until && ` until ${until.slice(11, 19)} UTC`}
          </span>
        ) : (
          <>
            <span class="grow">
              <span class="tag">off</span> Recording follows one of some events through its pipeline. It costs
              a copy of those events at every step.
            </span>
            <ChangeButton onClick={() => void switchOn()}>Switch on for 5 minutes</ChangeButton>
          </>
        )}
      </div>
      {traces.length > 0 && (
        <details>
          <summary>
            {traces.length === 1
              ? 'The event that was followed'
              : `The last ${count(traces.length)} events that were followed`}
          </summary>
          <ul class="traces">
            {traces.map(({ key, pipeline, time }) => (
              <li key={key}>
                <a class="mono" href={addressOf(['lineage', key])}>
                  {time.slice(11, 23)} {pipeline} {key}
                </a>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}

const tones: Readonly<Record<string, string>> = {
  changed: 'warn',
  dropped: 'bad',
  tagged: 'bad',
  failed: 'bad',
}

function Way({ trace }: { trace: Trace }) {
  const { steps, pipeline, time } = trace
  const asked = Number(place.value.parameters.get('step') ?? 0)
  const at = Math.max(0, Math.min(steps.length - 1, asked))
  const step = steps[at]
  const changes = step === undefined ? [] : shownChanges(step)
  return (
    <>
      <p class="muted">
        Came in at <span class="mono">{time}</span> through{' '}
        <a href={addressOf(['flow', pipeline])}>{pipeline}</a>.
      </p>
      <div class="way">
        <ol class="card steps-list" aria-label="Steps">
          {steps.map((one, index) => (
            <li key={`${index} ${one.id}`}>
              <button
                type="button"
                class={`plain step-line ${one.type}`}
                aria-pressed={index === at}
                onClick={() => setParameters({ step: String(index) }, { replace: true })}
              >
                <span class={`kind ${one.type}`}>{one.type}</span>
                <span class="grow">
                  {one.name}
                  {one.event > 0 && <span class="muted"> copy {one.event}</span>}
                </span>
                <span class={`tag ${tones[one.verdict] ?? ''}`}>{one.verdict}</span>
                <span class="num mono">{micros(one.took_in_micros / 1000)}</span>
              </button>
            </li>
          ))}
        </ol>
        {step && (
          <section class="card body stack" aria-label="This step">
            <h2>
              {step.type} {step.name}
            </h2>
            {step.tags !== undefined && step.tags.length > 0 && (
              <p>
                Tagged <code>{step.tags.join(', ')}</code>
              </p>
            )}
            <ChangesView changes={changes} label="What this step changed" />
            {step.bytes !== undefined && (
              <p class="muted">The event was too large to keep ({step.bytes} bytes).</p>
            )}
            {step.after !== undefined && <JsonView value={step.after} label="The event behind this step" />}
          </section>
        )}
      </div>
    </>
  )
}
