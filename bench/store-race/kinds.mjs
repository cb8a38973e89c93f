// The kinds of requests. Each makes one request from a vocabulary and a seeded source of numbers, so that no two are
// alike and every subject gets the same ones. `tolerance` is what two right answers may differ by, where the answer is
// an estimate; `idField` names the field that tells hits apart where it is not the id of the trace.
import { aggregationKinds } from './kinds-aggregations.mjs'
import { scoredKinds } from './kinds-scored.mjs'
import { sortedKinds } from './kinds-sorted.mjs'

export const kinds = [...scoredKinds, ...sortedKinds, ...aggregationKinds]

/** The path and body of a request; `index` may be several names. */
export function requestOf(kind, vocabulary, random, index) {
  const made = kind.make(vocabulary, random)
  if (kind.endpoint === '_msearch') {
    const lines = made.flatMap((search) => [JSON.stringify({ request_cache: false }), JSON.stringify(search)])
    return { path: `/${index}/_msearch`, type: 'application/x-ndjson', body: `${lines.join('\n')}\n` }
  }
  const query = kind.endpoint === '_count' ? '' : '?request_cache=false'
  const path = `/${index}/${kind.endpoint ?? '_search'}${query}`
  return { path, type: 'application/json', body: JSON.stringify(made) }
}
