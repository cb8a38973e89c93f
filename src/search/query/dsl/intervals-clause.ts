/** Parses `intervals`: rules on the order and proximity of words, each an object with one key. */

import type { MappedField } from '../../mapping/mapped-field.ts'
import { illegalArgument, parsingError } from '../../request/errors.ts'
import { JsonNumber } from '../../request/json-literals.ts'
import { wrongToken } from '../../request/object-shape.ts'
import { SearchError } from '../../request/search-error.ts'
import { stoppedAt } from '../../request/stop-place.ts'
import { mapFrom } from '../../script/json-values.ts'
import { maxIterationsPerDocument } from '../../script/scope.ts'
import { compileProgram, scriptReader } from '../../script/script.ts'
import type { ScriptMap } from '../../script/values.ts'
import { fuzzyMatcher } from '../automata/fuzzy.ts'
import { regexpMatcher } from '../automata/regexp.ts'
import { prefixMatcher, type TermMatcher } from '../automata/term-matcher.ts'
import { wildcardMatcher } from '../automata/wildcard.ts'
import { type Binding, unmapped } from '../binding/binding.ts'
import { positionsOf } from '../binding/text-query.ts'
import { AllSource, ExtendedSource, maxGaps } from '../exec/positions/interval-combinations.ts'
import {
  FilteredSource,
  type IntervalRelation,
  intervalRelations,
  TestedSource,
} from '../exec/positions/interval-filter.ts'
import { IntervalQuery } from '../exec/positions/interval-query.ts'
import {
  AnySource,
  type IntervalSource,
  NothingSource,
  PatternSource,
  TermSource,
} from '../exec/positions/interval-source.ts'
import type { Query } from '../exec/query.ts'
import { matching } from '../exec/terms/multi-term-query.ts'
import { autoFuzziness, editsFor, parseFuzziness } from '../fuzziness.ts'
import type { Json, ParseClause } from './clause.ts'
import { Options } from './options.ts'
import { isJson, type QueryParser, tokenOf } from './parser.ts'

/** The maximum number of terms a pattern expands to. */
const maxExpansions = 128

/** A parsed rule. */
type BindSource = (binding: Binding, field: MappedField) => IntervalSource
type Mode = 'ordered' | 'unordered' | 'unordered_no_overlap'

type ReadRule = (body: Json, parser: QueryParser, rule: string) => BindSource

function modeOf(options: Options): Mode {
  const mode = options.choice('mode', ['ordered', 'unordered', 'unordered_no_overlap'], (value) => {
    return illegalArgument(`Unknown interval mode [${value}]`)
  })
  return mode ?? (options.boolean('ordered') === true ? 'ordered' : 'unordered')
}

function combined(sources: readonly IntervalSource[], max: number, mode: Mode): IntervalSource {
  if (sources.length === 0) return new NothingSource()
  if (sources.length === 1) return sources[0]!
  if (max === 0 && mode === 'ordered') return new AllSource(sources, 'phrase')
  const limited = (source: IntervalSource) => (max < 0 ? source : maxGaps(source, max))
  if (mode !== 'unordered_no_overlap') return limited(AllSource.of(sources, mode))
  return sources.reduce((all, next) =>
    limited(AnySource.of([new AllSource([all, next], 'ordered'), new AllSource([next, all], 'ordered')])),
  )
}

/** The field of a rule: `use_field` or that of the query. */
function fieldOf(binding: Binding, field: MappedField, name: string | undefined): MappedField {
  if (name === undefined) return field
  const other = binding.field(name)
  if (other === undefined) throw binding.refusal(`[intervals] field [${name}] is not mapped`)
  return requireText(other)
}

function requireText(field: MappedField): MappedField {
  if (field.family !== 'text') {
    throw illegalArgument(
      `Can only use interval queries on text fields - not on [${field.name}] which is of type [${field.type}]`,
    )
  }
  if (field.spec.index !== 'positions') {
    throw illegalArgument(`Cannot create intervals over field [${field.name}] with no positions indexed`)
  }
  return field
}

