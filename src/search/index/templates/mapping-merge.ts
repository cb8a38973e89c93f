/**
 * Merges the mappings of several templates before an index is created: later ones win field by field; dynamic
 * templates form one list in which a later one replaces an earlier one of the same name.
 */
import { deepMerge, isObject, type JsonObject, own, put } from '../../request/json-object.ts'

export function mergeMappings(mappings: readonly JsonObject[]): JsonObject {
  return mappings.map(withoutType).reduce(mergeTwo, {})
}

/** Unwraps `{"_doc": {…}}` of older requests. */
export function withoutType(mappings: JsonObject): JsonObject {
  const names = Object.keys(mappings)
  const inner = names.length === 1 && names[0] === '_doc' ? mappings['_doc'] : undefined
  return isObject(inner) ? inner : mappings
}

function mergeTwo(base: JsonObject, over: JsonObject): JsonObject {
  const merged: Record<string, unknown> = Object.fromEntries(Object.entries(base))
  for (const [name, value] of Object.entries(over)) {
    const before = own(merged, name)
    if (name === 'properties' && isObject(before) && isObject(value))
      put(merged, name, mergeProperties(before, value))
    else if (name === 'dynamic_templates' && Array.isArray(before) && Array.isArray(value))
      put(merged, name, mergeDynamicTemplates(before, value))
    else if (name === '_meta' && isObject(before) && isObject(value))
      put(merged, name, deepMerge(before, value))
    else put(merged, name, value)
  }
  return merged
}

/** Merges objects with fields of their own; the definition of a field is replaced as a whole. */
function mergeProperties(base: JsonObject, over: JsonObject): JsonObject {
  const merged: Record<string, unknown> = Object.fromEntries(Object.entries(base))
  for (const [name, value] of Object.entries(over)) {
    const before = own(merged, name)
    const isNested = isObject(before) && isObject(value) && isObject(before['properties'])
    put(merged, name, isNested && isObject(value['properties']) ? mergeTwo(before, value) : value)
  }
  return merged
}

function mergeDynamicTemplates(base: readonly unknown[], over: readonly unknown[]): unknown[] {
  const nameOf = (entry: unknown) => (isObject(entry) ? Object.keys(entry)[0] : undefined)
  const replaced = new Set(over.map(nameOf))
  return [...base.filter((entry) => !replaced.has(nameOf(entry))), ...over]
}
