/** How far each output of a pipeline is behind, where outputs have queues of their own (`output.isolation`). */
import { pluginKey } from '../../../metrics/pipeline-keys.ts'
import type { PipelineView } from '../view.ts'
import { whole } from './counts.ts'

export interface OutputLag {
  readonly id: string
  readonly name: string
  /** Events that wait for the output, those it is at included. */
  readonly events: number
  readonly bytes: number
  /** How long the oldest of them has been waiting since it came into the queue, or since the start. */
  readonly lagMillis: number
}

/** Undefined when outputs have no queues of their own, or the pipeline does not run. */
export function outputLags(
  { summary, board, config, status }: PipelineView,
  now = Date.now(),
): OutputLag[] | undefined {
  if (summary === undefined || board === undefined || status !== 'running') return undefined
  if (!config.settings.get('output.isolation')) return undefined
  return summary.plugins
    .filter(({ type }) => type === 'output')
    .map(({ id, name }) => {
      const since = board.sum(pluginKey(id, 'waiting_since'))
      return {
        id,
        name,
        events: whole(board.sum(pluginKey(id, 'waiting'))),
        bytes: whole(board.sum(pluginKey(id, 'waiting_bytes'))),
        lagMillis: since === 0 ? 0 : Math.max(0, whole(now - since)),
      }
    })
}
