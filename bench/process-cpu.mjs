// CPU time of a process and its descendants between two moments, read from /proc while they run. The kernel counts the
// threads that live in nanoseconds, but forgets those that have ended; it counts whole processes in ticks of 10 ms,
// with the threads that have ended. The first is right to the microsecond nearly always, and the second tells when it
// is not.
import { readFileSync } from 'node:fs'
import { processesOf, threadMicros } from './process-tree.mjs'

const TICK_US = 10_000
/** User and system time are each rounded down to a tick, at both moments. */
const ROUNDED_TICKS = 2

/** What `microsBetween` compares. */
export function cpuMoment(pid) {
  const moment = { threads: new Map(), ticks: new Map() }
  for (const each of processesOf(pid)) {
    try {
      for (const [thread, micros] of threadMicros(each)) moment.threads.set(thread, micros)
      moment.ticks.set(each, ticksIn(readFileSync(`/proc/${each}/stat`, 'latin1')))
    } catch (error) {
      if (error.code !== 'ENOENT' && error.code !== 'ESRCH') throw error // the process ended meanwhile
    }
  }
  return moment
}

export function microsBetween(before, after) {
  const grown = (name) => {
    let sum = 0
    for (const [id, value] of after[name]) sum += Math.max(0, value - (before[name].get(id) ?? 0))
    return sum
  }
  const minimum = (grown('ticks') - ROUNDED_TICKS * after.ticks.size) * TICK_US
  return Math.max(grown('threads'), minimum)
}

/** User and system time, its own and that of children it waited for; the name before them may hold anything. */
export function ticksIn(stat) {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
}
