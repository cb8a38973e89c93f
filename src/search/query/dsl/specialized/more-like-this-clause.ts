/** Parses `more_like_this` and collects the term frequencies of the liked texts and documents. */

import type { Analyzer } from '../../../analysis/analyzer.ts'
import { TokenBuffer } from '../../../analysis/token-buffer.ts'
import type { MappedField } from '../../../mapping/mapped-field.ts'
import { eachValueAt } from '../../../mapping/source-values.ts'
import { illegalArgument, parseError } from '../../../request/errors.ts'
import { javaText } from '../../../request/java-text.ts'
import { SearchError } from '../../../request/search-error.ts'
import type { Binding } from '../../binding/binding.ts'
import { resolveFields } from '../../binding/field-list.ts'
import { idsQuery } from '../../exec/columns/predicate-query.ts'
import { type BoolClause, BoolQuery } from '../../exec/compound/bool-query.ts'
import type { Query } from '../../exec/query.ts'
import { type Likes as Liked, MoreLikeThisQuery } from '../../exec/terms/more-like-this-query.ts'
import type { Json, ParseClause } from '../clause.ts'
import { Options } from '../options.ts'
import { isJson } from '../parser.ts'

const known = [
  'max_query_terms',
  'min_term_freq',
  'min_doc_freq',
  'max_doc_freq',
  'min_word_length',
  'max_word_length',
  'analyzer',
  'minimum_should_match',
  'boost_terms',
  'include',
  'fail_on_unsupported_field',
]
const structured = ['fields', 'like', 'unlike', 'stop_words']

/** The maximum number of tokens per text. */
const maxTokens = 5000

/** A liked document: an existing one, or an artificial one given in the request. */
interface Item {
  readonly index: string | undefined
  readonly id: string | undefined
  readonly routing: string | undefined
  readonly doc: Json | undefined
  readonly fields: readonly string[] | undefined
  readonly analyzers: ReadonlyMap<string, string>
}

interface Likes {
  readonly texts: readonly string[]
  readonly items: readonly Item[]
}

const itemMembers = new Map([
  ['_index', 'index'],
  ['_id', 'id'],
  ['_type', 'type'],
  ['doc', 'doc'],
  ['fields', 'fields'],
  ['_fields', 'fields'],
  ['per_field_analyzer', 'analyzers'],
  ['routing', 'routing'],
  ['_routing', 'routing'],
  ['version', 'version'],
  ['_version', 'version'],
  ['version_type', 'version'],
  ['_version_type', 'version'],
])

function readItem(json: Json): Item {
  const found = new Map<string, unknown>()
  for (const [name, value] of Object.entries(json)) {
    const member = itemMembers.get(name)
    if (member === undefined) throw parseError(`failed to parse More Like This item. unknown field [${name}]`)
    found.set(member, value)
  }
  const text = (member: string) => (found.has(member) ? javaText(found.get(member)) : undefined)
  const doc = found.get('doc')
  const id = text('id')
  if (id !== undefined && doc !== undefined)
    throw parseError(
      'failed to parse More Like This item. either [id] or [doc] can be specified, but not both!',
    )
  const fields = found.get('fields')
  if (fields !== undefined && !Array.isArray(fields))
    throw parseError('failed to parse More Like This item. field [fields] must be an array')
  const analyzers = found.get('analyzers')
  return {
    index: text('index'),
    id,
    routing: text('routing'),
    doc: isJson(doc) ? doc : undefined,
    fields: fields?.map(javaText),
    analyzers: new Map(
      isJson(analyzers) ? Object.entries(analyzers).map(([name, value]) => [name, javaText(value)]) : [],
    ),
  }
}

function readLikes(name: string, given: unknown): Likes {
  const texts: string[] = []
  const items: Item[] = []
  for (const one of given === undefined ? [] : Array.isArray(given) ? given : [given]) {
    if (typeof one === 'string') texts.push(one)
    else if (isJson(one)) items.push(readItem(one))
    else throw illegalArgument(`Content of '${name}' parameter should either be a string or an object`)
  }
  return { texts, items }
}

function readTexts(given: unknown): string[] {
  return Array.isArray(given) ? given.map(javaText) : given === undefined ? [] : [javaText(given)]
}

/** Tests whether a word counts, by length and stop words. */
function wordFilter(options: Options): (word: string) => boolean {
  const min = options.integer('min_word_length') ?? 0
  const max = options.integer('max_word_length') || Number.POSITIVE_INFINITY
  const stopWords = new Set(readTexts(options.get('stop_words')))
  return (word) => word.length >= min && word.length <= max && !stopWords.has(word)
}

const buffer = new TokenBuffer()

/** Analyses a text as the field would be indexed. */
function wordsOf(field: MappedField, text: string, analyzer: Analyzer | undefined): readonly string[] {
  if (analyzer === undefined) return [field.normalizer?.normalize(text) ?? text]
  analyzer.analyze(text, buffer)
  return buffer.terms.slice(0, Math.min(buffer.length, maxTokens))
}

/** Reads the liked texts and documents for one index. */
class LikeReader {
  readonly #binding: Binding
  readonly #fields: readonly MappedField[]
  readonly #analyzer: Analyzer | undefined

  constructor(binding: Binding, fields: readonly MappedField[], analyzer: Analyzer | undefined) {
    this.#binding = binding
    this.#fields = fields
    this.#analyzer = analyzer
  }

