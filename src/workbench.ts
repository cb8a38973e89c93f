/** A thread that tries grok expressions for the dashboard, so that a bad one delays nothing else. */
import { parentPort } from 'node:worker_threads'
import { type TryRequest, tryLines } from './grok/try-lines.ts'
import { enterRoster } from './threads/roster.ts'
import { type SideAnswer, type SideRequest, sideFailure } from './threads/side-thread.ts'

if (parentPort !== null) {
  const port = parentPort
  enterRoster('workbench')
  port.on('message', ({ number, job }: SideRequest<TryRequest>) => {
    try {
      port.postMessage({ number, result: tryLines(job), error: undefined } satisfies SideAnswer)
    } catch (failure) {
      port.postMessage({ number, error: sideFailure(failure) } satisfies SideAnswer)
    }
  })
}
