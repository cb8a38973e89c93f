/**
 * The threads this one has started and that have not ended. What one held is gone when it has ended, however it ended:
 * its row of the memory account is free again. A thread in a system call that does not return, such as the
 * opening of a named pipe nobody reads or a file of a server that is gone, cannot be ended, and `process.exit` would wait
 * for it for ever.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { memoryAccount } from '../memory/memory-account.ts'

const live = new Set<Worker>()

export function keepTrackOf(worker: Worker): void {
  // Afterwards the worker does not know its number any more.
  const { threadId } = worker
  live.add(worker)
  worker.once('exit', () => {
    live.delete(worker)
    memoryAccount.release(threadId)
  })
}

/** Ends all of them; false when one has not ended by then. */
export async function endThreads(milliseconds: number): Promise<boolean> {
  const ended = Promise.all([...live].map((worker) => worker.terminate())).then(() => true)
  const giveUp = new AbortController()
  const late = wait(milliseconds, false, { signal: giveUp.signal }).catch(() => false)
  try {
    return await Promise.race([ended, late])
  } finally {
    giveUp.abort()
  }
}
