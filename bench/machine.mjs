// Where the figures come from: processor, cores, Node version, load, and what others took of the processor meanwhile.
import { readFileSync } from 'node:fs'
import os from 'node:os'

export function machine() {
  const cpus = os.cpus()
  return {
    cpu: cpus[0]?.model ?? 'unknown',
    cores: cpus.length,
    memoryMb: Math.round(os.totalmem() / 1_048_576),
    system: `${os.type()} ${os.release()}`,
    node: process.version,
    load: os.loadavg().map((value) => Number(value.toFixed(2))),
    stolenSeconds: stolenSeconds(),
    busySeconds: busySeconds(),
  }
}

/** A tick of /proc/stat. */
const TICKS_PER_SECOND = 100

/**
 * What this virtual machine's processors had to do and could not, because their host ran others; since it started.
 * Undefined where that is not known.
 */
export function stolenSeconds() {
  return fromKernel(stolenIn)
}

/** What all programs of this machine together have used of its processors since it started. */
function busySeconds() {
  return fromKernel(busyIn)
}

function fromKernel(figure) {
  try {
    return figure(readFileSync('/proc/stat', 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

/** The eighth figure of the line of all processors: user, nice, system, idle, iowait, irq, softirq, steal. */
export function stolenIn(text) {
  const ticks = /^cpu(?: +\d+){7} +(\d+)/m.exec(text)?.[1]
  return ticks === undefined ? undefined : Number(ticks) / TICKS_PER_SECOND
}

/** Processor time of all processes: the `cpu` line without idle, iowait and steal. */
export function busyIn(text) {
  const ticks = /^cpu((?: +\d+){7})/m.exec(text)?.[1].trim().split(/ +/).map(Number)
  if (ticks === undefined) return undefined
  const [user, nice, system, , , irq, softirq] = ticks
  return (user + nice + system + irq + softirq) / TICKS_PER_SECOND
}
