/** Parses `properties` of a mapping to definitions, with Elasticsearch's error texts. */

import { illegalArgument, mapperParsing } from '../../request/errors.ts'
import { javaClass, javaText } from '../../request/java-text.ts'
import { isObject, type JsonObject } from '../../request/json-object.ts'
import { fieldTypes } from '../field-types.ts'
import {
  type AliasDefinition,
  type Definition,
  type Dynamic,
  emptyObject,
  type FieldDefinition,
  joinPath,
  type ObjectDefinition,
} from './definition.ts'
import { mergeDefinitions } from './definition-merge.ts'
import { namedBoolean } from './parameter.ts'

export function readDynamic(value: unknown): Dynamic {
  const text = javaText(value).toLowerCase()
  if (text === 'strict' || text === 'runtime' || text === 'strict_allow_templates') return text
  if (text === 'true' || text === 'false') return text
  return namedBoolean('dynamic', value) ? 'true' : 'false'
}

/** ` [a : 1] [b : 2]` */
export function remaining(names: readonly string[], json: JsonObject): string {
  return names.map((name) => ` [${name} : ${javaText(json[name])}]`).join('')
}

/** Splits a name at its dots. */
export function splitName(name: string): string[] {
  if (name === '') throw illegalArgument('name cannot be empty string')
  if (!name.includes('.')) return [name]
  // Dots at the end are left out, as Java's split does.
  const parts = name.replace(/\.+$/, '').split('.')
  if (parts.length === 1 && parts[0] === '') throw mapperParsing(`Invalid field name ${name}`)
  for (const part of parts) {
    if (part === '') throw illegalArgument('name cannot be empty string')
    if (part.trim() === '') throw illegalArgument(`object field cannot contain only whitespace: ['${name}']`)
  }
  return parts
}

export function readProperties(json: unknown, parent: string): ReadonlyMap<string, Definition> {
  const children = new Map<string, Definition>()
  // Some languages serialise an empty map as an empty list.
  if (Array.isArray(json) && json.length === 0) return children
  if (!isObject(json)) {
    throw mapperParsing(
      `Expected map for property [properties] on field [${parent === '' ? '_doc' : parent}] but got a class ${javaClass(json)}`,
    )
  }
  for (const [name, property] of Object.entries(json)) {
    if (Array.isArray(property) && property.length === 0) continue
    if (!isObject(property)) {
      throw mapperParsing(
        `Expected map for property [fields] on field [${name}] but got a class ${javaClass(property)}`,
      )
    }
    const parts = splitName(name)
    const path = joinPath(parent, name)
    let definition = readProperty(property, parts.at(-1)!, path)
    for (let index = parts.length - 2; index >= 0; index--) {
      definition = { ...emptyObject, children: new Map([[parts[index + 1]!, definition]]) }
    }
    const existing = children.get(parts[0]!)
    children.set(
      parts[0]!,
      existing === undefined
        ? definition
        : mergeDefinitions(existing, definition, joinPath(parent, parts[0]!)),
    )
  }
  return children
}

function readProperty(json: JsonObject, name: string, path: string): Definition {
  let type = json['type']
  if (type === undefined || type === null) {
    const isObject =
      json['properties'] !== undefined || (Object.keys(json).length === 1 && json['enabled'] !== undefined)
    if (!isObject) throw mapperParsing(`No type specified for field [${name}]`)
    type = 'object'
  }
  const typeName = javaText(type)
  if (typeName === 'object' || typeName === 'nested') return readObject(json, typeName === 'nested', path)
  if (typeName === 'alias') return readAlias(json, name)
  return readField(json, typeName, name, path, false)
}

const objectParameters = ['type', 'dynamic', 'enabled', 'properties']
const nestedParameters = [...objectParameters, 'include_in_parent', 'include_in_root']

function readObject(json: JsonObject, isNested: boolean, path: string): ObjectDefinition {
  const known = isNested ? nestedParameters : objectParameters
  const unknown = Object.keys(json).filter((key) => !known.includes(key))
  if (unknown.length > 0) {
    const leaf = path.slice(path.lastIndexOf('.') + 1)
    throw mapperParsing(
      `Mapping definition for [${leaf}] has unsupported parameters: ${remaining(unknown, json)}`,
    )
  }
  const has = (key: string) => json[key] !== undefined && json[key] !== null
  return {
    kind: 'object',
    isNested,
    enabled: has('enabled') ? namedBoolean('enabled', json['enabled']) : true,
    dynamic: has('dynamic') ? readDynamic(json['dynamic']) : undefined,
    includeInParent: has('include_in_parent') && namedBoolean('include_in_parent', json['include_in_parent']),
    includeInRoot: has('include_in_root') && namedBoolean('include_in_root', json['include_in_root']),
    children: has('properties') ? readProperties(json['properties'], path) : emptyObject.children,
  }
}

