/**
 * `relations` of a `join` field: which names may be children of which. As OpenSearch reads, prints and updates them;
 * parents and children stand in the order of Java's hash maps.
 */

import { hashMapOrder } from '../../../text/java-hash.ts'
import { illegalArgument, parseError } from '../../request/errors.ts'
import { javaClass, javaText } from '../../request/java-text.ts'
import { isObject, type JsonObject } from '../../request/json-object.ts'

/** The children of each parent. */
export type Relations = ReadonlyMap<string, readonly string[]>

/** Returns the relations as a mapping prints them. Throws SearchError. */
export function readRelations(value: unknown): JsonObject {
  if (!isObject(value))
    throw parseError(`relations should be a hash but was of type: class ${javaClass(value)}`)
  const names = hashMapOrder(Object.keys(value))
  return Object.fromEntries(names.map((parent) => [parent, readChildren(parent, value[parent])]))
}

function readChildren(parent: string, value: unknown): unknown {
  if (value === null) throw illegalArgument(`[relations] has no children for [${parent}]`)
  if (!Array.isArray(value)) return javaText(value)
  const children = hashMapOrder([...new Set(value.map(javaText))])
  return children.length === 1 ? children[0] : children
}

export function relationsOf(printed: unknown): Relations {
  const relations = new Map<string, readonly string[]>()
  if (!isObject(printed)) return relations
  for (const [parent, children] of Object.entries(printed))
    relations.set(parent, Array.isArray(children) ? children.map(javaText) : [javaText(children)])
  return relations
}

/** Throws when a name has several parents. */
export function checkRelations(relations: Relations, field: string): void {
  const seen = new Set<string>()
  const wrong: string[] = []
  for (const child of [...relations.values()].flat()) {
    if (seen.has(child)) wrong.push(`[${child}] cannot have multiple parents`)
    seen.add(child)
  }
  if (wrong.length > 0)
    throw illegalArgument(`invalid definition for join field [${field}]:\n[${wrong.join(', ')}]`)
}

/** Throws when an update takes away what documents may use, or makes a parent of a child or a child of a parent. */
export function checkUpdate(before: Relations, after: Relations, field: string): void {
  const children = new Set([...before.values()].flat())
  const conflicts: string[] = []
  for (const parent of before.keys())
    if (!after.has(parent)) conflicts.push(`cannot remove parent [${parent}] in join field [${field}]`)
  for (const [parent, names] of after) {
    const known = before.get(parent)
    if (known === undefined) {
      if (children.has(parent)) conflicts.push(`cannot create parent [${parent}] from an existing child`)
      for (const child of names)
        if (before.has(child)) conflicts.push(`cannot create child [${child}] from an existing parent`)
    } else
      for (const child of known)
        if (!names.includes(child)) conflicts.push(`cannot remove child [${child}] in join field [${field}]`)
  }
  if (conflicts.length > 0)
    throw illegalArgument(`Mapper for [${field}] conflicts with existing mapping:\n[${conflicts.join(', ')}]`)
}
