/**
 * How much heap a thread may take. A thread that reaches its limit ends with ERR_WORKER_OUT_OF_MEMORY and is replaced;
 * without one, the kernel would end the whole process. See docs/decisions/0015-lost-threads.md.
 */
import { totalmem } from 'node:os'
import type { ResourceLimits } from 'node:worker_threads'

const megabyte = 1024 * 1024
const minHeapMegabytes = 96
/** What V8 takes at most by itself. */
const maxHeapMegabytes = 4096
/** Of the memory of the process: one thread may be greedy, and the others still have room. */
const share = 0.5

/** Bytes that the control group or the machine allows this process. */
export function processMemory(constrained: number = process.constrainedMemory(), total = totalmem()): number {
  // Without a limit it is 0, or a number beyond all memory.
  return constrained > 0 && constrained < total ? constrained : total
}

export function heapLimits(bytes: number = processMemory()): ResourceLimits {
  const wanted = Math.floor((bytes * share) / megabyte)
  return { maxOldGenerationSizeMb: Math.min(maxHeapMegabytes, Math.max(minHeapMegabytes, wanted)) }
}
