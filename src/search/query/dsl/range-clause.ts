/** Parses `range`, with `gt`/`gte`/`lt`/`lte` or the older `from` and `to`. */
import { illegalArgument } from '../../request/errors.ts'
import { SearchError } from '../../request/search-error.ts'
import { type Binding, unmapped } from '../binding/binding.ts'
import { fieldExists } from '../binding/exists.ts'
import { isOpen, rangeQuery } from '../binding/field-queries.ts'
import { readZone } from '../binding/language-query.ts'
import { isMetadata, metadataRange } from '../binding/metadata-queries.ts'
import type { Query } from '../exec/query.ts'
import { RewriteError } from '../query-error.ts'
import type { ParseClause } from './clause.ts'
import { readFieldBody } from './options.ts'

const known = [
  'gte',
  'gt',
  'lte',
  'lt',
  'ge',
  'le',
  'from',
  'to',
  'include_lower',
  'include_upper',
  'format',
  'time_zone',
  'relation',
]

const relations = ['intersects', 'within', 'contains'] as const

export const rangeClause: ParseClause = (body, parser, clause) => {
  const { field, options } = readFieldBody(parser, clause, body, { known, short: 'value', beside: ['_name'] })
  let from: unknown
  let to: unknown
  let includeFrom = options.boolean('include_lower') ?? true
  let includeTo = options.boolean('include_upper') ?? true
  for (const name of Object.keys(options.json)) {
    if (name === 'from' || name === 'gte' || name === 'ge' || name === 'gt') {
      from = options.get(name)
      if (name !== 'from') includeFrom = name !== 'gt'
    } else if (name === 'to' || name === 'lte' || name === 'le' || name === 'lt') {
      to = options.get(name)
      if (name !== 'to') includeTo = name !== 'lt'
    }
  }
  const relation = options.choice('relation', [...relations, 'disjoint'], (value) => {
    return illegalArgument(`${value} is not a valid relation`)
  })
  if (relation === 'disjoint') {
    throw illegalArgument('[range] query does not support relation [disjoint]')
  }
  const zone = options.text('time_zone')
  const settings = {
    from,
    to,
    includeFrom,
    includeTo,
    format: options.text('format'),
    zone: zone === undefined ? undefined : readZone(zone),
    // Without ends it asks for any value, whatever the relation.
    relation: from === undefined && to === undefined ? 'intersects' : (relation ?? 'intersects'),
    isClause: true,
  } as const
  return {
    boost: options.boost,
    name: options.name,
    bind(binding): Query {
      const mapped = binding.field(field)
      if (mapped !== undefined && isOpen(from) && isOpen(to)) return fieldExists(binding, mapped.name)
      if (mapped !== undefined) return rewritten(() => rangeQuery(binding, mapped, settings))
      return isMetadata(field) ? metadata(binding, field, settings) : unmapped(field)
    },
  }
}

/** Both systems compare the bounds of dates with those of the shard in the rewrite phase, and so read them there. */
function rewritten(query: () => Query): Query {
  try {
    return query()
  } catch (error) {
    if (!(error instanceof SearchError) || error.type !== 'parse_exception') throw error
    throw new RewriteError(error.type, error.message, { cause: error.causedBy })
  }
}

interface Ends {
  readonly from: unknown
  readonly to: unknown
  readonly includeFrom: boolean
  readonly includeTo: boolean
}

function metadata(binding: Binding, field: string, { from, to, includeFrom, includeTo }: Ends): Query {
  const low = from === undefined ? Number.NEGATIVE_INFINITY : Number(String(from)) + (includeFrom ? 0 : 1)
  const high = to === undefined ? Number.POSITIVE_INFINITY : Number(String(to)) - (includeTo ? 0 : 1)
  return metadataRange(binding, field, low, high)
}
