/**
 * What only the kernel's files tell about this process. Reads are synchronous: these files are made in memory
 * while they are read. Where there is no /proc, -1 stands for "unknown", as in Logstash.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { recent } from './recent.ts'

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

const ownStat = recent(() => read('/proc/self/stat'))

/** Fields of /proc/self/stat behind the process name, which may contain anything; field 3 is the first. */
function statField(number: number): number {
  const stat = ownStat()
  const value = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[number - 3])
  return stat === '' || !Number.isFinite(value) ? -1 : value
}

/** At least one: whoever asks. */
export function threadCount(): number {
  return Math.max(1, statField(20))
}

export function virtualBytes(): number {
  const bytes = statField(23)
  return bytes >= 0 ? bytes : residentBytes()
}

export const openFiles = recent((): number => {
  for (const directory of ['/proc/self/fd', '/dev/fd']) {
    try {
      // One entry is the handle that lists them.
      return readdirSync(directory).length - 1
    } catch {}
  }
  return -1
})

let lastResident = 0

/** Node.js opens a file for it and throws when none is left: the last reading stands then, or the process would end. */
export const residentBytes = recent((): number => {
  try {
    lastResident = process.memoryUsage.rss()
  } catch {}
  return lastResident
})

/** The soft limit. */
export function maxFiles(): number {
  const limit = /^Max open files\s+(\S+)/m.exec(read('/proc/self/limits'))?.[1]
  if (limit === 'unlimited') return Number.MAX_SAFE_INTEGER
  return limit === undefined ? -1 : Number(limit)
}

/** Processors that the control group of this process may use, infinite without a quota. */
export function processorQuota(): number {
  const group = /^0::(\/.*)$/m.exec(read('/proc/self/cgroup'))?.[1] ?? '/'
  const [quota, period] = (
    read(`/sys/fs/cgroup${group}/cpu.max`) ||
    read('/sys/fs/cgroup/cpu.max') ||
    firstVersion()
  )
    .split(/\s+/)
    .map(Number)
  return quota !== undefined && quota > 0 && period !== undefined && period > 0
    ? quota / period
    : Number.POSITIVE_INFINITY
}

/** Reads the pair of quota and period from the files of control groups version 1. */
function firstVersion(): string {
  return `${read('/sys/fs/cgroup/cpu/cpu.cfs_quota_us')} ${read('/sys/fs/cgroup/cpu/cpu.cfs_period_us')}`.replaceAll(
    '\n',
    '',
  )
}
