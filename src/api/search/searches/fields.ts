/** `_field_caps`, `_analyze`, `_search_shards` and `_resolve/index`. */

import { singleIndex } from '../../../search/index/documents/document-reads.ts'
import { metadataOptions, sortedByName } from '../../../search/index/index-expressions.ts'
import type { SearchTarget } from '../../../search/index/search-calls.ts'
import type { FieldCapability } from '../../../search/index/shards/embedded-stores.ts'
import { illegalArgument, parseError, validationFailed } from '../../../search/request/errors.ts'
import { isObject, type JsonObject, own, textList } from '../../../search/request/json-object.ts'
import { namesMatchingAny } from '../../../search/request/name-index.ts'
import { checkObject, type ObjectShape } from '../../../search/request/object-shape.ts'
import { placesOf } from '../../../search/request/request-source.ts'
import type { Steps } from '../../../search/scheduling/steps.ts'
import type { Call } from '../call.ts'
import { routingOf } from '../cluster/cluster.ts'
import { nodeIdentity } from '../cluster/nodes.ts'
import { type Answer, indicesOptions, type Route, route, searching } from '../route.ts'
import { targetsOf } from './search.ts'

interface Seen {
  readonly index: string
  readonly capability: FieldCapability
}

async function fieldCaps(call: Call): Promise<Answer> {
  const asked = call.body.object ?? {}
  const patterns = [...call.list('fields'), ...textList(own(asked, 'fields'))]
  if (patterns.length === 0)
    throw illegalArgument(
      call.cluster.compat.isOpenSearch
        ? "specified fields can't be null or empty"
        : 'Validation Failed: 1: no fields specified;',
    )
  const filter = own(asked, 'index_filter')
  const targets: SearchTarget[] = []
  for (const target of targetsOf(call)) {
    const canMatch =
      filter === undefined || (await call.node.search.loaded.canMatch(target, filter, call.signal))
    if (canMatch) targets.push(target)
  }
  targets.sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
  const body = await call.cluster.scheduler.begin(capabilitySteps(call, targets, patterns), () =>
    call.signal.throwIfAborted(),
  )
  return { body }
}

/** Yields after every index and every field. */
function* capabilitySteps(
  call: Call,
  targets: readonly SearchTarget[],
  patterns: readonly string[],
): Steps<JsonObject> {
  const indices = targets.map(({ metadata }) => metadata.name)
  const fields = new Map<string, Map<string, Seen[]>>()
  for (const { metadata, store } of targets) {
    for (const [name, capability] of store.fieldCapabilities(patterns)) {
      let types = fields.get(name)
      if (types === undefined) fields.set(name, (types = new Map()))
      const seen = types.get(capability.type)
      if (seen === undefined) types.set(capability.type, [{ index: metadata.name, capability }])
      else seen.push({ index: metadata.name, capability })
    }
    yield
  }
  const isElastic = !call.cluster.compat.isOpenSearch
  const shown = new Map<string, JsonObject>()
  for (const [name, types] of [...fields].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (call.flag('include_unmapped')) addUnmapped(types, indices)
    shown.set(name, fieldBody(types, isElastic))
    yield
  }
  return { indices, fields: shown }
}

function addUnmapped(types: Map<string, Seen[]>, indices: readonly string[]): void {
  const mapped = new Set([...types.values()].flat().map(({ index }) => index))
  const missing = indices.filter((index) => !mapped.has(index))
  const capability: FieldCapability = {
    type: 'unmapped',
    searchable: false,
    aggregatable: false,
    metadata: false,
  }
  if (missing.length > 0)
    types.set(
      'unmapped',
      missing.map((index) => ({ index, capability })),
    )
}

function fieldBody(types: ReadonlyMap<string, readonly Seen[]>, isElastic: boolean): JsonObject {
  const entries = [...types].map(([type, seen]) => {
    const searchable = seen.every(({ capability }) => capability.searchable)
    const aggregatable = seen.every(({ capability }) => capability.aggregatable)
    const names = (keep: (capability: FieldCapability) => boolean) =>
      seen.filter(({ capability }) => keep(capability)).map(({ index }) => index)
    const mixedSearch = !searchable && seen.some(({ capability }) => capability.searchable)
    const mixedAggregation = !aggregatable && seen.some(({ capability }) => capability.aggregatable)
    const meta = seen.flatMap(({ capability }) => Object.entries(capability.meta ?? {}))
    const body = {
      type,
      ...(isElastic && { metadata_field: seen[0]?.capability.metadata ?? false }),
      searchable,
      aggregatable,
      ...(types.size > 1 && { indices: seen.map(({ index }) => index) }),
      ...(mixedSearch && { non_searchable_indices: names((one) => !one.searchable) }),
      ...(mixedAggregation && { non_aggregatable_indices: names((one) => !one.aggregatable) }),
      ...(meta.length > 0 && { meta: collected(meta) }),
    }
    return [type, body]
  })
  return Object.fromEntries(entries)
}

