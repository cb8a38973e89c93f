/** Parses `function_score` and its functions. */

import { javaHash } from '../../../text/java-hash.ts'
import { readDistance } from '../../geo/distance-units.ts'
import { readPoint } from '../../geo/geo-point.ts'
import { ScaledFloatField } from '../../mapping/fields/number-field.ts'
import type { MappedField } from '../../mapping/mapped-field.ts'
import { illegalArgument, parsingError } from '../../request/errors.ts'
import { plainText } from '../../request/plain-text.ts'
import { SearchError } from '../../request/search-error.ts'
import { readDuration } from '../../request/units/decay-duration.ts'
import {
  type Decay,
  type DecayShape,
  decay,
  decayCurve,
  decayScale,
  fieldValueFactor,
  type Modifier,
  randomScore,
  type ValueMode,
} from '../../scoring/score-functions.ts'
import { scriptReader } from '../../script/script.ts'
import type { Binding } from '../binding/binding.ts'
import { maxFloat } from '../exec/compound/function-score-explanation.ts'
import { type FilteredFunction, FunctionScoreQuery } from '../exec/compound/function-score-query.ts'
import { MatchAllQuery } from '../exec/compound/simple-queries.ts'
import type { Clause, Json, ParseClause } from './clause.ts'
import { Options } from './options.ts'
import { isJson, isScalar, type QueryParser, tokenOf } from './parser.ts'
import { shownDecay, shownFactor, shownRandom } from './shown-functions.ts'
import { scriptFunction } from './specialized/script-clauses.ts'

type BoundFunction = Pick<FilteredFunction, 'score' | 'isSlow' | 'scriptText' | 'shown'>
type BindFunction = (binding: Binding) => BoundFunction

const functionNames = ['field_value_factor', 'random_score', 'script_score', 'gauss', 'exp', 'linear']
const scoreModes = ['multiply', 'sum', 'avg', 'first', 'max', 'min'] as const
const boostModes = ['multiply', 'replace', 'sum', 'avg', 'max', 'min'] as const
const modifiers: readonly Modifier[] = [
  'none',
  'log',
  'log1p',
  'log2p',
  'ln',
  'ln1p',
  'ln2p',
  'square',
  'sqrt',
  'reciprocal',
]

interface ParsedFunction {
  readonly filter: Clause | undefined
  readonly bind: BindFunction | undefined
  readonly weight: number | undefined
}

function refuse(reason: string): SearchError {
  return parsingError(reason)
}

function readFunction(parser: QueryParser, name: string, body: unknown): BindFunction {
  if (!isJson(body)) throw refuse(`failed to parse [function_score] query. [${name}] is no object`)
  if (name === 'script_score') return readScore(parser, body)
  if (name === 'field_value_factor') return readFactor(parser, body)
  if (name === 'random_score') return readRandom(parser, body)
  return readDecay(name as DecayShape, body)
}

function readScore(parser: QueryParser, body: Json): BindFunction {
  const options = new Options(parser, 'script_score', body, [], ['script'])
  if (!options.has('script')) throw refuse("script_score requires 'script' field")
  const read = scriptReader(options.get('script'))
  return (binding) =>
    scriptFunction(
      read(binding.context.scripts),
      binding,
      (score) => `script score function must not produce negative scores, but got: [${score}]`,
    )
}

/** The divisor that turns a stored value into the user's value (`scaled_float`). */
function divisorOf(field: MappedField): number {
  return field instanceof ScaledFloatField ? field.scalingFactor : 1
}

function readFactor(parser: QueryParser, body: Json): BindFunction {
  const options = new Options(parser, 'field_value_factor', body, ['field', 'factor', 'modifier', 'missing'])
  const field = options.text('field')
  if (field === undefined) throw refuse("[field_value_factor] required field 'field' missing")
  const factor = options.float('factor') ?? 1
  const missing = options.float('missing')
  const modifier =
    options.choice('modifier', modifiers, (value) => {
      return illegalArgument(
        `No enum constant org.elasticsearch.common.lucene.search.function.FieldValueFactorFunction.Modifier.${value.toUpperCase()}`,
      )
    }) ?? 'none'
  return (binding) => {
    const mapped = binding.field(field)
    if (mapped === undefined && missing === undefined) {
      throw new SearchError(
        'exception',
        `Unable to find a field mapper for field [${field}]. No 'missing' value defined.`,
      )
    }
    const divisor = mapped === undefined ? 1 : divisorOf(mapped)
    const name = mapped?.name ?? field
    return {
      score: fieldValueFactor({ field: name, factor, modifier, missing, divisor }),
      shown: shownFactor({ field, factor, modifier, missing }),
    }
  }
}

