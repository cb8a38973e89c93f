/** Events that were given up: found by reason or plugin, looked at, changed, sent through their pipeline once more. */

import { useState } from 'preact/hooks'
import { ask } from '../api/ask.ts'
import { latest } from '../api/live.ts'
import { ChangeButton } from '../parts/change-button.tsx'
import { Choice } from '../parts/choice.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { say } from '../parts/copy.ts'
import { bytes, count } from '../parts/format.ts'
import { SearchForm } from '../parts/search-box.tsx'
import { Empty, Problem, Waiting } from '../parts/states.tsx'
import { useData } from '../parts/use-data.ts'
import { place, setParameters } from '../shell/place.ts'
import { LetterDialog } from './letter-dialog.tsx'
import { type Letter, type LetterPage, pathOf, replayBody } from './letters.ts'

export function DeadLetters() {
  const pipelines = Object.entries(latest.value?.stats.pipelines ?? {})
  const enabled = pipelines.filter(([, stats]) => stats?.dead_letter_queue !== undefined)
  const asked = place.value.parameters.get('letters') ?? undefined
  const pipeline = enabled.some(([id]) => id === asked) ? asked : enabled[0]?.[0]
  if (pipelines.length === 0) return null
  const sizes = new Map(
    enabled.map(([id, stats]) => [id, Number(stats?.dead_letter_queue?.['queue_size_in_bytes'] ?? 0)]),
  )
  return (
    <section class="card" aria-label="Dead letters" id="dead-letters">
      <header>
        <h2 class="grow">Dead letters</h2>
        {enabled.length > 0 && (
          <Choice
            label="Pipeline of the dead letters"
            value={pipeline}
            values={enabled.map(([id]) => id)}
            text={(id) => `${id} · ${bytes(sizes.get(id))}`}
            choose={(letters) => setParameters({ letters }, { replace: true })}
          />
        )}
      </header>
      {pipeline === undefined ? (
        <p class="body muted">
          No pipeline keeps what it gives up. <code>dead_letter_queue.enable: true</code> does.
        </p>
      ) : (
        <LetterTable key={pipeline} pipeline={pipeline} />
      )}
    </section>
  )
}

function LetterTable({ pipeline }: { pipeline: string }) {
  const [text, setText] = useState('')
  const [wanted, setWanted] = useState('')
  /** Where each page before this one began. */
  const [trail, setTrail] = useState<readonly (string | undefined)[]>([undefined])
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [replayed, setReplayed] = useState<ReadonlySet<string>>(new Set())
  const [inspected, setInspected] = useState<Letter>()
  const [isDropping, setDropping] = useState(false)
  const before = trail.at(-1)
  const page = useData(
    `${wanted} ${before}`,
    (signal) => ask<LetterPage>(pathOf(pipeline, { q: wanted, before, size: '25' }), { signal }),
    { every: 15_000 },
  )
  const entries = page.value?.entries ?? []
  const replay = async (letters: readonly Letter[], body = replayBody(letters)) => {
    await ask(`${pathOf(pipeline)}/_replay`, { method: 'POST', body, isText: true })
    say(
      `${count(letters.length)} ${letters.length === 1 ? 'event goes' : 'events go'} through ${pipeline} again.`,
    )
    setReplayed((old) => new Set([...old, ...letters.map(keyOf)]))
    setChosen(new Set())
    setTimeout(page.again, 500)
  }
  const replayChosen = () => {
    const letters = entries.filter((letter) => chosen.has(keyOf(letter)))
    replay(letters).catch((error: Error) => say(`Nothing was replayed: ${error.message}`))
  }
  return (
    <>
      <SearchForm
        look="body line"
        label="Find dead letters"
        placeholder="Reason or plugin"
        class="grow"
        value={text}
        set={setText}
        action="Find"
        submit={() => {
          setTrail([undefined])
          setWanted(text)
        }}
      >
        <ChangeButton class="primary" disabled={chosen.size === 0} onClick={replayChosen}>
          Replay {chosen.size > 0 ? count(chosen.size) : ''}
        </ChangeButton>
        <ChangeButton class="danger" disabled={entries.length === 0} onClick={() => setDropping(true)}>
          Drop all
        </ChangeButton>
      </SearchForm>
      {page.error !== undefined && (
        <Problem error={page.error} doing="Reading the dead letters" retry={page.again} />
      )}
      {page.value === undefined && page.error === undefined && <Waiting what="dead letters" />}
      {page.value && entries.length === 0 && (
        <Empty title={wanted === '' ? `${pipeline} has given up no event.` : 'No dead letter matches.'} />
      )}
      {entries.length > 0 && (
        <div class="scroll" tabIndex={0}>
          <table class="grid letters">
            <thead>
              <tr>
                <th>
                  <input
                    type="checkbox"
                    aria-label="Choose all of this page"
                    checked={entries.every((letter) => chosen.has(keyOf(letter)))}
                    onChange={(event) =>
                      setChosen(new Set(event.currentTarget.checked ? entries.map(keyOf) : []))
                    }
                  />
                </th>
                <th>given up at</th>
                <th>plugin</th>
                <th>reason</th>
                <th>
                  <span class="unseen">Inspect</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {entries.map((letter) => {
                const key = keyOf(letter)
                return (
                  <tr key={key}>
                    <td>
                      <input
                        type="checkbox"
                        aria-label={`Choose the entry of ${letter.entry_time}`}
                        checked={chosen.has(key)}
                        onChange={() => setChosen((old) => toggled(old, key))}
                      />
                    </td>
                    <td class="mono">{letter.entry_time.slice(0, 19).replace('T', ' ')}</td>
                    <td>
                      {letter.plugin_type}
                      {replayed.has(key) && <span class="tag ok">replayed</span>}
                    </td>
                    <td class="reason">{letter.reason.slice(0, 300)}</td>
                    <td class="num">
                      <button type="button" class="small" onClick={() => setInspected(letter)}>
                        Inspect
                      </button>
                    </td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        </div>
      )}
      {(trail.length > 1 || page.value?.next) && (
        <div class="body line">
          <button type="button" disabled={trail.length === 1} onClick={() => setTrail(trail.slice(0, -1))}>
            Newer
          </button>
          <button
            type="button"
            disabled={!page.value?.next}
            onClick={() => setTrail([...trail, page.value?.next ?? undefined])}
          >
            Older
          </button>
          <span class="muted">page {count(trail.length)}</span>
        </div>
      )}
      {inspected && (
        <LetterDialog
          letter={inspected}
          replay={(body) => replay([inspected], body)}
          close={() => setInspected(undefined)}
        />
      )}
      {isDropping && (
        <Confirm
          title="Drop the dead letters?"
          text={`All dead letters of ${pipeline} are gone for good, except those of the segment that is being written.`}
          word={pipeline}
          action="Drop"
          run={async () => {
            const { entries: dropped } = await ask<{ entries: number }>(pathOf(pipeline), {
              method: 'DELETE',
            })
            say(`${count(dropped)} dead letters were dropped.`)
            setTrail([undefined])
            page.again()
          }}
          close={() => setDropping(false)}
        />
      )}
    </>
  )
}

function keyOf({ segment, offset }: Letter): string {
  return `${segment}:${offset}`
}

function toggled(before: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const after = new Set(before)
  if (!after.delete(key)) after.add(key)
  return after
}
