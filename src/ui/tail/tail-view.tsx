/** Live tail: events before and after a plugin of a running pipeline, as they pass it, with what the plugin changed. */

import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { ask } from '../api/ask.ts'
import { latest } from '../api/live.ts'
import { Choice } from '../parts/choice.tsx'
import { count } from '../parts/format.ts'
import { SearchForm } from '../parts/search-box.tsx'
import { Empty, Problem, Waiting } from '../parts/states.tsx'
import { useData } from '../parts/use-data.ts'
import { useKeys } from '../shell/keys.ts'
import { addressOf, go, place, setParameters } from '../shell/place.ts'
import { noRows, paused, resumed, withRows } from './tail-buffer.ts'
import { type ShownSide, TailLine } from './tail-line.tsx'
import { openTap, type TapCounts, type TapState } from './tail-stream.ts'

interface Part {
  readonly id: string
  readonly type: string
  readonly name: string
}

const sides: readonly (readonly [ShownSide, string])[] = [
  ['changes', 'what it changes'],
  ['before', 'before'],
  ['after', 'after'],
]
const titles = new Map(sides)
const samples = [1, 10, 100, 1000]
const shownAtFirst = 300

export function TailView() {
  const names = Object.keys(latest.value?.stats.pipelines ?? {})
  const pipeline = place.value.path[1] ?? names[0]
  const parts = useData(pipeline, (signal) =>
    ask<{ plugins: readonly Part[] }>(`/_node/pipelines/${encodeURIComponent(pipeline!)}/_plugins`, {
      signal,
    }),
  )
  if (latest.value !== undefined && pipeline === undefined)
    return (
      <div class="view">
        <h1>Live tail</h1>
        <Empty title="No pipeline runs." />
      </div>
    )
  const plugins = parts.value?.plugins ?? []
  const asked = place.value.parameters.get('at')
  const at =
    plugins.find(({ id }) => id === asked) ?? plugins.find(({ type }) => type === 'filter') ?? plugins[0]
  return (
    <div class="view tail">
      <header class="view-head">
        <h1>Live tail</h1>
        <select
          aria-label="Pipeline"
          value={pipeline}
          onChange={(event) => go(addressOf(['tail', event.currentTarget.value]))}
        >
          {(names.includes(pipeline ?? '') ? names : [pipeline ?? '', ...names]).map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
        <select
          aria-label="Plugin"
          value={at?.id}
          onChange={(event) => setParameters({ at: event.currentTarget.value })}
        >
          {plugins.map(({ id, type, name }) => (
            <option key={id} value={id}>
              {type} {name}
              {/^[0-9a-f]{64}$/.test(id) ? '' : ` (${id})`}
            </option>
          ))}
        </select>
      </header>
      {parts.error !== undefined && (
        <Problem error={parts.error} doing="Reading the pipeline" retry={parts.again} />
      )}
      {parts.value === undefined && parts.error === undefined && <Waiting what="the pipeline" />}
      {at && pipeline !== undefined && <Rows key={`${pipeline} ${at.id}`} pipeline={pipeline} part={at} />}
    </div>
  )
}

function Rows({ pipeline, part }: { pipeline: string; part: Part }) {
  const { parameters } = place.value
  const text = parameters.get('q') ?? ''
  const sample = samples.find((one) => String(one) === parameters.get('n')) ?? 1
  const side = sides.find(([name]) => name === parameters.get('v'))?.[0] ?? 'changes'
  const [typed, setTyped] = useState(text)
  const [state, setState] = useState(noRows)
  const [counts, setCounts] = useState<TapCounts>({ stride: 1, dropped: 0 })
  const [tap, setTap] = useState<TapState>('connecting')
  const [limit, setLimit] = useState(shownAtFirst)
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set())
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    setState(noRows)
    setCounts({ stride: 1, dropped: 0 })
    const query = new URLSearchParams({
      at: part.id,
      ...(sample > 1 && { sample: String(sample) }),
      ...(text !== '' && { q: text }),
    })
    return openTap(`/_node/pipelines/${encodeURIComponent(pipeline)}/_tap?${query}`, {
      rows: (rows) => setState((before) => withRows(before, rows)),
      counts: setCounts,
      state: setTap,
    })
  }, [pipeline, part.id, sample, text])
  const pause = () => setState(paused)
  const resume = () => {
    setOpened(new Set())
    setLimit(shownAtFirst)
    setState((before) => resumed(before))
  }
  const act = useRef({ pause, resume, state })
  act.current = { pause, resume, state }
  useKeys(
    useMemo(
      () => [
        {
          key: ' ',
          does: 'pauses or goes on',
          run: () => (act.current.state.isPaused ? act.current.resume() : act.current.pause()),
        },
        { key: '/', does: 'goes to the filter', run: () => document.getElementById('tail-text')?.focus() },
      ],
      [],
    ),
  )
  const { rows, waiting, isPaused, dropped, seen } = state
  useEffect(() => {
    // The newest row stays in sight until somebody looks at another one.
    if (!isPaused) list.current?.scrollTo({ top: list.current.scrollHeight })
  }, [rows, isPaused])
  const shown = rows.slice(-limit)
  return (
    <>
      <SearchForm
        look="line"
        id="tail-text"
        label="Only events with this text"
        class="grow"
        value={typed}
        set={setTyped}
        action="Filter"
        submit={() => setParameters({ q: typed })}
      >
        <Choice
          label="What is shown"
          value={side}
          values={sides.map(([name]) => name)}
          text={(name) => titles.get(name) ?? name}
          choose={(name) => setParameters({ v: name }, { replace: true })}
        />
        <Choice
          label="How many events"
          value={sample}
          values={samples}
          text={(one) => (one === 1 ? 'every event' : `1 of ${count(one)}`)}
          choose={(one) => setParameters({ n: one === 1 ? undefined : String(one) })}
        />
        <button type="button" class="primary" aria-pressed={isPaused} onClick={isPaused ? resume : pause}>
          {isPaused ? 'Resume' : 'Pause'}
        </button>
      </SearchForm>
      <TailBar
        isPaused={isPaused}
        waiting={waiting.length}
        dropped={dropped}
        tap={tap}
        counts={counts}
        seen={seen}
        resume={resume}
      />
      {seen === 0 ? (
        <Empty
          title={
            tap === 'lost'
              ? 'The node does not show these events.'
              : text === ''
                ? 'No event has passed this plugin since you came.'
                : 'No event with this text has passed this plugin since you came.'
          }
        >
          <p>Events show up here as they pass it, before and after, with what it changes.</p>
        </Empty>
      ) : (
        <ol
          class="tail-rows card scroll"
          ref={list}
          tabIndex={0}
          aria-label="Events, newest at the bottom"
          onWheel={(event) => event.deltaY < 0 && pause()}
          onTouchMove={pause}
        >
          {rows.length > shown.length && (
            <li>
              <button
                type="button"
                class="small"
                onClick={() => {
                  pause()
                  setLimit(limit + shownAtFirst)
                }}
              >
                {count(rows.length - shown.length)} earlier rows
              </button>
            </li>
          )}
          {shown.map((row) => (
            <TailLine
              key={row.id}
              row={row}
              side={side}
              isOpen={opened.has(row.id)}
              toggle={() => {
                pause()
                setOpened((before) => {
                  const after = new Set(before)
                  if (!after.delete(row.id)) after.add(row.id)
                  return after
                })
              }}
            />
          ))}
        </ol>
      )}
    </>
  )
}

const words: Readonly<Record<TapState, string>> = {
  connecting: 'Connecting…',
  open: '',
  lost: 'The stream ended; the next try follows.',
  hidden: 'Stopped while nobody looks.',
  unattended: 'Stopped: nobody was here for ten minutes. Move the pointer to go on.',
}

function TailBar({
  isPaused,
  waiting,
  dropped,
  tap,
  counts,
  seen,
  resume,
}: {
  isPaused: boolean
  waiting: number
  dropped: number
  tap: TapState
  counts: TapCounts
  seen: number
  resume: () => void
}) {
  const lost = dropped + counts.dropped
  if (isPaused)
    return (
      <div class="tail-bar paused" role="status">
        <strong>
          Paused · {count(waiting)} waiting · {count(lost)} dropped
        </strong>
        <button type="button" onClick={resume}>
          Resume
        </button>
      </div>
    )
  return (
    <div class="tail-bar">
      <span>
        {words[tap] || `${count(seen)} shown`}
        {tap === 'open' && counts.stride > 1 && ` · showing 1 of ${count(counts.stride)}`}
        {lost > 0 && ` · ${count(lost)} dropped`}
      </span>
    </div>
  )
}
