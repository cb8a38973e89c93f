/** Events tried on the text as it stands: what comes out, and what each filter changed. No output is run. */
import { useState } from 'preact/hooks'
import { ask } from '../api/ask.ts'
import { parseExact, writeExact } from '../api/exact-json.ts'
import { shownChanges, type TraceStep } from '../lineage/trace.ts'
import { ChangesView } from '../parts/changes-view.tsx'
import { micros } from '../parts/format.ts'
import { JsonView } from '../parts/json-view.tsx'
import { Problem } from '../parts/states.tsx'
import { recall, remember } from '../shell/preferences.ts'

interface Result {
  readonly dropped: boolean
  readonly output: readonly unknown[]
  readonly steps: readonly TraceStep[]
}

interface Answer {
  readonly results: readonly Result[]
  readonly logs: readonly string[]
  readonly took_in_millis: number
}

interface SimulationProps {
  readonly pipeline: string
  readonly file: string
  readonly text: string
  readonly hasErrors: boolean
}

const sample = '{"message": "hello"}'

/** A line that is a JSON object is an event; any other line is its message. */
function eventsIn(text: string): unknown[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      try {
        const value = parseExact(line)
        return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : line
      } catch {
        return line
      }
    })
}

export function Simulation({ pipeline, file, text, hasErrors }: SimulationProps) {
  const [lines, setLines] = useState(recall('simulated') ?? sample)
  const [answer, setAnswer] = useState<Answer>()
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    setError(undefined)
    remember('simulated', lines.slice(0, 100_000))
    try {
      const path = `/_node/pipelines/${encodeURIComponent(pipeline)}/_simulate`
      const body = writeExact({ events: eventsIn(lines), config: text, file }, 0)
      setAnswer(await ask<Answer>(path, { method: 'POST', body, isText: true }))
    } catch (problem) {
      setError(problem)
    } finally {
      setBusy(false)
    }
  }
  return (
    <section class="card editor-side" aria-label="Simulation">
      <header>
        <h2 class="grow">Simulate</h2>
        <button type="button" class="primary" disabled={isBusy || hasErrors} onClick={() => void run()}>
          Run
        </button>
      </header>
      <div class="body stack">
        <label class="stack tight">
          Events, one a line: JSON objects, or texts for the message
          <textarea
            rows={5}
            spellcheck={false}
            value={lines}
            onInput={(event) => setLines(event.currentTarget.value)}
          />
        </label>
        {hasErrors && <p class="muted">A text with errors cannot be tried.</p>}
        {error !== undefined && <Problem error={error} doing="The simulation" retry={() => void run()} />}
        {answer && error === undefined && (
          <ol class="stack simulated" aria-label="Results">
            {answer.results.map((result, index) => (
              <li key={String(index)} class="stack tight">
                <h3>
                  Event {index + 1}{' '}
                  {result.dropped ? (
                    <span class="tag bad">dropped</span>
                  ) : (
                    <span class="tag ok">
                      {result.output.length === 1 ? 'comes out' : `${result.output.length} come out`}
                    </span>
                  )}
                </h3>
                {result.steps
                  .filter(({ type }) => type === 'filter')
                  .map((step, number) => (
                    <details key={`${number} ${step.id}`} open={step.changes.length > 0}>
                      <summary>
                        {step.name} <span class="tag">{step.verdict}</span>{' '}
                        <span class="muted tiny">{micros(step.took_in_micros / 1000)}</span>
                      </summary>
                      <ChangesView changes={shownChanges(step)} label={`What ${step.name} changed`} />
                    </details>
                  ))}
                {result.output.map((event, number) => (
                  <JsonView key={String(number)} value={event} label={`Result ${number + 1}`} />
                ))}
              </li>
            ))}
            {answer.logs.length > 0 && <pre class="frame">{answer.logs.join('\n')}</pre>}
          </ol>
        )}
      </div>
    </section>
  )
}
