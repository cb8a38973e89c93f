/**
 * The maps of the tasks under way in a pipeline. All aggregate filters of a pipeline that name tasks by the same
 * pattern work on the same maps; one of them, the one with the options about timeouts if there is one, ends them.
 */
import type { TaskMap } from './map-meta.ts'

class TaskMaps {
  /** In the order in which they were made. */
  readonly maps = new Map<string, TaskMap>()
  /** The filter that ends maps. */
  ender: object | undefined
  endersOptions = false
  /** Whether the ender makes events of maps that are over. */
  pushesMaps = false
  /** Whether code has given a task a time of its own, so that every flush has to look. */
  hasOwnTimeouts = false
}

export class PipelineMaps {
  readonly byPattern = new Map<string, TaskMaps>()
  keeper: object | undefined
  /** The shortest that any filter of the pipeline was given; for those that were given none. */
  timeout: number | undefined

  of(pattern: string): TaskMaps {
    let found = this.byPattern.get(pattern)
    if (found === undefined) {
      found = new TaskMaps()
      this.byPattern.set(pattern, found)
    }
    return found
  }

  get size(): number {
    let size = 0
    for (const { maps } of this.byPattern.values()) size += maps.size
    return size
  }
}

const pipelines = new WeakMap<AbortSignal, PipelineMaps>()

/**
 * The maps for a filter that is being created. The filters of a pipeline are created in one go; those that come
 * later, after a reload, begin with maps of their own.
 */
export function joinPipeline(signal: AbortSignal): PipelineMaps {
  let maps = pipelines.get(signal)
  if (maps === undefined) {
    maps = new PipelineMaps()
    pipelines.set(signal, maps)
    setImmediate(() => {
      if (pipelines.get(signal) === maps) pipelines.delete(signal)
    }).unref()
  }
  return maps
}
