/** A thread that unpacks sections and sorts columns for the store, so that light searches do not wait for it. */
import { parentPort } from 'node:worker_threads'
import { ownedArrays, runSideJob, type SideJob } from './search/side-job.ts'
import { diskFiles } from './storage/files.ts'
import { enterRoster } from './threads/roster.ts'
import type { SideAnswer, SideRequest } from './threads/side-thread.ts'

if (parentPort !== null) {
  const port = parentPort
  enterRoster('search-unpack')
  port.on('message', ({ number, job }: SideRequest<SideJob>) => {
    try {
      const { result, buffers } = ownedArrays(runSideJob(diskFiles, job))
      port.postMessage({ number, result, error: undefined } satisfies SideAnswer, buffers)
    } catch (failure) {
      port.postMessage({ number, error: (failure as Error).message } satisfies SideAnswer)
    }
  })
}
