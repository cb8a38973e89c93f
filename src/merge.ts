/** A thread that writes or joins segments for the store, so that documents and searches do not wait for it. */
import { parentPort } from 'node:worker_threads'
import { collectGarbage, collectLeftBuffers } from './memory/collect-garbage.ts'
import { runSegmentJob, type SegmentJob } from './search/shard/segment-job.ts'
import { diskFiles } from './storage/files.ts'
import { enterRoster } from './threads/roster.ts'
import { type SideAnswer, type SideFailure, type SideRequest, sideFailure } from './threads/side-thread.ts'

if (parentPort !== null) {
  const port = parentPort
  enterRoster('search-merge')
  port.on('message', ({ number, job }: SideRequest<SegmentJob>) => {
    let error: SideFailure | undefined
    try {
      runSegmentJob(diskFiles, job, collectLeftBuffers)
    } catch (failure) {
      error = sideFailure(failure)
    }
    port.postMessage({ number, error } satisfies SideAnswer)
    setImmediate(collectGarbage)
  })
}
