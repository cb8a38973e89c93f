/** A thread that unpacks sections and sorts columns for the store, so that light searches do not wait for it. */
import { parentPort } from 'node:worker_threads'
import { collectLeftBuffers } from './memory/collect-garbage.ts'
import { ownedArrays, runSegmentTask, type SegmentTask } from './search/segment/segment-task.ts'
import { diskFiles } from './storage/files.ts'
import { enterRoster } from './threads/roster.ts'
import { type SideAnswer, type SideRequest, sideFailure } from './threads/side-thread.ts'

/**
 * What Node knows of time zones and languages is loaded once for all threads, in tens of milliseconds: better here, soon
 * after the first search, than in the store's thread when a search first names a time zone or cuts out sentences.
 */
const loadDelayMillis = 100
const loadIntl = () => new Intl.DateTimeFormat('en-US', { timeZone: 'UTC' }).format(0)

if (parentPort !== null) {
  const port = parentPort
  enterRoster('search-unpack')
  setTimeout(loadIntl, loadDelayMillis).unref()
  port.on('message', ({ number, job }: SideRequest<SegmentTask>) => {
    try {
      const { result, buffers } = ownedArrays(runSegmentTask(diskFiles, job))
      port.postMessage({ number, result, error: undefined } satisfies SideAnswer, buffers)
    } catch (failure) {
      port.postMessage({ number, error: sideFailure(failure) } satisfies SideAnswer)
    }
    // What sections were decoded with would stay until the next search meets undecoded data.
    setImmediate(collectLeftBuffers)
  })
}
