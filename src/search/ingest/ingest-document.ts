/**
 * A document on its way through a pipeline: fields and metadata (`_index`, `_id`, …) in one tree, as processors and
 * scripts see them, and the ingest metadata beside it. Paths, and the texts of their errors, are those of
 * Elasticsearch and OpenSearch.
 */
import { illegalArgument, numberFormat } from '../request/errors.ts'
import { javaClass, javaText } from '../request/java-text.ts'
import { JsonNumber } from '../request/json-literals.ts'
import { isObject, own, put } from '../request/json-object.ts'
import type { SearchError } from '../request/search-error.ts'
import { DocumentBudget } from './document-budget.ts'

export type Fields = Record<string, unknown>

/** Names of metadata beside the fields, in the order in which a simulation shows them. */
export const metadataNames: readonly string[] = [
  '_index',
  '_id',
  '_routing',
  '_version',
  '_version_type',
  '_op_type',
  '_if_seq_no',
  '_if_primary_term',
]
const metadataSet: ReadonlySet<string> = new Set(metadataNames)

const ingestPrefix = '_ingest.'
const sourcePrefix = '_source.'

/** A map of a document: neither a list nor a number with its spelling. */
export function isMap(value: unknown): value is Fields {
  return isObject(value)
}

/** The Java class of a value, as error texts name it. */
export function classOf(value: unknown): string {
  if (!(value instanceof JsonNumber)) return javaClass(value)
  if (!value.isInteger) return 'java.lang.Double'
  return value.text.length < 19 ? javaClass(value.value) : 'java.math.BigInteger'
}

/** Java's `toString` of a value. */
export function valueText(value: unknown): string {
  return javaText(value)
}

/** With a budget where fields of a document multiply by it. */
export function deepCopy(value: unknown, budget?: DocumentBudget): unknown {
  budget?.makes(typeof value === 'string' ? value.length : 0, 1)
  if (Array.isArray(value)) return value.map((item) => deepCopy(item, budget))
  if (!isMap(value)) return value
  const copy: Fields = {}
  for (const [name, part] of Object.entries(value)) put(copy, name, deepCopy(part, budget))
  return copy
}

type Wanted = 'text' | 'list' | 'integer' | 'any'

const wantedClasses: Readonly<Record<Exclude<Wanted, 'any'>, string>> = {
  text: 'java.lang.String',
  list: 'java.util.List',
  integer: 'java.lang.Integer',
}

interface Kinds {
  readonly text: string
  readonly list: unknown[]
  readonly integer: number
  readonly any: unknown
}

function isOf(value: unknown, wanted: Wanted): boolean {
  if (wanted === 'any') return true
  if (wanted === 'text') return typeof value === 'string'
  return wanted === 'list' ? Array.isArray(value) : classOf(value) === 'java.lang.Integer'
}

export class IngestDocument {
  /** Fields and metadata. */
  root: Fields
  readonly ingest: Fields
  /** Ids of the pipelines that run now, the innermost last. */
  readonly running: string[] = []
  readonly budget: DocumentBudget

  constructor(root: Fields, ingest: Fields, budget = new DocumentBudget()) {
    this.root = root
    this.ingest = ingest
    this.budget = budget
  }

  copy(): IngestDocument {
    return new IngestDocument(
      deepCopy(this.root, this.budget) as Fields,
      deepCopy(this.ingest, this.budget) as Fields,
      this.budget,
    )
  }

  /** The fields without metadata. */
  get source(): Fields {
    const fields: Fields = {}
    for (const [name, value] of Object.entries(this.root))
      if (!metadataSet.has(name)) put(fields, name, value)
    return fields
  }

  /** Names of the fields at the top, without metadata. */
  get fieldNames(): string[] {
    return Object.keys(this.root).filter((name) => !metadataSet.has(name))
  }

  /** What a template may name. */
  get templateModel(): Fields {
    const model: Fields = { ...this.root }
    put(model, '_source', this.root)
    put(model, '_ingest', this.ingest)
    return model
  }

  /** The value at a path; null when it is missing and that is no error. */
  get<Kind extends Wanted>(path: string, wanted: Kind, ignoreMissing = false): Kinds[Kind] | null {
    try {
      const value = this.#resolved(path)
      if (value === null || value === undefined) return null
      if (isOf(value, wanted)) return value as Kinds[Kind]
      throw wrongClass(path, value, wanted)
    } catch (error) {
      if (ignoreMissing && !this.has(path)) return null
      throw error
    }
  }

