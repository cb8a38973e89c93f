/**
 * Dynamic mapping: infers a mapping update for unmapped fields of a document. Objects that a template creates end
 * the descent; their contents are inferred once they are mapped.
 */

import { illegalArgument, mapperParsing } from '../request/errors.ts'
import { JsonNumber } from '../request/json-literals.ts'
import { isObject, type JsonObject } from '../request/json-object.ts'
import { rethrowFault } from '../request/refusal.ts'
import { SearchError } from '../request/search-error.ts'
import { defaultDateFormat } from '../time/date-format.ts'
import { type Dynamic, joinPath } from './definition/definition.ts'
import { splitName } from './definition/definition-parser.ts'
import type { DynamicType } from './definition/dynamic-template.ts'
import type { DocumentReading } from './documents/document-fields.ts'
import { fieldTypes } from './field-types.ts'
import type { Mapping } from './mapping.ts'
import type { MappingNode, ObjectNode } from './mapping-tree.ts'
import { parseJavaDouble } from './values/number-kinds.ts'

/** A new field, or an object with new fields in it. */
type NewNode = { readonly json: JsonObject } | NewObject

interface NewObject {
  readonly children: Map<string, NewNode>
  /** The mapped object that the fields are new in. */
  readonly node: ObjectNode | undefined
}

export function strictRefusal(dynamic: Dynamic, name: string, parent: string): SearchError {
  return new SearchError(
    'strict_dynamic_mapping_exception',
    `mapping set to ${dynamic}, dynamic introduction of [${name}] within [${parent === '' ? '_doc' : parent}] is not allowed`,
  )
}

/** For `a.b` when `a` is a field. */
export function noObject(path: string, parent: string, type: string): SearchError {
  return mapperParsing(
    `Could not dynamically add mapping for field [${path}]. Existing mapping for [${parent}] must be of type object but found [${type}].`,
  )
}

/** Where new fields are inferred: a mapped object, or a new one. */
interface Place {
  readonly path: string
  readonly dynamic: Dynamic
  readonly node: ObjectNode | undefined
  readonly found: Map<string, NewNode>
}

/** A document whose values ask for different types of one new field; it is reported as it is. */
export class TypeConflict extends SearchError {}

interface Conflict {
  readonly path: string
  /** The types in the order of the document; `object` for one. */
  readonly types: readonly [string, string]
}

export class NewFields {
  readonly #mapping: Mapping
  readonly #reading: DocumentReading
  readonly #root: Map<string, NewNode> = new Map()
  readonly #conflicts: Conflict[] = []
  /** The first of the new names in their order. */
  #firstName: string | undefined
  #count = 0

  constructor(mapping: Mapping, reading: DocumentReading) {
    this.#mapping = mapping
    this.#reading = reading
  }

  /** Returns undefined when there are no new fields. */
  of(source: JsonObject): JsonObject | undefined {
    const { root } = this.#mapping
    this.#object(source, { path: '', dynamic: root.dynamic, node: root, found: this.#root })
    for (const [path, value] of this.#reading.constants) {
      this.#put(path, { json: { type: 'constant_keyword', value } })
    }
    if (this.#conflicts.length > 0) throw this.#conflict()
    return this.#root.size === 0 ? undefined : { properties: print(this.#root) }
  }

  /**
   * OpenSearch makes a field of every value, sorts them by their names and merges equal names: of the first name the
   * later field into the earlier one, of all others the other way round.
   */
  #conflict(): TypeConflict {
    const { path, types } = this.#conflicts.reduce((one, other) => (other.path < one.path ? other : one))
    const isFirst = path === this.#firstName
    const [from, to] = isFirst ? types : [types[1], types[0]]
    const reason =
      from === 'object' || (to === 'object' && isFirst)
        ? `can't merge a non object mapping [${path}] with an object mapping`
        : `mapper [${path}] cannot be changed from type [${from}] to [${to === 'object' ? 'ObjectMapper' : to}]`
    return new TypeConflict('illegal_argument_exception', reason)
  }

  #named(path: string): void {
    if (this.#firstName === undefined || path < this.#firstName) this.#firstName = path
  }

  #object(source: JsonObject, place: Place): void {
    // One level beyond the limit is enough to be refused.
    if (place.path !== '' && place.path.split('.').length > this.#mapping.settings.depthLimit) return
    for (const [key, value] of Object.entries(source)) this.#entry(key, value, place)
  }

