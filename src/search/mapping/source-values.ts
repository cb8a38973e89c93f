/** Finds the values of a field in the source of a document. */
import { isObject } from '../request/json-object.ts'
import type { MappedField } from './mapped-field.ts'
import type { Mapping } from './mapping.ts'

/** Returns the source paths of a field; a multi-field has the path of its parent field. */
export function sourcePaths(mapping: Mapping, field: MappedField, withCopies = true): string[] {
  let { name } = field
  for (let dot = name.lastIndexOf('.'); dot !== -1; dot = name.lastIndexOf('.', dot - 1)) {
    if (mapping.fields.has(name.slice(0, dot))) name = name.slice(0, dot)
    if (dot === 0) break
  }
  return withCopies ? [name, ...mapping.copiedTo(name)] : [name]
}

/** Returns all values under a path; arrays on the way are flattened, names may contain dots. */
export function valuesAt(value: unknown, path: string): unknown[] {
  const found: unknown[] = []
  gather(value, path, found)
  return found
}

function gather(value: unknown, path: string, found: unknown[]): void {
  if (Array.isArray(value)) {
    for (const item of value) gather(item, path, found)
    return
  }
  if (!isObject(value)) return
  if (Object.hasOwn(value, path)) found.push(value[path])
  for (let dot = path.indexOf('.'); dot !== -1; dot = path.indexOf('.', dot + 1)) {
    const name = path.slice(0, dot)
    if (Object.hasOwn(value, name)) gather(value[name], path.slice(dot + 1), found)
  }
}

/** Like `valuesAt`, with lists flattened and nulls dropped. */
export function eachValueAt(value: unknown, path: string): unknown[] {
  return valuesAt(value, path)
    .flat(20)
    .filter((each) => each !== null && each !== undefined)
}
