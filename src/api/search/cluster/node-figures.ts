/**
 * Resource usage of this node, measured on request: processors, memory, files, disk. Unknown values are -1 or
 * 0, as in Elasticsearch.
 */
import { readFileSync, statfsSync } from 'node:fs'
import {
  arch,
  availableParallelism,
  type CpuInfo,
  cpus,
  freemem,
  loadavg,
  release,
  totalmem,
  type,
} from 'node:os'
import { getHeapStatistics } from 'node:v8'
import { processMemory } from '../../../memory/resident-memory.ts'
import type { JsonObject } from '../../../search/request/json-object.ts'
import { threadCount } from '../../node/metrics/proc-files.ts'
import { ProcessReadings } from '../../node/metrics/process-readings.ts'

/** Processor use over shorter intervals is not meaningful. */
const minInterval = 500

interface DiskSpace {
  readonly total: number
  readonly free: number
  readonly available: number
}

const noSpace: DiskSpace = { total: 0, free: 0, available: 0 }

export class NodeFigures {
  readonly #process = new ProcessReadings()
  readonly #directory: string | undefined
  #busy = { used: 0, all: 0, at: Number.NEGATIVE_INFINITY }
  #percent = 0
  #peakThreads = 0

  /** The data directory; undefined when indices are in memory. */
  constructor(directory: string | undefined) {
    this.#directory = directory
  }

  /** The use of all processors since the last reading, at first since the machine started. */
  get processorPercent(): number {
    if (performance.now() - this.#busy.at < minInterval) return this.#percent
    let used = 0
    let all = 0
    for (const { times } of processors()) {
      const sum = times.user + times.nice + times.sys + times.idle + times.irq
      used += sum - times.idle
      all += sum
    }
    if (all === 0) return this.#percent
    const passed = all - this.#busy.all
    if (passed > 0) this.#percent = Math.round((100 * (used - this.#busy.used)) / passed)
    this.#busy = { used, all, at: performance.now() }
    return this.#percent
  }

  get process() {
    return this.#process.read()
  }

  get heap(): { readonly used: number; readonly committed: number; readonly max: number } {
    const { used_heap_size: used, total_heap_size: committed, heap_size_limit: max } = getHeapStatistics()
    return { used, committed, max }
  }

  get threads(): { readonly count: number; readonly peak_count: number } {
    const count = threadCount()
    this.#peakThreads = Math.max(this.#peakThreads, count)
    return { count, peak_count: this.#peakThreads }
  }

  get disk(): DiskSpace {
    if (this.#directory === undefined) return noSpace
    try {
      const { bsize, blocks, bfree, bavail } = statfsSync(this.#directory)
      return { total: blocks * bsize, free: bfree * bsize, available: bavail * bsize }
    } catch {
      return noSpace
    }
  }

  osStats(): JsonObject {
    const [one = 0, five = 0, fifteen = 0] = loadavg()
    const total = totalmem()
    const free = freemem()
    const swap = swapSpace()
    return {
      timestamp: Date.now(),
      cpu: {
        percent: this.processorPercent,
        load_average: { '1m': rounded(one), '5m': rounded(five), '15m': rounded(fifteen) },
      },
      mem: {
        total_in_bytes: total,
        free_in_bytes: free,
        used_in_bytes: total - free,
        free_percent: Math.round((free * 100) / total),
        used_percent: 100 - Math.round((free * 100) / total),
      },
      swap: {
        total_in_bytes: swap.total,
        free_in_bytes: swap.free,
        used_in_bytes: swap.total - swap.free,
      },
    }
  }

  processStats(): JsonObject {
    const { open_file_descriptors, max_file_descriptors, cpu, mem } = this.process
    return {
      timestamp: Date.now(),
      open_file_descriptors,
      max_file_descriptors,
      cpu: { percent: cpu.percent, total_in_millis: cpu.total_in_millis },
      mem,
    }
  }

  fsStats(): JsonObject {
    const { total, free, available } = this.disk
    const sizes = { total_in_bytes: total, free_in_bytes: free, available_in_bytes: available }
    const data = this.#directory === undefined ? [] : [{ path: this.#directory, ...sizes }]
    return { timestamp: Date.now(), total: sizes, data }
  }

  /** V8's statistics, in the place of Elasticsearch's JVM statistics. */
  engineStats(startTime: number, now: number): JsonObject {
    const { used, committed, max } = this.heap
    const { external, arrayBuffers } = processMemory()
    return {
      timestamp: now,
      uptime_in_millis: now - startTime,
      mem: {
        heap_used_in_bytes: used,
        heap_used_percent: Math.round((used * 100) / max),
        heap_committed_in_bytes: committed,
        heap_max_in_bytes: max,
        non_heap_used_in_bytes: external,
        non_heap_committed_in_bytes: external,
        pools: {},
      },
      threads: this.threads,
      gc: { collectors: {} },
      buffer_pools: {
        direct: { count: 0, used_in_bytes: arrayBuffers, total_capacity_in_bytes: arrayBuffers },
      },
      classes: { current_loaded_count: 0, total_loaded_count: 0, total_unloaded_count: 0 },
    }
  }
}

/** Empty when no file can be opened; then the last percentage is kept. */
function processors(): readonly CpuInfo[] {
  try {
    return cpus()
  } catch {
    return []
  }
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}

function swapSpace(): { readonly total: number; readonly free: number } {
  try {
    const text = readFileSync('/proc/meminfo', 'latin1')
    const bytes = (line: RegExp) => Number(line.exec(text)?.[1] ?? 0) * 1024
    return { total: bytes(/^SwapTotal:\s+(\d+)/m), free: bytes(/^SwapFree:\s+(\d+)/m) }
  } catch {
    return { total: 0, free: 0 }
  }
}

export function osInfo(): JsonObject {
  const processors = availableParallelism()
  return {
    refresh_interval_in_millis: minInterval,
    name: type(),
    pretty_name: prettyName(),
    arch: arch(),
    version: release(),
    available_processors: processors,
    allocated_processors: processors,
  }
}

function prettyName(): string {
  try {
    const text = readFileSync('/etc/os-release', 'utf8')
    return /^PRETTY_NAME="?([^"\n]+)"?$/m.exec(text)?.[1] ?? type()
  } catch {
    return `${type()} ${release()}`
  }
}
