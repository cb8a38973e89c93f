/** The methods of strings, numbers, lists, maps and sets. */
import { javaHash } from '../../text/java-hash.ts'
import {
  areEqual,
  checkSize,
  compare,
  Lambda,
  numeric,
  ScriptFailure,
  type ScriptMap,
  ScriptObject,
  type ScriptValue,
  textOf,
  toDouble,
  toInteger,
  truth,
  typeName,
  unwrapped,
} from './values.ts'

type Arguments = readonly ScriptValue[]
type Method<Owner> = (owner: Owner, values: Arguments) => ScriptValue

function integer(value: ScriptValue | undefined): number {
  return Number(toInteger(value ?? null, 32))
}

function place(value: ScriptValue | undefined, length: number): number {
  const at = integer(value)
  if (at >= 0 && at < length) return at
  throw new ScriptFailure('index_out_of_bounds_exception', `Index ${at} out of bounds for length ${length}`)
}

function text(value: ScriptValue | undefined): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined)
    throw new ScriptFailure('null_pointer_exception', 'a text is needed and not null')
  throw new ScriptFailure(
    'class_cast_exception',
    `Cannot cast from [${typeName(value)}] to [java.lang.String].`,
  )
}

function lambda(value: ScriptValue | undefined): Lambda {
  if (value instanceof Lambda) return value
  throw new ScriptFailure(
    'class_cast_exception',
    `Cannot cast from [${typeName(value ?? null)}] to a function.`,
  )
}

/** The members of an iterable value. */
export function itemsOf(value: ScriptValue): readonly ScriptValue[] {
  if (Array.isArray(value)) return value
  if (value instanceof Set) return [...value]
  const items = value instanceof ScriptObject ? value.items() : undefined
  if (items !== undefined) return items
  if (value === null) throw new ScriptFailure('null_pointer_exception', 'Cannot iterate over [null]')
  throw new ScriptFailure('illegal_argument_exception', `Cannot iterate over [${typeName(value)}]`)
}

/** The members of a list, or a single value as a list of one. */
export function listed(value: ScriptValue): readonly ScriptValue[] {
  const isList = Array.isArray(value) || value instanceof Set
  return isList || (value instanceof ScriptObject && value.items() !== undefined) ? itemsOf(value) : [value]
}

function part(owner: string, values: Arguments): string {
  const from = integer(values[0])
  const to = values.length > 1 ? integer(values[1]) : owner.length
  if (from >= 0 && from <= to && to <= owner.length) return owner.slice(from, to)
  throw new ScriptFailure(
    'string_index_out_of_bounds_exception',
    `begin ${from}, end ${to}, length ${owner.length}`,
  )
}

function replaced(owner: string, [from, to]: Arguments): string {
  const [searched, with_] = [text(from), text(to)]
  const count = owner.split(searched).length - 1
  checkSize(owner.length + count * with_.length)
  return owner.replaceAll(searched, () => with_)
}

const ofTexts = new Map<string, Method<string>>([
  ['length/0', (owner) => BigInt(owner.length)],
  ['isEmpty/0', (owner) => owner === ''],
  ['isBlank/0', (owner) => owner.trim() === ''],
  ['toLowerCase/0', (owner) => owner.toLowerCase()],
  ['toUpperCase/0', (owner) => owner.toUpperCase()],
  ['trim/0', (owner) => owner.trim()],
  ['strip/0', (owner) => owner.trim()],
  ['contains/1', (owner, [other]) => owner.includes(text(other))],
  ['startsWith/1', (owner, [other]) => owner.startsWith(text(other))],
  ['endsWith/1', (owner, [other]) => owner.endsWith(text(other))],
  ['indexOf/1', (owner, [other]) => BigInt(owner.indexOf(text(other)))],
  ['indexOf/2', (owner, [other, from]) => BigInt(owner.indexOf(text(other), integer(from)))],
  ['lastIndexOf/1', (owner, [other]) => BigInt(owner.lastIndexOf(text(other)))],
  ['substring/1', part],
  ['substring/2', part],
  ['charAt/1', (owner, [at]) => owner[place(at, owner.length)]!],
  ['concat/1', (owner, [other]) => owner + text(other)],
  ['replace/2', replaced],
  [
    'equalsIgnoreCase/1',
    (owner, [other]) => other !== null && owner.toLowerCase() === text(other).toLowerCase(),
  ],
  ['compareTo/1', (owner, [other]) => BigInt(compare(owner, text(other)))],
  ['splitOnToken/1', (owner, [token]) => owner.split(text(token))],
  ['hashCode/0', (owner) => BigInt(javaHash(owner))],
])

