/**
 * Checks the sections of a search's body when their turn comes, so that the first mistake of the text is the one that
 * is reported. What is inside of a section is read by others afterwards.
 */
import { innerHitsShape } from '../../query/dsl/clause-shapes.ts'
import { parseQuery } from '../../query/dsl/parse-query.ts'
import { checkScript } from '../../query/dsl/shape-check.ts'
import { contentError, illegalArgument } from '../../request/errors.ts'
import { checkObject, failedField, noObject, type ObjectShape } from '../../request/object-shape.ts'
import { isObject, type JsonObject, scalarText, tokenKind } from '../../request/request-values.ts'
import { SearchError } from '../../request/search-error.ts'
import type { SourcePlaces } from '../../request/source-place.ts'
import { stoppedAt } from '../../request/stop-place.ts'
import { checkReading } from '../../request/token-reads.ts'
import { sortModes } from '../sort/sort-mode.ts'
import {
  collapseShape,
  fieldAndFormatShape,
  fieldSortShape,
  foreignKeys,
  highlightFieldShape,
  highlightShape,
  listKeys,
  objectKeys,
  pitShape,
  rescoreShape,
  scalarKeys,
  scoreSortShape,
  scriptSortShape,
  sliceShape,
} from './body-shapes.ts'

/** Reads a section that is known elsewhere: `aggs`, `suggest`. Throws SearchError. */
export type CheckSection = (json: unknown, places: SourcePlaces) => void

export class SectionChecks {
  readonly #places: SourcePlaces
  readonly #others: ReadonlyMap<string, CheckSection>

  constructor(places: SourcePlaces, others: ReadonlyMap<string, CheckSection> = new Map()) {
    this.#places = places
    this.#others = others
  }

  /** Throws SearchError. */
  check(body: JsonObject, key: string): void {
    const value = body[key]
    if (foreignKeys.has(key)) return
    const isList = Array.isArray(value)
    const isKnown = isList ? listKeys.has(key) : isObject(value) ? objectKeys.has(key) : scalarKeys.has(key)
    if (!isKnown || value === null) throw this.#unknownKey(body, key)
    const reading = isList || isObject(value) ? undefined : scalarKeys.get(key)
    if (reading !== undefined && reading !== 'own') this.#read(reading, body, key)
    sections.get(key)?.call(this, body, key)
    this.#others.get(key)?.(value, this.#places)
  }

  #read(reading: Parameters<typeof checkReading>[0], node: JsonObject, key: string): void {
    checkReading(reading, node[key], { places: this.#places, node, key })
  }

  #error(reason: string, node: unknown, key: string | number): SearchError {
    const { line, col } = this.#places.of(node, key)
    return new SearchError('parsing_exception', reason, { details: { line, col } })
  }

