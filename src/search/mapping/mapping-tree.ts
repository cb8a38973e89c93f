/** The runtime tree of a mapping, along which documents are parsed; built from definitions. */
import { illegalArgument, mapperParsing } from '../request/errors.ts'
import {
  type Definition,
  type Dynamic,
  type FieldDefinition,
  joinPath,
  type ObjectDefinition,
} from './definition/definition.ts'
import { FieldSetup, type MappingSettings } from './field-setup.ts'
import { fieldTypes } from './field-types.ts'
import { PrefixField, shingleField } from './fields/as-you-type-fields.ts'
import { JoinField } from './fields/join-field.ts'
import type { MappedField } from './mapped-field.ts'

export class ObjectNode {
  readonly kind = 'object'
  /** Empty for the root. */
  readonly path: string
  readonly definition: ObjectDefinition
  /** Its own setting, or that of the parent object. */
  readonly dynamic: Dynamic
  /** The path of the nested object it is or is in; empty for none. */
  readonly nestedPath: string
  readonly children = new Map<string, MappingNode>()

  constructor(path: string, definition: ObjectDefinition, parent: ObjectNode | undefined) {
    this.path = path
    this.definition = definition
    this.dynamic = definition.dynamic ?? parent?.dynamic ?? 'true'
    this.nestedPath = definition.isNested ? path : (parent?.nestedPath ?? '')
  }
}

interface AliasNode {
  readonly kind: 'alias'
  readonly name: string
  readonly path: string
  readonly nestedPath: string
}

export type MappingNode = ObjectNode | MappedField | AliasNode

export class MappingTree {
  readonly root: ObjectNode
  /** Fields by full path, including multi-fields, without aliases. */
  readonly fields = new Map<string, MappedField>()
  readonly objects = new Map<string, ObjectNode>()
  readonly aliases = new Map<string, AliasNode>()
  /** The nested path of fields that have one. */
  readonly nestedPaths = new Map<string, string>()
  readonly #settings: MappingSettings
  readonly #previous: MappingTree | undefined
  #hasJoin = false

  /** Fields of the previous tree are reused where their definition is the same object. */
  constructor(root: ObjectDefinition, settings: MappingSettings, previous?: MappingTree) {
    this.#settings = settings
    this.#previous = previous
    this.root = new ObjectNode('', root, undefined)
    this.#addChildren(this.root)
    this.#previous = undefined
  }

  #addChildren(node: ObjectNode): void {
    for (const [name, definition] of node.definition.children) {
      node.children.set(name, this.#node(joinPath(node.path, name), definition, node))
    }
  }

