/** The root of a mapping besides its fields: dynamic mapping, `_source`, `_routing`, `_meta`, … */

import type { CompileExpression } from '../../analysis/component.ts'
import { asSearchError, illegalArgument, mapperParsing } from '../../request/errors.ts'
import { javaText } from '../../request/java-text.ts'
import { isObject, type JsonObject } from '../../request/json-object.ts'
import { compileDateFormat, type DateFormat, defaultDateFormat } from '../../time/date-format.ts'
import { remaining } from './definition-parser.ts'
import { DynamicTemplate } from './dynamic-template.ts'
import { namedBoolean } from './parameter.ts'

export interface SourceSettings {
  readonly enabled: boolean
  readonly includes: readonly string[]
  readonly excludes: readonly string[]
}

/** Undefined members were not given. */
export interface RootSettings {
  readonly dateDetection: boolean | undefined
  readonly numericDetection: boolean | undefined
  readonly dynamicDateFormats: readonly string[] | undefined
  readonly templates: readonly DynamicTemplate[] | undefined
  readonly source: SourceSettings | undefined
  readonly routingRequired: boolean | undefined
  readonly meta: JsonObject | undefined
  /** `_data_stream_timestamp`, `_field_names`, `_size`: stored as they are. */
  readonly others: ReadonlyMap<string, JsonObject>
}

export const emptySettings: RootSettings = {
  dateDetection: undefined,
  numericDetection: undefined,
  dynamicDateFormats: undefined,
  templates: undefined,
  source: undefined,
  routingRequired: undefined,
  meta: undefined,
  others: new Map(),
}

/** The default of `dynamic_date_formats`. */
const defaultDynamicFormats: readonly string[] = [
  defaultDateFormat,
  'yyyy/MM/dd HH:mm:ss||yyyy/MM/dd||epoch_millis',
]

const treeKeys = new Set(['dynamic', 'enabled', 'properties', 'type'])
const keptKeys = new Set([
  '_data_stream_timestamp',
  '_field_names',
  '_size',
  '_ignored',
  '_doc_count',
  '_tier',
])

export function readRootSettings(json: JsonObject, compile: CompileExpression | undefined): RootSettings {
  const settings: { -readonly [K in keyof RootSettings]: RootSettings[K] } = { ...emptySettings }
  const others = new Map<string, JsonObject>()
  const unknown: string[] = []
  for (const [name, value] of Object.entries(json)) {
    if (treeKeys.has(name)) continue
    if (name === 'date_detection') settings.dateDetection = namedBoolean(name, value)
    else if (name === 'numeric_detection') settings.numericDetection = namedBoolean(name, value)
    else if (name === 'dynamic_date_formats' || name === 'date_formats')
      settings.dynamicDateFormats = readFormats(value)
    else if (name === 'dynamic_templates') settings.templates = readTemplates(value, compile)
    else if (name === '_source') settings.source = readSource(value)
    else if (name === '_routing') settings.routingRequired = readRouting(value)
    else if (name === '_meta') {
      if (isObject(value)) settings.meta = value
      else if (value !== null) throw mapperParsing(`[_meta] must be an object`)
    } else if (keptKeys.has(name) && isObject(value)) others.set(name, value)
    else unknown.push(name)
  }
  if (unknown.length > 0) {
    throw mapperParsing(`Root mapping definition has unsupported parameters: ${remaining(unknown, json)}`)
  }
  settings.others = others
  const isEmpty =
    others.size === 0 &&
    Object.entries(settings).every(([key, item]) => key === 'others' || item === undefined)
  return isEmpty ? emptySettings : settings
}

function readFormats(value: unknown): readonly string[] {
  const formats = (Array.isArray(value) ? value : [value]).map(javaText)
  if (formats.length === 1 && formats[0] === 'none') return []
  for (const format of formats) {
    if (format.startsWith('epoch_')) {
      throw mapperParsing(`Epoch [${format}] is not supported as dynamic date format`)
    }
    try {
      compileDateFormat(format)
    } catch (error) {
      throw asSearchError(error)
    }
  }
  return formats
}

