/** Puts, gets, deletes and simulates templates: legacy, composable and component templates. */

import { hashMapOrder } from '../../../text/java-hash.ts'
import { illegalArgument, parseError, validationFailed } from '../../request/errors.ts'
import { resourceNotFound } from '../../request/index-errors.ts'
import { isObject, type JsonObject, own, textList } from '../../request/json-object.ts'
import { unknownField } from '../../request/object-shape.ts'
import { plainText } from '../../request/plain-text.ts'
import { placesOf } from '../../request/request-source.ts'
import { SearchError } from '../../request/search-error.ts'
import { simpleMatch } from '../../request/simple-match.ts'
import { parseAliases } from '../admin/alias-parse.ts'
import { checkSettings, flattenSettings, withChanges } from '../admin/index-settings.ts'
import type { Cluster } from '../cluster.ts'
import {
  type ComponentTemplate,
  type IndexTemplate,
  memberOf,
  type TemplateBody,
  withMember,
  withoutMembers,
} from '../cluster-state.ts'
import { checkTemplateName } from '../index-names.ts'
import { newIndex } from './create-index.ts'
import { withoutType } from './mapping-merge.ts'
import {
  composed,
  conflictingPriority,
  matchingTemplate,
  overlapping,
  type TemplateResult,
} from './templates.ts'

const indexTemplateMembers = [
  'index_patterns',
  'template',
  'composed_of',
  'priority',
  'version',
  '_meta',
  'data_stream',
  'allow_auto_create',
  'ignore_missing_component_templates',
  'deprecated',
  'context',
]

function unknownMember(body: JsonObject, known: readonly string[], what: string): void {
  const wrong = Object.keys(body).find((name) => !known.includes(name))
  if (wrong !== undefined) throw unknownField(what, body, wrong, known, placesOf(body))
}

function parseTemplateBody(json: unknown): TemplateBody | undefined {
  if (json === undefined || json === null) return undefined
  if (!isObject(json)) throw illegalArgument('[template] must be an object')
  unknownMember(json, ['settings', 'mappings', 'aliases', 'lifecycle', 'data_stream_options'], 'template')
  const settings = own(json, 'settings')
  const mappings = own(json, 'mappings')
  const aliases = own(json, 'aliases')
  return {
    ...(isObject(settings) && { settings: templateSettings(settings) }),
    ...(isObject(mappings) && { mappings: withoutType(mappings) }),
    ...(isObject(aliases) && { aliases: parseAliases(aliases) as JsonObject }),
  }
}

function templateSettings(json: JsonObject) {
  const changes = flattenSettings(json)
  checkSettings(changes)
  return withChanges({}, changes)
}

function numberMember(body: JsonObject, name: string): { readonly [key: string]: number } {
  const value = own(body, name)
  return value === undefined || value === null ? {} : { [name]: Number(value) }
}

function parseIndexTemplate(body: JsonObject): IndexTemplate {
  unknownMember(body, indexTemplateMembers, 'index_template')
  const patterns = textList(own(body, 'index_patterns'))
  if (own(body, 'index_patterns') === undefined) throw illegalArgument('Required [index_patterns]')
  if (patterns.length === 0) throw validationFailed('index patterns are missing')
  const template = parseTemplateBody(own(body, 'template'))
  const meta = own(body, '_meta')
  const stream = own(body, 'data_stream')
  const autoCreate = own(body, 'allow_auto_create')
  const ignored = own(body, 'ignore_missing_component_templates')
  return {
    index_patterns: patterns,
    ...(template !== undefined && { template }),
    // OpenSearch builds a template with a body anew, and lists its components, even none.
    ...((own(body, 'composed_of') !== undefined || template !== undefined) && {
      composed_of: textList(own(body, 'composed_of')),
    }),
    ...numberMember(body, 'priority'),
    ...numberMember(body, 'version'),
    ...(isObject(meta) && { _meta: meta }),
    ...(isObject(stream) && { data_stream: stream }),
    ...(typeof autoCreate === 'boolean' && { allow_auto_create: autoCreate }),
    ...(ignored !== undefined && { ignore_missing_component_templates: textList(ignored) }),
  }
}

export function putIndexTemplate(cluster: Cluster, name: string, body: JsonObject, create: boolean): void {
  const template = parseIndexTemplate(body)
  checkTemplateName(name, template.index_patterns)
  if (create && memberOf(cluster.state.indexTemplates, name) !== undefined)
    throw illegalArgument(`index template [${name}] already exists`)
  checkTemplate(cluster, name, template)
  cluster.apply((state) => ({ ...state, indexTemplates: withMember(state.indexTemplates, name, template) }))
}

