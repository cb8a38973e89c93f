/**
 * The shapes of clauses: which names a clause has, how their values are read, and what OpenSearch says of anything
 * else. OpenSearch parses most clauses with a loop over the tokens (`XContentParser.nextToken`), and these loops differ
 * in what they make of objects, lists and nulls; it parses the others with an ObjectParser (`request/object-shape.ts`).
 */
import type { ObjectShape } from '../../request/object-shape.ts'
import type { Reading } from '../../request/token-reads.ts'

/**
 * What a token loop makes of an object, a list or a null that it does not expect:
 * `name`: the name is not supported; `token`: the token is unknown; `value`: it is read like a scalar;
 * `inline`: the brackets of a list are skipped and its elements read; `ignored`; `bare`: an unexpected token.
 */
export type Other = 'name' | 'token' | 'value' | 'inline' | 'ignored' | 'bare'

export interface TokenLoopShape {
  /** The name in errors, when it is not that of the clause. */
  readonly label?: string
  readonly values: Readonly<Record<string, Reading>>
  /** Names whose objects are expected: a query, or what the clause itself reads. */
  readonly objects?: Readonly<Record<string, 'query' | 'own'>>
  /** Names whose lists are expected. */
  readonly lists?: Readonly<Record<string, 'queries' | 'texts' | 'own'>>
  readonly object: Other
  readonly list: Other
  readonly null: Other
  /** The texts of refusals, where they are not the usual ones. */
  readonly nameText?: string
  readonly tokenText?: string
}

/** A clause whose body names a field: `{"f": "x"}` or `{"f": {"value": "x"}}`. */
export interface FieldShape {
  readonly inner: TokenLoopShape
  /** How a value that is no object is read; `none` when the field must have an object. */
  readonly short: Reading | 'none'
  readonly null: 'read' | 'ignored'
  readonly list: 'read' | 'inline' | 'own'
}

const common: Readonly<Record<string, Reading>> = { boost: 'number', _name: 'text' }

function loop(
  values: Readonly<Record<string, Reading>>,
  others: readonly [object: Other, list: Other, nothing: Other],
  rest: Partial<TokenLoopShape> = {},
): TokenLoopShape {
  const [object, list, nothing] = others
  return { values: { ...values, ...common }, object, list, null: nothing, ...rest }
}

const strict = ['token', 'token', 'token'] as const
const loose = ['value', 'value', 'value'] as const
/** Objects and lists have names of their own; a null is read like a scalar. */
const named = ['name', 'name', 'value'] as const

const fuzzy: Readonly<Record<string, Reading>> = {
  fuzziness: 'text',
  prefix_length: 'integer',
  max_expansions: 'integer',
  fuzzy_rewrite: 'text or null',
  fuzzy_transpositions: 'flag',
}

const matchNames: Readonly<Record<string, Reading>> = {
  query: 'scalar',
  operator: 'text',
  minimum_should_match: 'text or null',
  analyzer: 'text',
  zero_terms_query: 'text',
  lenient: 'flag',
  auto_generate_synonyms_phrase_query: 'flag',
  cutoff_frequency: 'number',
  ...fuzzy,
}

function match(values: Readonly<Record<string, Reading>>): FieldShape {
  return { inner: loop(values, strict), short: 'scalar', null: 'read', list: 'read' }
}

const phrase: Readonly<Record<string, Reading>> = {
  query: 'scalar',
  analyzer: 'text',
  slop: 'integer',
  zero_terms_query: 'text',
}

export const fieldShapes: ReadonlyMap<string, FieldShape> = new Map<string, FieldShape>([
  ['match', match(matchNames)],
  ['match_phrase', match(phrase)],
  ['match_phrase_prefix', match({ ...phrase, max_expansions: 'integer' })],
  [
    'match_bool_prefix',
    match({
      query: 'scalar',
      operator: 'text',
      minimum_should_match: 'text or null',
      analyzer: 'text',
      ...fuzzy,
    }),
  ],
  [
    'term',
    {
      inner: loop({ value: 'scalar', term: 'scalar', case_insensitive: 'flag' }, loose),
      short: 'scalar',
      null: 'ignored',
      list: 'own',
    },
  ],
  [
    'span_term',
    { inner: loop({ value: 'scalar', term: 'scalar' }, loose), short: 'scalar', null: 'read', list: 'own' },
  ],
  [
    'wildcard',
    {
      inner: loop(
        { value: 'text', wildcard: 'text', rewrite: 'text or null', case_insensitive: 'flag' },
        loose,
      ),
      short: 'text',
      null: 'read',
      list: 'read',
    },
  ],
  [
    'prefix',
    {
      inner: loop(
        { value: 'text or null', prefix: 'text or null', rewrite: 'text or null', case_insensitive: 'flag' },
        loose,
      ),
      short: 'text or null',
      null: 'read',
      list: 'read',
    },
  ],
  [
    'regexp',
    {
      inner: loop(
        {
          value: 'text or null',
          flags: 'text or null',
          flags_value: 'integer',
          max_determinized_states: 'integer',
          rewrite: 'text or null',
          case_insensitive: 'flag',
        },
        loose,
      ),
      short: 'text or null',
      null: 'read',
      list: 'read',
    },
  ],
  [
    'fuzzy',
    {
      inner: loop(
        {
          value: 'scalar',
          term: 'scalar',
          fuzziness: 'text',
          prefix_length: 'integer',
          max_expansions: 'integer',
          transpositions: 'flag',
          rewrite: 'text or null',
        },
        strict,
        { tokenText: 'unexpected token' },
      ),
      short: 'scalar',
      null: 'read',
      list: 'own',
    },
  ],
  [
    'range',
    {
      inner: loop(
        {
          gte: 'scalar',
          gt: 'scalar',
          lte: 'scalar',
          lt: 'scalar',
          ge: 'scalar',
          le: 'scalar',
          from: 'scalar',
          to: 'scalar',
          include_lower: 'flag',
          include_upper: 'flag',
          format: 'text',
          time_zone: 'text',
          relation: 'text',
        },
        loose,
      ),
      short: 'none',
      null: 'ignored',
      list: 'inline',
    },
  ],
])

