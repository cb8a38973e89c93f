/** Parameters of a hot threads report, checked; a bad one is a 400 that says what is wrong. */
import { HttpProblem } from '../../../http/problem.ts'
import type { Query } from '../../../http/query.ts'
import type { ThreadActivity } from '../../../threads/hot-threads/hot-threads.ts'

export type Layout = 'logstash' | 'cluster'
type Order = 'cpu' | 'wait' | 'block'

export interface HotThreadsQuery {
  readonly threads: number
  readonly ignoreIdle: boolean
  readonly orderedBy: Order
  readonly stacktraceSize: number
  readonly human: boolean
  readonly intervalMillis: number
  readonly layout: Layout
  /** Adds all stacks that were seen, with how often. */
  readonly hasStacks: boolean
}

/** Nanoseconds of the interval: on a processor, waiting for something to do, kept from running by others. */
export const measures: Readonly<Record<Order, (thread: ThreadActivity, intervalNanos: number) => number>> = {
  cpu: ({ cpuNanos }) => cpuNanos,
  wait: ({ cpuNanos, queuedNanos }, intervalNanos) => Math.max(0, intervalNanos - cpuNanos - queuedNanos),
  block: ({ queuedNanos }) => queuedNanos,
}

const millisPerUnit: Readonly<Record<string, number>> = { micros: 0.001, ms: 1, s: 1000 }
const minInterval = 50
const maxInterval = 10_000
const defaultInterval = 500
const defaultFrames = 50

export function readQuery(query: Query, defaults: { layout: Layout; threads: number }): HotThreadsQuery {
  return {
    threads: whole(query, 'threads', defaults.threads, 1),
    ignoreIdle: query.has('ignore_idle_threads') ? query.flag('ignore_idle_threads') : true,
    orderedBy: order(query.text('ordered_by') ?? 'cpu'),
    stacktraceSize: whole(query, 'stacktrace_size', defaultFrames, 0),
    human: query.flag('human'),
    intervalMillis: interval(query.text('interval')),
    layout: layout(query.text('layout') ?? defaults.layout),
    hasStacks: query.flag('stacks'),
  }
}

function whole(query: Query, name: string, byDefault: number, min: number): number {
  const given = query.text(name)
  if (given === undefined) return byDefault
  if (/^\d{1,9}$/.test(given) && Number(given) >= min) return Number(given)
  throw new HttpProblem(400, `Invalid value '${given}' for ${name}: expected a whole number from ${min} up`)
}

function order(text: string): Order {
  if (Object.hasOwn(measures, text)) return text as Order
  throw new HttpProblem(400, 'Invalid sort order')
}

function layout(text: string): Layout {
  if (text === 'logstash' || text === 'cluster') return text
  throw new HttpProblem(400, `Invalid layout '${text}': expected logstash or cluster`)
}

function interval(text: string | undefined): number {
  if (text === undefined) return defaultInterval
  const [, amount, unit = ''] = /^(\d{1,9})(micros|ms|s)$/.exec(text.trim()) ?? []
  const millis = Number(amount) * (millisPerUnit[unit] ?? Number.NaN)
  if (millis >= minInterval && millis <= maxInterval) return Math.round(millis)
  throw new HttpProblem(400, `Invalid interval '${text}': expected 50ms to 10s`)
}
