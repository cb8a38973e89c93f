/**
 * The mapping of an index: its fields and what their values mean. Immutable; `merge` returns a new one. Prints as
 * `GET _mapping` shows it.
 */

import { Analysis } from '../analysis/analysis.ts'
import { illegalArgument, mapperParsing } from '../request/errors.ts'
import { isObject, type JsonObject } from '../request/json-object.ts'
import { NameIndex } from '../request/name-index.ts'
import { SearchError } from '../request/search-error.ts'
import { isPattern } from '../request/simple-match.ts'
import type { DateFormat } from '../time/date-format.ts'
import { type Dynamic, emptyObject, type ObjectDefinition } from './definition/definition.ts'
import { printChildren, printDefinition, printField } from './definition/definition-json.ts'
import { mergeObjects } from './definition/definition-merge.ts'
import { readDynamic, readProperties } from './definition/definition-parser.ts'
import type { DynamicTemplate } from './definition/dynamic-template.ts'
import { checkFieldCount } from './definition/field-count.ts'
import { namedBoolean } from './definition/parameter.ts'
import {
  compiledFormats,
  emptySettings,
  mergeRootSettings,
  printRootSettings,
  type RootSettings,
  readRootSettings,
  type SourceSettings,
} from './definition/root-settings.ts'
import {
  joinDefaults,
  parentJoinJson,
  parentJoinName,
  subFieldDefaults,
} from './definition/shown-defaults.ts'
import { FieldSetup, type MappingSettings } from './field-setup.ts'
import { fieldTypes } from './field-types.ts'
import { JoinField, ParentIdField } from './fields/join-field.ts'
import { ConstantKeywordField, FlattenedField, KeywordField } from './fields/keyword-field.ts'
import { PercolatorField } from './fields/percolator-field.ts'
import type { MappedField } from './mapped-field.ts'
import { MappingTree, type ObjectNode } from './mapping-tree.ts'

export function mappingSettings(given: Partial<MappingSettings> = {}): MappingSettings {
  return {
    analysis: given.analysis ?? new Analysis(),
    totalFieldsLimit: given.totalFieldsLimit ?? 1000,
    depthLimit: given.depthLimit ?? 20,
    nestedFieldsLimit: given.nestedFieldsLimit ?? 50,
    nestedObjectsLimit: given.nestedObjectsLimit ?? 10_000,
    fieldNameLengthLimit: given.fieldNameLengthLimit ?? Infinity,
    ignoreMalformed: given.ignoreMalformed ?? false,
    coerce: given.coerce ?? true,
    printsDatesByFirstFormat: given.printsDatesByFirstFormat ?? false,
    compile: given.compile,
    partitionedIndex: given.partitionedIndex,
  }
}

/** Detects a mapping under its old type name; only `_doc` is accepted. */
export function isTypedMapping(json: JsonObject): boolean {
  return Object.keys(json).length === 1 && isObject(json['_doc'])
}

export function refuseTypedMapping(json: JsonObject, request: 'put mapping' | 'create index'): void {
  if (!isTypedMapping(json)) return
  throw illegalArgument(
    request === 'put mapping'
      ? 'Types cannot be provided in put mapping requests'
      : 'The mapping definition cannot be nested under a type [_doc] unless include_type_name is set to true.',
  )
}

function copiesByTarget(fields: ReadonlyMap<string, MappedField>): ReadonlyMap<string, readonly string[]> {
  const copies = new Map<string, string[]>()
  for (const { name, copyTo } of fields.values()) {
    for (const target of new Set(copyTo)) {
      const sources = copies.get(target)
      if (sources === undefined) copies.set(target, [name])
      else sources.push(name)
    }
  }
  return copies
}

const allSource: SourceSettings = { enabled: true, includes: [], excludes: [] }
const maxFlattenedKeys = 1000

export class Mapping {
  readonly settings: MappingSettings
  readonly #definition: ObjectDefinition
  readonly #rootSettings: RootSettings
  readonly #tree: MappingTree
  readonly #flattened: readonly FlattenedField[]
  readonly #flattenedKeys = new Map<string, MappedField>()
  readonly #ignoredField: MappedField
  /** The `constant_keyword` fields, whose value every document has. */
  readonly constants: readonly ConstantKeywordField[]
  /** Whether documents may store queries. */
  readonly hasQueries: boolean
  /** An index has at most one `join` field. */
  readonly join: JoinField | undefined
  #dateFormats: readonly DateFormat[] | undefined
  /** The fields that `copy_to` names, with those that name them. */
  #copies: ReadonlyMap<string, readonly string[]> | undefined
  #names: NameIndex | undefined

