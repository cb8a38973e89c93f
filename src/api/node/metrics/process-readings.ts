/** The `process` section: descriptors, memory and processor time of this process, peaks since the start. */
import { availableParallelism, loadavg } from 'node:os'
import { memoryAccount, memoryKinds } from '../../../memory/memory-account.ts'
import { maxFiles, openFiles, processorQuota, residentBytes, virtualBytes } from './proc-files.ts'

/** Shorter intervals say nothing about processor use. */
const minInterval = 500

export class ProcessReadings {
  #peakFiles = 0
  #maxFiles: number | undefined
  #processors: number | undefined
  #before = { cpuMillis: 0, at: performance.now() - process.uptime() * 1000 }
  #percent = 0

  /** Keeps the peak and the processor use up to date. */
  observe(): void {
    this.#peakFiles = Math.max(this.#peakFiles, openFiles())
    this.#measure()
  }

  #measure(): number {
    const { user, system } = process.cpuUsage()
    const cpuMillis = (user + system) / 1000
    const elapsed = performance.now() - this.#before.at
    if (elapsed >= minInterval) {
      this.#processors ??= Math.min(availableParallelism(), processorQuota())
      const percent = (100 * (cpuMillis - this.#before.cpuMillis)) / (elapsed * this.#processors)
      this.#percent = Math.min(100, Math.max(0, Math.trunc(percent)))
      this.#before = { cpuMillis, at: performance.now() }
    }
    return cpuMillis
  }

  read() {
    const open = openFiles()
    const cpuMillis = this.#measure()
    this.#peakFiles = Math.max(this.#peakFiles, open)
    this.#maxFiles ??= maxFiles()
    const [one = 0, five = 0, fifteen = 0] = loadavg()
    return {
      open_file_descriptors: open,
      peak_open_file_descriptors: this.#peakFiles,
      max_file_descriptors: this.#maxFiles,
      mem: { total_virtual_in_bytes: virtualBytes(), ...memoryFigures() },
      cpu: {
        total_in_millis: Math.floor(cpuMillis),
        percent: this.#percent,
        ...(process.platform !== 'win32' && { load_average: { '1m': one, '5m': five, '15m': fifteen } }),
      },
    }
  }
}

/** Our own: what `memory.limit` allows, what is there, and who holds what is counted, over all threads. */
function memoryFigures() {
  const held = memoryAccount.totals()
  return {
    limit_in_bytes: Math.floor(memoryAccount.limit),
    resident_in_bytes: residentBytes(),
    held_in_bytes: Object.fromEntries(memoryKinds.map((kind) => [kind, Math.round(held[kind])])),
  }
}
