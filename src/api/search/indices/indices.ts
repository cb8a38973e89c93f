/** Index routes: create, get, delete, open, close, block, settings, mappings, rollover. */

import {
  addBlock,
  closeIndices,
  deleteIndices,
  indicesToDelete,
  openIndices,
  putMappings,
  putSettings,
} from '../../../search/index/admin/index-admin.ts'
import { isAll, metadataOptions } from '../../../search/index/index-expressions.ts'
import type { IndexMetadata } from '../../../search/index/index-metadata.ts'
import { checkIndexBody } from '../../../search/index/templates/create-index.ts'
import { streamOf } from '../../../search/index/templates/data-streams.ts'
import { resolveDateMathName } from '../../../search/index/templates/date-math-names.ts'
import { rollover } from '../../../search/index/templates/rollover.ts'
import { refuseTypedMapping } from '../../../search/mapping/mapping.ts'
import { illegalArgument, validationFailed } from '../../../search/request/errors.ts'
import { isObject, type JsonObject, own } from '../../../search/request/json-object.ts'
import type { Call } from '../call.ts'
import { type Answer, indicesOptions, type Route, route, timeouts } from '../route.ts'
import { checkFilters } from './alias-filters.ts'
import { settingsView, shownFields, shownMappings } from './index-views.ts'
import { refuseResize } from './resize.ts'

const acknowledged: Answer = { body: { acknowledged: true } }

function resolved(call: Call, standard = metadataOptions): IndexMetadata[] {
  return call.cluster.resolve(call.expressions, call.indices(standard)).map(({ index }) => index)
}

async function create(call: Call): Promise<Answer> {
  const name = resolveDateMathName(call.part('index'), call.cluster.now())
  const body = checkIndexBody(call.body.map ?? {})
  if (isObject(body.mappings) && !call.flag('include_type_name'))
    refuseTypedMapping(body.mappings, 'create index')
  if (isObject(body.aliases)) await checkFilters(call, Object.entries(body.aliases))
  call.cluster.createIndex(name, body)
  return { body: { acknowledged: true, shards_acknowledged: true, index: name } }
}

function look(call: Call): Answer {
  const view = {
    isFlat: call.flag('flat_settings'),
    withDefaults: call.flag('include_defaults'),
    isHuman: call.flag('human'),
    names: [],
  }
  const features = call.list('features')
  const wants = (name: string) => features.length === 0 || features.includes(name)
  const entries = resolved(call).map((index): [string, JsonObject] => [
    index.name,
    {
      ...(wants('aliases') && { aliases: index.aliases }),
      ...(wants('mappings') && { mappings: shownMappings(call.cluster, index) }),
      ...(wants('settings') && settingsView(call.cluster, index, view)),
      ...dataStreamMember(call, index),
    },
  ])
  return { body: Object.fromEntries(entries) }
}

function dataStreamMember(call: Call, { name }: IndexMetadata): JsonObject {
  const stream = streamOf(call.cluster, name)
  return stream === undefined ? {} : { data_stream: stream.name }
}

async function remove(call: Call): Promise<Answer> {
  const { expressions } = call
  const options = call.indices({ ...metadataOptions, expandClosed: true })
  const requiresName = call.cluster.setting('action.destructive_requires_name') === 'true'
  if (requiresName && (isAll(expressions) || expressions.some((one) => one.includes('*'))))
    throw illegalArgument('Wildcard expressions or all indices are not allowed')
  await deleteIndices(call.cluster, indicesToDelete(call.cluster, expressions, options))
  return acknowledged
}

async function open(call: Call): Promise<Answer> {
  if (call.expressions.length === 0) throw validationFailed('index is missing')
  const standard = { ...metadataOptions, expandOpen: false, expandClosed: true, allowNoIndices: true }
  await openIndices(call.cluster, resolved(call, standard))
  return { body: { acknowledged: true, shards_acknowledged: true } }
}

async function close(call: Call): Promise<Answer> {
  const indices = resolved(call)
  await closeIndices(call.cluster, indices)
  const shown = Object.fromEntries(indices.map(({ name }) => [name, { closed: true }]))
  return { body: { acknowledged: true, shards_acknowledged: true, indices: shown } }
}

async function block(call: Call): Promise<Answer> {
  const indices = resolved(call)
  await addBlock(call.cluster, indices, call.part('block'))
  const shown = indices.map(({ name }) => ({ name, blocked: true }))
  return { body: { acknowledged: true, shards_acknowledged: true, indices: shown } }
}

