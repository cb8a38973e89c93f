/** One of the `local_lookups`: a query, where its parameters come from, and what becomes of its rows. */
import { cloneValue } from '../../../event/clone.ts'
import type { Event } from '../../../event/event.ts'
import { type Fields, isFields, readField, type Value } from '../../../event/value.ts'
import type { Compile } from '../../../plugin/compile.ts'
import type { PluginLogger } from '../../../plugin/define.ts'
import { textOf } from '../../../plugin/raw-text.ts'
import { compileQuery, type Query } from './sql-query.ts'
import type { Table } from './tables.ts'

interface LookupSettings {
  readonly id: string
  readonly query: string
  readonly parameters: readonly (readonly [name: string, source: string])[]
  readonly target: string
  readonly defaults: Fields | undefined
  readonly tagOnFailure: readonly string[]
  readonly tagOnDefault: readonly string[]
}

interface LookupTags {
  readonly failure: readonly string[]
  readonly defaultUse: readonly string[]
}

/** Reads the options; the texts of errors are Logstash's. */
export function lookupSettings(given: Value, index: number, tags: LookupTags): LookupSettings {
  const options: Fields = isFields(given) ? given : {}
  const id = options['id'] === undefined ? `lookup-${index + 1}` : textOf(options['id'])
  const { query, parameters, prepared_parameters: prepared, default_hash: defaults } = options
  if (typeof query !== 'string') throw new Error(`The options for '${id}' must include a 'query' string`)
  if (parameters !== undefined && prepared !== undefined)
    throw new Error("Can't specify 'parameters' and 'prepared_parameters' in the same lookup")
  if (parameters !== undefined && !isFields(parameters))
    throw new Error(`The 'parameters' option for '${id}' must be a Hash`)
  if (prepared !== undefined && !Array.isArray(prepared))
    throw new Error(`The 'prepared_parameters' option for '${id}' must be an Array`)
  if (Array.isArray(prepared) && query.split('?').length - 1 !== prepared.length)
    throw new Error(
      `The 'prepared_parameters' option for '${id}' doesn't match count with query's placeholder`,
    )
  const list = (value: Value | undefined, usual: readonly string[]) =>
    value === undefined ? usual : (Array.isArray(value) ? value : [value]).map(textOf)
  return {
    id,
    query,
    parameters: isFields(parameters)
      ? Object.keys(parameters).map((name) => [name, textOf(readField(parameters, name) ?? '')])
      : (prepared ?? []).map((source, at) => [`p${at}`, textOf(source)]),
    target: options['target'] === undefined ? id : textOf(options['target']),
    defaults: isFields(defaults) && Object.keys(defaults).length > 0 ? defaults : undefined,
    tagOnFailure: list(options['tag_on_failure'], tags.failure),
    tagOnDefault: list(options['tag_on_default_use'], tags.defaultUse),
  }
}

export type Enhance = (event: Event) => boolean

/** True when the lookup could be done, whether it found anything or not. */
export function compileLookup(
  settings: LookupSettings,
  tables: ReadonlyMap<string, Table>,
  compile: Compile,
  logger: PluginLogger,
): Enhance {
  const { id, defaults } = settings
  const run: Query = compileQuery(settings.query, tables)
  const set = compile.set(settings.target)
  const sources = settings.parameters.map(([name, source]) => {
    const isTemplate = /%\{[^}]+\}/.test(source)
    const template = isTemplate ? compile.template(source) : undefined
    const get = isTemplate ? undefined : compile.get(source)
    return { name, source, read: (event: Event) => template?.(event) ?? get?.(event) ?? null }
  })

  const failed = (event: Event): false => {
    for (const tag of settings.tagOnFailure) event.tag(tag)
    return false
  }

  return (event) => {
    const parameters = new Map<string, Value>()
    const invalid: string[] = []
    for (const { name, source, read } of sources) {
      const value = read(event)
      // A template that changed nothing had no field to put in.
      if (value === null || value === source || Array.isArray(value) || isFields(value)) invalid.push(source)
      parameters.set(name, value)
    }
    if (invalid.length > 0) {
      const details = { lookup_id: id, invalid_parameters: invalid }
      logger.warn('Parameter field not found in event', details)
      return failed(event)
    }
    let rows: Fields[]
    try {
      rows = run(parameters)
    } catch (error) {
      const details = { lookup_id: id, exception: (error as Error).message }
      logger.warn('Exception when executing Jdbc query', details)
      return failed(event)
    }
    if (rows.length === 0 && defaults !== undefined) {
      for (const tag of settings.tagOnDefault) event.tag(tag)
      set(event, [cloneValue(defaults)])
    } else set(event, rows)
    return true
  }
}
