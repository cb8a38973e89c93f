/** Refresh, flush, force merge and cache clearing. */

import { openOptions } from '../../../search/index/index-expressions.ts'
import { replicaCount } from '../../../search/index/index-metadata.ts'
import type { OpenShard } from '../../../search/index/shards/open-shard.ts'
import { illegalArgument, validationFailed } from '../../../search/request/errors.ts'
import type { JsonObject } from '../../../search/request/json-object.ts'
import type { Call } from '../call.ts'
import { runAsTask } from '../cluster/tasks.ts'
import { type Answer, indicesOptions, type Route, route } from '../route.ts'

/** Unassigned copies count in the total but not as successful. */
async function each(
  call: Call,
  run: (shard: OpenShard) => void | Promise<void>,
  primariesOnly = false,
): Promise<Answer> {
  let total = 0
  let successful = 0
  for (const { index } of call.cluster.resolve(call.expressions, call.indices(openOptions))) {
    const { shards } = call.cluster.store(index)
    total += shards.length * (primariesOnly ? 1 : 1 + replicaCount(index))
    for (const shard of shards) {
      await run(shard)
      successful += 1
    }
  }
  return { body: { _shards: { total, successful, failed: 0 } } }
}

function merge(call: Call): Promise<Answer> {
  const segments = call.integer('max_num_segments') ?? -1
  if (call.flag('only_expunge_deletes') && segments !== -1 && !call.cluster.compat.isOpenSearch)
    throw validationFailed(
      'cannot set only_expunge_deletes and max_num_segments at the same time, those two parameters are mutually exclusive',
    )
  const primariesOnly = call.flag('primary_only')
  const work = {
    status: () => undefined,
    description:
      `Force-merge indices [${call.expressions.join(', ')}], maxSegments[${segments}], ` +
      `onlyExpungeDeletes[${call.flag('only_expunge_deletes')}], flush[${call.flag('flush', true)}]` +
      (call.cluster.compat.isOpenSearch ? `, primaryOnly[${primariesOnly}]` : ''),
    isCancellable: false,
  }
  const target = segments === -1 ? Number.POSITIVE_INFINITY : segments
  return runAsTask(call, 'indices:admin/forcemerge', work, async () => {
    const { body } = await each(call, (shard) => shard.forceMerge(target), primariesOnly)
    return body as JsonObject
  })
}

function flush(call: Call): Promise<Answer> {
  if (call.flag('force') && !call.flag('wait_if_ongoing', true))
    throw validationFailed('wait_if_ongoing must be true for a force flush')
  return each(call, (shard) => shard.flush())
}

function reject(): never {
  throw illegalArgument('synced flush was removed; a normal flush does the same')
}

export const maintenanceRoutes: readonly Route[] = [
  route('GET|POST', '/_refresh /:index/_refresh', indicesOptions, (call) =>
    each(call, (shard) => shard.refresh()),
  ),
  route('GET|POST', '/_flush /:index/_flush', `force wait_if_ongoing ${indicesOptions}`, flush),
  route('GET|POST', '/_flush/synced /:index/_flush/synced', indicesOptions, reject),
  route(
    'POST',
    '/_forcemerge /:index/_forcemerge',
    `flush max_num_segments only_expunge_deletes wait_for_completion primary_only ${indicesOptions}`,
    merge,
  ),
  route(
    'POST',
    '/_cache/clear /:index/_cache/clear',
    `fielddata fields query request file index ${indicesOptions}`,
    (call) => each(call, () => undefined),
  ),
]
