/**
 * Reading, writing and removing along a path of names, for any path known only at run time.
 * The compiled accessors do the same for paths known when a pipeline is built, and fall back to these.
 */
import { type Fields, isFields, putField, readField, type Value } from './value.ts'

const indexText = /^-?\d{1,9}$/

/** Ruby-style list index (`-1` is the last) or undefined when the name is no index or out of range. */
function listIndex(list: readonly Value[], name: string): number | undefined {
  if (!indexText.test(name)) return undefined
  const index = Number(name) < 0 ? list.length + Number(name) : Number(name)
  return index >= 0 && index < list.length ? index : undefined
}

export function readStep(parent: Value | undefined, name: string): Value | undefined {
  if (typeof parent !== 'object' || parent === null) return undefined
  if (Array.isArray(parent)) {
    const index = listIndex(parent, name)
    return index === undefined ? undefined : parent[index]
  }
  return isFields(parent) ? readField(parent, name) : undefined
}

export function readPath(root: Fields, path: readonly string[]): Value | undefined {
  let value: Value | undefined = root
  for (const name of path) {
    value = readStep(value, name)
    if (value === undefined) return undefined
  }
  return value
}

const maxListIndex = 1_000_000

/** Writes the value, creating maps for missing parents. */
export function writePath(root: Fields, path: readonly string[], value: Value): void {
  let parent: Value = root
  for (let i = 0; i < path.length - 1; i++) {
    const name = path[i]!
    let child: Value | undefined = readStep(parent, name)
    if (child === undefined) {
      child = {}
      writeStep(parent, name, child)
      if (readStep(parent, name) === undefined) return
    }
    parent = child
  }
  writeStep(parent, path[path.length - 1]!, value)
}

function writeStep(parent: Value, name: string, value: Value): void {
  if (Array.isArray(parent)) {
    if (!indexText.test(name)) return
    const index = Number(name) < 0 ? parent.length + Number(name) : Number(name)
    if (index < 0 || index > maxListIndex)
      throw new RangeError(`index ${name} out of list of ${parent.length}`)
    while (parent.length < index) parent.push(null)
    parent[index] = value
  } else if (isFields(parent)) {
    putField(parent, name, value)
  } else {
    throw new Error(
      `Could not set field '${name}' on object '${parent === null ? 'null' : String(parent)}' to value '${describe(value)}'.` +
        'This is probably due to trying to set a field like [foo][bar] = someValue' +
        'when [foo] is not either a map or a string',
    )
  }
}

/** Removes the value and returns it; empty parents stay. */
export function removePath(root: Fields, path: readonly string[]): Value | undefined {
  const parent = readPath(root, path.slice(0, -1))
  const name = path[path.length - 1]!
  const old = readStep(parent, name)
  if (old === undefined) return undefined
  if (Array.isArray(parent)) parent.splice(listIndex(parent, name)!, 1)
  else putField(parent as Fields, name, undefined)
  return old
}

/** A value as Java's `toString` prints it inside error texts: `{a=1}`, `[1, 2]`. */
export function describe(value: Value): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return `[${value.map(describe).join(', ')}]`
  if (isFields(value)) {
    const entries = Object.entries(value).filter(([, v]) => v !== undefined)
    return `{${entries.map(([name, v]) => `${name}=${describe(v!)}`).join(', ')}}`
  }
  return String(value)
}