const queryString: Readonly<Record<string, Reading>> = {
  query: 'text',
  default_operator: 'text',
  analyzer: 'text',
  analyze_wildcard: 'flag',
  lenient: 'flag',
  minimum_should_match: 'text or null',
  quote_field_suffix: 'text or null',
  auto_generate_synonyms_phrase_query: 'flag',
  fuzzy_prefix_length: 'integer',
  fuzzy_max_expansions: 'integer',
  fuzzy_transpositions: 'flag',
}

const anySpan = { objects: { big: 'query', little: 'query' } } as const

export const tokenLoopShapes: ReadonlyMap<string, TokenLoopShape> = new Map<string, TokenLoopShape>([
  ['exists', loop({ field: 'text' }, strict)],
  ['match_none', loop({}, strict)],
  [
    'boosting',
    loop({ negative_boost: 'number' }, ['name', 'inline', 'ignored'], {
      objects: { positive: 'query', negative: 'query' },
    }),
  ],
  ['constant_score', loop({}, ['name', 'bare', 'bare'], { objects: { filter: 'query' } })],
  [
    'dis_max',
    loop({ tie_breaker: 'number' }, named, { objects: { queries: 'query' }, lists: { queries: 'queries' } }),
  ],
  [
    'nested',
    loop({ path: 'text', ignore_unmapped: 'flag', score_mode: 'text' }, ['name', 'inline', 'ignored'], {
      objects: { query: 'query', inner_hits: 'own' },
    }),
  ],
  [
    'has_child',
    loop(
      {
        type: 'text',
        ignore_unmapped: 'flag',
        score_mode: 'text',
        min_children: 'integer',
        max_children: 'integer',
      },
      ['name', 'inline', 'ignored'],
      { objects: { query: 'query', inner_hits: 'own' } },
    ),
  ],
  [
    'has_parent',
    loop({ parent_type: 'text', ignore_unmapped: 'flag', score: 'flag' }, ['name', 'inline', 'ignored'], {
      objects: { query: 'query', inner_hits: 'own' },
    }),
  ],
  ['parent_id', loop({ type: 'text', id: 'text', ignore_unmapped: 'flag' }, ['name', 'name', 'name'])],
  [
    'multi_match',
    loop({ ...matchNames, slop: 'integer', type: 'text', tie_breaker: 'number', fields: 'text' }, strict, {
      lists: { fields: 'texts' },
    }),
  ],
  [
    'query_string',
    loop(
      {
        ...queryString,
        default_field: 'text',
        quote_analyzer: 'text',
        allow_leading_wildcard: 'flag',
        max_determinized_states: 'integer',
        enable_position_increments: 'flag',
        escape: 'flag',
        fuzzy_rewrite: 'text or null',
        phrase_slop: 'integer',
        fuzziness: 'text',
        type: 'text',
        tie_breaker: 'number',
        rewrite: 'text or null',
        time_zone: 'text',
      },
      ['token', 'name', 'token'],
      { lists: { fields: 'texts' } },
    ),
  ],
  [
    'simple_query_string',
    loop(
      {
        ...queryString,
        flags: 'scalar',
        locale: 'scalar',
        lowercase_expanded_terms: 'scalar',
        all_fields: 'scalar',
      },
      ['token', 'name', 'token'],
      { lists: { fields: 'texts' }, nameText: 'unsupported field' },
    ),
  ],
  [
    'more_like_this',
    loop(
      {
        like: 'text',
        unlike: 'text',
        max_query_terms: 'integer',
        min_term_freq: 'integer',
        min_doc_freq: 'integer',
        max_doc_freq: 'integer',
        min_word_length: 'integer',
        max_word_length: 'integer',
        analyzer: 'text',
        minimum_should_match: 'text',
        boost_terms: 'number',
        include: 'flag',
        fail_on_unsupported_field: 'flag',
      },
      ['name', 'name', 'ignored'],
      {
        label: 'mlt',
        objects: { like: 'own', unlike: 'own' },
        lists: { fields: 'texts', like: 'own', unlike: 'own', stop_words: 'texts' },
      },
    ),
  ],
  [
    'span_near',
    loop({ slop: 'integer', in_order: 'flag', collect_payloads: 'flag' }, ['name', 'name', 'name'], {
      lists: { clauses: 'own' },
    }),
  ],
  ['span_or', loop({}, ['name', 'name', 'value'], { lists: { clauses: 'own' } })],
  ['span_first', loop({ end: 'integer' }, ['name', 'value', 'value'], { objects: { match: 'query' } })],
  [
    'span_not',
    loop({ dist: 'integer', pre: 'integer', post: 'integer' }, ['name', 'value', 'value'], {
      objects: { include: 'query', exclude: 'query' },
    }),
  ],
  ['span_within', loop({}, ['name', 'value', 'value'], anySpan)],
  ['span_containing', loop({}, ['name', 'value', 'value'], anySpan)],
  ['span_multi', loop({}, ['name', 'inline', 'ignored'], { objects: { match: 'query' } })],
  [
    'field_masking_span',
    loop({ field: 'text' }, ['name', 'value', 'value'], { objects: { query: 'query' } }),
  ],
])

