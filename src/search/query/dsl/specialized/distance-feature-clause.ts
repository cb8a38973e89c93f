/** Parses `distance_feature`, which scores by nearness to a date or a point. */

import { readDistance } from '../../../geo/distance-units.ts'
import { readPoint } from '../../../geo/geo-point.ts'
import { illegalArgument } from '../../../request/errors.ts'
import { readDuration } from '../../../request/units/decay-duration.ts'
import { DistanceFeatureQuery } from '../../exec/compound/feature-query.ts'
import { MatchNoneQuery } from '../../exec/compound/simple-queries.ts'
import type { ParseClause } from '../clause.ts'
import { Options } from '../options.ts'

export const distanceFeatureClause: ParseClause = (body, parser, clause) => {
  const options = new Options(parser, clause, body, ['field', 'pivot'], ['origin'])
  const name = options.text('field')
  const origin = options.get('origin')
  const pivot = options.text('pivot')
  for (const [key, value] of Object.entries({ field: name, origin, pivot })) {
    if (value === undefined) throw illegalArgument(`Required [${key}]`)
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
        // A date without a time is the end of its day, as an upper bound would be.
        const from = field.toNumber(origin, { now: binding.context.now, roundUp: true })
        return new DistanceFeatureQuery(field.name, from, readDuration(pivot), field.type === 'date_nanos')
      }
      if (field.family === 'geo_point') {
        return new DistanceFeatureQuery(field.name, readPoint(origin), readDistance(pivot))
      }
      throw illegalArgument('Illegal data type of [origin]! Must be a date or geo_point')
    },
  }
}
