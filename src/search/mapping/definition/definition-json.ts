/** Prints definitions as `GET _mapping` does: names sorted, defaults left out unless asked for. */

import type { JsonObject } from '../../request/json-object.ts'
import { fieldTypes } from '../field-types.ts'
import type { Definition, FieldDefinition, ObjectDefinition } from './definition.ts'
import { shownDefaults } from './shown-defaults.ts'

function sorted<T>(entries: ReadonlyMap<string, T>): [string, T][] {
  return [...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
}

export function printChildren(children: ReadonlyMap<string, Definition>): JsonObject {
  return Object.fromEntries(sorted(children).map(([name, child]) => [name, printDefinition(child)]))
}

export function printDefinition(definition: Definition): JsonObject {
  if (definition.kind === 'alias') return { type: 'alias', path: definition.path }
  return definition.kind === 'object' ? printObject(definition) : printField(definition, 'none')
}

function printObject(definition: ObjectDefinition): JsonObject {
  const json: Record<string, unknown> = {}
  if (definition.isNested) {
    json['type'] = 'nested'
    if (definition.includeInParent) json['include_in_parent'] = true
    if (definition.includeInRoot) json['include_in_root'] = true
  } else if (definition.children.size === 0) json['type'] = 'object'
  if (definition.dynamic !== undefined) json['dynamic'] = definition.dynamic
  if (!definition.enabled) json['enabled'] = false
  if (definition.children.size > 0) json['properties'] = printChildren(definition.children)
  return json
}

/** `defaults`: whether parameters that are not set are printed too, and whose list of them is taken. */
export function printField(definition: FieldDefinition, defaults: 'none' | 'own' | 'opensearch'): JsonObject {
  const includeDefaults = defaults !== 'none'
  const listed = defaults === 'opensearch' ? shownDefaults.get(definition.type) : undefined
  const json: Record<string, unknown> = { type: definition.type, ...listed }
  for (const [name, parameter] of fieldTypes.get(definition.type)!.parameters) {
    if (definition.values.has(name)) json[name] = definition.values.get(name)
    else if (includeDefaults && listed === undefined && name !== 'boost' && name !== 'meta')
      json[name] = parameter.default ?? (name === 'normalizer' ? 'default' : null)
  }
  // A search analyzer stands beside the analyzer that it differs from.
  if (
    definition.values.has('search_analyzer') &&
    !definition.values.has('analyzer') &&
    definition.type !== 'completion'
  )
    json['analyzer'] = 'default'
  if (includeDefaults && definition.values.has('analyzer')) {
    // `search_analyzer` is left out when it equals the index analyzer.
    const analyzer = definition.values.get('analyzer')
    const isSearched = definition.type !== 'token_count'
    if (isSearched && !definition.values.has('search_analyzer')) json['search_analyzer'] = analyzer
    if (isSearched && definition.type !== 'completion' && !definition.values.has('search_quote_analyzer'))
      json['search_quote_analyzer'] = json['search_analyzer']
  }
  if (definition.fields.size > 0) {
    json['fields'] = Object.fromEntries(
      sorted(definition.fields).map(([name, field]) => [name, printField(field, defaults)]),
    )
  }
  if (definition.copyTo.length > 0) json['copy_to'] = definition.copyTo
  return json
}
