/** Ids that a running pipeline gets from outside its plan: its instance id, and the ids of the old 5.0 shape. */
import { createHash, randomUUID } from 'node:crypto'
import type { PipelineSummary } from '../../threads/messages.ts'
import type { PipelineView } from './view.ts'

const instances = new WeakMap<object, string>()
const digests = new WeakMap<object, string>()

/** New with every start and reload of the pipeline. */
export function instanceId({ summary, config }: PipelineView): string {
  return remembered(instances, summary ?? config, randomUUID)
}

/** SHA-1 of the whole configuration text. */
function textDigest(summary: PipelineSummary, { config }: PipelineView): string {
  return remembered(digests, summary, () =>
    createHash('sha1')
      .update(config.parts.map(({ text }) => text).join('\n'))
      .digest('hex'),
  )
}

/** Ids in the order of `summary.plugins`. A made-up id is 64 hex digits in the current shape; chosen ones stay. */
export function oldPluginIds(summary: PipelineSummary, pipeline: PipelineView): string[] {
  const digest = textDigest(summary, pipeline)
  return summary.plugins.map(({ id, type, name }, index) => {
    if (!/^[0-9a-f]{64}$/.test(id)) return id
    return `${type === 'filter' ? `${name}_` : ''}${digest}-${index + 1}`
  })
}

function remembered(known: WeakMap<object, string>, key: object, make: () => string): string {
  const value = known.get(key) ?? make()
  known.set(key, value)
  return value
}
