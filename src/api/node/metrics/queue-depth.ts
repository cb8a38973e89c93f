/** What waits in a pipeline's queue, as its thread last wrote it down; a pipeline that does not run has no queue. */
import { eventKeys } from '../../../metrics/pipeline-keys.ts'
import type { PipelineView } from '../view.ts'
import { whole } from './counts.ts'

interface QueueDepth {
  readonly events: number
  readonly bytes: number
}

export function queueDepth({ board, status }: PipelineView): QueueDepth {
  if (board === undefined || status !== 'running') return { events: 0, bytes: 0 }
  return { events: whole(board.sum(eventKeys.queueEvents)), bytes: whole(board.sum(eventKeys.queueBytes)) }
}
