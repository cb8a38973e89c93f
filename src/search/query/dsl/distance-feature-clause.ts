/** `distance_feature`: documents score higher the nearer a date or a place of theirs is to an origin. */
import { SearchError } from '../../search-error.ts'
import { DistanceFeatureQuery } from '../exec/feature-query.ts'
import { MatchNoneQuery } from '../exec/simple-queries.ts'
import type { ParseClause } from './clause.ts'
import { readDuration } from './decay-duration.ts'
import { readDistance, readPoint } from './geo-clauses.ts'
import { Options } from './options.ts'

export const distanceFeatureClause: ParseClause = (body, parser, clause) => {
  const options = new Options(parser, clause, body, ['field', 'pivot'], ['origin'])
  const name = options.text('field')
  const origin = options.get('origin')
  const pivot = options.text('pivot')
  for (const [key, value] of Object.entries({ field: name, origin, pivot })) {
    if (value === undefined) throw new SearchError('illegal_argument_exception', `Required [${key}]`)
  }
  return {
    boost: options.boost,
    name: options.name,
    bind(binding) {
      const field = binding.field(name!)
      if (field === undefined) {
        return new MatchNoneQuery(
          `Can't run [distance_feature] query on unmapped fields! Field: [${name}] is unmapped`,
        )
      }
      if (field.family === 'date') {
        const from = field.toNumber(origin, { now: binding.context.now })
        return new DistanceFeatureQuery(field.name, from, readDuration(pivot))
      }
      if (field.family === 'geo_point') {
        return new DistanceFeatureQuery(field.name, readPoint(origin), readDistance(pivot))
      }
      throw new SearchError(
        'illegal_argument_exception',
        'Illegal data type of [origin]! Must be a date or geo_point',
      )
    },
  }
}
