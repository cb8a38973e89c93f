/**
 * The sort of a search request, key by key: `"f"`, `{"f": "desc"}`, `{"f": {"order": "desc", …}}`, lists of those, and
 * `f:desc,g` of a query string. Without a sort the one key is the score.
 */
import { isObject, type JsonObject, own } from '../../../search/request/json-object.ts'

export interface SortKey {
  readonly name: string
  readonly isAscending: boolean
  /** What stands beside the order, such as `missing` and `mode`. */
  readonly options: JsonObject
}

const score: SortKey = { name: '_score', isAscending: false, options: {} }

/** Undefined when it is none that can be read; the cluster then says what is wrong with it. */
export function sortKeys(sort: unknown): readonly SortKey[] | undefined {
  if (sort === undefined || sort === null) return [score]
  const keys: SortKey[] = []
  for (const clause of Array.isArray(sort) ? sort : [sort]) {
    if (typeof clause === 'string') keys.push(keyOf(clause, {}))
    else if (!isObject(clause)) return undefined
    else
      for (const [name, value] of Object.entries(clause)) {
        if (typeof value === 'string') keys.push(keyOf(name, { order: value }))
        else if (isObject(value)) keys.push(keyOf(name, value))
        else return undefined
      }
  }
  return keys.length === 0 ? [score] : keys
}

/** The `sort` of a query string as that of a body. */
export function sortOfText(text: string): readonly unknown[] {
  return text.split(',').map((part) => {
    const colon = part.lastIndexOf(':')
    return colon < 0 ? part : { [part.slice(0, colon)]: { order: part.slice(colon + 1) } }
  })
}

function keyOf(name: string, given: JsonObject): SortKey {
  const { order, ...options } = given
  const isAscending = order === undefined ? name !== '_score' : String(order).toLowerCase() === 'asc'
  return { name, isAscending, options }
}

/** As a request says it. */
export function clauseOf({ name, isAscending, options }: SortKey): JsonObject {
  return { [name]: { ...options, order: isAscending ? 'asc' : 'desc' } }
}

/** Without the form in which values are shown, so that they are those the cluster compares. */
export function plainKey(key: SortKey): SortKey {
  if (own(key.options, 'format') === undefined) return key
  const { format: _, ...options } = key.options
  return { ...key, options }
}

const withoutMode = new Set(['_score', '_doc', '_shard_doc', '_script'])

/** The key of the opposite order: missing values change ends, and of several values the same one counts. */
export function reversed({ name, isAscending, options }: SortKey): SortKey {
  if (withoutMode.has(name)) return { name, isAscending: !isAscending, options }
  const { missing = '_last', mode = isAscending ? 'min' : 'max' } = options
  const opposite = missing === '_last' ? '_first' : missing === '_first' ? '_last' : missing
  const isDistance = name === '_geo_distance'
  return {
    name,
    isAscending: !isAscending,
    options: { ...options, mode, ...(!isDistance && { missing: opposite }) },
  }
}