const ofNumbers = new Map<string, Method<number | bigint>>([
  ['doubleValue/0', (owner) => toDouble(owner, 'doubleValue')],
  ['floatValue/0', (owner) => Math.fround(toDouble(owner, 'floatValue'))],
  ['longValue/0', (owner) => toInteger(owner, 64)],
  ['intValue/0', (owner) => toInteger(owner, 32)],
  ['isNaN/0', (owner) => Number.isNaN(toDouble(owner, 'isNaN'))],
  ['isInfinite/0', (owner) => Math.abs(toDouble(owner, 'isInfinite')) === Infinity],
  ['compareTo/1', (owner, [other]) => BigInt(compare(owner, other!))],
])

/** An integer argument is an index, anything else a member. */
function removedFrom(owner: ScriptValue[], [what]: Arguments): ScriptValue {
  if (typeof unwrapped(what!) === 'bigint') return owner.splice(place(what, owner.length), 1)[0]!
  const at = owner.findIndex((item) => areEqual(item, what!))
  if (at >= 0) owner.splice(at, 1)
  return at >= 0
}

function keep(owner: ScriptValue[], isKept: (item: ScriptValue) => boolean): boolean {
  const kept = owner.filter(isKept)
  const changed = kept.length < owner.length
  owner.length = 0
  for (const item of kept) owner.push(item)
  return changed
}

function among(values: readonly ScriptValue[], item: ScriptValue): boolean {
  return values.some((other) => areEqual(other, item))
}

function sorted(owner: ScriptValue[], [by]: Arguments): ScriptValue {
  if (by === null || by === undefined) owner.sort(compare)
  else {
    const { run } = lambda(by)
    owner.sort((a, b) => Number(numeric(run([a, b]), 'compare')))
  }
  return null
}

const ofLists = new Map<string, Method<ScriptValue[]>>([
  ['size/0', (owner) => BigInt(owner.length)],
  ['isEmpty/0', (owner) => owner.length === 0],
  ['get/1', (owner, [at]) => owner[place(at, owner.length)]!],
  ['getLength/0', (owner) => BigInt(owner.length)],
  [
    'set/2',
    (owner, [at, item]) => {
      const before = owner[place(at, owner.length)]!
      owner[integer(at)] = item!
      return before
    },
  ],
  [
    'add/1',
    (owner, [item]) => {
      checkSize(owner.length + 1)
      owner.push(item!)
      return true
    },
  ],
  [
    'add/2',
    (owner, [at, item]) => {
      checkSize(owner.length + 1)
      owner.splice(place(at, owner.length + 1), 0, item!)
      return null
    },
  ],
  [
    'addAll/1',
    (owner, [other]) => {
      const more = [...itemsOf(other!)]
      checkSize(owner.length + more.length)
      for (const item of more) owner.push(item)
      return more.length > 0
    },
  ],
  ['remove/1', removedFrom],
  ['removeIf/1', (owner, [test]) => keep(owner, (item) => !truth(lambda(test).run([item])))],
  ['removeAll/1', (owner, [other]) => keep(owner, (item) => !among(itemsOf(other!), item))],
  ['retainAll/1', (owner, [other]) => keep(owner, (item) => among(itemsOf(other!), item))],
  ['contains/1', (owner, [item]) => among(owner, item!)],
  ['containsAll/1', (owner, [other]) => itemsOf(other!).every((item) => among(owner, item))],
  ['indexOf/1', (owner, [item]) => BigInt(owner.findIndex((other) => areEqual(other, item!)))],
  ['lastIndexOf/1', (owner, [item]) => BigInt(owner.findLastIndex((other) => areEqual(other, item!)))],
  [
    'subList/2',
    (owner, [from, to]) => owner.slice(place(from, owner.length + 1), place(to, owner.length + 1)),
  ],
  ['sort/1', sorted],
  [
    'clear/0',
    (owner) => {
      owner.length = 0
      return null
    },
  ],
])

