/**
 * Stores results of tasks that nobody waited for in the index `.tasks`, so that they outlive the node's memory and a
 * restart.
 */
import { writeJson } from '../../answer/json-text.ts'
import { parseExactJson } from '../../request/json-literals.ts'
import { isObject, type JsonObject } from '../../request/json-object.ts'
import type { Cluster } from '../cluster.ts'
import { getDocument } from '../documents/document-reads.ts'
import { write } from '../documents/document-writes.ts'

const taskIndex = '.tasks'

const unread = { type: 'object', enabled: false }

const body = {
  settings: { index: { number_of_shards: 1, number_of_replicas: 0 } },
  mappings: {
    dynamic: 'strict',
    properties: {
      completed: { type: 'boolean' },
      task: {
        properties: {
          action: { type: 'keyword' },
          cancellable: { type: 'boolean' },
          cancelled: { type: 'boolean' },
          description: { type: 'text' },
          headers: unread,
          id: { type: 'long' },
          node: { type: 'keyword' },
          resource_stats: unread,
          running_time_in_nanos: { type: 'long' },
          start_time_in_millis: { type: 'long' },
          status: unread,
          type: { type: 'keyword' },
        },
      },
      response: unread,
      error: unread,
    },
  },
}

export async function storeTaskResult(cluster: Cluster, id: string, result: JsonObject): Promise<void> {
  if (cluster.index(taskIndex) === undefined) cluster.createIndex(taskIndex, body)
  const source = Buffer.from(writeJson(result))
  const [answer] = await write(cluster, [{ kind: 'index', index: taskIndex, id, source }], {
    refresh: 'true',
  })
  if (answer !== undefined && 'error' in answer) throw answer.error
}

export function storedTaskResult(cluster: Cluster, id: string): JsonObject | undefined {
  const index = cluster.index(taskIndex)
  if (index === undefined || !index.isOpen) return undefined
  const { document } = getDocument(cluster, { index: taskIndex, id })
  const json = document === undefined ? undefined : parseExactJson(document.source)
  return isObject(json) ? json : undefined
}
