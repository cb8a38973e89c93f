/** Maps of tasks in a file, from the end of one run to the start of the next; JSON, for our own use only. */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseJson } from '../../../event/json-parse.ts'
import { writeJson } from '../../../event/json-write.ts'
import { isFields, type Value } from '../../../event/value.ts'
import { hashOf, toFields } from '../../../ruby/event-values.ts'
import { makeDirectorySync } from '../../../storage/make-directory.ts'
import { TaskMap } from './map-meta.ts'
import type { PipelineMaps } from './task-maps.ts'

/** True when there was a file; it is gone then, so that maps are never read twice. */
export function loadMaps(path: string, into: PipelineMaps): boolean {
  if (!existsSync(path)) return false
  const kept = parseJson(readFileSync(path, 'utf8'))
  if (!Array.isArray(kept)) throw new Error(`${path} does not hold aggregate maps`)
  const now = Date.now()
  for (const entry of kept) {
    const [pattern, taskId, firstEvent, map] = Array.isArray(entry) ? entry : []
    if (typeof pattern !== 'string' || typeof taskId !== 'string' || !isFields(map)) continue
    into.of(pattern).maps.set(taskId, new TaskMap(taskId, Number(firstEvent), now, hashOf(map)))
  }
  rmSync(path)
  return true
}

export function storeMaps(path: string, from: PipelineMaps): void {
  const kept: Value[] = []
  for (const [pattern, { maps }] of from.byPattern) {
    for (const { taskId, firstEvent, map } of maps.values())
      kept.push([pattern, taskId, firstEvent, toFields(map)])
  }
  if (kept.length === 0) return
  makeDirectorySync(dirname(path))
  writeFileSync(`${path}.new`, writeJson(kept), { flush: true })
  renameSync(`${path}.new`, path)
}
