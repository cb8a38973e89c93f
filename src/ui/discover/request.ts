/** Bodies for the search API: the page of hits, the chart, values of a field, the newest document. */
import { markEnd, markStart } from '../parts/documents.ts'
import type { Filter } from './filters.ts'
import type { SearchState } from './search-state.ts'
import { type Bounds, stepOf } from './time-range.ts'

export interface SearchContext {
  /** Undefined when the indices have none. */
  readonly timeField: string | undefined
  readonly bounds: Bounds
}

type Query = Record<string, unknown>

/** `isScored`: hits come in the order of their scores; otherwise nobody needs to know them. */
export function queryOf(
  state: Pick<SearchState, 'query' | 'syntax' | 'filters'>,
  { timeField, bounds }: SearchContext,
  isScored = false,
): Query {
  const must: Query[] = []
  if (state.query.trim() !== '') {
    must.push(
      state.syntax === 'simple'
        ? { simple_query_string: { query: state.query, default_operator: 'and', lenient: true } }
        : {
            query_string: {
              query: state.query,
              default_operator: 'and',
              lenient: true,
              analyze_wildcard: true,
            },
          },
    )
  }
  const filter: Query[] = isScored ? [] : must.splice(0)
  if (timeField !== undefined && (bounds.from !== undefined || bounds.to !== undefined)) {
    filter.push({
      range: {
        [timeField]: {
          ...(bounds.from !== undefined && { gte: bounds.from }),
          ...(bounds.to !== undefined && { lte: bounds.to }),
          format: 'epoch_millis',
        },
      },
    })
  }
  const active = state.filters.filter(({ isOff }) => !isOff)
  filter.push(...active.filter(({ isNot }) => !isNot).map(clauseOf))
  const not = active.filter(({ isNot }) => isNot).map(clauseOf)
  if (must.length + filter.length + not.length === 0) return { match_all: {} }
  return {
    bool: {
      ...(must.length > 0 && { must }),
      ...(filter.length > 0 && { filter }),
      ...(not.length > 0 && { must_not: not }),
    },
  }
}

/** A phrase is a term where the field is not analysed. */
function clauseOf({ field, value }: Filter): Query {
  if (value === undefined) return { exists: { field } }
  return { match_phrase: { [field]: value } }
}

function sortOf(sort: readonly string[], timeField: string | undefined): Query[] {
  const named = sort.map((name) =>
    name.startsWith('-')
      ? { [name.slice(1)]: { order: 'desc', unmapped_type: 'keyword' } }
      : { [name]: { order: 'asc', unmapped_type: 'keyword' } },
  )
  if (named.length > 0) return named
  return timeField === undefined ? [] : [{ [timeField]: { order: 'desc', unmapped_type: 'date' } }]
}

export function pageBody(state: SearchState, context: SearchContext): Query {
  return {
    query: queryOf(state, context, sortOf(state.sort, context.timeField).length === 0),
    from: (state.page - 1) * state.size,
    size: state.size,
    track_total_hits: true,
    ...sorted(state, context),
    ...(state.query.trim() !== '' && {
      highlight: {
        pre_tags: [markStart],
        post_tags: [markEnd],
        number_of_fragments: 0,
        require_field_match: false,
        max_analyzed_offset: 100_000,
        fields: { '*': {} },
      },
    }),
  }
}

export function sorted(state: Pick<SearchState, 'sort'>, { timeField }: SearchContext): Query {
  const sort = sortOf(state.sort, timeField)
  return sort.length === 0 ? {} : { sort }
}

/** `from` and `to`: what the chart spans, known for ranges that are open only after asking. */
export function chartBody(state: SearchState, context: SearchContext, from: number, to: number): Query {
  const field = context.timeField!
  return {
    query: queryOf(state, context),
    size: 0,
    track_total_hits: false,
    aggs: {
      chart: {
        date_histogram: {
          field,
          fixed_interval: `${stepOf(from, to)}ms`,
          min_doc_count: 0,
          extended_bounds: { min: from, max: to },
        },
      },
    },
  }
}

/** The first and last moment of what matches. */
export function spanBody(state: SearchState, context: SearchContext): Query {
  const field = context.timeField!
  return {
    query: queryOf(state, context),
    size: 0,
    track_total_hits: false,
    aggs: { first: { min: { field } }, last: { max: { field } } },
  }
}

export function valuesBody(state: SearchState, context: SearchContext, field: string): Query {
  return {
    query: queryOf(state, context),
    size: 0,
    track_total_hits: true,
    aggs: { there: { filter: { exists: { field } } }, values: { terms: { field, size: 10 } } },
  }
}

/** Values that begin with a text, for completion; the whole range counts, not only what matches. */
export function completionBody(field: string, start: string): Query {
  return {
    size: 0,
    track_total_hits: false,
    query:
      start === '' ? { match_all: {} } : { prefix: { [field]: { value: start, case_insensitive: true } } },
    aggs: { values: { terms: { field, size: 20 } } },
  }
}

export type Around = 'older' | 'newer'

/** Documents beside one, nearest first. Those of the very same time are on both sides. */
export function aroundBody(field: string, time: unknown, id: string, side: Around, size: number): Query {
  const isOlder = side === 'older'
  return {
    size,
    track_total_hits: false,
    query: {
      bool: {
        filter: [{ range: { [field]: isOlder ? { lte: time } : { gte: time } } }],
        must_not: [{ ids: { values: [id] } }],
      },
    },
    sort: [{ [field]: { order: isOlder ? 'desc' : 'asc' } }],
  }
}

/** Newest first, each once. */
export function joined<T extends { readonly _id: string }>(
  own: T,
  older: readonly T[],
  newer: readonly T[],
): T[] {
  const known = new Set(older.map(({ _id }) => _id))
  return [...newer.filter(({ _id }) => !known.has(_id)).reverse(), own, ...older]
}
