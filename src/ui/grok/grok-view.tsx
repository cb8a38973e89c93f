/** Writes a grok expression against real lines, with the node's own engine: captures in colour, or the piece that fails. */
import { useEffect, useState } from 'preact/hooks'
import { ask } from '../api/ask.ts'
import { CheckBox } from '../parts/check-box.tsx'
import { copy } from '../parts/copy.ts'
import { count } from '../parts/format.ts'
import { Icon } from '../parts/icons.tsx'
import { Empty, Problem, Waiting } from '../parts/states.tsx'
import { useData } from '../parts/use-data.ts'
import { place, setParameters } from '../shell/place.ts'
import { recall, remember } from '../shell/preferences.ts'
import { type Capture, definitionsIn, filterOf, segmentsOf } from './segments.ts'

type Tried =
  | {
      readonly kind: 'match'
      readonly start: number
      readonly end: number
      readonly captures: readonly Capture[]
      readonly micros: number
    }
  | {
      readonly kind: 'failure'
      readonly start: number
      readonly stop: number
      readonly failed: readonly string[]
      readonly suggestion?: { readonly kind: string; readonly expression: string; readonly text: string }
    }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'skipped' }

interface Answer {
  readonly lines: readonly Tried[]
  readonly dangers: readonly {
    readonly explanation: string
    readonly part: string
    readonly exponential: boolean
  }[]
}

const maxLines = 200
const askAfter = 300
const sampleLines = [
  '203.0.113.8 - - [04/May/2026:08:12:39 +0000] "POST /checkout HTTP/2.0" 502 157',
  '198.51.100.4 - mara [04/May/2026:08:12:44 +0000] "DELETE /basket/3 HTTP/1.1" 204 0',
  'this line is of another kind',
].join('\n')
const samplePattern =
  '%{IPORHOST:client} %{USER} %{USER:user} \\[%{HTTPDATE:time}\\] "%{WORD:method} %{NOTSPACE:path} HTTP/%{NUMBER:version}" %{INT:status:int} %{INT:bytes:int}'

export function GrokView() {
  const [pattern, setPattern] = useState(
    place.value.parameters.get('p') ?? recall('grok-pattern') ?? samplePattern,
  )
  const [lines, setLines] = useState(recall('grok-lines') ?? sampleLines)
  const [own, setOwn] = useState(recall('grok-own') ?? '')
  const [isEcs, setEcs] = useState(false)
  const [asked, setAsked] = useState({ pattern, lines, own, isEcs })
  useEffect(() => {
    const timer = setTimeout(() => {
      setAsked({ pattern, lines, own, isEcs })
      remember('grok-pattern', pattern)
      remember('grok-lines', lines.slice(0, 100_000))
      remember('grok-own', own)
    }, askAfter)
    return () => clearTimeout(timer)
  }, [pattern, lines, own, isEcs])
  const tried = asked.lines.split('\n').filter((line) => line !== '')
  const definitions = definitionsIn(asked.own)
  const result = useData(asked.pattern === '' ? undefined : JSON.stringify(asked), (signal) =>
    ask<Answer>('/_node/_grok', {
      method: 'POST',
      body: { pattern: asked.pattern, lines: tried.slice(0, maxLines), definitions, ecs: asked.isEcs },
      signal,
    }),
  )
  const answer = result.error === undefined ? result.value : undefined
  const matches = answer?.lines.filter(({ kind }) => kind === 'match').length ?? 0
  return (
    <div class="view grok">
      <header class="view-head">
        <h1>Grok</h1>
        {answer && (
          <span class={`tag ${matches === answer.lines.length ? 'ok' : 'warn'}`} role="status">
            {count(matches)} of {count(answer.lines.length)} lines match
          </span>
        )}
        <span class="grow" />
        <button type="button" onClick={() => void copy(filterOf(pattern, definitionsIn(own)), 'The filter')}>
          <Icon name="copy" /> Copy as filter
        </button>
        <button
          type="button"
          onClick={() => {
            setParameters({ p: pattern }, { replace: true })
            void copy(location.href, 'The link')
          }}
        >
          <Icon name="copy" /> Copy link
        </button>
      </header>
      <label class="stack">
        Expression
        <textarea
          class="expression"
          rows={3}
          spellcheck={false}
          autocapitalize="off"
          aria-invalid={result.error !== undefined}
          value={pattern}
          onInput={(event) => setPattern(event.currentTarget.value)}
        />
      </label>
      {answer?.dangers.map(({ explanation, part, exponential }) => (
        <p key={part} class={exponential ? 'bad' : 'warn'}>
          ⚠ <code>{part}</code> {explanation}
        </p>
      ))}
      <div class="bench">
        <div class="stack">
          <label class="stack">
            Lines
            <textarea
              class="bench-lines"
              rows={14}
              spellcheck={false}
              value={lines}
              onInput={(event) => setLines(event.currentTarget.value)}
            />
          </label>
          <details open={own !== ''}>
            <summary>Patterns of your own</summary>
            <textarea
              rows={4}
              spellcheck={false}
              aria-label="Patterns of your own, a name and an expression on each line"
              placeholder="ORDER_ID [A-Z]{2}-\d{6}"
              value={own}
              onInput={(event) => setOwn(event.currentTarget.value)}
            />
          </details>
          <CheckBox isOn={isEcs} set={setEcs}>
            library with the names of the Elastic Common Schema
          </CheckBox>
        </div>
        <section aria-label="Results" class="stack">
          {result.error !== undefined && (
            <Problem error={result.error} doing="The expression" retry={result.again} />
          )}
          {asked.pattern === '' && <Empty title="Write an expression, such as %{COMBINEDAPACHELOG}." />}
          {tried.length === 0 && <Empty title="Paste some lines of a log." />}
          {answer === undefined && result.isLoading && asked.pattern !== '' && <Waiting what="results" />}
          {answer && (
            <ol class="stack">
              {answer.lines.map((one, index) => (
                <li key={String(index)} class="card tried">
                  <Line tried={one} line={tried[index] ?? ''} />
                </li>
              ))}
            </ol>
          )}
          {tried.length > maxLines && <p class="muted">Only the first {maxLines} lines are tried.</p>}
        </section>
      </div>
    </div>
  )
}

