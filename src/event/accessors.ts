/**
 * Accessors for field references known when a pipeline is built. Each becomes its own small function
 * with the names as string literals, so that V8 gives every place in a config its own inline cache.
 * Field names enter the source through `literal` only.
 */
import type { Event } from './event.ts'
import { type FieldReference, parseFieldReference } from './field-reference.ts'
import { readStep, writePath } from './path-access.ts'
import { checkTags, checkTimestamp } from './reserved-fields.ts'
import { Timestamp } from './timestamp.ts'
import { inheritedNames, isFields, LsFloat, type Value } from './value.ts'

export type Getter = (event: Event) => Value | undefined
export type Setter = (event: Event, value: Value) => void
export type Remover = (event: Event) => Value | undefined

/** Members of our own value classes and of plain objects: never read these without a look at the owner. */
const riskyNames: ReadonlySet<string> = new Set([
  ...inheritedNames,
  ...Object.getOwnPropertyNames(Timestamp.prototype),
  ...Object.getOwnPropertyNames(LsFloat.prototype),
  'millis',
  'nanos',
  'value',
])

const indexText = /^-?\d+$/

let generates = true

/** From now on accessors are plain closures: for the config check, which makes many and runs none. */
export function withoutGeneratedAccessors(): void {
  generates = false
}

/** A JavaScript string literal of any text. */
export function literal(text: string): string {
  return JSON.stringify(text)
    .replace(/\u2028/g, '\\u2028')
    .replace(/\u2029/g, '\\u2029')
}

/**
 * Statements that leave the referenced value in the variable `into`; `event` names the event.
 * The source uses `readStep`, which whoever compiles it has to bind.
 */
function readStatements(reference: FieldReference, event: string, into: string): string {
  const root = reference.metadata ? `${event}.meta` : `${event}.data`
  let source = `${into} = ${root};`
  if (reference.metadata) source += `if (${into} === null) ${into} = undefined;`
  reference.path.forEach((name, depth) => {
    if (riskyNames.has(name) || indexText.test(name)) {
      source += `${into} = readStep(${into}, ${literal(name)});`
    } else if (depth === 0 && !reference.metadata) {
      source += `${into} = ${into}[${literal(name)}];`
    } else {
      source += `${into} = (typeof ${into} !== "object" || ${into} === null || Array.isArray(${into})) ? undefined : ${into}[${literal(name)}];`
    }
  })
  return source
}

const getters = new Map<string, Getter>()
const cacheLimit = 10_000

export function compileGet(reference: string): Getter {
  const known = getters.get(reference)
  if (known !== undefined) return known
  const parsed = parseFieldReference(reference)
  const getter = compileGetOf(parsed)
  if (getters.size < cacheLimit) getters.set(reference, getter)
  return getter
}

export function compileGetOf(reference: FieldReference): Getter {
  if (reference.metadata && reference.path.length === 0) return (event) => event.metadata()
  if (!generates) return (event) => event.get(reference.text)
  const body = `return function get(event) { let v; ${readStatements(reference, 'event', 'v')} return v; }`
  return new Function('readStep', body)(readStep) as Getter
}

export function compileSet(reference: string): Setter {
  const { metadata, path } = parseFieldReference(reference)
  if (!generates) return (event, value) => event.set(reference, value)
  if (metadata) return metadataSetter(reference, path)
  const [first] = path as [string]
  if (first === 'tags' || first === '@timestamp') return reservedSetter(first, path)
  if (path.length === 1 && first !== '__proto__') {
    const body = `return function set(event, value) { event.raw = null; event.data[${literal(first)}] = value; }`
    return new Function(body)() as Setter
  }
  if (path.length === 2 && path.every((name) => !riskyNames.has(name) && !indexText.test(name))) {
    return nestedSetter(first, path[1]!, path)
  }
  return (event, value) => {
    event.raw = null
    writePath(event.data, path, value)
  }
}

/** Metadata is not part of the event's JSON text, so `raw` stays. */
function metadataSetter(reference: string, path: readonly string[]): Setter {
  const [only] = path
  if (path.length !== 1 || only === undefined || only === '__proto__') {
    return (event, value) => event.set(reference, value)
  }
  const body = `return function set(event, value) {
    if (event.meta === null) event.meta = {};
    event.meta[${literal(only)}] = value;
  }`
  return new Function(body)() as Setter
}

function nestedSetter(first: string, second: string, path: readonly string[]): Setter {
  const body = `return function set(event, value) {
    event.raw = null;
    let parent = event.data[${literal(first)}];
    if (parent === undefined) parent = event.data[${literal(first)}] = {};
    if (isFields(parent)) parent[${literal(second)}] = value;
    else writePath(event.data, path, value);
  }`
  return new Function('isFields', 'writePath', 'path', body)(isFields, writePath, path) as Setter
}

function reservedSetter(first: string, path: readonly string[]): Setter {
  return (event, value) => {
    if (first === 'tags') checkTags(path, value)
    else if (path.length === 1) checkTimestamp(value)
    event.raw = null
    writePath(event.data, path, value)
  }
}

export function compileRemove(reference: string): Remover {
  const { metadata, path } = parseFieldReference(reference)
  const [only] = path
  if (!generates || metadata || path.length !== 1 || only === undefined || riskyNames.has(only)) {
    return (event) => event.remove(reference)
  }
  const body = `return function remove(event) {
    const old = event.data[${literal(only)}];
    if (old !== undefined) { event.raw = null; event.data[${literal(only)}] = undefined; }
    return old;
  }`
  return new Function(body)() as Remover
}