function readRandom(parser: QueryParser, body: Json): BindFunction {
  const options = new Options(parser, 'random_score', body, ['seed', 'field'])
  const given = options.scalar('seed')
  const field = options.text('field')
  if (field !== undefined && given === undefined) {
    throw illegalArgument('random_score provides a [field] but no [seed]')
  }
  return (binding) => {
    const seed =
      given === undefined
        ? binding.context.now
        : typeof given === 'number'
          ? given
          : javaHash(plainText(given))
    const name = field === undefined ? undefined : (binding.field(field)?.name ?? field)
    return { score: randomScore(seed, name, binding.context.index), shown: shownRandom(seed, name) }
  }
}

function readDecay(shape: DecayShape, body: Json): BindFunction {
  let mode: ValueMode = 'min'
  let field: string | undefined
  for (const [name, value] of Object.entries(body)) {
    if (name === 'multi_value_mode') {
      const text = plainText(value).toLowerCase()
      if (text !== 'min' && text !== 'max' && text !== 'avg' && text !== 'sum') {
        throw illegalArgument(`Illegal sort mode: ${plainText(value)}`)
      }
      mode = text
    } else if (isJson(value)) field = name
    else throw refuse('malformed score function score parameters.')
  }
  if (field === undefined) throw refuse('malformed score function score parameters.')
  const settings = body[field] as Json
  const share = settings['decay'] === undefined ? 0.5 : Number(settings['decay'])
  if (!(share > 0 && share < 1)) {
    throw new SearchError('illegal_state_exception', `${shape} : decay must be in the range [0..1].`)
  }
  if (settings['scale'] === undefined) throw refuse('[scale] must be set for decay functions.')
  const path = field
  return (binding) => {
    const mapped = binding.field(path)
    if (mapped === undefined) throw refuse(`unknown field [${path}]`)
    return bindDecay(binding, mapped, { shape, mode, share, settings })
  }
}

interface DecaySettings {
  readonly shape: DecayShape
  readonly mode: ValueMode
  readonly share: number
  readonly settings: Json
}

function bindDecay(
  binding: Binding,
  field: MappedField,
  { shape, mode, share, settings }: DecaySettings,
): BoundFunction {
  const { origin, scale, offset = 0 } = settings
  const make = (from: Decay['origin'], reach: number, free: number): BoundFunction => {
    if (!(reach > 0)) throw illegalArgument(`[scale] must be > 0.0 for [${shape}]`)
    if (free < 0) throw illegalArgument(`[offset] must be >= 0.0 for [${shape}]`)
    const curve = decayCurve(shape, reach, share)
    const made = { field: field.name, origin: from, offset: free, mode, divisor: divisorOf(field), curve }
    return { score: decay(made), shown: shownDecay(made, shape, decayScale(shape, reach, share)) }
  }
  if (field.family === 'geo_point') {
    if (origin === undefined) throw refuse('[origin] must be set for geo fields.')
    return make(readPoint(origin), readDistance(scale), readDistance(offset))
  }
  if (field.family === 'date') {
    const from =
      origin === undefined ? binding.context.now : field.toNumber(origin, { now: binding.context.now })
    return make(from, readDuration(scale), readDuration(offset))
  }
  if (field.family !== 'number') {
    throw refuse(`field [${field.name}] is of type [${field.type}], but only numeric types are supported.`)
  }
  const { isOpenSearch, isStrict } = binding.context
  if (field instanceof ScaledFloatField && isOpenSearch === true && isStrict === true) {
    const type = 'org.opensearch.index.mapper.ScaledFloatFieldMapper$ScaledFloatFieldType@0'
    const reason = `field [${field.name}] is of type [${type}], but only numeric types are supported.`
    throw new SearchError('parsing_exception', reason, { details: { line: 1, col: 1 } })
  }
  if (origin === undefined) throw refuse('[origin] must be set for numeric fields.')
  return make(Number(plainText(origin)), Number(plainText(scale)), Number(plainText(offset)))
}

function readFunctions(parser: QueryParser, list: readonly unknown[]): ParsedFunction[] {
  return list.map((item, index) => {
    // The words stand in the wrong places there too.
    if (!isJson(item)) {
      const reason = `failed to parse [START_OBJECT]. malformed query, expected a [${tokenOf(item)}] while parsing functions but got a [function_score] instead`
      throw parser.error(reason, list, index)
    }
    let filter: Clause | undefined
    let bind: BindFunction | undefined
    let weight: number | undefined
    let found: string | undefined
    for (const [name, value] of Object.entries(item)) {
      if (value === null || Array.isArray(value)) continue
      if (name === 'weight' && isScalar(value)) {
        parser.check('number', item, name)
        weight = Number(plainText(value))
      } else if (name === '_name' && isScalar(value)) continue
      else if (name === 'filter' && isJson(value)) filter = parser.parse(value, item, 'filter')
      else if (isJson(value)) {
        if (bind !== undefined) {
          const reason = `failed to parse function_score functions. already found [${found}], now encountering [${name}].`
          throw parser.error(reason, item, name)
        }
        if (!functionNames.includes(name)) throw unknownFunction(parser, item, name)
        found = name
        bind = readFunction(parser, name, value)
      } else
        throw parser.error(
          `failed to parse [function_score] query. field [${name}] is not supported`,
          item,
          name,
        )
    }
    if (bind === undefined && weight === undefined) {
      throw parser.errorAfter(
        'failed to parse [function_score] query. an entry in functions list is missing a function.',
        item,
      )
    }
    return { filter, bind, weight }
  })
}

