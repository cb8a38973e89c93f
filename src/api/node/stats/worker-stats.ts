/** The workers of a pipeline one by one: what each is at, and for how long. */
import { eventKeys } from '../../../metrics/pipeline-keys.ts'
import type { Body } from '../envelope.ts'
import { whole } from '../metrics/counts.ts'
import type { PipelineView } from '../view.ts'

export function workers({ board, status, summary }: PipelineView): Body[] {
  if (board === undefined || summary === undefined || !board.has(eventKeys.stage)) return []
  const now = performance.timeOrigin + performance.now()
  const stages = summary.plugins.filter(({ type }) => type !== 'input')
  const current = board.values(eventKeys.stage)
  const events = board.values(eventKeys.in)
  return board.values(eventKeys.busySince).map((since, index) => {
    const isBusy = since > 0 && status === 'running'
    const plugin = isBusy ? stages[(current[index] ?? 0) - 1] : undefined
    return {
      index,
      state: isBusy ? 'busy' : 'idle',
      ...(plugin !== undefined && { current_plugin: plugin.id }),
      busy_in_millis: isBusy ? whole(now - since) : 0,
      events: whole(events[index] ?? 0),
    }
  })
}
