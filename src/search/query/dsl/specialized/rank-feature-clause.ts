/** Parses `rank_feature`, which scores by a stored feature through one of four functions. */
import { illegalArgument } from '../../../request/errors.ts'
import { failedField } from '../../../request/object-shape.ts'
import { RankFeatureQuery, type RankFunction } from '../../exec/compound/feature-query.ts'
import { MatchNoneQuery } from '../../exec/compound/simple-queries.ts'
import type { Json, ParseClause } from '../clause.ts'
import { Options } from '../options.ts'
import { isJson, type QueryParser } from '../parser.ts'

const functions = ['saturation', 'log', 'sigmoid', 'linear'] as const

function positive(options: Options, name: string): number {
  const value = options.float(name)
  if (value === undefined) throw illegalArgument(`Required [${name}]`)
  return value
}

function readFunction(parser: QueryParser, name: (typeof functions)[number], json: Json): RankFunction {
  switch (name) {
    case 'saturation': {
      const options = new Options(parser, name, json, ['pivot'])
      return { kind: 'saturation', pivot: options.float('pivot') }
    }
    case 'log': {
      const options = new Options(parser, name, json, ['scaling_factor'])
      return { kind: 'log', scalingFactor: positive(options, 'scaling_factor') }
    }
    case 'sigmoid': {
      const options = new Options(parser, name, json, ['pivot', 'exponent'])
      return { kind: 'sigmoid', pivot: positive(options, 'pivot'), exponent: positive(options, 'exponent') }
    }
    case 'linear':
      return { kind: 'linear' }
  }
}

export const rankFeatureClause: ParseClause = (body, parser, clause) => {
  const options = new Options(parser, clause, body, ['field'], functions)
  const name = options.text('field')
  if (name === undefined) throw illegalArgument('Required [field]')
  const given = functions.filter((one) => body[one] !== undefined)
  if (given.length > 1) {
    throw illegalArgument('Can only specify one of [log], [saturation], [sigmoid] and [linear]')
  }
  const json = given[0] === undefined ? {} : body[given[0]]
  let rank: RankFunction
  try {
    rank = readFunction(parser, given[0] ?? 'saturation', isJson(json) ? json : {})
  } catch (error) {
    throw failedField(error, 'feature', given[0] ?? 'saturation', parser.places.endOf(json))
  }
  return {
    boost: options.boost,
    name: options.name,
    bind(binding) {
      const dot = name.lastIndexOf('.')
      const parent = dot === -1 ? undefined : binding.field(name.slice(0, dot))
      const field = binding.field(name) ?? (parent?.type === 'rank_features' ? parent : undefined)
      if (field === undefined) return new MatchNoneQuery(`unmapped field [${name}]`)
      if (field.type !== 'rank_feature' && field.type !== 'rank_features') {
        throw illegalArgument(
          `[rank_feature] query only works on [rank_feature] fields and features of [rank_features] fields, not [${field.type}]`,
        )
      }
      const isNegative = field.definition.values.get('positive_score_impact') === false
      if (isNegative && rank.kind === 'log') {
        throw illegalArgument(
          'Cannot use the [log] function with a field that has a negative score impact as it would trigger negative scores',
        )
      }
      return new RankFeatureQuery(name, isNegative ? inverted(rank) : rank)
    },
  }
}

/** Fields with `positive_score_impact: false` store the reciprocal. */
function inverted(rank: RankFunction): RankFunction {
  if (!('pivot' in rank) || rank.pivot === undefined) return rank
  return { ...rank, pivot: 1 / rank.pivot }
}
