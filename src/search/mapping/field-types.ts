/** The registry of field types: parameters in the order in which mappings print them, and the class of each. */
import { defaultDateFormat } from '../time/date-format.ts'
import {
  anything,
  choice,
  decimal,
  explicitFlag,
  flag,
  integer,
  meta,
  norms,
  type Parameter,
  shown,
  text,
} from './definition/parameter.ts'
import type { FieldSetup } from './field-setup.ts'
import { CompletionField } from './fields/completion-field.ts'
import { DateField, defaultNanosFormat } from './fields/date-field.ts'
import { GeoPointField, OpaqueField } from './fields/geo-fields.ts'
import { JoinField } from './fields/join-field.ts'
import { checkRelations, checkUpdate, readRelations, relationsOf } from './fields/join-relations.ts'
import { ConstantKeywordField, FlattenedField, KeywordField } from './fields/keyword-field.ts'
import { NumberField, ScaledFloatField } from './fields/number-field.ts'
import { PercolatorField } from './fields/percolator-field.ts'
import { RangeField } from './fields/range-field.ts'
import { RankField } from './fields/rank-field.ts'
import { BooleanField, IpField, TokenCountField } from './fields/simple-fields.ts'
import { TextField } from './fields/text-field.ts'
import type { MappedField } from './mapped-field.ts'

interface FieldType {
  readonly name: string
  readonly parameters: ReadonlyMap<string, Parameter>
  create(setup: FieldSetup): MappedField
}

const updateable = { updateable: true }
const index = flag('index', true)
const docValues = flag('doc_values', true)
const store = flag('store', false)
const boost = decimal('boost', 1, updateable)
const similarity = text('similarity', undefined)
const eagerOrdinals = flag('eager_global_ordinals', false, updateable)
const ignoreAbove = integer('ignore_above', 2_147_483_647, updateable, 0)
const nullValue = anything('null_value')
const ignoreMalformed = explicitFlag('ignore_malformed')
const coerce = explicitFlag('coerce')
const splitQueries = flag('split_queries_on_whitespace', false, updateable)
const termVector = choice('term_vector', 'no', [
  'no',
  'yes',
  'with_positions',
  'with_offsets',
  'with_positions_offsets',
  'with_positions_payloads',
  'with_positions_offsets_payloads',
])
const analyzer = text('analyzer', 'default')
const searchAnalyzer = text('search_analyzer', 'default', updateable)
const quoteAnalyzer = text('search_quote_analyzer', 'default', updateable)
const textOptions = choice('index_options', 'positions', ['docs', 'freqs', 'positions', 'offsets'])
const keywordOptions = choice('index_options', 'docs', ['docs', 'freqs'])
const dimension = flag('time_series_dimension', false)
const metric = anything('time_series_metric')
const locale = text('locale', '')
/** The value cannot change once it is set. */
const constantValue: Parameter = {
  ...text('value', undefined),
  mayBecome: (_, before) => before === undefined,
}

const relations: Parameter = {
  ...anything('relations', updateable),
  default: {},
  read(value, { path }) {
    const printed = readRelations(value)
    checkRelations(relationsOf(printed), path)
    return printed
  },
  checkUpdate: (before, after, field) => checkUpdate(relationsOf(before), relationsOf(after), field),
}

/** What every field of analyzed text has. */
const analyzedParameters = [
  index,
  store,
  textOptions,
  norms(true),
  termVector,
  analyzer,
  searchAnalyzer,
  quoteAnalyzer,
  similarity,
]

const textParameters = [
  ...analyzedParameters,
  integer('position_increment_gap', -1),
  flag('fielddata', false, updateable),
  anything('fielddata_frequency_filter', updateable),
  eagerOrdinals,
  anything('index_prefixes'),
  flag('index_phrases', false),
  boost,
  meta,
]

const numberParameters = [
  index,
  docValues,
  store,
  ignoreMalformed,
  coerce,
  nullValue,
  boost,
  meta,
  dimension,
  metric,
]

function dateParameters(format: string): Parameter[] {
  return [
    index,
    docValues,
    store,
    text('format', format),
    text('print_format', undefined),
    locale,
    nullValue,
    ignoreMalformed,
    boost,
    meta,
  ]
}

const rangeParameters = [index, docValues, store, coerce, boost, meta]

type Create = FieldType['create']

function entry(name: string, parameters: readonly Parameter[], create: Create): [string, FieldType] {
  return [name, { name, parameters: new Map(parameters.map((item) => [item.name, item])), create }]
}

