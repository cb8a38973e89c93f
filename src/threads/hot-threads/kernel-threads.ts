/**
 * What the Linux kernel knows about the threads of this process: time on a processor, time spent waiting for
 * one, and whether they run now. From `schedstat` in nanoseconds, or from the ticks of `stat` where the kernel
 * keeps no such figures. Reads are synchronous: the files are made in memory while they are read.
 */
import { readdirSync, readFileSync } from 'node:fs'

export interface KernelThread {
  /** Main thread first, then in the order they were started. */
  readonly id: number
  readonly name: string
  /** One letter: R runs or could, S and I wait, D waits for a device, Z and X are gone. */
  readonly state: string
  readonly cpuNanos: number
  readonly queuedNanos: number
}

const maxThreads = 4096
/** Ticks are hundredths of a second for user space on every platform Node.js runs on. */
const nanosPerTick = 1e9 / 100

/** Empty where there is no /proc. */
export function readKernelThreads(folder = '/proc/self/task'): Map<number, KernelThread> {
  let ids: number[]
  try {
    ids = readdirSync(folder).map(Number)
  } catch {
    return new Map()
  }
  const threads = new Map<number, KernelThread>()
  for (const id of ids.sort((a, b) => a - b).slice(0, maxThreads)) {
    const thread = readThread(`${folder}/${id}`, id)
    if (thread !== undefined) threads.set(id, thread)
  }
  return threads
}

/** Undefined for one that has ended meanwhile. */
function readThread(folder: string, id: number): KernelThread | undefined {
  const stat = read(`${folder}/stat`)
  const end = stat.lastIndexOf(')')
  if (end < 0) return undefined
  // The name stands in brackets and may contain anything; `fields` begins with field 3.
  const fields = stat.slice(end + 2).split(' ')
  const [run = 0, queued = 0] = read(`${folder}/schedstat`).split(' ').map(Number)
  const ticks = Number(fields[11]) + Number(fields[12])
  return {
    id,
    name: stat.slice(stat.indexOf('(') + 1, end),
    state: fields[0] ?? '',
    cpuNanos: run > 0 ? run : ticks * nanosPerTick,
    queuedNanos: queued,
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