/** Sets have the methods of lists, except those with an index. */
const ofSets = new Map<string, Method<Set<ScriptValue>>>([
  ['size/0', (owner) => BigInt(owner.size)],
  ['isEmpty/0', (owner) => owner.size === 0],
  ['contains/1', (owner, [item]) => owner.has(unwrapped(item!))],
  [
    'add/1',
    (owner, [item]) => {
      const before = owner.size
      checkSize(before + 1)
      return owner.add(unwrapped(item!)).size > before
    },
  ],
  [
    'addAll/1',
    (owner, [other]) => {
      const before = owner.size
      for (const item of itemsOf(other!)) owner.add(unwrapped(item))
      checkSize(owner.size)
      return owner.size > before
    },
  ],
  ['remove/1', (owner, [item]) => owner.delete(unwrapped(item!))],
  [
    'clear/0',
    (owner) => {
      owner.clear()
      return null
    },
  ],
])

/** An entry of `entrySet()`. */
class Entry extends ScriptObject {
  readonly javaName = 'java.util.Map.Entry'
  readonly #key: ScriptValue
  readonly #map: ScriptMap

  constructor(map: ScriptMap, key: ScriptValue) {
    super()
    this.#map = map
    this.#key = key
  }

  override member(name: string): ScriptValue | undefined {
    return name === 'key' ? this.#key : name === 'value' ? (this.#map.get(this.#key) ?? null) : undefined
  }

  override call(name: string, values: Arguments): ScriptValue | undefined {
    if (name === 'getKey') return this.#key
    if (name === 'getValue') return this.member('value')!
    if (name !== 'setValue') return undefined
    this.#map.set(this.#key, values[0] ?? null)
    return null
  }
}

function putInto(owner: ScriptMap, key: ScriptValue, value: ScriptValue): ScriptValue {
  const before = owner.get(key) ?? null
  owner.set(key, value)
  checkSize(owner.size)
  return before
}

const ofMaps = new Map<string, Method<ScriptMap>>([
  ['size/0', (owner) => BigInt(owner.size)],
  ['isEmpty/0', (owner) => owner.size === 0],
  ['get/1', (owner, [key]) => owner.get(key!) ?? null],
  ['getOrDefault/2', (owner, [key, otherwise]) => (owner.has(key!) ? owner.get(key!)! : otherwise!)],
  ['containsKey/1', (owner, [key]) => owner.has(key!)],
  ['containsValue/1', (owner, [value]) => among([...owner.values()], value!)],
  ['put/2', (owner, [key, value]) => putInto(owner, key!, value!)],
  ['putIfAbsent/2', (owner, [key, value]) => owner.get(key!) ?? putInto(owner, key!, value!)],
  [
    'putAll/1',
    (owner, [other]) => {
      if (!(other instanceof Map)) throw new ScriptFailure('class_cast_exception', 'a map is needed')
      for (const [key, value] of other) putInto(owner, key, value)
      return null
    },
  ],
  [
    'remove/1',
    (owner, [key]) => {
      const before = owner.get(key!) ?? null
      owner.delete(key!)
      return before
    },
  ],
  ['keySet/0', (owner) => new Set(owner.keys())],
  ['values/0', (owner) => [...owner.values()]],
  ['entrySet/0', (owner) => [...owner.keys()].map((key) => new Entry(owner, key))],
  [
    'clear/0',
    (owner) => {
      owner.clear()
      return null
    },
  ],
  [
    'forEach/1',
    (owner, [each]) => {
      for (const [key, value] of [...owner]) lambda(each).run([key, value])
      return null
    },
  ],
])

/** The methods of all values. */
const ofAll = new Map<string, Method<ScriptValue>>([
  ['equals/1', (owner, [other]) => areEqual(owner, other!)],
  ['toString/0', (owner) => textOf(owner)],
  [
    'forEach/1',
    (owner, [each]) => {
      for (const item of [...itemsOf(owner)]) lambda(each).run([item])
      return null
    },
  ],
])

function methodOf(owner: ScriptValue, key: string): Method<never> | undefined {
  if (typeof owner === 'string') return ofTexts.get(key)
  if (typeof owner === 'number' || typeof owner === 'bigint') return ofNumbers.get(key)
  if (Array.isArray(owner)) return ofLists.get(key)
  if (owner instanceof Map) return ofMaps.get(key)
  return owner instanceof Set ? ofSets.get(key) : undefined
}