  #entry(key: string, value: unknown, place: Place): void {
    if (key === '_doc_count' && place.path === '') return
    const child = place.node?.children.get(key)
    if (child !== undefined) {
      this.#mapped(value, child, key, place)
      return
    }
    if (key.includes('.')) {
      // A null makes no objects.
      if (value === null) return
      if (key.endsWith('.')) return this.#entry(key.replace(/\.+$/, ''), value, place)
      const [head = ''] = splitName(key)
      if (place.node?.children.get(head) === undefined) this.#checkParent(key, head, place)
      this.#entry(head, { [key.slice(head.length + 1)]: value }, place)
    } else this.#unmapped(key, value, place)
  }

  /** What stands before a dot has to be an object, also when a template makes something else of it. */
  #checkParent(key: string, head: string, place: Place): void {
    if (place.dynamic === 'false') return
    const path = joinPath(place.path, head)
    const type = this.#template(path, head, 'object')?.['type'] ?? 'object'
    if (type !== 'object' && type !== 'nested') throw noObject(joinPath(place.path, key), path, String(type))
  }

  #mapped(value: unknown, child: MappingNode, key: string, place: Place): void {
    if (child.kind === 'alias') return
    if (child.kind === 'field') {
      for (const target of child.copyTo)
        if (this.#mapping.field(target) === undefined) this.#copied(target, value)
      return
    }
    if (!child.definition.enabled) return
    const known = place.found.get(key)
    const found = known !== undefined && 'children' in known ? known.children : new Map<string, NewNode>()
    const inner: Place = { path: child.path, dynamic: child.dynamic, node: child, found }
    for (const item of Array.isArray(value) ? value.flat(10) : [value]) {
      if (isObject(item)) this.#object(item, inner)
    }
    if (found.size > 0) place.found.set(key, { children: found, node: child })
  }

  #copied(target: string, value: unknown): void {
    const parts = splitName(target)
    let wrapped: unknown = value
    for (let index = parts.length - 1; index > 0; index--) wrapped = { [parts[index]!]: wrapped }
    const { root } = this.#mapping
    this.#entry(parts[0]!, wrapped, { path: '', dynamic: root.dynamic, node: root, found: this.#root })
  }

  #unmapped(key: string, value: unknown, place: Place): void {
    if (place.dynamic === 'false') return
    if (Array.isArray(value)) {
      for (const item of value) this.#unmapped(key, item, place)
      return
    }
    if (value === null || value === undefined) return
    const path = joinPath(place.path, key)
    const known = place.found.get(key)
    if (isObject(value)) {
      if (known !== undefined && 'json' in known) {
        if (!isObjectNode(known))
          this.#conflicts.push({ path, types: [String(known.json['type']), 'object'] })
        return
      }
      const template = known === undefined ? this.#template(path, key, 'object') : undefined
      this.#named(path)
      if (template !== undefined) {
        place.found.set(key, { json: template })
        return
      }
      if (place.dynamic === 'strict_allow_templates') throw strictRefusal(place.dynamic, key, place.path)
      const found = known?.children ?? new Map<string, NewNode>()
      if (known === undefined) this.#counted()
      place.found.set(key, { children: found, node: undefined })
      this.#object(value, { path, dynamic: place.dynamic, node: undefined, found })
      return
    }
    if (known !== undefined && isObjectNode(known)) {
      const json = this.#infer(value, path, key, place)
      if (json !== undefined) this.#conflicts.push({ path, types: ['object', String(json['type'])] })
      return
    }
    if (known !== undefined && 'json' in known) {
      const before = String(known.json['type'])
      if (!mayFit(value, before)) {
        const type = String(this.#infer(value, path, key, place)?.['type'])
        if (type !== before) this.#conflicts.push({ path, types: [before, type] })
      }
      return
    }
    const json = this.#infer(value, path, key, place)
    if (json === undefined) return
    this.#named(path)
    this.#counted()
    place.found.set(key, { json })
  }

  /** The merged mapping would be refused anyway, but a document may have a million names. */
  #counted(): void {
    const { totalFieldsLimit } = this.#mapping.settings
    if (++this.#count > totalFieldsLimit)
      throw illegalArgument(`Limit of total fields [${totalFieldsLimit}] has been exceeded`)
  }

  #template(path: string, name: string, type: DynamicType): JsonObject | undefined {
    const template = this.#mapping.templates.find((each) => each.matches(path, name, type))
    if (template === undefined) return undefined
    const json = template.mappingFor(name, type)
    if (!template.hasType && type !== 'object') checkUntyped(json, name)
    return json
  }

  #infer(value: unknown, path: string, name: string, place: Place): JsonObject | undefined {
    const decide = (type: DynamicType, otherwise: JsonObject): JsonObject => {
      const json = this.#template(path, name, type)
      if (json !== undefined) return json
      if (place.dynamic === 'strict_allow_templates') throw strictRefusal(place.dynamic, name, place.path)
      return otherwise
    }
    if (typeof value === 'boolean') return decide('boolean', { type: 'boolean' })
    if (typeof value === 'string') return this.#inferText(value, decide)
    if (typeof value === 'number' && Number.isInteger(value)) this.#reading.requireSpelling()
    const isInteger = value instanceof JsonNumber ? value.isInteger : Number.isInteger(value)
    return isInteger ? decide('long', { type: 'long' }) : decide('double', { type: 'float' })
  }

  #inferText(text: string, decide: (type: DynamicType, otherwise: JsonObject) => JsonObject): JsonObject {
    const number = numberIn(text)
    if (this.#mapping.detectsNumbers && number !== undefined) {
      return number === 'long' ? decide('long', { type: 'long' }) : decide('double', { type: 'float' })
    }
    if (this.#mapping.detectsDates && number === undefined && mayBeDate(text)) {
      for (const format of this.#mapping.dynamicDateFormats) {
        if (Number.isNaN(format.tryParse(text))) continue
        const named = format.pattern === defaultDateFormat ? {} : this.#dateFormat(format.pattern)
        const json = decide('date', { type: 'date', ...named })
        return json['type'] === 'date' && json['format'] === undefined ? { ...json, ...named } : json
      }
    }
    return decide('string', {
      type: 'text',
      fields: { keyword: { type: 'keyword', ignore_above: 256 } },
    })
  }

  /** OpenSearch prints such a date in the first of its formats. */
  #dateFormat(format: string): JsonObject {
    if (!this.#mapping.settings.printsDatesByFirstFormat) return { format }
    return { format, print_format: format.split('||')[0]! }
  }

  #put(path: string, node: NewNode): void {
    const parts = path.split('.')
    let children = this.#root
    for (const [index, part] of parts.slice(0, -1).entries()) {
      const known = children.get(part)
      const inner = known !== undefined && 'children' in known ? known.children : new Map<string, NewNode>()
      if (known === undefined) {
        const parent = this.#mapping.object(parts.slice(0, index + 1).join('.'))
        children.set(part, { children: inner, node: parent })
      }
      children = inner
    }
    children.set(parts.at(-1)!, node)
  }
}

