/** `_tasks`: list, get and cancel tasks. */
import { getHeapStatistics } from 'node:v8'
import { storedTaskResult, storeTaskResult } from '../../../search/index/admin/task-results.ts'
import type { Task, TaskWork } from '../../../search/index/admin/tasks.ts'
import type { JsonObject } from '../../../search/request/json-object.ts'
import { plainText } from '../../../search/request/plain-text.ts'
import { simpleMatch } from '../../../search/request/simple-match.ts'
import type { Call } from '../call.ts'
import { errorBody } from '../error-envelope.ts'
import { type Answer, type Route, route } from '../route.ts'
import { nodeIdentity } from './nodes.ts'

interface Listed {
  readonly text: string
  readonly body: JsonObject
  readonly action: string
}

function shown(call: Call, task: Task, detailed: boolean): JsonObject {
  const end = task.endTime > 0 ? task.endTime : call.cluster.now()
  const status = task.status()
  return {
    node: call.node.id,
    id: task.id,
    type: 'transport',
    action: task.action,
    ...(status !== undefined && { status }),
    ...(detailed && { description: task.description }),
    start_time_in_millis: task.startTime,
    running_time_in_nanos: (end - task.startTime) * 1_000_000,
    cancellable: task.isCancellable,
    cancelled: task.isCancelled,
    headers: task.headers,
    ...(detailed && resources()),
  }
}

function resources(): JsonObject {
  const { user, system } = process.cpuUsage()
  // V8 reports this without opening a file.
  const total = {
    cpu_time_in_nanos: (user + system) * 1000,
    memory_in_bytes: getHeapStatistics().used_heap_size,
  }
  const zero = { cpu_time_in_nanos: 0, memory_in_bytes: 0 }
  return {
    resource_stats: {
      average: zero,
      total,
      min: zero,
      max: total,
      thread_info: { thread_executions: 1, active_threads: 1 },
    },
  }
}

/** Includes the listing request itself. */
function listed(call: Call): Listed[] {
  const detailed = call.flag('detailed')
  const actions = call.list('actions')
  const self = call.node.tasks.nextId()
  const opaque = call.headers['x-opaque-id']
  const own: JsonObject = {
    node: call.node.id,
    id: self,
    type: 'transport',
    action: 'cluster:monitor/tasks/lists',
    ...(detailed && { description: '' }),
    start_time_in_millis: call.cluster.now(),
    running_time_in_nanos: 0,
    cancellable: false,
    headers: opaque === undefined ? {} : { 'X-Opaque-Id': opaque },
    ...(detailed && resources()),
  }
  const running = call.node.tasks.running().map((task) => ({
    text: call.node.tasks.textOf(task),
    body: shown(call, task, detailed),
    action: task.action,
  }))
  const all = [
    ...running,
    { text: call.node.tasks.textOf({ id: self }), body: own, action: 'cluster:monitor/tasks/lists' },
  ]
  return all.filter(
    ({ action }) => actions.length === 0 || actions.some((pattern) => simpleMatch(pattern, action)),
  )
}

function grouped(call: Call, tasks: readonly Listed[]): Answer {
  const byId = Object.fromEntries(tasks.map(({ text, body }) => [text, body]))
  const groupBy = call.text('group_by') ?? 'nodes'
  if (groupBy === 'none') return { body: { tasks: tasks.map(({ body }) => body) } }
  if (groupBy === 'parents') return { body: { tasks: byId } }
  if (tasks.length === 0) return { body: { nodes: {} } }
  const node = { ...nodeIdentity(call), host: '127.0.0.1', ip: '127.0.0.1:9300', tasks: byId }
  return { body: { nodes: { [call.node.id]: node } } }
}

async function look(call: Call): Promise<Answer> {
  const text = call.part('task')
  let task: Task
  try {
    task = call.node.tasks.find(text)
  } catch (error) {
    const kept = storedTaskResult(call.cluster, text)
    if (kept === undefined) throw error
    return { body: kept }
  }
  if (call.flag('wait_for_completion')) await waitFor(task, call)
  return { body: taskResult(call, task) }
}

/**
 * Runs work as a task and answers when it is over, or at once with the task's id for `wait_for_completion=false`: then the
 * result is kept for whoever asks for it. A failure of waited-for work fails the request.
 */
export async function runAsTask(
  call: Call,
  action: string,
  work: TaskWork,
  perform: (signal: AbortSignal) => Promise<JsonObject>,
  statusOf: () => number = () => 200,
): Promise<Answer> {
  const { tasks } = call.node
  const opaque = call.headers['x-opaque-id']
  const headers: Record<string, string> = opaque === undefined ? {} : { 'X-Opaque-Id': plainText(opaque) }
  const waits = call.flag('wait_for_completion', true)
  const keep = (task: Task) => storeTaskResult(call.cluster, tasks.textOf(task), taskResult(call, task))
  const task = tasks.start(action, work, headers, perform, waits ? undefined : keep)
  if (!waits) return { body: { task: tasks.textOf(task) } }
  await task.done
  if (task.error !== undefined) throw task.error
  return { status: statusOf(), body: task.response }
}

function taskResult(call: Call, task: Task): JsonObject {
  const isOver = task.endTime > 0
  return {
    completed: isOver,
    task: shown(call, task, true),
    ...(task.response !== undefined && { response: task.response }),
    ...(task.error !== undefined && { error: errorBody(task.error, false).error }),
  }
}

/** Waits up to the given time, 30 seconds by default, or until the client disconnects. */
async function waitFor(task: Task, call: Call): Promise<void> {
  const limit = call.time('timeout') ?? 30_000
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limit)
    call.signal.addEventListener('abort', () => resolve(), { once: true })
  })
  await Promise.race([task.done, over])
  clearTimeout(timer)
}

function cancel(call: Call): Answer {
  const { task: text } = call.parts
  const actions = call.list('actions')
  const tasks = (text === undefined ? call.node.tasks.running() : [call.node.tasks.find(text)]).filter(
    ({ action }) => actions.length === 0 || actions.some((pattern) => simpleMatch(pattern, action)),
  )
  for (const task of tasks) task.cancel('by user request')
  return grouped(
    call,
    tasks.map((task) => ({
      text: call.node.tasks.textOf(task),
      body: shown(call, task, false),
      action: task.action,
    })),
  )
}

const listParameters = 'nodes actions detailed parent_task_id wait_for_completion group_by timeout node_id'

export const taskRoutes: readonly Route[] = [
  route('GET', '/_tasks', listParameters, (call) => grouped(call, listed(call))),
  route('GET', '/_tasks/:task', 'wait_for_completion timeout', look),
  route('POST', '/_tasks/_cancel /_tasks/:task/_cancel', listParameters, cancel),
]