  /** Words of texts are those of the first field; which field they are looked for in is a matter of the shard. */
  ofTexts(texts: readonly string[], take: (field: string, word: string) => void): void {
    const field = this.#fields[0]
    if (field === undefined) return
    const analyzer = this.#analyzer ?? field.searchAnalyzer
    for (const text of texts) for (const word of wordsOf(field, text, analyzer)) take(field.name, word)
  }

  ofItems(items: readonly Item[], take: (field: string, word: string) => void): void {
    for (const item of items) {
      const document = item.doc ?? this.#documentOf(item)
      const fields =
        item.fields === undefined ? this.#fields : supportedFields(this.#binding, item.fields, false)
      for (const field of fields) {
        const name = item.analyzers.get(field.name)
        const analyzer =
          (name === undefined ? undefined : this.#binding.context.analyzer(name)) ?? field.analyzer
        for (const path of this.#binding.context.sourcePaths(field)) {
          for (const value of eachValueAt(document, path))
            for (const word of wordsOf(field, javaText(value), analyzer)) take(field.name, word)
        }
      }
    }
  }

  /** Undefined when the document does not exist. */
  #documentOf({ index, id, routing }: Item): unknown {
    const { context } = this.#binding
    if (id === undefined) return undefined
    try {
      return context.lookUp?.({ index: index ?? context.index, id, routing })
    } catch (error) {
      if (error instanceof SearchError && error.status === 404) return undefined
      throw error
    }
  }
}

/** Text and keyword fields, all of them when none is named; others are skipped, or refused when `refuses`. */
function supportedFields(binding: Binding, names: readonly string[], refuses: boolean): MappedField[] {
  const wanted = names.map((name) => ({ name, boost: 1 }))
  const fields: MappedField[] = []
  for (const { name } of resolveFields(binding, wanted).fields) {
    const field = binding.field(name)
    if (field === undefined) continue
    if ((field.family === 'text' || field.family === 'keyword') && field.isIndexed) fields.push(field)
    else if (refuses && names.includes(name))
      throw illegalArgument(`more_like_this only supports text/keyword fields: [${name}]`)
  }
  return fields
}

/** Term frequencies by field. */
class Words {
  readonly byField = new Map<string, Map<string, number>>()

  add(field: string, word: string): void {
    let counts = this.byField.get(field)
    if (counts === undefined) this.byField.set(field, (counts = new Map()))
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
}

export const moreLikeThisClause: ParseClause = (body, parser, clause) => {
  const options = new Options(parser, clause, body, known, structured)
  const like = readLikes('like', options.get('like'))
  const unlike = readLikes('unlike', options.get('unlike'))
  const names = options.has('fields') ? readTexts(options.get('fields')) : undefined
  if (like.texts.length === 0 && like.items.length === 0)
    throw options.missing("more_like_this requires 'like' to be specified")
  if (names?.length === 0) throw options.missing("more_like_this requires 'fields' to be non-empty")
  const maxTerms = options.integer('max_query_terms') ?? 25
  if (maxTerms <= 0) throw illegalArgument("requires 'maxQueryTerms' to be greater than 0")
  const settings = {
    maxTerms,
    minTermFreq: options.integer('min_term_freq') ?? 2,
    minDocFreq: options.integer('min_doc_freq') ?? 5,
    maxDocFreq: options.integer('max_doc_freq') ?? 2_147_483_647,
    boostTerms: Math.max(0, options.float('boost_terms') ?? 0),
    minimumShouldMatch: options.text('minimum_should_match') ?? '30%',
  }
  const counts = wordFilter(options)
  const includes = options.boolean('include') ?? false
  const refuses = options.boolean('fail_on_unsupported_field') ?? true
  const analyzerName = options.text('analyzer')
  return {
    boost: options.boost,
    name: options.name,
    bind(binding): Query {
      const { context } = binding
      const fields = supportedFields(binding, names ?? [], refuses)
      const analyzer = analyzerName === undefined ? undefined : context.analyzer(analyzerName)
      const reader = new LikeReader(binding, fields, analyzer)
      const skipped = new Words()
      reader.ofTexts(unlike.texts, (field, word) => skipped.add(field, word))
      reader.ofItems(unlike.items, (field, word) => skipped.add(field, word))
      const counting = (words: Words) => (field: string, word: string) => {
        if (counts(word) && skipped.byField.get(field)?.has(word) !== true) words.add(field, word)
      }
      const ofItems = new Words()
      reader.ofItems(like.items, counting(ofItems))
      const ofTexts = new Words()
      reader.ofTexts(like.texts, counting(ofTexts))
      const likes: Liked = {
        documents: ofItems.byField,
        texts: [...ofTexts.byField.values()][0] ?? new Map(),
        textFields: fields.map(({ name }) => name),
        written: like.texts,
      }
      const query = new MoreLikeThisQuery(likes, settings)
      const ids = like.items.flatMap(({ id }) => (id === undefined ? [] : [id]))
      if (like.items.length === 0) return query
      const clauses: BoolClause[] = [{ occur: 'should', query }]
      if (!includes && ids.length > 0) clauses.push({ occur: 'mustNot', query: idsQuery(ids) })
      return new BoolQuery(clauses)
    },
  }
}
