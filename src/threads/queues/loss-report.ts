/** Says aloud what a pipeline's host notices of its worker threads: in the log, and to the control thread. */

import type { PlannedPlugin } from '../../pipeline/plan/plan.ts'
import type { GivenUpRecord, LostWorker } from '../../pipeline/run/generation.ts'
import type { PluginLogger } from '../../plugin/define.ts'
import { failureOf } from '../failure.ts'
import type { Failure, FromHost } from '../messages.ts'

const maxTraceLines = 12

export function workerLossReport(logger: PluginLogger, post: (message: FromHost) => void) {
  return {
    workerLost({ index, error, plugin, batches, restartMillis }: LostWorker): void {
      const failure = failureOf(error)
      logger.error('A worker thread of the pipeline ended and is started again; its batches are run again', {
        worker: index,
        error: failure.message,
        exception: failure.type,
        ...named(plugin),
        batches,
        restart_in_seconds: restartMillis / 1000,
        backtrace: traceOf(failure),
      })
      post({ kind: 'worker-lost', failure })
    },
    gaveUp({ input, plugin, bytes, error }: GivenUpRecord): void {
      const { message } = failureOf(error)
      logger.error('An event was given up because it ended every worker thread that had it', {
        error: message,
        input: input.id,
        ...named(plugin),
        bytes,
      })
      post({ kind: 'gave-up' })
    },
  }
}

function named(plugin: PlannedPlugin | undefined) {
  return plugin === undefined ? {} : { plugin: plugin.name, plugin_id: plugin.id }
}

/** Where it happened, as lines for the log. */
export function traceOf({ stack }: Failure): string[] {
  return (stack ?? '')
    .split('\n')
    .slice(1, 1 + maxTraceLines)
    .map((line) => line.trim())
}
