/**
 * Parses documents by a mapping: values to fields, nested objects to documents of their own, unmapped fields to a
 * mapping update. A document is walked once when everything is mapped; new fields, and numbers whose spelling
 * matters, cause another pass. (Elasticsearch's DocumentParser.)
 */

import { redacted } from '../../request/body/json-syntax-error.ts'
import { asSearchError, illegalArgument, mapperParsing } from '../../request/errors.ts'
import { javaText } from '../../request/java-text.ts'
import { endOfValue, parseExactJson } from '../../request/json-literals.ts'
import { isObject, type JsonObject } from '../../request/json-object.ts'
import { SearchError } from '../../request/search-error.ts'
import { finish, type Steps } from '../../scheduling/steps.ts'
import type { FieldInputs, NestedDocument } from '../../segment/document.ts'
import { joinPath } from '../definition/definition.ts'
import { NewFields, noObject, strictRefusal, TypeConflict } from '../dynamic-mapping.ts'
import { ignoredField } from '../fields/ignored-field.ts'
import { columnSpec } from '../fields/number-field.ts'
import type { MappedField } from '../mapped-field.ts'
import type { Mapping } from '../mapping.ts'
import type { MappingNode, ObjectNode } from '../mapping-tree.ts'
import { DeferredAnalysis } from './deferred-analysis.ts'
import { DocumentFields, DocumentReading, type StoredQuery, spellingNeeded } from './document-fields.ts'

interface SourceDocument {
  readonly id: string
  readonly routing?: string | undefined
  /** The result of `JSON.parse` for `raw`. */
  readonly source: unknown
  /** The JSON text; without it numbers are taken as JavaScript prints them. */
  readonly raw?: Uint8Array | undefined
}

export interface ParsedDocument {
  readonly fields: FieldInputs
  readonly nested: readonly NestedDocument[]
  /** The mapping with the document's new fields; the given one when there are none. */
  readonly mapping: Mapping
  /** Queries for `percolator` fields, as parts of `source`. */
  readonly queries: readonly StoredQuery[]
  readonly source: unknown
  /** The mapping updates to record; undefined when nothing is new. */
  readonly mappingUpdate: readonly JsonObject[] | undefined
}

const metadataFields = new Set([
  '_id',
  '_index',
  '_type',
  '_routing',
  '_source',
  '_field_names',
  '_ignored',
  '_seq_no',
  '_version',
  '_nested_path',
  '_primary_term',
])

/** Templates of objects may contain objects: each pass maps at least one more level. */
const maxPasses = 50

export function parseDocument(document: SourceDocument, mapping: Mapping): ParsedDocument {
  return finish(parsePasses(document, mapping, false))
}

/** Parses in steps, for documents that take long. */
export function parseDocumentSteps(document: SourceDocument, mapping: Mapping): Steps<ParsedDocument> {
  return parsePasses(document, mapping, true)
}

function* parsePasses(document: SourceDocument, mapping: Mapping, isLong: boolean): Steps<ParsedDocument> {
  const { id, routing, raw } = document
  let { source } = document
  let isExact = false
  let current = mapping
  const updates: JsonObject[] = []
  for (let pass = 0; pass < maxPasses; pass++) {
    const deferredAnalysis = isLong ? new DeferredAnalysis() : undefined
    const reading = new DocumentReading(id, raw, isExact, deferredAnalysis, routing)
    const walk = new DocumentWalk(current, reading)
    try {
      const root = walk.run(source)
      const update = walk.hasNewFields ? new NewFields(current, reading).of(source as JsonObject) : undefined
      if (update === undefined) {
        if (deferredAnalysis !== undefined) yield* deferredAnalysis.steps()
        const mappingUpdate = updates.length === 0 ? undefined : updates
        const { queries } = reading
        return { fields: root.fields, nested: walk.nested, mapping: current, queries, source, mappingUpdate }
      }
      updates.push(update)
      current = current.merge(update)
    } catch (error) {
      if (error !== spellingNeeded || raw === undefined) throw documentError(error)
      source = parseExactJson(raw)
      isExact = true
    }
    if (isLong) yield
  }
  throw mapperParsing('failed to parse')
}

/** Wraps errors that are no mapper_parsing_exception in one. */
function documentError(error: unknown): SearchError {
  const known = asSearchError(error)
  if (known.type === 'mapper_parsing_exception' || known.type === 'strict_dynamic_mapping_exception')
    return known
  if (known instanceof TypeConflict) return known
  // Errors about mapping limits are reported as they are.
  if (known.message.startsWith('DocValuesField "')) return known
  if (known.message.startsWith('Limit of ') || known.message.startsWith('Field name [')) return known
  return mapperParsing('failed to parse', known)
}