function collected(entries: readonly (readonly [string, string])[]): JsonObject {
  const values = new Map<string, Set<string>>()
  for (const [name, value] of entries) values.set(name, (values.get(name) ?? new Set()).add(value))
  return Object.fromEntries([...values].map(([name, set]) => [name, [...set].sort()]))
}

const analyzeShape: ObjectShape = {
  parser: 'analyze_request',
  fields: {
    analyzer: 'string',
    text: 'string array',
    field: 'string',
    tokenizer: 'object or string',
    filter: 'any',
    char_filter: 'any',
    explain: 'flag',
    attributes: 'string array',
    normalizer: 'string',
  },
}

async function analyze(call: Call): Promise<Answer> {
  const body = call.body.object
  if (body === undefined) throw parseError('request body or source parameter is required')
  checkObject(analyzeShape, body, placesOf(body))
  const expression = call.parts['index'] ?? call.text('index')
  if (own(body, 'text') === undefined) throw validationFailed('text is missing')
  if (expression !== undefined) call.access?.demand('indices:admin/analyze', [expression])
  const { cluster } = call
  const analyzers =
    expression === undefined ? cluster.stores : cluster.store(singleIndex(cluster, expression).index)
  const answer = cluster.answerBytes()
  try {
    const steps = analyzers.analyze(body, answer)
    return { body: await cluster.scheduler.begin(steps, () => call.signal.throwIfAborted()) }
  } finally {
    answer.release()
  }
}

function searchShards(call: Call): Answer {
  const body = call.body.object ?? {}
  const slice = own(body, 'slice')
  const targets = targetsOf(call)
  let shards = targets.flatMap(({ metadata, shards: numbers }) =>
    numbers.map((shard) => ({ shard, copies: routingOf(call, metadata, shard).slice(0, 1) })),
  )
  if (isObject(slice)) {
    const id = Number(own(slice, 'id'))
    const max = Number(own(slice, 'max'))
    const count = shards.length
    shards = shards.filter((_, position) => (max >= count ? id % count === position : position % max === id))
  }
  const indices = targets.map(({ metadata, filters }) => [
    metadata.name,
    filters === undefined
      ? {}
      : {
          filter:
            filters.length === 1
              ? filters[0]
              : { bool: { should: filters, adjust_pure_negative: true, boost: 1 } },
        },
  ])
  return {
    body: {
      nodes: { [call.node.id]: nodeIdentity(call) },
      indices: Object.fromEntries(indices),
      shards: shards.map(({ copies }) => copies),
    },
  }
}

function resolveIndex(call: Call): Answer {
  const patterns = call.list('name')
  const found = call.cluster.resolve(patterns, call.indices({ ...metadataOptions, ignoreUnavailable: true }))
  const indices = found
    .filter(({ isDirect, index }) => isDirect && call.permits(index.name))
    .map(({ index }) => ({
      name: index.name,
      ...(Object.keys(index.aliases).length > 0 && {
        aliases: Object.keys(index.aliases)
          .filter((name) => call.permits(name))
          .sort(),
      }),
      attributes: [index.isOpen ? 'open' : 'closed'],
    }))
  const { indices: allIndices, dataStreams } = call.cluster.state
  const named = Object.values(allIndices).flatMap((index) => Object.keys(index.aliases))
  const matched = namesMatchingAny([...named, ...Object.keys(dataStreams)], patterns)
  const isWanted = (name: string) => matched.has(name) && call.permits(name)
  const aliases = new Map<string, string[]>()
  for (const index of sortedByName(allIndices))
    for (const alias of Object.keys(index.aliases))
      if (isWanted(alias)) {
        const behind = aliases.get(alias)
        if (behind === undefined) aliases.set(alias, [index.name])
        else behind.push(index.name)
      }
  const streams = sortedByName(dataStreams).filter(({ name }) => isWanted(name))
  return {
    body: {
      indices,
      aliases: [...aliases]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, behind]) => ({ name, indices: behind })),
      data_streams: streams.map(({ name, indices: backing }) => ({
        name,
        backing_indices: backing,
        timestamp_field: '@timestamp',
      })),
    },
  }
}

export const fieldRoutes: readonly Route[] = [
  route(
    'GET|POST',
    '/_field_caps /:index/_field_caps',
    `fields include_unmapped filters types include_empty_fields ${indicesOptions}`,
    searching(fieldCaps),
  ),
  route('GET|POST', '/_analyze /:index/_analyze', 'index', analyze),
  route(
    'GET|POST',
    '/_search_shards /:index/_search_shards',
    `preference routing local master_timeout ${indicesOptions}`,
    searchShards,
  ),
  route(
    'GET',
    '/_resolve/index/:name',
    'expand_wildcards ignore_unavailable allow_no_indices mode',
    resolveIndex,
  ),
]
