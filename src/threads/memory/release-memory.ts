/** What a thread held is gone when it has ended, however it ended: its row of the account is free again. */
import type { Worker } from 'node:worker_threads'
import { memoryAccount } from '../../memory/memory-account.ts'

export function releaseMemoryOf(worker: Worker): void {
  // Afterwards the worker does not know its number any more.
  const { threadId } = worker
  worker.once('exit', () => memoryAccount.release(threadId))
}
