/** Parses `term`, `terms`, `terms_set`, `ids` and `exists`. */

import { eachValueAt } from '../../mapping/source-values.ts'
import { contentError, illegalArgument } from '../../request/errors.ts'
import { javaText } from '../../request/java-text.ts'
import { SearchError } from '../../request/search-error.ts'
import { documentScript } from '../../script/documents/document-script.ts'
import { type ReadScript, scriptReader, scriptText } from '../../script/script.ts'
import type { LeafReader } from '../../segment/segment.ts'
import { type Binding, type DocumentPlace, unmapped } from '../binding/binding.ts'
import { fieldExists } from '../binding/exists.ts'
import { termQuery, termsQuery } from '../binding/field-queries.ts'
import { isMetadata, metadataTerms } from '../binding/metadata-queries.ts'
import { idsQuery } from '../exec/columns/predicate-query.ts'
import { ConstantScoreQuery, MatchNoneQuery } from '../exec/compound/simple-queries.ts'
import type { Query } from '../exec/query.ts'
import { TermsSetQuery } from '../exec/terms/terms-set-query.ts'
import type { Json, ParseClause } from './clause.ts'
import { fieldClause } from './field-clause.ts'
import { Options, readFieldBody } from './options.ts'
import { isJson, isScalar, type QueryParser, tokenOf } from './parser.ts'
import { readRoaringBitmap } from './roaring-bitmap.ts'
import { checkScript } from './shape-check.ts'

const termClause: ParseClause = (body, parser, clause) => {
  const read = readFieldBody(parser, clause, body, {
    known: ['value', 'term', 'case_insensitive'],
    short: 'value',
  })
  const { field, options } = read
  const value = options.scalar('value') ?? options.scalar('term')
  if (value === undefined) throw illegalArgument('value cannot be null')
  const caseInsensitive = options.boolean('case_insensitive') ?? false
  return fieldClause(
    read,
    (binding, mapped) => termQuery(binding, mapped, value, caseInsensitive),
    (binding) => (isMetadata(field) ? metadataTerms(binding, field, [value]) : undefined),
  )
}

/** Terms taken from a field of another document. */
interface TermsLookup extends DocumentPlace {
  readonly path: string
}

const lookupNames = ['index', 'id', 'path', 'routing', 'query', 'store']

function readLookup(json: Json, parser: QueryParser): TermsLookup {
  const text = (name: string): string | undefined =>
    json[name] === undefined ? undefined : String(json[name])
  for (const name of Object.keys(json)) {
    if (!lookupNames.includes(name)) throw parser.unknownField('terms_lookup', json, name, lookupNames)
  }
  const index = text('index')
  const id = text('id')
  const path = text('path')
  if (index === undefined || id === undefined || path === undefined) {
    const missing = ['index', 'path'].filter((name) => text(name) === undefined)
    if (missing.length > 0) throw illegalArgument(`Required [${missing.join(', ')}]`)
    throw contentError(
      'Failed to build [terms_lookup] after last required field arrived',
      illegalArgument('[terms] query lookup element requires specifying either the id or the query.'),
    )
  }
  return { index, id, path, routing: text('routing') }
}

/** Refuses nulls, and lists in the list: the end of an inner list is taken for that of the whole one. */
function checkTerms(values: readonly unknown[], clause: string, field: string, parser: QueryParser): void {
  for (let index = 0; index < values.length; index++) {
    const value = values[index]
    if (value === null) throw parser.error('No value specified for terms query', values, index)
    if (isScalar(value)) continue
    if (isJson(value))
      throw parser.error(`[${clause}] unknown token [START_OBJECT] after [${field}]`, values, index)
    if (isScalar(values[index + 1]))
      throw parser.error(`[${clause}] query does not support [${field}]`, values, index + 1)
    throw parser.errorAfter(`[${clause}] unknown token [END_ARRAY] after [${field}]`, values)
  }
}

