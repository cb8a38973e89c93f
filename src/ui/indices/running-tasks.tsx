/** Long work that goes on by itself: how far it is, how it ended, and a way to stop it. */
import { useEffect, useState } from 'preact/hooks'
import { askSearch } from '../api/ask.ts'
import { ChangeButton } from '../parts/change-button.tsx'
import { say } from '../parts/copy.ts'
import { count, duration } from '../parts/format.ts'
import { Problem } from '../parts/states.tsx'
import { useData } from '../parts/use-data.ts'

export type StartedTask =
  | { readonly task: string; readonly what: string }
  /** A merge has no task: its request is answered when it is over. */
  | { readonly index: string; readonly work: Promise<unknown>; readonly what: string }

interface TaskAnswer {
  readonly completed: boolean
  readonly task: {
    readonly cancellable?: boolean
    readonly running_time_in_nanos: number
    readonly status?: { readonly total?: number; readonly created?: number; readonly updated?: number } | null
  }
  readonly response?: { readonly failures?: readonly unknown[]; readonly canceled?: string }
  readonly error?: { readonly reason?: string }
}

export function RunningTasks({ started, done }: { started: readonly StartedTask[]; done: () => void }) {
  if (started.length === 0) return null
  return (
    <ul class="stack" aria-label="Tasks">
      {started.map((one, number) =>
        'task' in one ? (
          <TaskLine key={one.task} {...one} done={done} />
        ) : (
          <MergeLine key={`${number} ${one.index}`} {...one} done={done} />
        ),
      )}
    </ul>
  )
}

const lookEvery = 500

interface MergeLineProps {
  readonly index: string
  readonly work: Promise<unknown>
  readonly what: string
  readonly done: () => void
}

/** How far a merge is, its segments say. */
function MergeLine({ index, work, what, done }: MergeLineProps) {
  const [end, setEnd] = useState('')
  useEffect(() => {
    work.then(
      () => {
        setEnd('is done')
        done()
      },
      (error: Error) => setEnd(`failed: ${error.message}`),
    )
  }, [work])
  const segments = useData(
    `${index} ${end}`,
    (signal) =>
      askSearch<readonly unknown[]>(`/_cat/segments/${encodeURIComponent(index)}?format=json`, { signal }),
    { ...(end === '' && { every: 2 * lookEvery }) },
  )
  return (
    <li class="card body line task">
      <strong>{what}</strong>
      {end === '' && <progress aria-label={what} />}
      <span class="grow" role="status">
        {end === '' ? 'runs' : end}
        {segments.value !== undefined && ` · ${count(segments.value.length)} segments`}
      </span>
    </li>
  )
}

function TaskLine({ task, what, done }: { task: string; what: string; done: () => void }) {
  const [isOver, setOver] = useState(false)
  const path = `/_tasks/${encodeURIComponent(task)}`
  const state = useData(task, (signal) => askSearch<TaskAnswer>(path, { signal }), {
    ...(!isOver && { every: lookEvery }),
  })
  const answer = state.value
  useEffect(() => {
    if (answer?.completed !== true) return
    setOver(true)
    done()
  }, [answer?.completed])
  if (state.error !== undefined && answer === undefined)
    return (
      <li>
        <Problem error={state.error} doing={what} retry={state.again} />
      </li>
    )
  const { total = 0, created = 0, updated = 0 } = answer?.task.status ?? {}
  const problem = answer?.error?.reason ?? (answer?.response?.failures?.length ? 'some documents failed' : '')
  return (
    <li class="card body line task">
      <strong>{what}</strong>
      {total > 0 && <progress aria-label={what} max={total} value={created + updated} />}
      <span class="grow" role="status">
        {answer === undefined
          ? 'begins…'
          : !answer.completed
            ? `runs for ${duration(answer.task.running_time_in_nanos / 1e6)}`
            : problem === ''
              ? answer.response?.canceled === undefined
                ? 'is done'
                : 'was stopped'
              : `failed: ${problem}`}
        {total > 0 && ` · ${count(created + updated)} of ${count(total)} documents`}
      </span>
      {answer?.completed === false && answer.task.cancellable && (
        <ChangeButton
          onClick={() =>
            void askSearch(`${path}/_cancel`, { method: 'POST' }).then(
              () => say(`${what} is being stopped.`),
              (error: Error) => say(error.message),
            )
          }
        >
          Stop
        </ChangeButton>
      )}
    </li>
  )
}
