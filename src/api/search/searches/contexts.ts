/** Scroll and point-in-time routes of Elasticsearch and OpenSearch. */

import { illegalArgument, validationFailed } from '../../../search/request/errors.ts'
import { own, textList } from '../../../search/request/json-object.ts'
import { plainText } from '../../../search/request/plain-text.ts'
import { parseTime } from '../../../search/request/units/units.ts'
import type { Call } from '../call.ts'
import { type Answer, indicesOptions, type Route, route, searching } from '../route.ts'
import { searchCall, shaped, targetsOf } from './search.ts'

async function scroll(call: Call): Promise<Answer> {
  const body = call.body.object ?? {}
  for (const name of Object.keys(body)) {
    if (name !== 'scroll' && name !== 'scroll_id')
      throw illegalArgument(
        `Unknown parameter [${name}] in request body or parameter is of the wrong type[VALUE_STRING] `,
      )
  }
  const id = own(body, 'scroll_id') ?? call.text('scroll_id')
  if (id === undefined || id === '') throw validationFailed('scrollId is missing')
  const keepAlive = own(body, 'scroll') ?? call.text('scroll')
  const millis = keepAlive === undefined ? undefined : parseTime(plainText(keepAlive), 'scroll')
  call.access?.demandContext(plainText(id))
  const answer = await call.node.search.loaded.scroll(plainText(id), millis, searchCall(call))
  call.access?.own(own(answer, '_scroll_id'))
  return { body: shaped(call, answer) }
}

function clearScroll(call: Call): Answer {
  const body = call.body.object ?? {}
  const inBody = textList(own(body, 'scroll_id'))
  const ids = inBody.length > 0 ? inBody : call.list('scroll_id')
  if (ids.length === 0) throw validationFailed('no scroll ids specified')
  const isAll = ids.length === 1 && ids[0] === '_all'
  if (isAll) call.access?.demandCluster('cluster:admin/indices/scroll/clear_all')
  else for (const id of ids) call.access?.demandContext(id)
  const freed = call.node.search.loaded.clearScrolls(isAll ? 'all' : ids)
  return { status: freed > 0 || isAll ? 200 : 404, body: { succeeded: true, num_freed: freed } }
}

function keepAliveOf(call: Call): number {
  const millis = call.time('keep_alive')
  if (millis === undefined) throw validationFailed('[keep_alive] is not specified')
  return millis
}

function open(call: Call) {
  const keepAlive = keepAliveOf(call)
  const targets = targetsOf(call)
  const pit = call.node.search.loaded.openPit(targets, keepAlive)
  call.access?.own(pit.id)
  const total = targets.reduce((sum, { shards }) => sum + shards.length, 0)
  return { pit, shards: { total, successful: total, skipped: 0, failed: 0 } }
}

function openElastic(call: Call): Answer {
  const { pit, shards } = open(call)
  return { body: { id: pit.id, _shards: shards } }
}

function closeElastic(call: Call): Answer {
  const id = own(call.body.required, 'id')
  if (typeof id !== 'string') throw validationFailed('[id] cannot be null or empty')
  call.access?.demandContext(id)
  const found = call.node.search.loaded.closePits([id]).some((one) => one.found)
  return { status: found ? 200 : 404, body: { succeeded: true, num_freed: found ? 1 : 0 } }
}

function openSearchPit(call: Call): Answer {
  const { pit, shards } = open(call)
  return { body: { pit_id: pit.id, _shards: shards, creation_time: pit.creationTime } }
}

function closed(call: Call, ids: readonly string[] | 'all'): Answer {
  const pits = call.node.search.loaded
    .closePits(ids)
    .map(({ id, found }) => ({ successful: found, pit_id: id }))
  return { body: { pits } }
}

function closeOpenSearch(call: Call): Answer {
  const ids = textList(own(call.body.required, 'pit_id'))
  if (ids.length === 0) throw validationFailed('no pit ids specified')
  for (const id of ids) call.access?.demandContext(id)
  return closed(call, ids)
}

function listPits(call: Call): Answer {
  const pits = call.node.search.loaded.pits().map(({ id, creationTime, keepAliveMillis }) => ({
    pit_id: id,
    creation_time: creationTime,
    keep_alive: keepAliveMillis,
  }))
  return { body: { pits } }
}

const pitParameters = `keep_alive preference routing allow_partial_pit_creation allow_partial_search_results max_concurrent_shard_requests ${indicesOptions}`

export const contextRoutes: readonly Route[] = [
  route(
    'GET|POST',
    '/_search/scroll /_search/scroll/:scroll_id',
    'scroll scroll_id rest_total_hits_as_int hits_format',
    searching(scroll),
  ),
  route('DELETE', '/_search/scroll /_search/scroll/:scroll_id', 'scroll_id', searching(clearScroll)),
  route('POST', '/:index/_pit', pitParameters, searching(openElastic)),
  route('DELETE', '/_pit', '', searching(closeElastic)),
  route('POST', '/:index/_search/point_in_time', pitParameters, searching(openSearchPit)),
  route('DELETE', '/_search/point_in_time', '', searching(closeOpenSearch)),
  route(
    'DELETE',
    '/_search/point_in_time/_all',
    '',
    searching((call) => closed(call, 'all')),
  ),
  route('GET', '/_search/point_in_time/_all', '', searching(listPits)),
]