const matchRule: ReadRule = (body, parser, rule) => {
  const known = ['query', 'max_gaps', 'ordered', 'mode', 'analyzer', 'use_field']
  const options = new Options(parser, rule, body, known, ['filter'])
  const text = options.text('query')
  if (text === undefined) throw stoppedAt(illegalArgument('Required [query]'), parser.places.endOf(body))
  const max = options.integer('max_gaps') ?? -1
  const mode = modeOf(options)
  const [analyzerName, otherField] = [options.text('analyzer'), options.text('use_field')]
  const filter = readFilter(options, parser)
  return (binding, asked) => {
    const field = fieldOf(binding, asked, otherField)
    const analyzer =
      analyzerName === undefined ? field.searchAnalyzer : binding.analyzer(analyzerName, 'intervals')
    if (analyzer === undefined) return new NothingSource()
    let next = 0
    const sources = positionsOf(analyzer, text).map(({ at, terms }) => {
      const source = AnySource.of(terms.map((term) => new TermSource(field.name, term)))
      const skipped = at - next
      next = at + 1
      return skipped > 0 ? new ExtendedSource(source, skipped) : source
    })
    return filter(binding, asked, combined(sources, max, mode))
  }
}

function listOf(options: Options, parser: QueryParser, rule: string): BindSource[] {
  const list = options.get('intervals')
  if (!Array.isArray(list)) throw illegalArgument('Required [intervals]')
  return list.map((item) => {
    try {
      return readRule(item, parser)
    } catch (error) {
      throw parser.inField(error, rule, options.json, 'intervals')
    }
  })
}

const allRule: ReadRule = (body, parser, rule) => {
  const options = new Options(parser, rule, body, ['max_gaps', 'ordered', 'mode'], ['intervals', 'filter'])
  const rules = listOf(options, parser, rule)
  const max = options.integer('max_gaps') ?? -1
  const mode = modeOf(options)
  const filter = readFilter(options, parser)
  return (binding, field) => {
    const sources = rules.map((bind) => bind(binding, field))
    return filter(binding, field, combined(sources, max, mode))
  }
}

const anyRule: ReadRule = (body, parser, rule) => {
  const options = new Options(parser, rule, body, [], ['intervals', 'filter'])
  const rules = listOf(options, parser, rule)
  const filter = readFilter(options, parser)
  return (binding, field) => filter(binding, field, AnySource.of(rules.map((bind) => bind(binding, field))))
}

type MakeMatcher = (text: string, options: Options) => TermMatcher

/** `prefix`, `wildcard`, `fuzzy` and `regexp`: any term that the pattern matches. */
function patternRule(name: string, more: readonly string[], make: MakeMatcher): ReadRule {
  return (body, parser, rule) => {
    const known = [name, 'analyzer', 'use_field', 'max_expansions', ...more]
    const options = new Options(parser, rule, body, known)
    const text = options.text(name)
    if (text === undefined) throw stoppedAt(illegalArgument(`Required [${name}]`), parser.places.endOf(body))
    const limit = options.integer('max_expansions') ?? maxExpansions
    const [analyzerName, otherField] = [options.text('analyzer'), options.text('use_field')]
    make(text, options)
    return (binding, asked) => {
      const field = fieldOf(binding, asked, otherField)
      const analyzer =
        analyzerName === undefined ? field.searchAnalyzer : binding.analyzer(analyzerName, 'intervals')
      const normal =
        analyzer === undefined || rule === 'regexp'
          ? text
          : text.replace(/[^*?\\]+/g, (part) => analyzer.normalize(part))
      const matcher = make(normal, options)
      return new PatternSource(
        { field: field.name, selection: matching(matcher), matcher },
        `${field.name}:${normal}${rule === 'prefix' ? '*' : ''}`,
        limit,
      )
    }
  }
}

const rules: ReadonlyMap<string, ReadRule> = new Map([
  ['match', matchRule],
  ['all_of', allRule],
  ['any_of', anyRule],
  ['prefix', patternRule('prefix', [], (text) => prefixMatcher(text))],
  ['wildcard', patternRule('pattern', [], (text) => wildcardMatcher(text, false))],
  [
    'regexp',
    patternRule('pattern', ['flags', 'flags_value', 'case_insensitive'], (text, options) =>
      regexpMatcher(text, { caseInsensitive: options.boolean('case_insensitive') ?? false }),
    ),
  ],
  [
    'fuzzy',
    patternRule('term', ['prefix_length', 'transpositions', 'fuzziness'], (text, options) => {
      const given = options.text('fuzziness')
      return fuzzyMatcher(text, {
        edits: editsFor(given === undefined ? autoFuzziness : parseFuzziness(given), text),
        prefixLength: options.integer('prefix_length') ?? 0,
        transpositions: options.boolean('transpositions') ?? true,
      })
    }),
  ],
])

