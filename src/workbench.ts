/**
 * A thread that tries things for people who write configurations: grok expressions on lines, whole configurations on
 * events. What takes too long there delays nothing else.
 */
import { parentPort } from 'node:worker_threads'
import { type TryRequest, tryLines } from './grok/try-lines.ts'
import type { InspectionJob } from './threads/configuration/inspection-job.ts'
import { enterRoster } from './threads/roster.ts'
import { type SideAnswer, type SideRequest, sideFailure } from './threads/side-thread.ts'

if (parentPort !== null) {
  const port = parentPort
  enterRoster('workbench')
  port.on('message', ({ number, job }: SideRequest<TryRequest | InspectionJob>) => {
    resultOf(job).then(
      (result) => port.postMessage({ number, result, error: undefined } satisfies SideAnswer),
      (failure) => port.postMessage({ number, error: sideFailure(failure) } satisfies SideAnswer),
    )
  })
}

async function resultOf(job: TryRequest | InspectionJob): Promise<unknown> {
  if (!('kind' in job)) return tryLines(job)
  const { inspect } = await import('./threads/configuration/inspection-job.ts')
  return inspect(job)
}
