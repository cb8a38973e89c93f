/**
 * The fields of an origin (host, port, path …) put on every event of its frames. The usual case, an event
 * that has none of them, runs as generated code with the names as literals; its raw text grows along.
 */
import { compileGet, compileSet, type Getter, literal, type Setter } from '../../event/accessors.ts'
import { cloneValue } from '../../event/clone.ts'
import type { Event } from '../../event/event.ts'
import { parseFieldReference } from '../../event/field-reference.ts'
import { writeJson } from '../../event/json-write.ts'
import { writePath } from '../../event/path-access.ts'
import { countNames, type RawText } from '../../event/raw-text.ts'
import { TextEvent, type TextOrigin } from '../../event/text-event.ts'
import { type Fields, inheritedNames, isFields, type Value } from '../../event/value.ts'
import type { Origin } from '../../plugin/define.ts'
import { CodeScope } from '../plan/code-scope.ts'

export type ApplyOrigin = (event: Event) => void

interface Accessors {
  readonly get: Getter
  readonly set: Setter
}

interface Entry extends Accessors {
  readonly value: Value
}

/** An input has few references, and some of them (http) make an origin for each request. */
const accessors = new Map<string, Accessors>()
const maxAccessors = 1000

/** What fits all origins with the same names of fields, also within maps; each origin brings its own values. */
type Maker = (leaves: Value[], clone: typeof cloneValue, extend: Extend, slowly: ApplyOrigin) => ApplyOrigin
type Extend = (raw: string | RawText) => string | RawText

const makers = new Map<string, Maker>()
const maxMakers = 1000

export function compileOrigin({ fields = [], overwrite = [] }: Origin): ApplyOrigin {
  const absent = fields.map(entryOf)
  const always = overwrite.map(entryOf)
  /** A field that cannot be set, below a text for instance, keeps none of the others from being set. */
  const slowly: ApplyOrigin = (event) => {
    let failure: unknown
    const put = ({ set, value }: Entry) => {
      try {
        set(event, cloneValue(value))
      } catch (error) {
        failure ??= error
      }
    }
    for (const entry of absent) if (entry.get(event) === undefined) put(entry)
    for (const entry of always) put(entry)
    if (failure !== undefined) throw failure
  }
  if (overwrite.some(([reference]) => !parseFieldReference(reference).metadata)) return slowly
  /** Maps that are values: their names may come from a sender, so that no code is made for them. */
  const given = new Set<Value>()
  const data = mapsOf(fields, false, given)
  const meta = { ...mapsOf(fields, true, given), ...mapsOf(overwrite, true, given) }
  const names = Object.keys(data)
  if ([...names, ...Object.keys(meta)].some((name) => inheritedNames.has(name))) return slowly
  const members = names.length === 0 ? '' : `,${writeJson(data).slice(1, -1)}`
  const count = countNames(data)
  const extend: Extend = (raw) => {
    if (members === '') return raw
    return typeof raw === 'string' ? `${raw.slice(0, -1)}${members}}` : raw.extended(members, count)
  }
  const shapes = [shapeOf(data, given), shapeOf(meta, given)] as const
  const leaves = [...leavesOf(data, shapes[0]), ...leavesOf(meta, shapes[1])]
  const apply = makerFor(shapes)(leaves, cloneValue, extend, slowly)
  const applyToText = compileForText(data, members, meta)
  return (event) => {
    if (!(event instanceof TextEvent) || !applyToText(event)) apply(event)
  }
}

/** For events that are still text: they stay text, if they have none of the fields. */
function compileForText(data: Fields, members: string, meta: Fields): (event: TextEvent) => boolean {
  const names = Object.keys(data)
  const addsMeta = Object.keys(meta).length > 0
  let known: TextOrigin | undefined
  let extended: TextOrigin | undefined
  return (event) => {
    if (!event.isUnopened || (addsMeta && event.metaView !== null)) return false
    if (event.origin !== known) {
      known = event.origin
      extended = names.every((name) => event.origin.lacks(name))
        ? event.origin.with(data, members, addsMeta ? meta : undefined)
        : undefined
    }
    if (extended === undefined) return false
    event.extend(extended)
    if (addsMeta) event.ownMeta = undefined
    return true
  }
}

function entryOf([reference, value]: readonly [string, Value]): Entry {
  const { get, set } = accessorsOf(reference)
  return { get, set, value }
}

function accessorsOf(reference: string): Accessors {
  let found = accessors.get(reference)
  if (found === undefined) {
    found = { get: compileGet(reference), set: compileSet(reference) }
    if (accessors.size < maxAccessors) accessors.set(reference, found)
  }
  return found
}

/** The fields as maps: what an empty event would hold of them. */
function mapsOf(
  fields: readonly (readonly [string, Value])[],
  wantMetadata: boolean,
  given: Set<Value>,
): Fields {
  const maps: Fields = {}
  for (const [reference, value] of fields) {
    const { metadata, path } = parseFieldReference(reference)
    if (metadata !== wantMetadata || path.length === 0) continue
    const copy = cloneValue(value)
    given.add(copy)
    writePath(maps, path, copy)
  }
  return maps
}

/** What code for a value has to know of it: the names of a map, whether it is copied, or just handed on. */
type Shape = 'constant' | 'copied' | MapShape
type MapShape = readonly (readonly [name: string, shape: Shape])[]

function shapeOf(fields: Fields, given: ReadonlySet<Value>): MapShape {
  return Object.entries(fields).map(([name, value]) => {
    if (typeof value !== 'object' || value === null) return [name, 'constant']
    const isCopied =
      given.has(value) || !isFields(value) || Object.keys(value).some((key) => inheritedNames.has(key))
    return [name, isCopied ? 'copied' : shapeOf(value, given)]
  })
}

/** The values that code for this shape is given, in the order in which it names them. */
function leavesOf(fields: Fields, shape: MapShape): Value[] {
  return shape.flatMap(([name, member]) =>
    typeof member === 'string' ? [fields[name]!] : leavesOf(fields[name] as Fields, member),
  )
}

function makerFor(shapes: readonly [data: MapShape, meta: MapShape]): Maker {
  const key = JSON.stringify(shapes)
  let maker = makers.get(key)
  if (maker === undefined) {
    maker = generateMaker(...shapes)
    if (makers.size < maxMakers) makers.set(key, maker)
  }
  return maker
}

function generateMaker(data: MapShape, meta: MapShape): Maker {
  const constants: string[] = []
  const expression = (shape: Shape): string => {
    if (typeof shape !== 'string')
      return `{ ${shape.map(([name, member]) => `${literal(name)}: ${expression(member)}`).join(', ')} }`
    const name = `v${constants.length}`
    constants.push(`const ${name} = leaves[${constants.length}];`)
    return shape === 'constant' ? name : `clone(${name})`
  }
  const lacksAll = ['true', ...data.map(([name]) => `data[${literal(name)}] === undefined`)].join(' && ')
  const puts = data.map(([name, shape]) => `data[${literal(name)}] = ${expression(shape)};`).join('')
  const metaFields = expression(meta)
  const source = `return function make(leaves, clone, extend, slowly) {
  ${constants.join('')}
  return function apply(event) {
    const data = event.data;
    if (!(${lacksAll})${meta.length === 0 ? '' : ' || event.meta !== null'}) { slowly(event); return; }
    ${puts}
    ${meta.length === 0 ? '' : `event.meta = ${metaFields};`}
    if (event.raw !== null) event.raw = extend(event.raw);
  }}`
  return new CodeScope().compile<Maker>(source, 'millrace:///origin.js')
}
