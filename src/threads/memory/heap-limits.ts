/**
 * How much heap a thread may take. A thread that reaches its limit ends with ERR_WORKER_OUT_OF_MEMORY and is replaced;
 * without one, the kernel would end the whole process. See docs/decisions/0015-lost-threads.md.
 */
import { totalmem } from 'node:os'
import type { ResourceLimits } from 'node:worker_threads'
import { memoryAccount } from '../../memory/memory-account.ts'
import { groupOfLimit, standardLimit } from '../../memory/memory-limit.ts'

const megabyte = 1024 * 1024
const minHeapMegabytes = 96
/** What V8 takes at most by itself. */
const maxHeapMegabytes = 4096
/** Share of the process's memory for one heap: a thread may be greedy, and the others still have room. */
const share = 0.5
/** Below this memory the young generations of ten threads, up to 48 MB each, are more than their work is worth. */
const scarceMegabytes = 1024
/** Three times what a scavenge copies at most. */
const scarceYoungMegabytes = 6

/** Bytes that the control group or the machine allows this process, or less where `memory.limit` asks for less. */
export function processMemory(
  constrained: number = process.constrainedMemory(),
  total = totalmem(),
  limit = memoryAccount.limit,
): number {
  // Without a limit it is 0, or a number beyond all memory.
  const allowed = constrained > 0 && constrained < total ? constrained : total
  return limit < standardLimit(constrained, total) ? Math.min(allowed, groupOfLimit(limit)) : allowed
}

/** `young` is the size of the young generation where memory is not scarce; V8's own without it. */
export function heapLimits(bytes: number = processMemory(), young?: number): ResourceLimits {
  const wanted = Math.floor((bytes * share) / megabyte)
  const maxYoungGenerationSizeMb = bytes < scarceMegabytes * megabyte ? scarceYoungMegabytes : young
  return {
    maxOldGenerationSizeMb: Math.min(maxHeapMegabytes, Math.max(minHeapMegabytes, wanted)),
    ...(maxYoungGenerationSizeMb !== undefined && { maxYoungGenerationSizeMb }),
  }
}