class DocumentWalk {
  readonly nested: NestedDocument[] = []
  hasNewFields = false
  readonly #mapping: Mapping
  readonly #reading: DocumentReading

  constructor(mapping: Mapping, reading: DocumentReading) {
    this.#mapping = mapping
    this.#reading = reading
  }

  run(source: unknown): DocumentFields {
    if (!isObject(source)) throw mapperParsing('failed to parse')
    const reading = this.#reading
    const document = new DocumentFields(reading)
    const { root, constants } = this.#mapping
    if (root.definition.enabled) this.#object(source, root, document)
    for (const field of constants) {
      if (field.constant !== undefined) document.of(field.name, field.spec).addTerm(field.constant)
    }
    if (reading.constants.size > 0) this.hasNewFields = true
    if (reading.ignored.size > 0) {
      const ignored = document.of(ignoredField.name, ignoredField.spec)
      for (const name of reading.ignored) ignored.addTerm(name)
    }
    return document
  }

  /** `written` is the part of a dotted name before this object: `a.` of `a.b`. */
  #object(source: JsonObject, node: ObjectNode, document: DocumentFields, written = ''): void {
    const { children } = node
    for (const key in source) {
      const value = source[key]
      const child = children.get(key)
      if (child === undefined) this.#unmapped(key, value, node, document, written)
      else if (child.kind === 'field') this.#field(value, child, document)
      else this.#node(value, child, written + key, document)
    }
  }

  /** A value that was copied is not copied on: `copy_to` may name each other. */
  #field(value: unknown, field: MappedField, document: DocumentFields, isCopy = false): void {
    if (typeof value === 'object' && !field.takesArrays && Array.isArray(value)) {
      for (let index = 0; index < value.length; index++) this.#field(value[index], field, document, isCopy)
      return
    }
    const given = value ?? field.nullValue
    if ((given !== undefined && given !== null) || (value === null && field.refusesNull)) {
      try {
        field.add(given ?? null, document)
      } catch (error) {
        if (error === spellingNeeded) throw error
        // Joins and queries refuse the document as a whole.
        if (wholeTypes.has(field.type) && error instanceof SearchError) throw error
        throw mapperParsing(
          field.parseFailure(this.#reading.id, isReadWhole(error) ? 'null' : javaText(value)),
          withPlace(asSearchError(error), field.name, given, this.#reading.raw),
        )
      }
    }
    const { multiFields, copyTo } = field
    for (let index = 0; index < multiFields.length; index++) this.#field(value, multiFields[index]!, document)
    if (copyTo.length > 0 && value !== null && !isCopy)
      for (const target of copyTo) this.#copy(value, target, document)
  }

  #copy(value: unknown, target: string, document: DocumentFields): void {
    const field = this.#mapping.field(target)
    if (field === undefined) {
      this.#copyUnmapped(target)
      return
    }
    const nestedPath = this.#mapping.nestedPathOf(target) ?? ''
    let place = document
    while (place.path !== nestedPath && place.parent !== undefined) place = place.parent
    this.#field(value, field, place, true)
  }

  #copyUnmapped(target: string): void {
    const parts = target.split('.')
    let node = this.#mapping.root
    for (const part of parts) {
      const child = node.children.get(part)
      if (child?.kind !== 'object') break
      node = child
    }
    if (node.dynamic === 'strict') throw strictRefusal(node.dynamic, parts.at(-1)!, node.path)
    if (node.dynamic !== 'false') this.hasNewFields = true
  }

  #node(
    value: unknown,
    node: Exclude<MappingNode, MappedField>,
    key: string | null,
    document: DocumentFields,
    written = '',
  ): void {
    if (node.kind === 'alias') throw illegalArgument(`Cannot write to a field alias [${node.name}].`)
    if (value === null || value === undefined || !node.definition.enabled) return
    if (Array.isArray(value)) {
      for (const item of value) this.#node(item, node, null, document)
      return
    }
    if (!isObject(value)) {
      throw mapperParsing(
        `object mapping for [${node.path}] tried to parse field [${key}] as object, but found a concrete value`,
      )
    }
    if (node.definition.isNested) this.#nestedObject(value, node, document)
    else this.#object(value, node, document, written)
  }

  #nestedObject(value: JsonObject, node: ObjectNode, parent: DocumentFields): void {
    const limit = this.#mapping.settings.nestedObjectsLimit
    if (++this.#reading.nestedCount > limit) {
      throw mapperParsing(
        `The number of nested documents has exceeded the allowed limit of [${limit}]. This limit can be set by ` +
          'changing the [index.mapping.nested_objects.limit] index level setting.',
      )
    }
    const document = new DocumentFields(this.#reading, node.path, parent)
    this.#object(value, node, document)
    this.nested.push({ path: node.path, fields: document.fields })
    if (node.definition.includeInParent) parent.includeFrom(document)
    if (node.definition.includeInRoot) {
      let root = parent
      while (root.parent !== undefined) root = root.parent
      if (root !== parent || !node.definition.includeInParent) root.includeFrom(document)
    }
  }

  #unmapped(key: string, value: unknown, node: ObjectNode, document: DocumentFields, written = ''): void {
    if (key.includes('.')) {
      this.#dotted(key, value, node, document, written)
      return
    }
    if (key === '') throw illegalArgument('field name cannot be an empty string')
    if (node.path === '' && key === '_doc_count') {
      document.of(key, columnSpec).addNumber(docCountOf(value))
      return
    }
    if (node.path === '' && metadataFields.has(key)) {
      const cause = mapperParsing(
        `Field [${key}] is a metadata field and cannot be added inside a document. Use the index API request parameters.`,
      )
      const preview = `Preview of field's value: '${javaText(value)}'`
      throw mapperParsing(
        `failed to parse field [${key}] of type [${key}] in document with id '${this.#reading.id}'. ${preview}`,
        cause,
      )
    }
    const { dynamic } = node
    if (dynamic === 'false') return
    if (dynamic === 'strict') throw strictRefusal(dynamic, key, node.path)
    if (!this.hasNewFields && hasValue(value)) this.hasNewFields = true
  }

  /** Resolves `a.b` to the field `b` of the object `a`. */
  #dotted(key: string, value: unknown, node: ObjectNode, document: DocumentFields, written: string): void {
    const name = key.replace(/\.+$/, '')
    if (name === '') throw illegalArgument('field name cannot contain only the character [.]')
    if (name !== key) {
      this.#object({ [name]: value }, node, document, written)
      return
    }
    const parts = key.split('.')
    for (const part of parts) {
      if (part === '') {
        throw illegalArgument(
          `object field starting or ending with a [.] makes object resolution ambiguous: [${key}]`,
        )
      }
      if (part.trim() === '') throw illegalArgument(`object field cannot contain only whitespace: ['${key}']`)
    }
    const head = parts[0]!
    const child = node.children.get(head)
    const inner = { [key.slice(head.length + 1)]: value }
    if (value === null && written === '' && node.dynamic === 'strict' && !isMapped(node, parts))
      throw strictRefusal(node.dynamic, key, node.path)
    // A null makes no objects.
    if (child === undefined && value === null) return
    if (child === undefined) this.#unmapped(head, inner, node, document)
    else if (child.kind === 'field') {
      if (value === null) return
      throw noObject(joinPath(node.path, key), child.name, child.type)
    } else this.#node(inner, child, head, document, `${written}${head}.`)
  }
}