/** The error of a function that is not known. */
function unknownFunction(parser: QueryParser, node: Json, name: string): SearchError {
  const place = parser.placeText(node, name)
  return new SearchError('named_object_not_found_exception', `[${place}] unknown field [${name}]`)
}

const scalarNames = ['score_mode', 'boost_mode', 'max_boost', 'min_score', 'boost', '_name']

/** Checks the body in the order of its text: one function, or a list of them. */
function checkBody(parser: QueryParser, body: Json): void {
  let single: string | undefined
  let hasList = false
  const query = 'failed to parse [function_score] query.'
  const misplaced = (text: string, name: string) => {
    const rule = 'you can either define [functions] array or a single function, not both.'
    return parser.error(`${query} [${rule} ${text}]`, body, name)
  }
  const checkSingle = (name: string) => {
    if (single !== undefined) {
      const reason = `${query} already found function [${single}], now encountering [${name}]. use [functions] array if you want to define several functions.`
      throw parser.error(reason, body, name)
    }
    if (hasList) throw misplaced(`already found [functions] array, now encountering [${name}].`, name)
  }
  for (const [name, value] of Object.entries(body)) {
    if (isJson(value)) {
      if (name === 'query') {
        parser.parse(value)
        continue
      }
      checkSingle(name)
      single = name
      if (!functionNames.includes(name)) throw unknownFunction(parser, body, name)
      readFunction(parser, name, value)
    } else if (Array.isArray(value)) {
      if (name !== 'functions') throw parser.error(`${query} array [${name}] is not supported`, body, name)
      if (single !== undefined)
        throw misplaced(`already found [${single}], now encountering [functions].`, name)
      hasList = true
      readFunctions(parser, value)
    } else if (value === null) continue
    else if (scalarNames.includes(name)) {
      const isText = name.endsWith('_mode') || name === '_name'
      parser.check(isText ? 'text' : 'number', body, name)
    } else {
      checkSingle(name)
      if (name !== 'weight') throw parser.error(`${query} field [${name}] is not supported`, body, name)
      parser.check('number', body, name)
      single = name
    }
  }
}

export const functionScoreClause: ParseClause = (body, parser, clause) => {
  checkBody(parser, body)
  const structured = Object.keys(body).filter((name) => !isScalar(body[name]))
  const options = new Options(
    parser,
    clause,
    body,
    ['score_mode', 'boost_mode', 'max_boost', 'min_score', 'weight'],
    structured,
  )
  const query = isJson(body['query']) ? parser.parse(body['query']) : undefined
  const list = body['functions']
  const lone = functionNames.filter((name) => isJson(body[name]))
  const functions = Array.isArray(list)
    ? readFunctions(parser, list)
    : lone.length > 0 || options.has('weight')
      ? [
          {
            filter: undefined,
            bind: lone[0] === undefined ? undefined : readFunction(parser, lone[0], body[lone[0]]),
            weight: options.float('weight'),
          },
        ]
      : []
  const mode = (name: string) => (value: string) => illegalArgument(`illegal ${name} [${value}]`)
  const scoreMode = options.choice('score_mode', scoreModes, mode('score_mode')) ?? 'multiply'
  const boostMode = options.choice('boost_mode', boostModes, mode('boost_mode')) ?? 'multiply'
  const maxBoost = Math.min(options.float('max_boost') ?? maxFloat, maxFloat)
  const minScore = options.float('min_score')
  return {
    boost: options.boost,
    name: options.name,
    bind(binding) {
      const bound = functions.map(({ filter, bind, weight }): FilteredFunction => {
        const made = bind?.(binding)
        const others = binding.innerHits.length
        const bound = filter?.bind(binding)
        // The inner hits of filters are not shown.
        binding.innerHits.splice(others)
        const isForAll = bound instanceof MatchAllQuery
        return {
          score: undefined,
          ...made,
          filter: isForAll ? undefined : bound,
          filterName: filter?.name,
          weight,
        }
      })
      return new FunctionScoreQuery({
        query: query === undefined ? new MatchAllQuery() : query.bind(binding),
        queryName: query?.name,
        functions: bound,
        scoreMode,
        boostMode,
        maxBoost,
        minScore,
      })
    },
  }
}
