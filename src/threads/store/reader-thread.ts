/** The thread of a reader: a worker that the store starts when it is busy and ends when it has been idle. */
import { Worker } from 'node:worker_threads'
import { Logger } from '../../log/logger.ts'
import { readerEntry } from '../entry-url.ts'
import { failureOf } from '../failure.ts'
import { keepTrackOf } from '../live-threads.ts'
import { heapLimits } from '../memory/heap-limits.ts'
import { traceOf } from '../queues/loss-report.ts'

/** What a reader is told when it starts. */
export interface ReaderData {
  /** How much it may cache of what it decoded. */
  readonly cacheBytes: number
}

interface Handlers<Message> {
  message(message: Message): void
  lost(): void
}

interface StartedReader {
  post(message: unknown): void
  close(): Promise<void>
}

const logger = new Logger('millrace.search')

export function startReader<Message>(data: ReaderData, handlers: Handlers<Message>): StartedReader {
  const worker = new Worker(readerEntry, { resourceLimits: heapLimits(), workerData: data })
  keepTrackOf(worker)
  worker.unref()
  let isOver = false
  const lost = (error: unknown) => {
    if (isOver) return
    isOver = true
    const failure = failureOf(error)
    logger.error(
      'A thread that searches for the store ended; the store searches itself until there is another',
      {
        error: failure.message,
        exception: failure.type,
        backtrace: traceOf(failure),
      },
    )
    handlers.lost()
  }
  worker.on('message', (message: Message) => handlers.message(message))
  worker.on('error', lost)
  worker.on('exit', (code) => lost(new Error(`the thread ended with exit code ${code}`)))
  return {
    post: (message) => worker.postMessage(message),
    async close() {
      isOver = true
      await worker.terminate()
    },
  }
}
