/**
 * When work is due: by a cron expression, every so often, once at a time, once after a while. One run follows
 * the other: what falls due during a run is made up for by one run after it.
 */
import { parseTimestamp } from '../../event/parse-timestamp.ts'
import type { Value } from '../../event/value.ts'
import type { Stop } from '../receiving/stop.ts'
import { parseCron } from './cron.ts'
import { parseDuration } from './duration.ts'

export interface Schedule {
  /** When to run next, given when the last run was due (undefined before the first); undefined for never. */
  next(now: number, lastDue: number | undefined): number | undefined
}

export function cronSchedule(text: string): Schedule {
  const cron = parseCron(text)
  return { next: (now, lastDue) => cron.next(Math.max(now, lastDue ?? now)) }
}

/** The first run is at once. */
export function everySchedule(milliseconds: number): Schedule {
  return {
    next: (now, lastDue) => (lastDue === undefined ? now : Math.max(now, lastDue + milliseconds)),
  }
}

function onceAt(instantOf: (now: number) => number): Schedule {
  return { next: (now, lastDue) => (lastDue === undefined ? Math.max(now, instantOf(now)) : undefined) }
}

const kinds = ['cron', 'every', 'at', 'in'] as const

/** A schedule given as a hash with one of the keys `cron`, `every`, `at`, `in`. */
export function scheduleOf(given: ReadonlyMap<string, Value>): Schedule {
  const [kind] = given.keys()
  if (given.size !== 1 || !kinds.includes(kind as (typeof kinds)[number])) {
    throw new Error(
      'Invalid config. schedule hash must contain exactly one of the following keys - cron, at, every or in',
    )
  }
  const text = String(given.get(kind!))
  switch (kind) {
    case 'cron':
      return cronSchedule(text)
    case 'every':
      return everySchedule(durationOf(text))
    case 'in': {
      const wait = durationOf(text)
      return onceAt((now) => now + wait)
    }
    default: {
      const instant = instantOf(text)
      return onceAt(() => instant)
    }
  }
}

function durationOf(text: string): number {
  const duration = parseDuration(text)
  if (duration === undefined || duration <= 0) throw new Error(`invalid duration ${JSON.stringify(text)}`)
  return duration
}

/** `2030-12-31 10:00:00`, with an offset or a zone at the end if wanted. */
function instantOf(text: string): number {
  const iso = text
    .trim()
    .replace(/^(\d{4})\/(\d\d)\/(\d\d)/, '$1-$2-$3')
    .replace(/^(\d{4}-\d\d-\d\d) (\d)/, '$1T$2')
    .replace(/ (?=[+-]\d|Z$|[A-Z][A-Za-z]+(?:\/|$))/, '')
  const millis = parseTimestamp(iso)?.millis ?? Date.parse(text)
  if (Number.isNaN(millis)) throw new Error(`invalid time ${JSON.stringify(text)}`)
  return millis
}

/** Runs the work whenever it is due, until there is nothing more to come or the input has to stop. */
export async function runOnSchedule(
  schedule: Schedule,
  stop: Stop,
  work: () => Promise<void>,
): Promise<void> {
  let lastDue: number | undefined
  while (!stop.isRequested) {
    const due = schedule.next(Date.now(), lastDue)
    if (due === undefined) return
    // A long wait takes several timers, and clocks may be set meanwhile.
    for (let left = due - Date.now(); left > 0 && !stop.isRequested; left = due - Date.now()) {
      await stop.sleep(Math.min(left, maxWait))
    }
    if (stop.isRequested) return
    lastDue = due
    await work()
  }
}

const maxWait = 60_000