function readRule(json: unknown, parser: QueryParser, wanted?: string): BindSource {
  const name = wanted ?? (isJson(json) ? Object.keys(json)[0] : undefined)
  if (!isJson(json) || name === undefined) {
    throw parsingError('Expected [FIELD_NAME] but got [END_OBJECT]')
  }
  const read = rules.get(name)
  const body = json[name]
  if (read === undefined) {
    const place = parser.places.ofName(json, name)
    const { line, col } = place
    const reason = `Unknown interval type [${name}], expecting one of [match, any_of, all_of, prefix, wildcard, regexp]`
    throw stoppedAt(new SearchError('parsing_exception', reason, { details: { line, col } }), place)
  }
  if (!isJson(body)) throw parser.error('Expected [START_OBJECT]', json, name)
  for (const [option, value] of Object.entries(body)) {
    if (!optionNames[name]!.includes(option))
      throw parser.unknownField(name, body, option, optionNames[name]!)
    if (
      typeof value === 'object' &&
      value !== null &&
      !structured.has(option) &&
      !(value instanceof JsonNumber)
    )
      throw wrongToken(name, body, option, parser.places)
  }
  return read(body, parser, name)
}

/** The options of each rule. */
const optionNames: Readonly<Record<string, readonly string[]>> = {
  match: ['query', 'max_gaps', 'ordered', 'mode', 'analyzer', 'use_field', 'filter'],
  all_of: ['intervals', 'max_gaps', 'ordered', 'mode', 'filter'],
  any_of: ['intervals', 'filter'],
  prefix: ['prefix', 'analyzer', 'use_field', 'max_expansions'],
  wildcard: ['pattern', 'analyzer', 'use_field', 'max_expansions'],
  regexp: ['pattern', 'flags', 'flags_value', 'use_field', 'max_expansions', 'case_insensitive'],
  fuzzy: ['term', 'prefix_length', 'transpositions', 'fuzziness', 'analyzer', 'use_field', 'max_expansions'],
}

/** Options of rules that are lists or objects. */
const structured = new Set(['intervals', 'filter', 'script'])

type ApplyFilter = (binding: Binding, field: MappedField, source: IntervalSource) => IntervalSource

function readFilter(options: Options, parser: QueryParser): ApplyFilter {
  const json = options.get('filter')
  if (json === undefined) return (_binding, _field, source) => source
  const names = isJson(json) ? Object.keys(json) : []
  const name = names[0]
  if (!isJson(json) || name === undefined || names.length > 1) {
    throw parsingError('Expected [FIELD_NAME] but got [END_OBJECT]')
  }
  if (name === 'script') return readTest(json[name])
  const relation = intervalRelations.find((one): one is IntervalRelation => one === name)
  const rule = readRule(json[name], parser)
  // The name is read when the query is made.
  if (relation === undefined)
    return () => {
      throw illegalArgument(`Unknown filter type [${name}]`)
    }
  return (binding, field, source) => new FilteredSource(source, relation, rule(binding, field))
}

/** A script filter, which sees `interval` with its start, end and gaps. */
function readTest(json: unknown): ApplyFilter {
  const read = scriptReader(json)
  return ({ context }, _field, source) => {
    const script = read(context.scripts)
    const { run } = compileProgram(script, ['interval', 'params'], maxIterationsPerDocument)
    return new TestedSource(source, ({ start, end, gaps }) => {
      const interval = mapFrom({ start, end, gaps })
      const values = new Map<string, ScriptMap>([
        ['interval', interval],
        ['params', script.params],
      ])
      return run(values, 'boolean') === true
    })
  }
}

export const intervalsClause: ParseClause = (body, parser, clause) => {
  const names = Object.keys(body)
  const field = names[0]
  const json = field === undefined ? undefined : body[field]
  if (field === undefined || !isJson(json)) {
    if (field === undefined) throw parser.errorAfter('Expected [FIELD_NAME] but got [END_OBJECT]', body)
    throw parser.error(`Expected [START_OBJECT] but got [${tokenOf(json)}]`, body, field)
  }
  const ruleNames = Object.keys(json).filter((name) => name !== 'boost' && name !== '_name')
  if (ruleNames.length > 1) {
    throw parser.error(
      `Only one interval rule can be specified, found [${ruleNames[0]}] and [${ruleNames[1]}]`,
      json,
      ruleNames[1],
    )
  }
  if (ruleNames.length === 0) {
    throw parser.errorAfter('Missing intervals from interval query definition', body)
  }
  const bind = readRule(json, parser, ruleNames[0])
  const options = new Options(parser, clause, json, [], ruleNames)
  return {
    boost: options.boost,
    name: options.name,
    bind(binding): Query {
      const mapped = binding.field(field)
      if (mapped === undefined) return unmapped(field)
      return new IntervalQuery(mapped.name, bind(binding, requireText(mapped)))
    },
  }
}