/** Colours that captures get in turn. */
const colours = ['input', 'filter', 'output', 'condition', 'ok', 'bad']
const colourOf = (capture: number) => ({ color: `var(--${colours[capture % colours.length]})` })

function Line({ tried, line }: { tried: Tried; line: string }) {
  if (tried.kind === 'timeout')
    return <Said line={line} tone="bad" word="The search took too long and was stopped." />
  if (tried.kind === 'skipped')
    return <Said line={line} tone="muted" word="Not tried: the time for all lines was over." />
  if (tried.kind === 'failure') return <Failed tried={tried} line={line} />
  return (
    <>
      <p class="tried-line">
        {segmentsOf(line, tried.captures).map(({ text, capture }, index) =>
          capture === undefined ? (
            text
          ) : (
            <span
              key={String(index)}
              class="capture"
              style={colourOf(capture)}
              title={tried.captures[capture]?.field}
            >
              {text}
            </span>
          ),
        )}
      </p>
      <dl class="captures">
        {tried.captures.map(({ field, text, cast }, index) => (
          <div key={`${index} ${field}`}>
            <dt class="capture" style={colourOf(index)}>
              {field}
              {cast === null ? '' : ` (${cast})`}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <p class="muted tiny">{count(tried.micros)} µs</p>
    </>
  )
}

function Failed({
  tried: { start, stop, failed, suggestion },
  line,
}: {
  tried: Extract<Tried, { kind: 'failure' }>
  line: string
}) {
  const piece = failed.at(-1)
  return (
    <>
      <p class="tried-line">
        <span class="muted">{line.slice(0, start)}</span>
        <span class="matched">{line.slice(start, stop)}</span>
        <span class="stopped" aria-hidden="true">
          ▸
        </span>
        <span class="unmatched">{line.slice(stop)}</span>
      </p>
      <p>
        <span class="bad">Does not match</span>
        {piece !== undefined && (
          <>
            : <code>{piece}</code> fails at character {count(stop + 1)}
          </>
        )}
        {failed.length > 1 && <span class="muted"> (in {failed.slice(0, -1).reverse().join(', in ')})</span>}
      </p>
      {suggestion && (
        <p>
          <span class="muted">Try</span> <code>{suggestion.expression}</code> <span class="muted">for</span>{' '}
          <code>{suggestion.text}</code>
        </p>
      )}
    </>
  )
}

function Said({ line, tone, word }: { line: string; tone: string; word: string }) {
  return (
    <>
      <p class="tried-line">{line}</p>
      <p class={tone}>{word}</p>
    </>
  )
}
