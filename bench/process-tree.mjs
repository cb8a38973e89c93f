// Resident memory of a process and its descendants, and the run time of one, read from /proc. VmHWM is the kernel's own high-water mark, so
// sampling now and then misses only growth after the last sample. Elsewhere than on Linux the answer is 0, which
// the report prints as n/a.
import { readdirSync, readFileSync } from 'node:fs'

const MAX_PROCESSES = 256

function read(path) {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return '' // the process ended, or there is no /proc
  }
}

// A child hangs on the thread that started it, so every thread is asked.
function childrenOf(pid) {
  let threads
  try {
    threads = readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
  return threads.flatMap((thread) => read(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean))
}

/** A process and its descendants. */
export function processesOf(root) {
  const found = [String(root)]
  for (let next = 0; next < found.length && next < MAX_PROCESSES; next++)
    found.push(...childrenOf(found[next]))
  return found.slice(0, MAX_PROCESSES)
}

function total(root, field) {
  const line = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm')
  const sizeOf = (pid) => Number(line.exec(read(`/proc/${pid}/status`))?.[1] ?? 0)
  return processesOf(root).reduce((sum, pid) => sum + sizeOf(pid), 0)
}

/** Sum of each process's highest resident size so far, in KiB. */
export const highWaterKb = (pid) => total(pid, 'VmHWM')

/** Sum of each process's resident size now, in KiB. */
export const residentKb = (pid) => total(pid, 'VmRSS')

/** CPU time of each thread of one process so far, in µs; the kernel counts it in nanoseconds. */
export function threadMicros(pid) {
  const clock = (thread) => Number(read(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0]) / 1000
  return new Map(readdirSync(`/proc/${pid}/task`).map((thread) => [thread, clock(thread)]))
}

/** CPU time of all threads of one process so far, in µs. */
export function runMicros(pid) {
  let micros = 0
  for (const own of threadMicros(pid).values()) micros += own
  return micros
}

/** A clock of the thread that did most since `before`, which `threadMicros` told, in milliseconds on a processor. */
export function busiestClock(pid, before) {
  const done = [...threadMicros(pid)].map(([thread, micros]) => [thread, micros - (before.get(thread) ?? 0)])
  const [busiest] = done.sort(([, a], [, b]) => b - a)[0]
  const path = `/proc/${pid}/task/${busiest}/schedstat`
  return () => Number(read(path).split(' ')[0]) / 1e6
}