/** The clauses that object parsers read; fields of the type `query` are queries. */
export interface ParsedShape extends ObjectShape {
  readonly queries?: readonly string[]
  /** The errors are wrapped once more. */
  readonly isRewrapped?: boolean
}

const standard = { boost: 'number', _name: 'string' } as const

export const parsedShapes: ReadonlyMap<string, ParsedShape> = new Map<string, ParsedShape>([
  [
    'bool',
    {
      parser: 'bool',
      fields: {
        must: 'object array or null',
        must_not: 'object array or null',
        mustNot: 'object array or null',
        should: 'object array or null',
        filter: 'object array or null',
        minimum_should_match: 'value',
        adjust_pure_negative: 'flag',
        ...standard,
      },
      queries: ['must', 'must_not', 'mustNot', 'should', 'filter'],
    },
  ],
  ['match_all', { parser: 'match_all', fields: standard, isRewrapped: true }],
  [
    'percolate',
    {
      parser: 'percolate',
      fields: {
        field: 'string',
        document: 'object',
        documents: 'object array',
        index: 'string',
        id: 'string',
        routing: 'string',
        preference: 'string',
        version: 'number',
        name: 'string',
        ...standard,
      },
    },
  ],
  ['ids', { parser: 'ids', fields: { values: 'string array', type: 'any', ...standard }, isRewrapped: true }],
  [
    'combined_fields',
    {
      parser: 'combined_fields',
      fields: {
        query: 'string',
        fields: 'string array',
        operator: 'string',
        minimum_should_match: 'value',
        auto_generate_synonyms_phrase_query: 'flag',
        zero_terms_query: 'string',
        ...standard,
      },
    },
  ],
  [
    'rank_feature',
    {
      parser: 'feature',
      fields: {
        field: 'string',
        saturation: 'object',
        log: 'object',
        sigmoid: 'object',
        linear: 'object',
        ...standard,
      },
    },
  ],
  [
    'distance_feature',
    {
      parser: 'distance_feature',
      fields: { field: 'string', origin: 'object, array, string or number', pivot: 'string', ...standard },
    },
  ],
  [
    'script_score',
    {
      parser: 'script_score',
      fields: { query: 'object', script: 'object', min_score: 'number', ...standard },
      queries: ['query'],
    },
  ],
])

/** The functions of `rank_feature`. */
export const rankShapes: ReadonlyMap<string, ObjectShape> = new Map<string, ObjectShape>([
  ['saturation', { parser: 'saturation', fields: { pivot: 'number' } }],
  ['log', { parser: 'log', fields: { scaling_factor: 'number' } }],
  ['sigmoid', { parser: 'sigmoid', fields: { pivot: 'number', exponent: 'number' } }],
  ['linear', { parser: 'linear', fields: {} }],
])

/** A script that is an object. */
export const scriptShape: ObjectShape = {
  parser: 'script',
  fields: { source: 'object or string', id: 'string', lang: 'string', options: 'object', params: 'object' },
}

/** `inner_hits` of a query or of `collapse`. */
export const innerHitsShape: ObjectShape = {
  parser: 'inner_hits',
  fields: {
    name: 'string',
    ignore_unmapped: 'flag',
    from: 'integer',
    size: 'integer',
    explain: 'flag',
    version: 'flag',
    seq_no_primary_term: 'flag',
    track_scores: 'flag',
    stored_fields: 'string array',
    docvalue_fields: 'any',
    fields: 'any',
    script_fields: 'any',
    sort: 'any',
    _source: 'any',
    highlight: 'object',
    collapse: 'any',
  },
}
