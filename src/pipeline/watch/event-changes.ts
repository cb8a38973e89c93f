/**
 * What became of an event between two looks at it, field by field. Maps are compared member by member, lists as a whole;
 * names are field references, so that any name is plain data.
 */
import { deepEqual } from '../../event/equal.ts'
import { type Fields, fieldNames, isFields, readField, type Value } from '../../event/value.ts'

export interface FieldChange {
  readonly field: string
  readonly kind: 'added' | 'removed' | 'changed'
  readonly before?: Value
  readonly after?: Value
}

/** More than anybody reads; the rest is not looked for. */
const maxChanges = 500
const maxDepth = 20

export function changesBetween(before: Fields, after: Fields): FieldChange[] {
  const found: FieldChange[] = []
  compare(before, after, '', 0, found)
  return found
}

function compare(before: Fields, after: Fields, prefix: string, depth: number, found: FieldChange[]): void {
  for (const name of new Set([...fieldNames(before), ...fieldNames(after)])) {
    if (found.length >= maxChanges) return
    const old = readField(before, name)
    const value = readField(after, name)
    const nested = `${prefix}[${name}]`
    const field = prefix === '' ? name : nested
    if (old === undefined && value !== undefined) found.push({ field, kind: 'added', after: value })
    else if (value === undefined && old !== undefined) found.push({ field, kind: 'removed', before: old })
    else if (old === undefined || value === undefined) continue
    else if (isFields(old) && isFields(value) && depth < maxDepth)
      compare(old, value, prefix === '' ? `[${name}]` : nested, depth + 1, found)
    else if (!deepEqual(old, value)) found.push({ field, kind: 'changed', before: old, after: value })
  }
}

/** Tags that an event has now and had not. */
export function newTags(before: Fields, after: Fields): string[] {
  const had = new Set(tagsOf(before))
  return tagsOf(after).filter((tag) => !had.has(tag))
}

function tagsOf(fields: Fields): string[] {
  const tags = readField(fields, 'tags')
  return (Array.isArray(tags) ? tags : [tags]).filter((tag): tag is string => typeof tag === 'string')
}
