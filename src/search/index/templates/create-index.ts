/** Builds the metadata of a new index: its request merged over the templates that match its name. */
import { illegalArgument, parseError } from '../../request/errors.ts'
import { alreadyExists, invalidIndexName } from '../../request/index-errors.ts'
import { isObject, type JsonObject } from '../../request/json-object.ts'
import { SearchError } from '../../request/search-error.ts'
import { parseAliases } from '../admin/alias-parse.ts'
import { checkSettings, flattenSettings, withChanges } from '../admin/index-settings.ts'
import type { ClusterState } from '../cluster-state.ts'
import { memberOf } from '../cluster-state.ts'
import { uuid } from '../generated-ids.ts'
import type { AliasMetadata, FlatSettings, IndexMetadata } from '../index-metadata.ts'
import { aliasIsIndex, checkIndexName } from '../index-names.ts'
import { mergeMappings, withoutType } from './mapping-merge.ts'
import { matchingTemplate, type TemplateResult, templateResult } from './templates.ts'

export interface IndexBody {
  readonly settings?: unknown
  readonly mappings?: unknown
  readonly aliases?: unknown
}

export interface NewIndexOptions {
  readonly now: number
  /** Overrides the template that matches the name, for backing indices of data streams. */
  readonly template?: TemplateResult
  /** Backing indices have names that users may not choose. */
  readonly isBacking?: boolean
}

const bodyMembers: ReadonlySet<string> = new Set(['settings', 'mappings', 'aliases', 'context'])

export function checkIndexBody(body: JsonObject): IndexBody {
  const wrong = Object.keys(body).find((name) => !bodyMembers.has(name))
  if (wrong !== undefined) throw parseError(`unknown key [${wrong}] for create index`)
  const { mappings, settings } = body
  if (mappings !== undefined && !isObject(mappings)) throw parseError('key [mappings] must be an object')
  if (settings !== undefined && !isObject(settings)) throw parseError('key [settings] must be an object')
  return body
}

export function newIndex(
  state: ClusterState,
  name: string,
  body: IndexBody,
  { now, template, isBacking = false }: NewIndexOptions,
): IndexMetadata {
  checkIndexName(name)
  checkFree(state, name)
  if (template === undefined) checkNoStream(state, name)
  const asked = flattenSettings(body.settings)
  checkSettings(asked)
  const isHiddenIndex = asked.get('index.hidden') === 'true'
  const given = template ?? templateResult(state, name, isHiddenIndex)
  const settings = checkedSettings(
    withChanges(withChanges({}, new Map(Object.entries(given.settings))), asked),
    name,
  )
  const aliases = aliasesOf(state, name, given.aliases, body.aliases)
  return {
    name,
    uuid: uuid(),
    creationDate: now,
    isOpen: true,
    settings: isBacking ? { ...settings, 'index.hidden': 'true' } : settings,
    mappings: mergeMappings([given.mappings, withoutType(isObject(body.mappings) ? body.mappings : {})]),
    aliases,
    version: 1,
    mappingVersion: 1,
    settingsVersion: 1,
    aliasesVersion: 1,
  }
}

/** The names of a template for data streams are those of data streams only. */
function checkNoStream(state: ClusterState, name: string): void {
  const found = matchingTemplate(state, name)
  if (found?.template.data_stream === undefined) return
  throw illegalArgument(
    `cannot create index with name [${name}], because it matches with template [${found.name}] that creates data streams only, use create data stream api instead`,
  )
}

export function checkFree(state: ClusterState, name: string): void {
  const existing = memberOf(state.indices, name)
  if (existing !== undefined) throw alreadyExists(name, existing.uuid)
  if (memberOf(state.dataStreams, name) !== undefined)
    throw new SearchError('resource_already_exists_exception', `data_stream [${name}] already exists`)
  const isAlias = Object.values(state.indices).some(({ aliases }) => Object.hasOwn(aliases, name))
  if (isAlias) throw invalidIndexName(name, 'already exists as alias')
}

function checkedSettings(settings: FlatSettings, name: string): FlatSettings {
  for (const own of ['index.uuid', 'index.creation_date', 'index.provided_name', 'index.version.created']) {
    if (Object.hasOwn(settings, own) && own !== 'index.creation_date')
      throw illegalArgument(
        `unknown setting [${own}] please check that any required plugins are installed, or check the breaking changes documentation for removed settings`,
      )
  }
  const shards = Number(settings['index.number_of_shards'] ?? 1)
  const routing = settings['index.number_of_routing_shards']
  if (routing !== undefined) {
    if (Number(routing) < shards)
      throw illegalArgument(
        `index.number_of_routing_shards [${String(routing)}] must be >= index.number_of_shards [${shards}]`,
      )
    if (Number(routing) % shards !== 0)
      throw illegalArgument(
        `the number of source shards [${shards}] must be a factor of [${String(routing)}]`,
      )
  }
  const partition = Number(settings['index.routing_partition_size'] ?? 1)
  if (partition !== 1 && partition >= Number(routing ?? shards))
    throw illegalArgument(
      `routing partition size [${partition}] should be a positive number less than the number of routing shards [${String(routing ?? shards)}] for [${name}]`,
    )
  const blanks: FlatSettings = { 'index.number_of_shards': '1', 'index.number_of_replicas': '1' }
  return withChanges(blanks, new Map(Object.entries(settings)))
}

function aliasesOf(
  state: ClusterState,
  index: string,
  fromTemplates: JsonObject,
  asked: unknown,
): Record<string, AliasMetadata> {
  const named = Object.fromEntries(
    Object.entries(fromTemplates).map(([name, alias]) => [name.replaceAll('{index}', index), alias]),
  )
  const aliases = { ...parseAliases(named), ...parseAliases(asked) }
  for (const name of Object.keys(aliases)) {
    const clash = memberOf(state.indices, name)
    if (clash !== undefined || name === index)
      throw aliasIsIndex(name, clash?.name ?? index, clash?.uuid ?? '_na_')
  }
  return aliases
}
