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