function checkTemplate(cluster: Cluster, name: string, template: IndexTemplate): void {
  const missing = (template.composed_of ?? []).filter(
    (one) =>
      memberOf(cluster.state.componentTemplates, one) === undefined &&
      !template.ignore_missing_component_templates?.includes(one),
  )
  if (missing.length > 0)
    throw new SearchError(
      'invalid_index_template_exception',
      `index_template [${name}] invalid, cause [index template [${name}] specifies component templates [${missing.join(', ')}] that do not exist]`,
    )
  const overlaps = overlapping(cluster.state.indexTemplates, template.index_patterns, name)
  conflictingPriority(name, template, overlaps, cluster.state)
  try {
    checkResult(cluster, composed(cluster.state, template))
  } catch (error) {
    if (!(error instanceof SearchError) || error.type !== 'mapper_parsing_exception') throw error
    throw illegalArgument(
      `composable template [${name}] template after composition is invalid`,
      illegalArgument(`invalid composite mappings for [${name}]`, error),
    )
  }
}

/** Throws when an index of the template could not be created. */
function checkResult(cluster: Cluster, template: TemplateResult): void {
  const trial = newIndex(cluster.state, `validate-template-${cluster.now()}`, {}, { now: 0, template })
  cluster.stores.check(trial)
}

export function putComponentTemplate(
  cluster: Cluster,
  name: string,
  body: JsonObject,
  create: boolean,
): void {
  unknownMember(
    body,
    ['template', 'version', '_meta', 'deprecated', 'allow_auto_create'],
    'component_template',
  )
  const template = parseTemplateBody(own(body, 'template'))
  if (template === undefined) throw illegalArgument('Required [template]')
  if (create && memberOf(cluster.state.componentTemplates, name) !== undefined)
    throw illegalArgument(`component template [${name}] already exists`)
  const meta = own(body, '_meta')
  const made: ComponentTemplate = {
    template,
    ...numberMember(body, 'version'),
    ...(isObject(meta) && { _meta: meta }),
  }
  checkResult(cluster, { settings: {}, mappings: {}, aliases: {}, ...template })
  cluster.apply((state) => ({
    ...state,
    componentTemplates: withMember(state.componentTemplates, name, made),
  }))
}

export function putLegacyTemplate(
  cluster: Cluster,
  name: string,
  body: JsonObject,
  { create, order }: { readonly create: boolean; readonly order: number | undefined },
): void {
  const known = ['index_patterns', 'template', 'order', 'version', 'settings', 'mappings', 'aliases']
  const wrong = Object.keys(body).find((one) => !known.includes(one))
  if (wrong !== undefined) throw parseError(`unknown key [${wrong}] in the template `)
  const patterns = textList(own(body, 'index_patterns') ?? own(body, 'template'))
  if (patterns.length === 0) throw validationFailed('index patterns are missing')
  checkTemplateName(name, patterns)
  if (create && memberOf(cluster.state.legacyTemplates, name) !== undefined)
    throw illegalArgument(`index_template [${name}] already exists`)
  const settings = own(body, 'settings')
  const mappings = own(body, 'mappings')
  const aliases = own(body, 'aliases')
  const template = {
    order: order ?? Number(own(body, 'order') ?? 0),
    ...numberMember(body, 'version'),
    index_patterns: patterns,
    settings: isObject(settings) ? templateSettings(settings) : {},
    mappings: isObject(mappings) ? withoutType(mappings) : {},
    aliases: isObject(aliases) ? (parseAliases(aliases) as JsonObject) : {},
  }
  checkResult(cluster, template)
  cluster.apply((state) => ({ ...state, legacyTemplates: withMember(state.legacyTemplates, name, template) }))
}

export type TemplateKind = 'legacyTemplates' | 'indexTemplates' | 'componentTemplates'

/** Returns the names that match any of the patterns; all without patterns. */
export function templateNames(cluster: Cluster, kind: TemplateKind, patterns: readonly string[]): string[] {
  const names = hashMapOrder(Object.keys(cluster.state[kind]))
  if (patterns.length === 0) return names
  return names.filter((name) => patterns.some((pattern) => simpleMatch(pattern, name)))
}

export function deleteTemplates(cluster: Cluster, kind: TemplateKind, pattern: string): void {
  const patterns = pattern.split(',')
  const names = templateNames(cluster, kind, patterns)
  if (names.length === 0 && pattern !== '*') {
    if (cluster.compat.isOpenSearch) throw templateMissing('legacyTemplates', pattern)
    if (!patterns.some((one) => one.includes('*'))) throw templateMissing(kind, pattern)
  }
  if (kind === 'componentTemplates') checkUnused(cluster, names)
  if (kind === 'indexTemplates') checkStreams(cluster, names)
  cluster.apply((state) => ({ ...state, [kind]: withoutMembers<unknown>(state[kind], names) }))
}