const termsClause: ParseClause = (body, parser, clause) => {
  let field: string | undefined
  let values: readonly unknown[] | undefined
  let lookup: TermsLookup | undefined
  const rest: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(body)) {
    if (Array.isArray(value)) {
      if (field !== undefined)
        throw parser.error('[terms] query does not support multiple fields', body, name)
      field = name
      checkTerms(value, clause, name, parser)
      values = value
    } else if (isJson(value)) {
      if (field !== undefined)
        throw parser.error(
          `[terms] query does not support more than one field. Already got: [${field}] but also found [${name}]`,
          body,
          name,
        )
      field = name
      lookup = readLookup(value, parser)
    } else if (value === null) {
      throw parser.error(`[terms] unknown token [VALUE_NULL] after [${name}]`, body, name)
    } else if (name === 'boost' || name === '_name' || name === 'value_type') {
      parser.check(name === 'boost' ? 'number' : 'text', body, name)
      rest[name] = value
    } else throw parser.error(`[terms] query does not support [${name}]`, body, name)
  }
  if (field === undefined) {
    throw parser.errorAfter(
      '[terms] query requires a field name, followed by array of terms or a document lookup specification',
      body,
    )
  }
  const options = new Options(parser, clause, rest, ['value_type'])
  const type = options.choice('value_type', ['default', 'bitmap'], (value) =>
    options.missing(`[terms] query does not support value_type [${value}]`),
  )
  const name = field
  return {
    boost: options.boost,
    name: options.name,
    bind(binding) {
      const given = values ?? fetched(binding, lookup!)
      return type === 'bitmap' ? bindBitmap(binding, name, given) : bindTerms(binding, name, given)
    },
  }
}

function fetched(binding: Binding, lookup: TermsLookup): readonly unknown[] {
  const { lookUp } = binding.context
  if (lookUp === undefined)
    throw new SearchError('unsupported_operation_exception', 'query must be rewritten first')
  return eachValueAt(lookUp.call(binding.context, lookup), lookup.path)
}

/** `value_type: bitmap`: a Roaring bitmap in base64. */
function bindBitmap(binding: Binding, field: string, values: readonly unknown[]): Query {
  if (values.length !== 1) {
    throw illegalArgument('Invalid value for bitmap type: expected one base64 text')
  }
  const mapped = binding.field(field)
  if (mapped === undefined) return unmapped(field)
  if (mapped.family !== 'number') {
    throw illegalArgument(`Field [${mapped.name}] of type [${mapped.type}] does not support bitmap queries`)
  }
  const numbers = readRoaringBitmap(Buffer.from(javaText(values[0]), 'base64'))
  if (numbers.length === 0) return new MatchNoneQuery('The bitmap is empty')
  return termsQuery(binding, mapped, Array.from(numbers))
}

function bindTerms(binding: Binding, field: string, values: readonly unknown[]): Query {
  if (values.length === 0)
    return new MatchNoneQuery('The "terms" query was rewritten to a "match_none" query.')
  const { maxTerms } = binding.context.limits
  if (values.length > maxTerms) {
    throw illegalArgument(
      `The number of terms [${values.length}] used in the Terms Query request has exceeded the allowed maximum of [${maxTerms}]. This maximum can be set by changing the [index.max_terms_count] index level setting.`,
    )
  }
  const mapped = binding.field(field)
  if (mapped !== undefined) return termsQuery(binding, mapped, values)
  return isMetadata(field) ? metadataTerms(binding, field, values) : unmapped(field)
}

const idsClause: ParseClause = (body, parser, clause) => {
  const names = ['values', 'type', 'boost', '_name']
  for (const name of Object.keys(body))
    if (!names.includes(name)) throw parser.unknownField(clause, body, name, names)
  const given = body['values']
  if (given === undefined) throw illegalArgument('[ids] requires providing a values array of ids')
  const values = Array.isArray(given) ? given : [given]
  for (const value of values) {
    if (!isScalar(value))
      throw parser.error(
        `Illegal value for id, expecting a string or number, got: ${tokenOf(value)}`,
        body,
        'values',
      )
  }
  const options = new Options(parser, clause, body, names, ['values', 'type'])
  const ids = values.map(javaText)
  return {
    boost: options.boost,
    name: options.name,
    bind: () =>
      ids.length === 0
        ? new MatchNoneQuery('Missing ids in "ids" query.')
        : new ConstantScoreQuery(idsQuery(ids)),
  }
}