  #resolved(path: string): unknown {
    const { start, names } = this.#parsed(path)
    return names.reduce((context, name) => resolve(context, name, path), start)
  }

  has(path: string, failOutOfRange = false): boolean {
    const { start, names } = this.#parsed(path)
    let context = start
    for (const [at, name] of names.entries()) {
      const isLast = at === names.length - 1
      if (isMap(context)) {
        if (isLast) return Object.hasOwn(context, name)
        context = own(context, name)
      } else if (Array.isArray(context)) {
        const index = integerOf(name)
        if (index === undefined) return false
        if (index < 0 || index >= context.length) {
          if (failOutOfRange) throw outOfBounds(index, context, path)
          return false
        }
        if (isLast) return true
        context = context[index]
      } else return false
    }
    return false
  }

  remove(path: string): void {
    const { parent, leaf } = this.#parentOf(path)
    if (isMap(parent)) {
      if (!Object.hasOwn(parent, leaf)) throw notPresent(leaf, path)
      delete parent[leaf]
    } else if (Array.isArray(parent)) parent.splice(indexIn(parent, leaf, path), 1)
    else if (parent === null)
      throw illegalArgument(`cannot remove [${leaf}] from null as part of path [${path}]`)
    else
      throw illegalArgument(
        `cannot remove [${leaf}] from object of type [${classOf(parent)}] as part of path [${path}]`,
      )
  }

  set(path: string, value: unknown): void {
    this.#write(path, () => value)
  }

  /** Adds values to a list; a single value becomes one. */
  append(path: string, added: unknown, allowDuplicates = true): void {
    this.#write(path, (before) => {
      const list = before === undefined ? [] : Array.isArray(before) ? before : [before]
      const values: unknown[] = Array.isArray(added) ? added : [added]
      for (const value of values) this.budget.makes(typeof value === 'string' ? value.length : 0, 1)
      if (allowDuplicates) {
        for (const value of values) list.push(value)
        return list
      }
      const known = new Set(list.map(identity))
      for (const value of values) {
        const key = identity(value)
        if (known.has(key)) continue
        known.add(key)
        list.push(value)
      }
      return list
    })
  }

  #write(path: string, change: (before: unknown) => unknown): void {
    const { start, names } = this.#parsed(path)
    const leaf = names.at(-1)!
    let context = start
    for (const name of names.slice(0, -1)) {
      if (isMap(context)) {
        if (!Object.hasOwn(context, name)) put(context, name, {})
        context = own(context, name) ?? null
      } else context = resolve(context, name, path)
    }
    if (isMap(context)) put(context, leaf, change(own(context, leaf)))
    else if (Array.isArray(context)) {
      const index = indexIn(context, leaf, path)
      context[index] = change(context[index])
    } else if (context === null)
      throw illegalArgument(`cannot set [${leaf}] with null parent as part of path [${path}]`)
    else
      throw illegalArgument(
        `cannot set [${leaf}] with parent object of type [${classOf(context)}] as part of path [${path}]`,
      )
  }

  #parentOf(path: string): { parent: unknown; leaf: string } {
    const { start, names } = this.#parsed(path)
    const parent = names.slice(0, -1).reduce((context, name) => resolve(context, name, path), start)
    return { parent: parent ?? null, leaf: names.at(-1)! }
  }

  #parsed(path: string): { start: unknown; names: readonly string[] } {
    if (path === '') throw illegalArgument('path cannot be null nor empty')
    const isIngest = path.startsWith(ingestPrefix)
    const inside = isIngest
      ? path.slice(ingestPrefix.length)
      : path.startsWith(sourcePrefix)
        ? path.slice(sourcePrefix.length)
        : path
    // Java's split leaves out empty parts at the end.
    const names = inside.replace(/\.+$/, '').split('.')
    if (names.length === 1 && names[0] === '') throw illegalArgument(`path [${path}] is not valid`)
    return { start: isIngest ? this.ingest : this.root, names }
  }
}

/** Equal values have equal texts. */
function identity(value: unknown): string {
  return `${classOf(value)} ${JSON.stringify(value)}`
}

function integerOf(name: string): number | undefined {
  return /^[+-]?\d{1,10}$/.test(name) ? Number(name) : undefined
}

function indexIn(list: readonly unknown[], name: string, path: string): number {
  const index = integerOf(name)
  if (index === undefined)
    throw illegalArgument(
      `[${name}] is not an integer, cannot be used as an index as part of path [${path}]`,
      numberFormat(name),
    )
  if (index < 0 || index >= list.length) throw outOfBounds(index, list, path)
  return index
}

function outOfBounds(index: number, list: readonly unknown[], path: string): SearchError {
  return illegalArgument(
    `[${index}] is out of bounds for array with length [${list.length}] as part of path [${path}]`,
  )
}

function notPresent(name: string, path: string): SearchError {
  return illegalArgument(`field [${name}] not present as part of path [${path}]`)
}

function wrongClass(path: string, value: unknown, wanted: Wanted): SearchError {
  const to = wanted === 'any' ? 'java.lang.Object' : wantedClasses[wanted]
  return illegalArgument(`field [${path}] of type [${classOf(value)}] cannot be cast to [${to}]`)
}

function resolve(context: unknown, name: string, path: string): unknown {
  if (context === null || context === undefined)
    throw illegalArgument(`cannot resolve [${name}] from null as part of path [${path}]`)
  if (isMap(context)) {
    if (!Object.hasOwn(context, name)) throw notPresent(name, path)
    return own(context, name)
  }
  if (Array.isArray(context)) return context[indexIn(context, name, path)]
  throw illegalArgument(
    `cannot resolve [${name}] from object of type [${classOf(context)}] as part of path [${path}]`,
  )
}
