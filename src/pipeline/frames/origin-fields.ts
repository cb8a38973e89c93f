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
import { type Fields, inheritedNames, type Value } from '../../event/value.ts'
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

/** What fits all origins with the same field names; each origin brings its own values. */
type Maker = (values: Value[], clone: typeof cloneValue, extend: Extend, slowly: ApplyOrigin) => ApplyOrigin
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
  const data = mapsOf(fields, false)
  const meta = { ...mapsOf(fields, true), ...mapsOf(overwrite, true) }
  const names = Object.keys(data)
  const metaNames = Object.keys(meta)
  if ([...names, ...metaNames].some((name) => inheritedNames.has(name))) return slowly
  const members = names.length === 0 ? '' : `,${writeJson(data).slice(1, -1)}`
  const count = countNames(data)
  const extend: Extend = (raw) => {
    if (members === '') return raw
    return typeof raw === 'string' ? `${raw.slice(0, -1)}${members}}` : raw.extended(members, count)
  }
  const values = [...Object.values(data), ...Object.values(meta)] as Value[]
  const apply = makerFor(names, metaNames, values)(values, cloneValue, extend, slowly)
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
function mapsOf(fields: readonly (readonly [string, Value])[], wantMetadata: boolean): Fields {
  const maps: Fields = {}
  for (const [reference, value] of fields) {
    const { metadata, path } = parseFieldReference(reference)
    if (metadata === wantMetadata && path.length > 0) writePath(maps, path, cloneValue(value))
  }
  return maps
}

function makerFor(names: string[], metaNames: string[], values: Value[]): Maker {
  const compound = values.map((value) => typeof value === 'object' && value !== null)
  const key = JSON.stringify([names, metaNames, compound])
  let maker = makers.get(key)
  if (maker === undefined) {
    maker = generateMaker(names, metaNames, compound)
    if (makers.size < maxMakers) makers.set(key, maker)
  }
  return maker
}

function generateMaker(names: string[], metaNames: string[], compound: boolean[]): Maker {
  const value = (i: number) => (compound[i] ? `clone(values[${i}])` : `v${i}`)
  const constants = compound
    .map((isCompound, i) => (isCompound ? '' : `const v${i} = values[${i}];`))
    .join('')
  const lacksAll = ['true', ...names.map((name) => `data[${literal(name)}] === undefined`)].join(' && ')
  const puts = names.map((name, i) => `data[${literal(name)}] = ${value(i)};`).join('')
  const metaPuts = metaNames.map((name, i) => `${literal(name)}: ${value(names.length + i)}`).join(', ')
  const metaOk = metaNames.length === 0 ? 'true' : 'event.meta === null'
  const source = `return function make(values, clone, extend, slowly) {
  ${constants}
  return function apply(event) {
    const data = event.data;
    if (!(${lacksAll}) || !(${metaOk})) { slowly(event); return; }
    ${puts}
    ${metaNames.length === 0 ? '' : `event.meta = { ${metaPuts} };`}
    if (event.raw !== null) event.raw = extend(event.raw);
  }}`
  return new CodeScope().compile<Maker>(source, 'millrace:///origin.js')
}