const opaque: Create = (setup) => new OpaqueField(setup, true)
const keyword: Create = (setup) => new KeywordField(setup)
const number: Create = (setup) => new NumberField(setup)
const flattened: Create = (setup) => new FlattenedField(setup)
const range: Create = (setup) => new RangeField(setup)
const isText: Create = (setup) => new TextField(setup)

export const fieldTypes: ReadonlyMap<string, FieldType> = new Map([
  entry('text', textParameters, isText),
  entry('match_only_text', textParameters, isText),
  entry('search_as_you_type', [integer('max_shingle_size', 3), ...analyzedParameters, meta], isText),
  entry(
    'keyword',
    [
      index,
      docValues,
      store,
      nullValue,
      eagerOrdinals,
      ignoreAbove,
      keywordOptions,
      norms(false),
      similarity,
      flag('use_similarity', false, updateable),
      text('normalizer', undefined),
      splitQueries,
      boost,
      meta,
      dimension,
    ],
    keyword,
  ),
  entry('constant_keyword', [constantValue, meta], (setup) => new ConstantKeywordField(setup)),
  entry('wildcard', [nullValue, ignoreAbove, docValues, text('normalizer', undefined), meta], keyword),
  ...['long', 'integer', 'short', 'byte', 'unsigned_long', 'double', 'float', 'half_float'].map((name) =>
    entry(name, numberParameters, number),
  ),
  entry('scaled_float', [...numberParameters, decimal('scaling_factor', undefined)], (setup) => {
    return new ScaledFloatField(setup)
  }),
  entry('boolean', [index, docValues, store, nullValue, ignoreMalformed, boost, meta], (setup) => {
    return new BooleanField(setup)
  }),
  entry('date', dateParameters(defaultDateFormat), (setup) => new DateField(setup)),
  entry('date_nanos', dateParameters(defaultNanosFormat), (setup) => new DateField(setup)),
  entry('ip', [index, docValues, store, ignoreMalformed, nullValue, boost, meta, dimension], (setup) => {
    return new IpField(setup)
  }),
  entry(
    'flattened',
    [
      integer('depth_limit', 20, updateable, 0),
      docValues,
      eagerOrdinals,
      ignoreAbove,
      index,
      keywordOptions,
      nullValue,
      similarity,
      splitQueries,
      meta,
    ],
    flattened,
  ),
  entry('flat_object', [meta], flattened),
  entry(
    'geo_point',
    [index, docValues, store, ignoreMalformed, flag('ignore_z_value', true, updateable), nullValue, meta],
    (setup) => new GeoPointField(setup),
  ),
  entry(
    'geo_shape',
    [
      index,
      flag('doc_values', false),
      store,
      ignoreMalformed,
      flag('ignore_z_value', true, updateable),
      coerce,
      text('orientation', 'right', updateable),
      anything('strategy'),
      anything('tree'),
      anything('precision'),
      anything('tree_levels'),
      anything('distance_error_pct'),
      anything('points_only'),
      meta,
    ],
    opaque,
  ),
  entry('binary', [store, flag('doc_values', false), meta], (setup) => new OpaqueField(setup, false)),
  ...['integer_range', 'long_range', 'float_range', 'double_range', 'ip_range'].map((name) =>
    entry(name, rangeParameters, range),
  ),
  entry('date_range', [...rangeParameters, text('format', defaultDateFormat), locale], range),
  entry(
    'token_count',
    [index, docValues, store, analyzer, nullValue, flag('enable_position_increments', true), meta],
    (setup) => new TokenCountField(setup),
  ),
  entry(
    'completion',
    [
      analyzer,
      searchAnalyzer,
      flag('preserve_separators', true),
      flag('preserve_position_increments', true),
      anything('contexts'),
      integer('max_input_length', 50, updateable, 1),
      meta,
    ],
    (setup) => new CompletionField(setup),
  ),
  entry('rank_feature', [flag('positive_score_impact', true), nullValue, meta], (setup) => {
    return new RankField(setup)
  }),
  entry('rank_features', [flag('positive_score_impact', true), meta], (setup) => new RankField(setup)),
  entry(
    'dense_vector',
    [
      anything('element_type'),
      integer('dims', -1),
      flag('index', true),
      similarity,
      anything('index_options'),
      meta,
    ],
    opaque,
  ),
  entry('percolator', [], (setup) => new PercolatorField(setup)),
  entry('join', [shown(flag('eager_global_ordinals', true, updateable)), shown(relations)], (setup) => {
    return new JoinField(setup)
  }),
])