  #node(path: string, definition: Definition, parent: ObjectNode): MappingNode {
    if (definition.kind === 'object') {
      const node = new ObjectNode(path, definition, parent)
      this.objects.set(path, node)
      this.#addChildren(node)
      return node
    }
    const { nestedPath } = parent
    if (definition.kind === 'alias') {
      const alias: AliasNode = { kind: 'alias', name: path, path: definition.path, nestedPath }
      this.aliases.set(path, alias)
      return alias
    }
    const known = this.#previous?.fields.get(path)
    const field = known?.definition === definition ? known : this.#field(path, definition)
    this.#register(field, nestedPath)
    return field
  }

  #register(field: MappedField, nestedPath: string): void {
    if (this.fields.has(field.name)) throw mapperParsing(`Field [${field.name}] is defined more than once`)
    this.fields.set(field.name, field)
    if (nestedPath !== '') this.nestedPaths.set(field.name, nestedPath)
    for (const sub of field.multiFields) this.#register(sub, nestedPath)
    if (!(field instanceof JoinField)) return
    if (this.#hasJoin) throw mapperParsing('Field [_parent_join] is defined more than once')
    this.#hasJoin = true
    for (const ids of field.idFields) this.#register(ids, nestedPath)
  }

  #field(path: string, definition: FieldDefinition): MappedField {
    const type = fieldTypes.get(definition.type)!
    const setup = (name: string) => new FieldSetup(name, definition, type.parameters, this.#settings)
    const field = type.create(setup(path))
    if (definition.type === 'search_as_you_type') {
      const max = (definition.values.get('max_shingle_size') as number | undefined) ?? 3
      if (max < 2 || max > 4) {
        throw mapperParsing(`[max_shingle_size] must be at least [2] and at most [4], got [${max}]`)
      }
      for (let size = 2; size <= max; size++) {
        field.multiFields.push(shingleField(setup(`${path}._${size}gram`), size))
      }
      field.multiFields.push(new PrefixField(setup(`${path}._index_prefix`), max))
    }
    for (const [name, sub] of definition.fields)
      field.multiFields.push(this.#field(joinPath(path, name), sub))
    return field
  }

  /** Throws for too many fields, too deep objects, or aliases and copy_to that point nowhere. */
  check(): void {
    const { totalFieldsLimit, depthLimit, nestedFieldsLimit, fieldNameLengthLimit } = this.#settings
    if (this.fields.size + this.objects.size + this.aliases.size > totalFieldsLimit) {
      throw illegalArgument(`Limit of total fields [${totalFieldsLimit}] has been exceeded`)
    }
    let nested = 0
    for (const [path, node] of this.objects) {
      if (path.split('.').length + 1 > depthLimit) {
        throw illegalArgument(
          `Limit of mapping depth [${depthLimit}] has been exceeded due to object field [${path}]`,
        )
      }
      if (node.definition.isNested) nested++
    }
    if (nested > nestedFieldsLimit) {
      throw illegalArgument(`Limit of nested fields [${nestedFieldsLimit}] has been exceeded`)
    }
    if (Number.isFinite(fieldNameLengthLimit)) this.#checkNames(fieldNameLengthLimit)
    for (const alias of this.aliases.values()) this.#checkAlias(alias)
    for (const field of this.fields.values())
      for (const target of field.copyTo) this.#checkCopy(field, target)
  }

  #checkNames(limit: number): void {
    for (const path of [...this.objects.keys(), ...this.fields.keys(), ...this.aliases.keys()]) {
      const name = path.slice(path.lastIndexOf('.') + 1)
      if (name.length > limit) {
        throw illegalArgument(`Field name [${name}] is longer than the limit of [${limit}] characters`)
      }
    }
  }

  #checkAlias({ name, path, nestedPath }: AliasNode): void {
    const invalid = `Invalid [path] value [${path}] for field alias [${name}]:`
    if (path === name) throw mapperParsing(`${invalid} an alias cannot refer to itself.`)
    if (this.aliases.has(path)) throw mapperParsing(`${invalid} an alias cannot refer to another alias.`)
    if (!this.fields.has(path)) {
      throw mapperParsing(`${invalid} an alias must refer to an existing field in the mappings.`)
    }
    const target = this.nestedPaths.get(path) ?? ''
    if (target === nestedPath) return
    const own = nestedPath === '' ? 'The alias is not nested' : `The alias's nested scope is [${nestedPath}]`
    const other = target === '' ? 'the target is not nested' : `the target's nested scope is [${target}]`
    throw illegalArgument(
      `${invalid} an alias must have the same nested scope as its target. ${own}, but ${other}.`,
    )
  }

  #checkCopy(field: MappedField, target: string): void {
    if (this.objects.has(target)) {
      throw illegalArgument(`Cannot copy to field [${target}] since it is mapped as an object`)
    }
    const from = this.nestedPaths.get(field.name) ?? ''
    const to = this.nestedPaths.get(target) ?? ''
    if (to === '' || from === to || from.startsWith(`${to}.`)) return
    const where = from === '' ? 'the root document' : `nested object [${from}]`
    throw illegalArgument(
      'Illegal combination of [copy_to] and [nested] mappings: [copy_to] may only copy data to the current ' +
        'nested document or any of its parents, however one [copy_to] directive is trying to copy data from ' +
        `${where} to [${to}]`,
    )
  }
}
