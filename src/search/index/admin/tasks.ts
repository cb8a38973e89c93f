/** Tasks that outlive their request: listed, waited for, rethrottled and cancelled by id. */
import { illegalArgument } from '../../request/errors.ts'
import { indexNotFound, resourceNotFound } from '../../request/index-errors.ts'
import type { JsonObject } from '../../request/json-object.ts'

export interface TaskWork {
  /** The status while the task runs; undefined for work that has none. */
  status(): JsonObject | undefined
  readonly description: string
  /** True unless the work can only end by itself. */
  readonly isCancellable?: boolean
  rethrottle?(requestsPerSecond: number): void
}

export interface Task extends TaskWork {
  readonly id: number
  readonly action: string
  readonly startTime: number
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  isCompleted: boolean
  readonly isCancellable: boolean
  isCancelled: boolean
  endTime: number
  response: JsonObject | undefined
  error: Error | undefined
  readonly done: Promise<void>
  cancel(reason: string): void
}

/** Results that nobody asks for are dropped, the oldest first. */
const maxFinished = 1000

export class Tasks {
  readonly #node: string
  readonly #now: () => number
  readonly #tasks = new Map<number, Task>()
  #last = 0

  constructor(node: string, now: () => number) {
    this.#node = node
    this.#now = now
  }

  get node(): string {
    return this.#node
  }

  nextId(): number {
    this.#last += 1
    return this.#last
  }

  textOf(task: { readonly id: number }): string {
    return `${this.#node}:${task.id}`
  }

  start(
    action: string,
    work: TaskWork,
    headers: Readonly<Record<string, string>>,
    run: (signal: AbortSignal) => Promise<JsonObject>,
    /** Runs before the task is reported as finished; a failure does not fail the task. */
    keep?: (task: Task) => Promise<void>,
  ): Task {
    const stop = new AbortController()
    const id = this.nextId()
    let finish: () => void = () => {}
    const done = new Promise<void>((resolve) => {
      finish = resolve
    })
    const task: Task = {
      status: () => work.status(),
      description: work.description,
      rethrottle: (rate) => work.rethrottle?.(rate),
      id,
      action,
      startTime: this.#now(),
      headers,
      signal: stop.signal,
      isCompleted: false,
      isCancellable: work.isCancellable ?? true,
      isCancelled: false,
      endTime: 0,
      response: undefined,
      error: undefined,
      done,
      cancel(reason) {
        task.isCancelled = true
        stop.abort(new Error(reason))
      },
    }
    this.#tasks.set(id, task)
    void run(stop.signal)
      .then(
        (response) => {
          task.response = response
        },
        (error: Error) => {
          task.error = error
        },
      )
      .then(() => {
        task.endTime = this.#now()
        return keep?.(task)
      })
      .catch(() => {})
      .finally(() => {
        task.isCompleted = true
        this.#forget()
        finish()
      })
    return task
  }

  #forget(): void {
    const finished = [...this.#tasks.values()].filter(({ isCompleted }) => isCompleted)
    for (const { id } of finished.slice(0, Math.max(0, finished.length - maxFinished))) this.#tasks.delete(id)
  }

  running(): Task[] {
    return [...this.#tasks.values()].filter(({ isCompleted }) => !isCompleted)
  }

  finished(): Task[] {
    return [...this.#tasks.values()].filter(({ isCompleted }) => isCompleted)
  }

  /** Finds a task by `node:number`; throws for an invalid or unknown id. */
  find(text: string): Task {
    const [, node, number] = /^(.+):(-?\d+)$/.exec(text) ?? []
    if (node === undefined || number === undefined) throw illegalArgument(`malformed task id ${text}`)
    const task = node === this.#node ? this.#tasks.get(Number(number)) : undefined
    if (task !== undefined) return task
    const unstored = indexNotFound('.tasks', undefined, 'index_expression')
    const gone = resourceNotFound(`task [${text}] isn't running and hasn't stored its results`, unstored)
    if (node === this.#node) throw gone
    const elsewhere = `task [${text}] belongs to the node [${node}] which isn't part of the cluster and there is no record of the task`
    throw resourceNotFound(elsewhere, gone)
  }

  /** Tasks that nobody waits for are cancelled when the node stops. */
  close(): void {
    for (const task of this.running()) task.cancel('the node stops')
  }
}