  #unknownKey(node: unknown, key: string | number, name: string | null = String(key)): SearchError {
    const value = (node as Readonly<Record<string, unknown>>)[key]
    return this.#error(`Unknown key for a ${tokenKind(value)} in [${name}].`, node, key)
  }

  query(body: JsonObject, key: string): void {
    parseQuery(body[key], this.#places)
  }

  source(body: JsonObject, key: string): void {
    const value = body[key]
    if (Array.isArray(value)) this.#texts(value)
    if (!isObject(value)) return
    for (const [name, item] of Object.entries(value)) {
      const isKnown = ['includes', 'include', 'excludes', 'exclude'].includes(name)
      if (!isKnown || (typeof item !== 'string' && !Array.isArray(item))) throw this.#unknownKey(value, name)
      if (Array.isArray(item)) this.#texts(item)
    }
  }

  #texts(list: readonly unknown[]): void {
    for (const [index, item] of list.entries())
      if (typeof item !== 'string') throw this.#unknownKey(list, index, null)
  }

  storedFields(body: JsonObject, key: string): void {
    const value = body[key]
    if (!Array.isArray(value)) return
    for (const [index, item] of value.entries())
      if (item === null || typeof item === 'object')
        checkReading('text', item, { places: this.#places, node: value, key: index })
  }

  /** A text is a field; what is neither text nor object is passed over before the object is missed. */
  fields(body: JsonObject, key: string): void {
    const list = body[key] as readonly unknown[]
    for (const [index, item] of list.entries()) {
      if (isObject(item)) checkObject(fieldAndFormatShape, item, this.#places)
      else if (item === null || Array.isArray(item))
        throw noObject(fieldAndFormatShape.parser, list, index, this.#places)
    }
  }

  indicesBoost(body: JsonObject, key: string): void {
    const value = body[key]
    if (!Array.isArray(value)) return
    for (const [index, item] of value.entries())
      if (!isObject(item))
        throw this.#error(`Expected [START_OBJECT] in [null] but found [${tokenKind(item)}]`, value, index)
  }

  stats(body: JsonObject, key: string): void {
    const list = body[key] as readonly unknown[]
    for (const [index, item] of list.entries())
      if (typeof item !== 'string')
        throw this.#error(`Expected [VALUE_STRING] in [stats] but found [${tokenKind(item)}]`, list, index)
  }

  searchAfter(body: JsonObject, key: string): void {
    const list = body[key] as readonly unknown[]
    for (const [index, item] of list.entries())
      if (item !== null && scalarText(item) === undefined)
        throw this.#error(
          `Expected [VALUE_STRING] or [VALUE_NUMBER] or [VALUE_BOOLEAN] or [VALUE_NULL] but found [${tokenKind(item)}] inside search_after.`,
          list,
          index,
        )
  }

  slice(body: JsonObject, key: string): void {
    checkObject(sliceShape, body[key] as JsonObject, this.#places)
  }

  pit(body: JsonObject, key: string): void {
    checkObject(pitShape, body[key] as JsonObject, this.#places)
  }

  collapse(body: JsonObject, key: string): void {
    checkObject(collapseShape, body[key] as JsonObject, this.#places, (name, value) => {
      if (name !== 'inner_hits') return
      for (const item of Array.isArray(value) ? value : [value])
        if (isObject(item)) checkInnerHits(item, this.#places)
    })
  }

  scriptFields(body: JsonObject, key: string): void {
    const fields = body[key] as JsonObject
    for (const [name, field] of Object.entries(fields)) {
      if (!isObject(field))
        throw this.#error(
          `Expected [START_OBJECT] in [${name}] but found [${tokenKind(field)}]`,
          fields,
          name,
        )
      for (const [option, value] of Object.entries(field)) {
        const isKnown = ['script', 'ignore_failure', 'lang'].includes(option)
        if (!isKnown || value === null || Array.isArray(value)) throw this.#unknownKey(field, option)
        if (option === 'script') checkScript(value, this.#places)
      }
    }
  }

  rescore(body: JsonObject, key: string): void {
    const value = body[key]
    for (const [index, item] of (Array.isArray(value) ? value : [value]).entries()) {
      if (isObject(item)) this.#rescorer(item)
      else throw this.#afterScalar(value, index)
    }
  }

  #afterScalar(list: unknown, index: number): SearchError {
    const { line, col } = this.#places.after(list, index)
    const reason = 'unexpected token [END_ARRAY] after [null]'
    return new SearchError('parsing_exception', reason, { details: { line, col } })
  }

  #rescorer(rescore: JsonObject): void {
    let isThere = false
    for (const [name, value] of Object.entries(rescore)) {
      if (value === null || Array.isArray(value))
        throw this.#error(`unexpected token [${tokenKind(value)}] after [${name}]`, rescore, name)
      if (!isObject(value)) {
        if (name !== 'window_size') throw this.#error(`rescore doesn't support [${name}]`, rescore, name)
        this.#read('integer', rescore, name)
        continue
      }
      if (name !== 'query') {
        const { line, col } = this.#places.of(rescore, name)
        throw new SearchError('named_object_not_found_exception', `[${line}:${col}] unknown field [${name}]`)
      }
      isThere = true
      checkObject(rescoreShape, value, this.#places, (field, given) => {
        if (field === 'rescore_query') parseQuery(given, this.#places)
        if (field === 'score_mode') checkChoice(given, scoreModes, (text) => `illegal score_mode [${text}]`)
      })
    }
    if (isThere) return
    const { line, col } = this.#places.endOf(rescore)
    throw new SearchError('parsing_exception', 'missing rescore type', { details: { line, col } })
  }

  highlight(body: JsonObject, key: string): void {
    checkHighlight(body[key] as JsonObject, this.#places)
  }

  sort(body: JsonObject, key: string): void {
    const value = body[key]
    for (const item of Array.isArray(value) ? value : [value]) {
      if (!isObject(item)) {
        if (Array.isArray(value) && typeof item !== 'string')
          throw illegalArgument(
            'malformed sort format, within the sort array, an object, or an actual string are allowed',
          )
        continue
      }
      for (const [name, options] of Object.entries(item)) this.#sortBy(item, name, options)
    }
  }

  #sortBy(item: JsonObject, name: string, options: unknown): void {
    if (typeof options === 'string' || name === '_geo_distance' || name === '_geoDistance') return
    const shape = sortShapes.get(name) ?? fieldSortShape
    if (!isObject(options)) throw noObject(shape.parser, item, name, this.#places)
    checkObject(shape, options, this.#places, (option, given) => this.#sortOption(option, given))
  }

  #sortOption(option: string, given: unknown): void {
    if (option === 'order')
      checkChoice(
        given,
        ['asc', 'desc'],
        (text) => `No enum constant org.opensearch.search.sort.SortOrder.${text.toUpperCase()}`,
      )
    if (option === 'mode') checkChoice(given, sortModes, (text) => `Unknown SortMode [${text}]`)
    if (option === 'type')
      checkChoice(given, ['number', 'string'], (text) => `Unknown ScriptSortType [${text}]`)
    if (option === 'numeric_type')
      checkChoice(
        given,
        numericTypes,
        (text) => `invalid value for [numeric_type], must be [long, double, date, date_nanos], got ${text}`,
      )
    if (option === 'script') checkScript(given, this.#places)
    if (option === 'nested_filter') parseQuery(given, this.#places)
    if (option === 'nested' && isObject(given)) this.#nestedSort(given)
  }

  #nestedSort(nested: JsonObject): void {
    for (const [name, value] of Object.entries(nested)) {
      if (!['path', 'filter', 'max_children', 'nested'].includes(name)) {
        const error = illegalArgument(`malformed nested sort format, unknown field name [${name}]`)
        throw stoppedAt(error, this.#places.of(nested, name))
      }
      if (name === 'filter') parseQuery(value, this.#places)
      if (name === 'nested' && isObject(value)) this.#nestedSort(value)
    }
  }
}

const scoreModes = ['total', 'multiply', 'avg', 'max', 'min']
const numericTypes = ['long', 'double', 'date', 'date_nanos']

const sortShapes: ReadonlyMap<string, ObjectShape> = new Map([
  ['_score', scoreSortShape],
  ['_script', scriptSortShape],
])

type Section = (this: SectionChecks, body: JsonObject, key: string) => void

const sections: ReadonlyMap<string, Section> = new Map<string, Section>([
  ['query', SectionChecks.prototype.query],
  ['post_filter', SectionChecks.prototype.query],
  ['_source', SectionChecks.prototype.source],
  ['stored_fields', SectionChecks.prototype.storedFields],
  ['fields', SectionChecks.prototype.fields],
  ['docvalue_fields', SectionChecks.prototype.fields],
  ['indices_boost', SectionChecks.prototype.indicesBoost],
  ['stats', SectionChecks.prototype.stats],
  ['search_after', SectionChecks.prototype.searchAfter],
  ['slice', SectionChecks.prototype.slice],
  ['pit', SectionChecks.prototype.pit],
  ['collapse', SectionChecks.prototype.collapse],
  ['script_fields', SectionChecks.prototype.scriptFields],
  ['rescore', SectionChecks.prototype.rescore],
  ['highlight', SectionChecks.prototype.highlight],
  ['sort', SectionChecks.prototype.sort],
])

/** Names of enumerations may be spelled in upper case. */
function checkChoice(given: unknown, choices: readonly string[], refuse: (text: string) => string): void {
  const text = scalarText(given) ?? ''
  if (!choices.includes(text.toLowerCase())) throw illegalArgument(refuse(text))
}

function checkInnerHits(json: JsonObject, places: SourcePlaces): void {
  checkObject(innerHitsShape, json, places, (name, value) => {
    if (name === 'highlight') checkHighlight(value as JsonObject, places)
  })
}

function checkHighlight(highlight: JsonObject, places: SourcePlaces): void {
  checkObject(highlightShape, highlight, places, (name, value) => {
    if (name === 'highlight_query') parseQuery(value, places)
    if (name !== 'fields') return
    const isList = Array.isArray(value)
    for (const [index, entry] of (isList ? value : [value]).entries()) {
      if (!isObject(entry)) {
        const place = places.of(value, index)
        const reason = `[${place.line}:${place.col}] [fields] can be a single object with any number of fields or an array where each entry is an object with a single field`
        throw stoppedAt(contentError(reason), place)
      }
      for (const [field, options] of Object.entries(entry)) checkHighlightField(entry, field, options, places)
    }
  })
}

function checkHighlightField(
  fields: JsonObject,
  field: string,
  options: unknown,
  places: SourcePlaces,
): void {
  try {
    if (!isObject(options)) {
      const place = places.of(fields, field)
      const reason = `[${place.line}:${place.col}] [highlight_field] Expected START_OBJECT but was: ${tokenKind(options)}`
      throw stoppedAt(contentError(reason), place)
    }
    checkObject(highlightFieldShape, options, places, (name, value) => {
      if (name === 'highlight_query') parseQuery(value, places)
    })
  } catch (error) {
    throw failedField(error, 'fields', field, places.of(fields, field))
  }
}
