/** Merges definitions and refuses changes that are not allowed. Unchanged subtrees stay the same objects. */

import { isDeepStrictEqual } from 'node:util'
import { illegalArgument } from '../../request/errors.ts'
import { javaText } from '../../request/java-text.ts'
import { SearchError } from '../../request/search-error.ts'
import { fieldTypes } from '../field-types.ts'
import { type Definition, type FieldDefinition, joinPath, type ObjectDefinition } from './definition.ts'

export function mergeDefinitions(existing: Definition, incoming: Definition, path: string): Definition {
  if (existing.kind === 'object') {
    if (incoming.kind !== 'object') {
      throw illegalArgument(`can't merge a non object mapping [${path}] with an object mapping`)
    }
    return mergeObjects(existing, incoming, path)
  }
  if (existing.kind === 'alias') {
    if (incoming.kind !== 'alias') {
      throw illegalArgument(
        `Cannot merge a field alias mapping [${path}] with a mapping that is not for a field alias.`,
      )
    }
    return existing.path === incoming.path ? existing : incoming
  }
  if (incoming.kind === 'object') {
    throw illegalArgument(`mapper [${path}] cannot be changed from type [${existing.type}] to [ObjectMapper]`)
  }
  if (incoming.kind === 'alias') {
    throw illegalArgument(
      `mapper [${path}] cannot be changed from type [${existing.type}] to [FieldAliasMapper]`,
    )
  }
  return mergeFields(existing, incoming, path)
}

export function mergeObjects(
  existing: ObjectDefinition,
  incoming: ObjectDefinition,
  path: string,
): ObjectDefinition {
  if (existing.isNested !== incoming.isNested) {
    const [from, to] = existing.isNested ? ['nested', 'non-nested'] : ['non-nested', 'nested']
    throw illegalArgument(`cannot change object mapping from ${from} to ${to}`)
  }
  if (existing.enabled !== incoming.enabled && path !== '') throw fixed('enabled', path)
  if (existing.isNested && existing.includeInParent !== incoming.includeInParent) {
    throw fixedNested('include_in_parent', path)
  }
  if (existing.isNested && existing.includeInRoot !== incoming.includeInRoot) {
    throw fixedNested('include_in_root', path)
  }
  const children = new Map(existing.children)
  let isChanged = incoming.dynamic !== undefined && incoming.dynamic !== existing.dynamic
  for (const [name, definition] of incoming.children) {
    const before = children.get(name)
    const merged =
      before === undefined ? definition : mergeDefinitions(before, definition, joinPath(path, name))
    if (merged === before) continue
    children.set(name, merged)
    isChanged = true
  }
  return isChanged ? { ...existing, dynamic: incoming.dynamic ?? existing.dynamic, children } : existing
}

function fixed(parameter: string, path: string): SearchError {
  return new SearchError(
    'mapper_exception',
    `the [${parameter}] parameter can't be updated for the object mapping [${path}]`,
  )
}

function fixedNested(parameter: string, path: string): SearchError {
  return new SearchError(
    'mapper_exception',
    `the [${parameter}] parameter can't be updated on a nested object mapping [${path}]`,
  )
}

function mergeFields(existing: FieldDefinition, incoming: FieldDefinition, path: string): FieldDefinition {
  if (existing.type !== incoming.type) {
    throw illegalArgument(
      `mapper [${path}] cannot be changed from type [${existing.type}] to [${incoming.type}]`,
    )
  }
  if (isDeepStrictEqual(existing, incoming)) return existing
  const conflicts: string[] = []
  const values = new Map<string, unknown>()
  for (const parameter of fieldTypes.get(existing.type)!.parameters.values()) {
    const { name } = parameter
    const before = existing.values.has(name) ? existing.values.get(name) : parameter.default
    const after = incoming.values.has(name) ? incoming.values.get(name) : parameter.default
    if (!isDeepStrictEqual(before, after) && !parameter.mayBecome(after, before)) {
      conflicts.push(`Cannot update parameter [${name}] from [${javaText(before)}] to [${javaText(after)}]`)
    }
    parameter.checkUpdate?.(before, after, path)
    if (incoming.values.has(name)) values.set(name, after)
  }
  if (conflicts.length > 0) {
    throw illegalArgument(`Mapper for [${path}] conflicts with existing mapper:\n\t${conflicts.join('\n\t')}`)
  }
  const fields = new Map(existing.fields)
  for (const [name, field] of incoming.fields) {
    const before = fields.get(name)
    fields.set(name, before === undefined ? field : mergeFields(before, field, joinPath(path, name)))
  }
  const merged: FieldDefinition = {
    kind: 'field',
    type: existing.type,
    values,
    fields,
    copyTo: incoming.copyTo,
  }
  return isDeepStrictEqual(existing, merged) ? existing : merged
}
