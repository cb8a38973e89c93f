/**
 * How many events wait in a pipeline's queue. Only the pipeline's thread knows; it is asked, but not waited
 * for longer than a client notices: a thread that is too busy to answer leaves the last answer standing.
 */
import type { PipelineView } from './view.ts'

const patience = 25

const lastKnown = new WeakMap<object, number>()

/** Events waiting, by pipeline id. */
export type QueueDepths = ReadonlyMap<string, number>

export async function queueDepths(pipelines: readonly PipelineView[]): Promise<QueueDepths> {
  return new Map(
    await Promise.all(pipelines.map(async (pipeline) => [pipeline.id, await queueDepth(pipeline)] as const)),
  )
}

async function queueDepth({ thread, status }: PipelineView): Promise<number> {
  if (thread === undefined || status !== 'running') return 0
  const pending = await thread.pending(patience)
  if (pending !== undefined) lastKnown.set(thread, pending.queued)
  return lastKnown.get(thread) ?? 0
}