/** `owner.name(values)` */
export function callMethod(given: ScriptValue, name: string, values: Arguments): ScriptValue {
  const owner = unwrapped(given)
  if (owner === null)
    throw new ScriptFailure(
      'null_pointer_exception',
      `cannot access method/field [${name}] from a null def reference`,
    )
  const key = `${name}/${values.length}`
  const method = methodOf(owner, key) as Method<ScriptValue> | undefined
  if (method !== undefined) return method(owner, values)
  const found = owner instanceof ScriptObject ? owner.call(name, values) : undefined
  if (found !== undefined) return found
  const general = ofAll.get(key)
  if (general !== undefined) return general(owner, values)
  throw new ScriptFailure(
    'illegal_argument_exception',
    `dynamic method [${typeName(owner)}, ${key}] not found`,
  )
}

/** `owner.name`: a member of a map, or a getter. */
export function readMember(given: ScriptValue, name: string): ScriptValue {
  const owner = unwrapped(given)
  if (owner instanceof Map) return owner.get(name) ?? null
  if (owner === null)
    throw new ScriptFailure(
      'null_pointer_exception',
      `cannot access method/field [${name}] from a null def reference`,
    )
  if (Array.isArray(owner)) {
    if (name === 'length') return BigInt(owner.length)
    // A number is an index.
    if (/^\d+$/.test(name)) return owner[place(BigInt(name), owner.length)]!
  }
  const found = owner instanceof ScriptObject ? owner.member(name) : undefined
  if (found !== undefined) return found
  const capital = name.charAt(0).toUpperCase() + name.slice(1)
  for (const getter of [`get${capital}`, `is${capital}`]) {
    const method = methodOf(owner, `${getter}/0`) as Method<ScriptValue> | undefined
    if (method !== undefined) return method(owner, [])
    const result = owner instanceof ScriptObject ? owner.call(getter, []) : undefined
    if (result !== undefined) return result
  }
  throw new ScriptFailure(
    'illegal_argument_exception',
    `dynamic getter [${typeName(owner)}, ${name}] not found`,
  )
}

export function writeMember(owner: ScriptValue, name: string, value: ScriptValue): void {
  if (owner instanceof Map) {
    putInto(owner, name, value)
    return
  }
  if (owner === null)
    throw new ScriptFailure(
      'null_pointer_exception',
      `cannot access method/field [${name}] from a null def reference`,
    )
  throw new ScriptFailure(
    'illegal_argument_exception',
    `dynamic setter [${typeName(owner)}, ${name}] not found`,
  )
}

/** Negative indexes count from the end. */
function elementAt(owner: ScriptValue[], key: ScriptValue): number {
  const given = Number(numeric(key, '[]'))
  const at = given < 0 ? given + owner.length : given
  if (Number.isInteger(at) && at >= 0 && at < owner.length) return at
  throw new ScriptFailure(
    'array_index_out_of_bounds_exception',
    `Index ${given} out of bounds for length ${owner.length}`,
  )
}

/** `owner[key]` */
export function readElement(owner: ScriptValue, key: ScriptValue): ScriptValue {
  if (Array.isArray(owner)) return owner[elementAt(owner, key)]!
  if (owner instanceof Map) return owner.get(unwrapped(key)) ?? null
  const found = owner instanceof ScriptObject ? owner.at(key) : undefined
  if (found !== undefined) return found
  if (owner === null) throw new ScriptFailure('null_pointer_exception', 'Cannot address a null as an array.')
  throw new ScriptFailure('illegal_argument_exception', 'Attempting to address a non-array type as an array.')
}

export function writeElement(owner: ScriptValue, key: ScriptValue, value: ScriptValue): void {
  if (Array.isArray(owner)) owner[elementAt(owner, key)] = value
  else if (owner instanceof Map) putInto(owner, unwrapped(key), value)
  else if (owner === null)
    throw new ScriptFailure('null_pointer_exception', 'Cannot address a null as an array.')
  else
    throw new ScriptFailure(
      'illegal_argument_exception',
      'Attempting to address a non-array type as an array.',
    )
}