function readTemplates(value: unknown, compile: CompileExpression | undefined): DynamicTemplate[] {
  if (!Array.isArray(value)) {
    throw mapperParsing('Dynamic template syntax error. An array of named objects is expected.')
  }
  const templates = new Map<string, DynamicTemplate>()
  for (const item of value) {
    const names = isObject(item) ? Object.keys(item) : []
    const template = isObject(item) ? item[names[0] ?? ''] : undefined
    if (names.length !== 1) throw mapperParsing('A dynamic template must be defined with a name')
    if (!isObject(template)) {
      throw mapperParsing('Dynamic template syntax error. An array of named objects is expected.')
    }
    const name = names[0]!
    if (templates.has(name))
      throw illegalArgument(`A dynamic template with the name [${name}] is already defined`)
    templates.set(name, new DynamicTemplate(name, template, compile))
  }
  return [...templates.values()]
}

function section(name: string, value: unknown, known: readonly string[]): JsonObject {
  if (!isObject(value)) throw mapperParsing(`[${name}] config must be an object`)
  const unknown = Object.keys(value).find((key) => !known.includes(key))
  if (unknown !== undefined) {
    throw mapperParsing(`unknown parameter [${unknown}] on metadata field [${name}]`)
  }
  return value
}

function readSource(value: unknown): SourceSettings {
  const json = section('_source', value, ['enabled', 'includes', 'excludes', 'mode'])
  const list = (given: unknown) =>
    (Array.isArray(given) ? given : given === undefined ? [] : [given]).map(javaText)
  return {
    enabled: json['enabled'] === undefined ? true : namedBoolean('enabled', json['enabled']),
    includes: list(json['includes']),
    excludes: list(json['excludes']),
  }
}

function readRouting(value: unknown): boolean {
  const json = section('_routing', value, ['required'])
  return json['required'] !== undefined && namedBoolean('required', json['required'])
}

/**
 * Merges root settings: the incoming ones win where they are given; a template of the same name is replaced in
 * place.
 */
export function mergeRootSettings(existing: RootSettings, incoming: RootSettings): RootSettings {
  if (incoming === emptySettings) return existing
  const wasEnabled = existing.source?.enabled ?? true
  const enabled = incoming.source?.enabled ?? wasEnabled
  if (incoming.source !== undefined && existing !== emptySettings && enabled !== wasEnabled) {
    throw illegalArgument(
      `Mapper for [_source] conflicts with existing mapper:\n\tCannot update parameter [enabled] from [${wasEnabled}] to [${enabled}]`,
    )
  }
  return {
    dateDetection: incoming.dateDetection ?? existing.dateDetection,
    numericDetection: incoming.numericDetection ?? existing.numericDetection,
    dynamicDateFormats: incoming.dynamicDateFormats ?? existing.dynamicDateFormats,
    templates: mergeTemplates(existing.templates, incoming.templates),
    source: incoming.source ?? existing.source,
    routingRequired: incoming.routingRequired ?? existing.routingRequired,
    meta: incoming.meta ?? existing.meta,
    others: new Map([...existing.others, ...incoming.others]),
  }
}

function mergeTemplates(
  existing: readonly DynamicTemplate[] | undefined,
  incoming: readonly DynamicTemplate[] | undefined,
): readonly DynamicTemplate[] | undefined {
  if (existing === undefined || incoming === undefined) return incoming ?? existing
  const merged = new Map(existing.map((template) => [template.name, template]))
  for (const template of incoming) merged.set(template.name, template)
  return [...merged.values()]
}

export function compiledFormats(settings: RootSettings): DateFormat[] {
  return (settings.dynamicDateFormats ?? defaultDynamicFormats).map(compileDateFormat)
}

/** Prints the keys between `dynamic` and `properties`. */
export function printRootSettings(settings: RootSettings): JsonObject {
  const json: Record<string, unknown> = {}
  if (settings.meta !== undefined) json['_meta'] = settings.meta
  for (const [name, value] of settings.others) json[name] = value
  if (settings.routingRequired === true) json['_routing'] = { required: true }
  const { source } = settings
  if (source !== undefined) {
    const printed: Record<string, unknown> = {}
    if (!source.enabled) printed['enabled'] = false
    if (source.includes.length > 0) printed['includes'] = source.includes
    if (source.excludes.length > 0) printed['excludes'] = source.excludes
    if (Object.keys(printed).length > 0) json['_source'] = printed
  }
  if (settings.dynamicDateFormats !== undefined) json['dynamic_date_formats'] = settings.dynamicDateFormats
  if (settings.templates !== undefined && settings.templates.length > 0) {
    json['dynamic_templates'] = settings.templates.map((template) => template.toJson())
  }
  if (settings.dateDetection !== undefined) json['date_detection'] = settings.dateDetection
  if (settings.numericDetection !== undefined) json['numeric_detection'] = settings.numericDetection
  return json
}
