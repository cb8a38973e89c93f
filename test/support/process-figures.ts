/** What the kernel says of a running process: resident memory, open files, processor time. Linux only. */
import { readdirSync, readFileSync } from 'node:fs'

const ticksPerSecond = 100
const bytesPerMegabyte = 1024 * 1024

function statusKilobytes(pid: number, field: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1')
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? Number.NaN)
}

/** Resident set size in MB. */
export function residentMegabytes(pid: number): number {
  return (statusKilobytes(pid, 'VmRSS') * 1024) / bytesPerMegabyte
}

/** The highest resident set size so far, in MB; the kernel keeps it, so no peak is missed between two looks. */
export function peakMegabytes(pid: number): number {
  return (statusKilobytes(pid, 'VmHWM') * 1024) / bytesPerMegabyte
}

export function openFiles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length
}

/** Seconds on a processor so far, all threads together. */
export function processorSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}
