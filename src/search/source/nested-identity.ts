/** The identity of a nested document: `_nested` of a hit, and its part of the source. */
import type { Mapping } from '../mapping/mapping.ts'
import { isObject, type JsonObject } from '../request/request-values.ts'
import type { Segment } from '../segment/segment.ts'

export interface NestedIdentity {
  readonly field: string
  readonly offset: number
  readonly _nested?: NestedIdentity
}

/** The root document of a nested one; the document itself when it is a root. */
export function rootOf(segment: Segment, doc: number): number {
  return segment.roots === null ? doc : segment.roots.next(doc)
}

interface Step {
  readonly path: string
  readonly offset: number
}

/** From the outermost nested object inwards. */
function stepsOf(segment: Segment, mapping: Mapping, doc: number): Step[] {
  const path = segment.nestedPath(doc)
  if (path === undefined) return []
  const parentPath = enclosing(mapping, path)
  let offset = 0
  for (let at = doc - 1; at >= 0; at--) {
    const other = segment.nestedPath(at)
    if (other === undefined || other === parentPath) break
    if (other === path) offset++
  }
  let parent = doc + 1
  while (segment.nestedPath(parent) !== parentPath) parent++
  return [...stepsOf(segment, mapping, parent), { path, offset }]
}

function enclosing(mapping: Mapping, path: string): string | undefined {
  const dot = path.lastIndexOf('.')
  return dot === -1 ? undefined : mapping.nestedPathOf(path.slice(0, dot))
}

export function nestedIdentity(segment: Segment, mapping: Mapping, doc: number): NestedIdentity | undefined {
  let identity: NestedIdentity | undefined
  const steps = stepsOf(segment, mapping, doc)
  for (let i = steps.length - 1; i >= 0; i--) {
    const { path, offset } = steps[i]!
    const field = i === 0 ? path : path.slice(steps[i - 1]!.path.length + 1)
    identity = identity === undefined ? { field, offset } : { field, offset, _nested: identity }
  }
  return identity
}

/** The path of the object that an identity names. */
export function nestedPath({ field, _nested }: NestedIdentity): string {
  return _nested === undefined ? field : `${field}.${nestedPath(_nested)}`
}

/** The part of the source that an identity names. */
export function nestedSource(source: JsonObject, identity: NestedIdentity): JsonObject {
  let value: unknown = source
  for (const name of identity.field.split('.')) value = isObject(value) ? value[name] : undefined
  const found = Array.isArray(value) ? value[identity.offset] : value
  const object = isObject(found) ? found : {}
  return identity._nested === undefined ? object : nestedSource(object, identity._nested)
}

/** The source with nothing but the object that an identity names, at its place. */
export function nestedAlone(source: JsonObject, identity: NestedIdentity): JsonObject {
  const names = nestedPath(identity).split('.')
  return names.reduceRight<JsonObject>((part, name) => ({ [name]: part }), nestedSource(source, identity))
}
