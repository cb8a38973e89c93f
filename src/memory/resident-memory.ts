/**
 * How much memory of the process is resident and its own, read cheaply and not more often than it can change: the real
 * usage that the parent circuit breaker looks at, whoever took the memory. Pages of files, those of the Node.js binary
 * above all (about 50 MB), do not count: the kernel drops them when memory is short.
 */
import { readFileSync } from 'node:fs'

const pageBytes = 4096
/** Readings within this time are one. */
const freshMillis = 20

export class ResidentMemory {
  readonly #read: () => number
  readonly #now: () => number
  #bytes = 0
  #readAt = Number.NEGATIVE_INFINITY

  constructor(read = readResident, now = () => performance.now()) {
    this.#read = read
    this.#now = now
  }

  get bytes(): number {
    const now = this.#now()
    if (now - this.#readAt >= freshMillis) {
      this.#readAt = now
      try {
        this.#bytes = this.#read()
      } catch {
        // Both ways need a descriptor. When none is left the last reading stands: a check of memory must not fail for it.
      }
    }
    return this.#bytes
  }

  /** The next reading is a new one. */
  forget(): void {
    this.#readAt = Number.NEGATIVE_INFINITY
  }
}

function readResident(): number {
  try {
    // Pages: size, resident, of those backed by files, … A tenth of what `process.memoryUsage` costs.
    const [, resident, ofFiles] = readFileSync('/proc/self/statm', 'latin1').split(' ', 3)
    return (Number(resident) - Number(ofFiles)) * pageBytes
  } catch {
    return process.memoryUsage.rss()
  }
}

const unknown: NodeJS.MemoryUsage = { rss: 0, heapTotal: 0, heapUsed: 0, external: 0, arrayBuffers: 0 }
let last = unknown

/** What Node.js says the process uses; the last answer again when it finds no descriptor to ask the kernel with. */
export function processMemory(read: () => NodeJS.MemoryUsage = process.memoryUsage): NodeJS.MemoryUsage {
  try {
    last = read()
  } catch {}
  return last
}