const wholeTypes = new Set(['join', 'percolator'])

/** Jackson's errors of wrong types say how many bytes were read, and OpenSearch wraps them in one of the same text. */
function withPlace(
  error: SearchError,
  field: string,
  value: unknown,
  raw: Uint8Array | undefined,
): SearchError {
  if (error.type !== 'input_coercion_exception') return error
  const offset = raw === undefined ? undefined : endOfValue(raw, field, value)
  const place = offset === undefined ? '' : `\n at [${redacted}; byte offset: #${offset}]`
  const cause = new SearchError(error.type, `${error.message}${place}`)
  return new SearchError(error.type, cause.message, { cause })
}

/** A range is checked when it was read to its end, where there is no value to show any more. */
function isReadWhole(error: unknown): boolean {
  return error instanceof SearchError && error.message.startsWith('min value (')
}

function isMapped(node: ObjectNode, parts: readonly string[]): boolean {
  let place: MappingNode | undefined = node
  for (const part of parts) place = place?.kind === 'object' ? place.children.get(part) : undefined
  return place !== undefined
}

/** Reads `_doc_count`: how many documents this one stands for in aggregations. */
function docCountOf(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value
  const reason = `[_doc_count] field value must be a positive integer. Value: ${javaText(value)}`
  throw mapperParsing('failed to parse field [_doc_count] of type [_doc_count]', illegalArgument(reason))
}

function hasValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasValue)
  return value !== null && value !== undefined
}