  private constructor(
    definition: ObjectDefinition,
    rootSettings: RootSettings,
    settings: MappingSettings,
    previous?: Mapping,
  ) {
    this.settings = settings
    this.#definition = definition
    this.#rootSettings = rootSettings
    this.#tree = new MappingTree(
      definition,
      settings,
      previous?.settings === settings ? previous.#tree : undefined,
    )
    const fields = [...this.#tree.fields.values()]
    this.constants = fields.filter((field) => field instanceof ConstantKeywordField)
    this.hasQueries = fields.some((field) => field instanceof PercolatorField)
    this.join = fields.find((field) => field instanceof JoinField)
    this.#flattened = fields.filter((field) => field instanceof FlattenedField)
    this.#ignoredField = previous === undefined ? keywordField('_ignored', settings) : previous.#ignoredField
  }

  static empty(settings: MappingSettings = mappingSettings()): Mapping {
    return new Mapping(emptyObject, emptySettings, settings)
  }

  /** Creates the mapping of a new index; errors say that the mapping could not be parsed. */
  static create(json: JsonObject, settings: MappingSettings = mappingSettings()): Mapping {
    checkFieldCount(json, settings.totalFieldsLimit)
    let mapping: Mapping
    try {
      mapping = Mapping.empty(settings).#merged(json)
    } catch (error) {
      if (!(error instanceof SearchError)) throw error
      throw mapperParsing(`Failed to parse mapping [_doc]: ${error.message}`, error)
    }
    mapping.#tree.check()
    return mapping
  }

  /** Returns a mapping merged with `json`, or itself when nothing is new. Throws SearchError on a conflict. */
  merge(json: JsonObject): Mapping {
    checkFieldCount(json, this.settings.totalFieldsLimit)
    const merged = this.#merged(json)
    if (merged !== this) merged.#tree.check()
    return merged
  }