const existsClause: ParseClause = (body, parser, clause) => {
  const options = new Options(parser, clause, body, ['field'])
  const field = options.text('field')
  if (field === undefined) throw options.missing('[exists] must be provided with a [field]')
  return { boost: options.boost, name: options.name, bind: (binding) => fieldExists(binding, field) }
}

/** The terms are a list, the script an object, the rest scalars. */
function checkTermsSet(given: Json, clause: string, parser: QueryParser): void {
  const scalars = ['minimum_should_match_field', 'minimum_should_match', 'boost', '_name']
  for (const [name, value] of Object.entries(given)) {
    if (value === null)
      throw parser.error(`[terms_set] unknown token [VALUE_NULL] after [${name}]`, given, name)
    const isList = Array.isArray(value) && name === 'terms'
    if (isList) checkTerms(value as readonly unknown[], clause, name, parser)
    else if (isJson(value) && name === 'minimum_should_match_script') checkScript(value, parser.places)
    else if (isScalar(value) && scalars.includes(name))
      parser.check(name === 'boost' ? 'number' : 'text', given, name)
    else throw parser.error(`[terms_set] query does not support [${name}]`, given, name)
  }
}

const termsSetClause: ParseClause = (body, parser, clause) => {
  const [field, second] = Object.keys(body)
  if (field === undefined) throw parser.errorAfter('[terms_set] unknown token [END_OBJECT]', body)
  const given = body[field]
  if (!isJson(given)) throw parser.error(`[terms_set] unknown token [${tokenOf(given)}]`, body, field)
  checkTermsSet(given, clause, parser)
  if (second !== undefined) {
    const { line, col } = parser.places.ofName(body, second)
    const reason = '[terms_set] unknown token [FIELD_NAME]'
    throw new SearchError('parsing_exception', reason, { details: { line, col } })
  }
  const options = new Options(
    parser,
    clause,
    given,
    ['minimum_should_match_field', 'minimum_should_match'],
    ['terms', 'minimum_should_match_script'],
  )
  const terms = (options.get('terms') ?? []) as readonly unknown[]
  const script = options.get('minimum_should_match_script')
  const readMinimum = script === undefined ? undefined : scriptReader(script)
  const minimumField = options.text('minimum_should_match_field')
  const minimum = options.text('minimum_should_match')
  if (minimumField === undefined && minimum === undefined && readMinimum === undefined) {
    throw illegalArgument('No minimum should match has been specified')
  }
  return {
    boost: options.boost,
    name: options.name,
    bind(binding) {
      const counter = minimumField === undefined ? undefined : binding.field(minimumField)
      const mapped = binding.field(field)
      // The field of the minimum is looked up before it is known whether the terms can be found.
      if (minimumField !== undefined && counter === undefined && terms.length > 0)
        throw binding.refusal(`failed to find minimum_should_match field [${minimumField}]`)
      if (mapped === undefined) return unmapped(field)
      const queries = terms.map((term: unknown) => termQuery(binding, mapped, term))
      if (queries.length === 0) return new MatchNoneQuery('No terms supplied for "terms_set" query.')
      if (readMinimum !== undefined)
        return new TermsSetQuery(queries, {
          compute: minimumOf(readMinimum, terms.length, binding),
          text: scriptText(readMinimum(binding.context.scripts)),
        })
      if (counter === undefined) return new TermsSetQuery(queries, { specification: minimum! })
      return new TermsSetQuery(queries, { field: counter.name })
    },
  }
}

/** `minimum_should_match_script`, which sees the number of terms as `params.num_terms`. */
function minimumOf(
  read: ReadScript,
  terms: number,
  { context }: Binding,
): (leaf: LeafReader) => (doc: number) => number {
  const script = read(context.scripts)
  const params = new Map(script.params).set('num_terms', BigInt(terms))
  const compiled = documentScript({ ...script, params }, context)
  return (leaf) => {
    const run = compiled.open(leaf, 'Number')
    const isHere = (doc: number) => leaf.live === null || leaf.live.has(doc)
    return (doc) => Number((isHere(doc) ? run(doc) : null) ?? Number.NaN)
  }
}

export const termClauses: readonly (readonly [string, ParseClause])[] = [
  ['term', termClause],
  ['terms', termsClause],
  ['terms_set', termsSetClause],
  ['ids', idsClause],
  ['exists', existsClause],
]