function getSettings(call: Call): Answer {
  const names = call.list('name')
  const view = {
    isFlat: call.flag('flat_settings'),
    withDefaults: call.flag('include_defaults'),
    isHuman: call.flag('human'),
    names,
  }
  const standard = { ...metadataOptions, expandClosed: true }
  const entries = resolved(call, standard)
    .map((index): [string, JsonObject] => [index.name, settingsView(call.cluster, index, view)])
    .filter(([, { settings }]) => names.length === 0 || Object.keys(settings as JsonObject).length > 0)
  return { body: Object.fromEntries(entries) }
}

async function setSettings(call: Call): Promise<Answer> {
  const body = call.body.required
  const inner = own(body, 'settings')
  const settings = isObject(inner) && Object.keys(body).length === 1 ? inner : body
  if (Object.keys(settings).length === 0) throw validationFailed('no settings to update')
  const standard = { ...metadataOptions, expandClosed: true }
  await putSettings(call.cluster, resolved(call, standard), settings, call.flag('preserve_existing'))
  return acknowledged
}

function getMappings(call: Call): Answer {
  const standard = { ...metadataOptions, expandClosed: true }
  const entries = resolved(call, standard).map((index) => [
    index.name,
    { mappings: shownMappings(call.cluster, index) },
  ])
  return { body: Object.fromEntries(entries) }
}

function setMappings(call: Call): Answer {
  if (call.body.isEmpty) throw validationFailed('mapping source is missing')
  let indices = resolved(call, { ...metadataOptions, allowNoIndices: false, expandClosed: true })
  if (call.flag('write_index_only')) indices = indices.slice(-1)
  const mappings = call.body.requiredMap
  if (!call.flag('include_type_name')) refuseTypedMapping(mappings, 'put mapping')
  putMappings(call.cluster, indices, mappings)
  return acknowledged
}

function fieldMappings(call: Call): Answer {
  const fields = call.list('fields')
  const entries = resolved(call).map((index) => [
    index.name,
    {
      mappings: shownFields(
        call.cluster,
        call.cluster.store(index).fieldMappings(fields, call.flag('include_defaults')),
      ),
    },
  ])
  const isEmpty = entries.length === 0 && !isAll(call.expressions)
  return { status: isEmpty ? 404 : 200, body: Object.fromEntries(entries) }
}

async function roll(call: Call): Promise<Answer> {
  const body = call.body.object ?? {}
  const answer = await rollover(call.cluster, {
    target: call.part('index'),
    newIndex: call.parts['new_index'],
    body,
    isDryRun: call.flag('dry_run'),
  })
  return { body: answer }
}

const lookParameters = `local ${indicesOptions} flat_settings include_defaults master_timeout cluster_manager_timeout features`
const change = `${timeouts} wait_for_active_shards wait_for_completion task_execution_timeout ${indicesOptions}`

export const indexRoutes: readonly Route[] = [
  route('PUT', '/:index', `${timeouts} wait_for_active_shards include_type_name`, create),
  route('GET', '/:index', `${lookParameters} include_type_name`, look),
  route('DELETE', '/:index', `${timeouts} ${indicesOptions}`, remove),
  route('DELETE', '/', `${timeouts} ${indicesOptions}`, () => {
    throw validationFailed('index / indices is missing')
  }),
  route('POST', '/:index/_open', change, open),
  route('POST', '/:index/_close', change, close),
  route('PUT', '/:index/_block/:block', change, block),
  route(
    'GET',
    '/_settings /_settings/:name /:index/_settings /:index/_settings/:name',
    lookParameters,
    getSettings,
  ),
  route(
    'PUT',
    '/_settings /:index/_settings',
    `${timeouts} preserve_existing ${indicesOptions} flat_settings reopen`,
    setSettings,
  ),
  route(
    'GET',
    '/_mapping /_mappings /:index/_mapping /:index/_mappings',
    `${lookParameters} include_type_name`,
    getMappings,
  ),
  route(
    'PUT|POST',
    '/_mapping /:index/_mapping /:index/_mappings',
    `${timeouts} ${indicesOptions} write_index_only include_type_name`,
    setMappings,
  ),
  route('GET', '/_mapping/field/:fields /:index/_mapping/field/:fields', lookParameters, fieldMappings),
  route(
    'POST',
    '/:index/_rollover /:index/_rollover/:new_index',
    `${timeouts} dry_run wait_for_active_shards lazy`,
    roll,
  ),
  route(
    'PUT|POST',
    '/:index/_shrink/:target /:index/_split/:target /:index/_clone/:target',
    `${change} copy_settings`,
    refuseResize,
  ),
]