  #merged(given: JsonObject): Mapping {
    const json = isTypedMapping(given) ? (given['_doc'] as JsonObject) : given
    const { dynamic, enabled, properties } = json
    const incoming: ObjectDefinition = {
      ...emptyObject,
      enabled: enabled === undefined ? this.#definition.enabled : namedBoolean('enabled', enabled),
      dynamic: dynamic === undefined || dynamic === null ? undefined : readDynamic(dynamic),
      children: properties === undefined || properties === null ? new Map() : readProperties(properties, ''),
    }
    const settings = mergeRootSettings(this.#rootSettings, readRootSettings(json, this.settings.compile))
    const merged = mergeObjects(this.#definition, incoming, '')
    const definition = merged.enabled === incoming.enabled ? merged : { ...merged, enabled: incoming.enabled }
    if (definition === this.#definition && settings === this.#rootSettings) return this
    return new Mapping(definition, settings, this.settings, this)
  }

  get root(): ObjectNode {
    return this.#tree.root
  }

  get source(): SourceSettings {
    return this.#rootSettings.source ?? allSource
  }

  get routingRequired(): boolean {
    return this.#rootSettings.routingRequired ?? false
  }

  get meta(): JsonObject | undefined {
    return this.#rootSettings.meta
  }

  get dynamic(): Dynamic {
    return this.#tree.root.dynamic
  }

  get detectsDates(): boolean {
    return this.#rootSettings.dateDetection ?? true
  }

  get detectsNumbers(): boolean {
    return this.#rootSettings.numericDetection ?? false
  }

  get dynamicDateFormats(): readonly DateFormat[] {
    this.#dateFormats ??= compiledFormats(this.#rootSettings)
    return this.#dateFormats
  }

  get templates(): readonly DynamicTemplate[] {
    return this.#rootSettings.templates ?? []
  }

  /** The fields whose values are copied to the one of this name. */
  copiedTo(name: string): readonly string[] {
    this.#copies ??= copiesByTarget(this.fields)
    return this.#copies.get(name) ?? []
  }

  /** Fields by full path, including multi-fields. */
  get fields(): ReadonlyMap<string, MappedField> {
    return this.#tree.fields
  }

  /** Objects and nested objects by path. */
  get objects(): ReadonlyMap<string, ObjectNode> {
    return this.#tree.objects
  }

  /** The target path of each alias. */
  get aliases(): ReadonlyMap<string, { readonly path: string }> {
    return this.#tree.aliases
  }

  get hasNested(): boolean {
    for (const node of this.#tree.objects.values()) if (node.definition.isNested) return true
    return false
  }

  /** Returns the field of a name, an alias or a key of a flattened field. */
  field(name: string): MappedField | undefined {
    const found = this.#tree.fields.get(name)
    if (found !== undefined) return found
    const alias = this.#tree.aliases.get(name)
    if (alias !== undefined) return this.#tree.fields.get(alias.path)
    if (name === '_ignored') return this.#ignoredField
    return this.#flattened.length === 0 ? undefined : this.#flattenedKey(name)
  }

  #flattenedKey(name: string): MappedField | undefined {
    let key = this.#flattenedKeys.get(name)
    if (key !== undefined) return key
    const field = this.#flattened.find((candidate) => name.startsWith(`${candidate.name}.`))
    if (field === undefined) return undefined
    const { parameters } = fieldTypes.get(field.type)!
    key = new KeywordField(
      new FieldSetup(name, { ...field.definition, fields: new Map() }, parameters, this.settings),
    )
    if (this.#flattenedKeys.size >= maxFlattenedKeys) this.#flattenedKeys.clear()
    this.#flattenedKeys.set(name, key)
    return key
  }

  object(path: string): ObjectNode | undefined {
    return path === '' ? this.#tree.root : this.#tree.objects.get(path)
  }

  /** Returns names of fields and aliases that match a wildcard pattern; a plain name only if it exists. */
  namesMatching(pattern: string): readonly string[] {
    if (!isPattern(pattern)) return this.field(pattern) === undefined ? [] : [pattern]
    this.#names ??= new NameIndex([...this.#tree.fields.keys(), ...this.#tree.aliases.keys()])
    return this.#names.matching(pattern)
  }

  /** Returns the matching fields, each once. */
  fieldsMatching(pattern: string): MappedField[] {
    return [...new Set(this.namesMatching(pattern).map((name) => this.field(name)!))]
  }

  /** Returns the path of the nested object that contains a field or object; undefined outside of any. */
  nestedPathOf(path: string): string | undefined {
    const alias = this.#tree.aliases.get(path)
    const known = this.#tree.nestedPaths.get(alias?.path ?? path)
    if (known !== undefined) return known
    if (this.#tree.fields.has(path)) return undefined
    for (let end = path.length; end > 0; end = path.lastIndexOf('.', end - 1)) {
      const node = this.#tree.objects.get(path.slice(0, end))
      if (node !== undefined) return node.nestedPath === '' ? undefined : node.nestedPath
    }
    return undefined
  }

  toJson(): JsonObject {
    const { dynamic, enabled, children } = this.#definition
    const json: Record<string, unknown> = {}
    if (dynamic !== undefined) json['dynamic'] = dynamic
    if (!enabled) json['enabled'] = false
    Object.assign(json, printRootSettings(this.#rootSettings))
    if (children.size > 0) json['properties'] = printChildren(children)
    return json
  }

  /** Returns what `GET _mapping/field/…` shows: the full name, and the mapping under the last part of the name. */
  fieldJson(name: string, defaults: 'none' | 'own' | 'opensearch' = 'none'): JsonObject | undefined {
    const leaf = name.slice(name.lastIndexOf('.') + 1)
    const alias = this.#tree.aliases.get(name)
    const field = this.#tree.fields.get(name)
    if (alias !== undefined) {
      return { full_name: name, mapping: { [leaf]: printDefinition({ kind: 'alias', path: alias.path }) } }
    }
    if (name === parentJoinName && this.join !== undefined && defaults !== 'own')
      return { full_name: name, mapping: { [name]: parentJoinJson(defaults !== 'none') } }
    if (field === undefined) return undefined
    if (field instanceof ParentIdField) {
      const json = { type: field.type, ...(defaults !== 'none' && joinDefaults) }
      return { full_name: name, mapping: { [name]: json } }
    }
    const owner = this.#tree.fields.get(name.slice(0, -leaf.length - 1))
    // The sub-fields of `search_as_you_type` have no definition of their own.
    if (owner?.definition === field.definition) {
      const type = leaf === '_index_prefix' ? 'prefix' : 'shingle'
      const json = { type, doc_values: false, ...(defaults !== 'none' && subFieldDefaults) }
      return { full_name: name, mapping: { [name]: json } }
    }
    return { full_name: name, mapping: { [leaf]: printField(field.definition, defaults) } }
  }
}

function keywordField(name: string, settings: MappingSettings): MappedField {
  const { parameters } = fieldTypes.get('keyword')!
  const definition = {
    kind: 'field',
    type: 'keyword',
    values: new Map(),
    fields: new Map(),
    copyTo: [],
  } as const
  return new KeywordField(new FieldSetup(name, definition, parameters, settings))
}
