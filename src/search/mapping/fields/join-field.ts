/**
 * `join`: documents of one index as parents and children. The field itself has the name of the relation; for each parent
 * `p` of the relations there is a field `join#p` with the id of the parent, which the parent and its children have.
 * A query goes from one to the other over these ids (`query/exec/join/`).
 */

import { illegalArgument, mapperParsing } from '../../request/errors.ts'
import { javaDouble } from '../../request/java-text.ts'
import { JsonNumber } from '../../request/json-literals.ts'
import { isObject } from '../../request/json-object.ts'
import { tokenKind } from '../../request/request-values.ts'
import { SearchError } from '../../request/search-error.ts'
import type { DocumentFields } from '../documents/document-fields.ts'
import { FieldSetup } from '../field-setup.ts'
import { type Relations, relationsOf } from './join-relations.ts'
import { KeywordField } from './keyword-field.ts'

interface JoinValue {
  name: string | undefined
  parent: string | undefined
}

export class JoinField extends KeywordField {
  override readonly usesSimilarity = true
  override readonly refusesNull = true
  readonly relations: Relations
  readonly #parentOf = new Map<string, string>()
  readonly #ids = new Map<string, ParentIdField>()

  constructor(setup: FieldSetup) {
    super(setup)
    this.relations = relationsOf(setup.definition.values.get('relations'))
    if (this.name.includes('.'))
      throw illegalArgument(`join field [${this.name}] cannot be added inside an object or in a multi-field`)
    const { partitionedIndex } = setup.settings
    if (partitionedIndex !== undefined)
      throw new SearchError(
        'illegal_state_exception',
        `cannot create join field [${this.name}] for the partitioned index [${partitionedIndex}]`,
      )
    for (const [parent, children] of this.relations) {
      this.#ids.set(parent, new ParentIdField(setup, parent))
      for (const child of children) this.#parentOf.set(child, parent)
    }
  }

  /** The fields with the ids of parents. */
  get idFields(): Iterable<ParentIdField> {
    return this.#ids.values()
  }

  /** Returns whether the name is one of the relations. */
  knows(name: string): boolean {
    return this.#ids.has(name) || this.#parentOf.has(name)
  }

  parentOf(name: string): string | undefined {
    return this.#parentOf.get(name)
  }

  /** The field that has the ids of parents of this name; undefined when it is no parent. */
  idField(parent: string): ParentIdField | undefined {
    return this.#ids.get(parent)
  }

  override add(value: unknown, into: DocumentFields): void {
    const { name, parent } = this.#read(value, into)
    const { id, routing } = into.reading
    const ofParent = this.#parentOf.get(name)
    if (ofParent !== undefined) {
      if (parent === undefined) throw refused(`[parent] is missing for join field [${this.name}]`)
      if (routing === undefined) throw refused(`[routing] is missing for join field [${this.name}]`)
      this.#ids.get(ofParent)!.add(parent, into)
    } else if (!this.#ids.has(name)) throw refused(`unknown join name [${name}] for field [${this.name}]`)
    this.#ids.get(name)?.add(id, into)
    requireSingle(this.name, into)
    into.of(this.name, this.spec).addTerm(name)
  }

  #read(value: unknown, into: DocumentFields): { name: string; parent: string | undefined } {
    if (typeof value === 'string') return { name: value, parent: undefined }
    if (!isObject(value))
      throw refused(
        `[null] expected START_OBJECT or VALUE_STRING but was: ${tokenKind(value)}`,
        'illegal_state_exception',
      )
    const found: JoinValue = { name: undefined, parent: undefined }
    this.#readObject(value, found, into)
    const { name, parent } = found
    if (name === undefined) throw refused(`null join name in field [${this.name}]`)
    return { name, parent }
  }

  #readObject(value: Readonly<Record<string, unknown>>, found: JoinValue, into: DocumentFields): void {
    for (const [key, item] of Object.entries(value)) this.#readMember(key, item, found, into)
  }

  /** Brackets are passed over, as by OpenSearch, which looks at texts and numbers only. */
  #readMember(key: string, item: unknown, found: JoinValue, into: DocumentFields): void {
    if (Array.isArray(item)) for (const each of item) this.#readMember(key, each, found, into)
    else if (isObject(item)) this.#readObject(item, found, into)
    else if (typeof item === 'string' || typeof item === 'number' || item instanceof JsonNumber) {
      if (key === 'parent') found.parent = numberText(into.textOf(item, this.name), item)
      else if (key === 'name' && typeof item === 'string') found.name = item
      else throw refused(`unknown field name [${key}] in join field [${this.name}]`)
    }
  }

  override fromSource(value: unknown): unknown {
    return value ?? undefined
  }
}

/** `join#p`: the id of the parent. It has no value in the source. */
export class ParentIdField extends KeywordField {
  override readonly usesSimilarity = true

  constructor({ path, settings }: FieldSetup, parent: string) {
    const definition = {
      kind: 'field',
      type: 'parent',
      values: new Map(),
      fields: new Map(),
      copyTo: [],
    } as const
    super(new FieldSetup(`${path}#${parent}`, definition, new Map(), settings))
  }

  override add(id: string, into: DocumentFields): void {
    requireSingle(this.name, into)
    into.of(this.name, this.spec).addTerm(id)
  }

  override fromSource(): undefined {
    return undefined
  }
}

/** A number as Java prints it. */
function numberText(text: string, item: unknown): string {
  return typeof item !== 'string' && /[.eE]/.test(text) ? javaDouble(Number(text)) : text
}

function requireSingle(name: string, into: DocumentFields): void {
  if (into.fields.has(name))
    throw illegalArgument(
      `DocValuesField "${name}" appears more than once in this document (only one value is allowed per field)`,
    )
}

/** A join refuses the document as a whole. */
function refused(reason: string, type = 'illegal_argument_exception'): SearchError {
  return mapperParsing('failed to parse', new SearchError(type, reason))
}