export function templateMissing(kind: TemplateKind, pattern: string): SearchError {
  if (kind === 'componentTemplates')
    return resourceNotFound(`component template matching [${pattern}] not found`)
  if (kind === 'indexTemplates') return resourceNotFound(`index template matching [${pattern}] not found`)
  return new SearchError('index_template_missing_exception', `index_template [${pattern}] missing`)
}

function checkUnused(cluster: Cluster, names: readonly string[]): void {
  const users = Object.entries(cluster.state.indexTemplates).filter(([, template]) =>
    template.composed_of?.some((one) => names.includes(one)),
  )
  if (users.length > 0)
    throw illegalArgument(
      `component templates [${names.join(', ')}] cannot be removed as they are still in use by index templates [${users.map(([name]) => name).join(', ')}]`,
    )
}

function checkStreams(cluster: Cluster, names: readonly string[]): void {
  for (const stream of Object.keys(cluster.state.dataStreams)) {
    const used = matchingTemplate(cluster.state, stream)
    if (used !== undefined && names.includes(used.name))
      throw illegalArgument(
        `unable to remove composable templates [${names.join(', ')}] as they are in use by a data streams [${stream}]`,
      )
  }
}

export interface Simulation {
  readonly template: TemplateResult
  readonly overlapping: readonly { readonly name: string; readonly index_patterns: readonly string[] }[]
}

/** `_simulate_index`: what an index of this name would get, with an additional template in effect. */
export function simulateIndex(
  cluster: Cluster,
  index: string,
  body: JsonObject | undefined,
): Simulation | undefined {
  const extra = body === undefined ? undefined : parseIndexTemplate(body)
  const extraName = `simulate_template_${cluster.now()}`
  if (extra !== undefined) {
    const overlaps = overlapping(cluster.state.indexTemplates, extra.index_patterns, extraName)
    conflictingPriority(extraName, extra, overlaps, cluster.state)
  }
  const state =
    extra === undefined
      ? cluster.state
      : { ...cluster.state, indexTemplates: withMember(cluster.state.indexTemplates, extraName, extra) }
  const found = matchingTemplate(state, index)
  if (found === undefined) return undefined
  return {
    template: composed(state, simulated(cluster, found.template)),
    overlapping: overlapsOf(cluster, found.name, found.template),
  }
}

/** `_simulate`: what a template produces, an existing one or one in the body. */
export function simulateTemplate(
  cluster: Cluster,
  name: string | undefined,
  body: JsonObject | undefined,
): Simulation {
  const existing = name === undefined ? undefined : memberOf(cluster.state.indexTemplates, name)
  const template = body === undefined || Object.keys(body).length === 0 ? existing : parseIndexTemplate(body)
  if (template === undefined)
    throw illegalArgument(`unable to simulate template [${plainText(name)}] that does not exist`)
  return {
    template: composed(cluster.state, simulated(cluster, template)),
    overlapping: overlapsOf(cluster, name ?? '', template),
  }
}

/** OpenSearch does not show what a data stream adds to its template. */
function simulated(cluster: Cluster, template: IndexTemplate): IndexTemplate {
  if (!cluster.compat.isOpenSearch) return template
  const { data_stream: _, ...rest } = template
  return rest
}

function overlapsOf(cluster: Cluster, name: string, template: IndexTemplate): Simulation['overlapping'] {
  const { legacyTemplates, indexTemplates } = cluster.state
  const all = {
    ...overlapping(legacyTemplates, template.index_patterns, ''),
    ...overlapping(indexTemplates, template.index_patterns, name),
  }
  return Object.entries(all).map(([one, patterns]) => ({ name: one, index_patterns: patterns }))
}

/** Legacy templates that an index template takes precedence over, for the warning. */
export function legacyOverlap(cluster: Cluster, name: string): string | undefined {
  const template = memberOf(cluster.state.indexTemplates, name)
  if (template === undefined) return undefined
  const old = Object.entries(overlapping(cluster.state.legacyTemplates, template.index_patterns, ''))
  if (old.length === 0) return undefined
  const described = old.map(([one, patterns]) => `${one} => [${patterns.join(', ')}]`).join(', ')
  return `index template [${name}] has index patterns [${template.index_patterns.join(', ')}] matching patterns from existing older templates [${old.map(([one]) => one).join(',')}] with patterns (${described}); this template [${name}] will take precedence during new index creation`
}
