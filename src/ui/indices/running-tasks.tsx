/** Long work that goes on by itself: how far it is, how it ended, and a way to stop it. */
import { useEffect, useState } from 'preact/hooks'
import { askSearch } from '../api/ask.ts'
import { ChangeButton } from '../parts/change-button.tsx'
import { say } from '../parts/copy.ts'
import { count, duration } from '../parts/format.ts'
import { Problem } from '../parts/states.tsx'
import { useData } from '../parts/use-data.ts'

export interface StartedTask {
  readonly task: string
  readonly what: string
  /** An index whose segments say how far a merge is: its task counts nothing. */
  readonly merged?: string
}

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
      {started.map((one) => (
        <TaskLine key={one.task} {...one} done={done} />
      ))}
    </ul>
  )
}

const lookEvery = 500

function SegmentCount({ index, isOver }: { index: string; isOver: boolean }) {
  const segments = useData(
    `${index} ${isOver}`,
    (signal) =>
      askSearch<readonly unknown[]>(`/_cat/segments/${encodeURIComponent(index)}?format=json`, { signal }),
    { ...(!isOver && { every: 2 * lookEvery }) },
  )
  const number = segments.value?.length
  return number === undefined ? null : <> · {number === 1 ? '1 segment' : `${count(number)} segments`}</>
}

function TaskLine({ task, what, merged, done }: StartedTask & { readonly done: () => void }) {
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
      {total > 0 ? (
        <progress aria-label={what} max={total} value={created + updated} />
      ) : (
        !isOver && <progress aria-label={what} />
      )}
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
        {merged !== undefined && <SegmentCount index={merged} isOver={isOver} />}
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
