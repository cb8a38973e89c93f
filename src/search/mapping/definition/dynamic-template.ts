/** One entry of `dynamic_templates`: its match conditions, and the mapping that new fields get. */

import type { CompileExpression, Expression } from '../../analysis/component.ts'
import { asSearchError, illegalArgument, mapperParsing } from '../../request/errors.ts'
import { javaText } from '../../request/java-text.ts'
import { isObject, type JsonObject } from '../../request/json-object.ts'
import { simpleMatch } from '../../request/simple-match.ts'

export type DynamicType = 'object' | 'string' | 'long' | 'double' | 'boolean' | 'date' | 'binary'

const dynamicTypes: readonly DynamicType[] = [
  'object',
  'string',
  'long',
  'double',
  'boolean',
  'date',
  'binary',
]

/** The type of a field whose template names none. */
const defaultTypes: Readonly<Record<DynamicType, string>> = {
  object: 'object',
  string: 'text',
  long: 'long',
  double: 'float',
  boolean: 'boolean',
  date: 'date',
  binary: 'binary',
}

const patternKeys = ['match', 'path_match', 'unmatch', 'path_unmatch'] as const

type TextTest = (text: string) => boolean
type FieldTest = (path: string, name: string) => boolean

const knownKeys = new Set<string>([
  ...patternKeys,
  'match_mapping_type',
  'match_pattern',
  'mapping',
  'unmatch_mapping_type',
])

function matchesSome(patterns: readonly TextTest[], text: string): boolean {
  for (const pattern of patterns) if (pattern(text)) return true
  return false
}

/** Most names differ from a pattern before its first star. */
function simplePattern(pattern: string): TextTest {
  const star = pattern.indexOf('*')
  if (star === -1) return (text) => text === pattern
  const prefix = pattern.slice(0, star)
  return (text) => text.startsWith(prefix) && simpleMatch(pattern, text)
}

export class DynamicTemplate {
  readonly name: string
  readonly #json: JsonObject
  readonly #mapping: JsonObject
  readonly #types: readonly string[] | undefined
  readonly #unwantedTypes: readonly string[]
  /** The conditions on names and paths; every new field asks every template. */
  readonly #tests: readonly FieldTest[]

  constructor(name: string, json: JsonObject, compile: CompileExpression | undefined) {
    this.name = name
    this.#json = json
    const unknown = Object.keys(json).find((key) => !knownKeys.has(key))
    if (unknown !== undefined) throw illegalArgument(`Illegal dynamic template parameter: [${unknown}]`)
    const { mapping } = json
    if (!isObject(mapping)) throw mapperParsing(`template must have mapping set`)
    this.#mapping = mapping
    this.#types = typesOf(json['match_mapping_type'])
    this.#unwantedTypes = typesOf(json['unmatch_mapping_type']) ?? []
    if (
      json['match'] === undefined &&
      json['path_match'] === undefined &&
      json['match_mapping_type'] === undefined
    ) {
      throw mapperParsing(`template must have match, path_match or match_mapping_type set ${javaText(json)}`)
    }
    const kind = javaText(json['match_pattern'] ?? 'simple')
    if (kind !== 'simple' && kind !== 'regex') {
      throw illegalArgument(`No matching pattern matched on [${kind}]`)
    }
    const tests: FieldTest[] = []
    for (const key of patternKeys) {
      const given = json[key]
      if (given === undefined) continue
      const isPath = key.startsWith('path_')
      const texts = (Array.isArray(given) ? given : [given]).map(javaText)
      const patterns = texts.map((text) =>
        kind === 'regex' && !isPath ? this.#wholeMatch(text, compile) : simplePattern(text),
      )
      const wanted = key === 'match' || key === 'path_match'
      tests.push((path, name) => matchesSome(patterns, isPath ? path : name) === wanted)
    }
    this.#tests = tests
  }

  #wholeMatch(pattern: string, compile: CompileExpression | undefined): (text: string) => boolean {
    if (compile === undefined)
      throw new Error('dynamic templates with `match_pattern: regex` need a compiler of patterns')
    let expression: Expression
    try {
      expression = compile(`^(?:${pattern})$`, [])
    } catch (error) {
      throw illegalArgument(
        `Pattern [${pattern}] of type [regex] is invalid. Cannot create dynamic template [${this.name}].`,
        asSearchError(error),
      )
    }
    return (text) => {
      for (const { index, groups } of expression.matchAll(text)) {
        if (index === 0 && groups[0]?.length === text.length) return true
      }
      return false
    }
  }

  matches(path: string, name: string, type: DynamicType): boolean {
    if (this.#types !== undefined && !this.#types.includes(type)) return false
    if (this.#unwantedTypes.includes(type)) return false
    for (const test of this.#tests) if (!test(path, name)) return false
    return true
  }

  /** Whether it names the type of its fields. */
  get hasType(): boolean {
    return this.#mapping['type'] !== undefined
  }

  /** Returns the mapping of a field of this name, with `{name}` and `{dynamic_type}` filled in. */
  mappingFor(name: string, type: DynamicType): JsonObject {
    const fill = (text: string) =>
      text
        .replaceAll('{name}', () => name)
        .replaceAll('{dynamic_type}', defaultTypes[type])
        .replaceAll('{dynamicType}', defaultTypes[type])
    const filled = (value: unknown): unknown => {
      if (typeof value === 'string') return fill(value)
      if (Array.isArray(value)) return value.map(filled)
      if (!isObject(value)) return value
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [fill(key), filled(item)]))
    }
    const mapping = filled(this.#mapping) as JsonObject
    if (type === 'object') return ofObject(mapping)
    return mapping['type'] === undefined ? { ...mapping, type: defaultTypes[type] } : mapping
  }

  toJson(): JsonObject {
    const printed: Record<string, unknown> = {}
    for (const key of patternKeys) if (this.#json[key] !== undefined) printed[key] = this.#json[key]
    for (const key of ['match_mapping_type', 'unmatch_mapping_type']) {
      if (this.#json[key] !== undefined) printed[key] = this.#json[key]
    }
    // All types is a condition only where there is no other.
    if (printed['match_mapping_type'] === '*' && (printed['match'] ?? printed['path_match']) !== undefined)
      delete printed['match_mapping_type']
    if (this.#json['match_pattern'] !== undefined && this.#json['match_pattern'] !== 'simple') {
      printed['match_pattern'] = this.#json['match_pattern']
    }
    printed['mapping'] = this.#mapping
    return { [this.name]: printed }
  }
}

const objectParameters = ['type', 'dynamic', 'enabled', 'properties', 'include_in_parent', 'include_in_root']

/** Parameters of fields are ignored on objects: `{"match": "*", "mapping": {"norms": false}}` is meant for texts. */
function ofObject(mapping: JsonObject): JsonObject {
  const { type = 'object' } = mapping
  if (type !== 'object' && type !== 'nested') return mapping
  const kept = Object.entries(mapping).filter(([name]) => objectParameters.includes(name))
  return { ...Object.fromEntries(kept), type }
}

function typesOf(given: unknown): readonly string[] | undefined {
  if (given === undefined) return undefined
  const names = (Array.isArray(given) ? given : [given]).map(javaText)
  if (names.includes('*')) return undefined
  for (const name of names) {
    if (!(dynamicTypes as readonly string[]).includes(name)) {
      throw illegalArgument(
        `No field type matched on [${name}], possible values are [${dynamicTypes.join(', ')}]`,
      )
    }
  }
  return names
}
