/**
 * Lets go of memory that V8 does not count when it decides whether collecting is worth it: what is shared between
 * threads, and the bytes behind buffers, of which 64 MiB may pass through before it looks. Does nothing where the
 * runtime does not let us.
 */
import { memoryUsage } from 'node:process'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collector = (options?: { readonly type: 'minor' }) => void

let collect: Collector | undefined

/** Everything; costs a few milliseconds. */
export function collectGarbage(): void {
  collect ??= collector()
  collect()
}

/** Long enough for a thread to have started. */
const startMillis = 3000

/** V8 of this version of Node.js collects by itself in a thread that is idle for eight seconds; later ones do not. */
const lastSelfCollecting = 20

/**
 * Collects once what a thread needed only to start: modules as texts, settings, a configuration before it was compiled.
 * That is a seventh of the memory of an idle node.
 */
export function collectAfterStart(version = process.versions.node): void {
  if (Number.parseInt(version, 10) > lastSelfCollecting) setTimeout(collectGarbage, startMillis).unref()
}

/** So many bytes of dropped buffers are worth a scavenge, which costs a fraction of a millisecond. */
const maxDroppedBytes = 4 * 1024 * 1024
let droppedBytes = 0

/** Counts bytes of young buffers that nobody reads again, and has them collected before they are many. */
export function droppedBuffer(bytes: number): void {
  droppedBytes += bytes
  if (droppedBytes < maxDroppedBytes) return
  droppedBytes = 0
  collect ??= collector()
  collect({ type: 'minor' })
}

/** So many bytes of buffers beyond those in use are worth a collection in a thread with a small heap. */
const maxLeftBytes = 16 * 1024 * 1024
let bytesInUse = 0

/** For work in stages that each leave large buffers behind, old ones too. */
export function collectLeftBuffers(): void {
  const { arrayBuffers } = memoryUsage()
  bytesInUse = Math.min(bytesInUse, arrayBuffers)
  if (arrayBuffers < bytesInUse + maxLeftBytes) return
  collectGarbage()
  bytesInUse = memoryUsage().arrayBuffers
}

function collector(): Collector {
  try {
    setFlagsFromString('--expose-gc')
    const gc: unknown = runInNewContext('gc')
    return typeof gc === 'function' ? (options) => void gc(options) : () => {}
  } catch {
    return () => {}
  }
}