function readAlias(json: JsonObject, name: string): AliasDefinition {
  const path = json['path']
  if (path === undefined || path === null || path === '') {
    throw mapperParsing(`The [path] property must be specified for field [${name}].`)
  }
  const unknown = Object.keys(json).filter((key) => key !== 'type' && key !== 'path')
  if (unknown.length > 0) {
    throw mapperParsing(
      `Mapping definition for [${name}] has unsupported parameters: ${remaining(unknown, json)}`,
    )
  }
  return { kind: 'alias', path: javaText(path) }
}

function readField(
  json: JsonObject,
  typeName: string,
  name: string,
  path: string,
  isMultiField: boolean,
): FieldDefinition {
  const type = fieldTypes.get(typeName)
  if (type === undefined) throw mapperParsing(`No handler for type [${typeName}] declared on field [${name}]`)
  const isOld = oldTypes.has(typeName)
  const values = new Map<string, unknown>()
  let fields: ReadonlyMap<string, FieldDefinition> = new Map()
  let copyTo: readonly string[] = []
  for (const [key, value] of Object.entries(json)) {
    if (key === 'type') continue
    if (key === 'fields' && !isOld) {
      fields = readMultiFields(value, name, path)
      continue
    }
    if (key === 'copy_to' && !isOld) {
      if (isMultiField) {
        throw mapperParsing(
          `copy_to in multi fields is not allowed. Found the copy_to in field [${name}] which is within a multi field.`,
        )
      }
      copyTo = (Array.isArray(value) ? value : [value]).map(javaText)
      continue
    }
    const parameter = type.parameters.get(key)
    if (parameter === undefined && isOld) continue
    if (parameter === undefined) {
      throw mapperParsing(`unknown parameter [${key}] on mapper [${name}] of type [${typeName}]`)
    }
    if (value === null && key !== 'null_value' && key !== 'meta') {
      throw mapperParsing(`[${key}] on mapper [${name}] of type [${typeName}] must not have a [null] value`)
    }
    if (value === null) continue
    const read = parameter.read(value, { path, type: typeName })
    if (parameter.isExplicit || read !== parameter.default) values.set(key, read)
  }
  if (isOld) refuseOthers(json, name, type.parameters)
  for (const { isShown, name: shown, default: standard } of type.parameters.values())
    if (isShown === true && !values.has(shown)) values.set(shown, standard)
  if (typeName === 'scaled_float' && !values.has('scaling_factor'))
    throw illegalArgument('Field [scaling_factor] is required')
  return { kind: 'field', type: typeName, values, fields, copyTo }
}

/** Types that OpenSearch reads in its older way: it names all parameters that they do not have at once. */
const oldTypes = new Set(['join', 'percolator'])

function refuseOthers(json: JsonObject, name: string, known: ReadonlyMap<string, unknown>): void {
  const others = Object.keys(json).filter((key) => key !== 'type' && !known.has(key))
  if (others.length === 0) return
  throw mapperParsing(
    `Mapping definition for [${name}] has unsupported parameters: ${remaining(others, json)}`,
  )
}

function readMultiFields(json: unknown, name: string, path: string): ReadonlyMap<string, FieldDefinition> {
  const fields = new Map<string, FieldDefinition>()
  if (Array.isArray(json) && json.length === 0) return fields
  if (!isObject(json)) {
    throw mapperParsing(
      `expected map for property [fields] on field [${name}] but got a class ${javaClass(json)}`,
    )
  }
  for (const [subName, property] of Object.entries(json)) {
    if (subName.includes('.')) {
      throw mapperParsing(`Field name [${subName}] which is a multi field of [${name}] cannot contain '.'`)
    }
    if (!isObject(property)) {
      throw mapperParsing(`illegal field [${subName}], only fields can be specified inside fields`)
    }
    const type = property['type']
    if (type === undefined || type === null)
      throw mapperParsing(`no type specified for property [${subName}]`)
    const typeName = javaText(type)
    if (typeName === 'object' || typeName === 'nested' || typeName === 'alias') {
      throw mapperParsing(`Type [${typeName}] cannot be used in multi field`)
    }
    fields.set(subName, readField(property, typeName, subName, joinPath(path, subName), true))
  }
  return fields
}
