/** Ids that a running pipeline gets from outside its plan: its instance id, and the ids of the old 5.0 shape. */
import { randomUUID } from 'node:crypto'
import type { PipelineSummary } from '../../../threads/messages.ts'
import type { PipelineView } from '../view.ts'

const instances = new WeakMap<object, string>()

/** New with every start and reload of the pipeline. */
export function instanceId({ summary, config }: PipelineView): string {
  const instance = summary ?? config
  const id = instances.get(instance) ?? randomUUID()
  instances.set(instance, id)
  return id
}

/** Ids in the order of `summary.plugins`. Those the user chose stay. */
export function oldPluginIds({ plugins, oldHash }: PipelineSummary): string[] {
  return plugins.map(({ id, explicitId, type, name }, index) => {
    if (explicitId) return id
    return `${type === 'filter' ? `${name}_` : ''}${oldHash}-${index + 1}`
  })
}