/** A new object, also one that a template made. */
function isObjectNode(node: NewNode): boolean {
  return 'children' in node || node.json['type'] === 'object' || node.json['type'] === 'nested'
}

const numberTypes = new Set(['long', 'float', 'double', 'integer'])

/** Says whether a later value of a new field may be kept in the type of the first one. */
function mayFit(value: unknown, type: string): boolean {
  if (numberTypes.has(type))
    return typeof value === 'string' ? numberIn(value) !== undefined : typeof value !== 'boolean'
  if (type === 'boolean')
    return typeof value === 'boolean' || value === 'true' || value === 'false' || value === ''
  return true
}

/** The parameters of a template without a type, whose field's type is not known to it. */
function checkUntyped(json: JsonObject, name: string): void {
  const { parameters } = fieldTypes.get(String(json['type']))!
  for (const key of Object.keys(json))
    if (key !== 'type' && key !== 'fields' && key !== 'copy_to' && !parameters.has(key))
      throw mapperParsing(`unknown parameter [${key}] on mapper [${name}] of type [null]`)
}

/** Every date has a digit; most texts are rejected here. */
function mayBeDate(text: string): boolean {
  return text.length <= 100 && /\d/.test(text)
}

function numberIn(text: string): 'long' | 'double' | undefined {
  const first = text.charCodeAt(0)
  // Accepts digits, signs, a point, `NaN`, `Infinity` and white space.
  if (!(first <= 57 || first === 78 || first === 73) || text.length > 400) return undefined
  if (/^[+-]?\d{1,19}$/.test(text)) {
    const value = BigInt(text.replace(/^\+/, ''))
    return BigInt.asIntN(64, value) === value ? 'long' : 'double'
  }
  try {
    parseJavaDouble(text)
    return 'double'
  } catch (error) {
    rethrowFault(error)
    return undefined
  }
}

/** An update of a nested object must repeat its type. */
function nestedKeys(node: ObjectNode | undefined): JsonObject {
  if (node === undefined || !node.definition.isNested) return {}
  const { includeInParent, includeInRoot } = node.definition
  return { type: 'nested', include_in_parent: includeInParent, include_in_root: includeInRoot }
}

function print(found: ReadonlyMap<string, NewNode>): JsonObject {
  const entries = [...found].map(([name, node]): [string, JsonObject] => {
    if ('json' in node) return [name, node.json]
    if (node.children.size === 0) return [name, { type: 'object' }]
    return [name, { ...nestedKeys(node.node), properties: print(node.children) }]
  })
  return Object.fromEntries(entries)
}
