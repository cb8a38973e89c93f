// Whether two answers say the same: totals, counts and aggregations by value, hits by what they are sorted by and by
// the documents they are. Documents that tie at either end of a page may be others, as subjects number documents in
// the order in which two senders brought them; so those are left out, unless the page has all that was found.
const TOLERANCE = 1e-5
const LONGEST = 80
const BEFORE = 20

/** Undefined, or what is different, in a few words. */
export function differenceOf(kind, one, other) {
  if (kind.endpoint === '_msearch') {
    for (const [at, answer] of one.responses.entries()) {
      const found = searchDifference(kind, answer, other.responses[at])
      if (found !== undefined) return `search ${at + 1}: ${found}`
    }
    return undefined
  }
  if (kind.endpoint === '_count') return valueDifference(one.count, other.count, 'count', 0)
  return searchDifference(kind, one, other)
}

function searchDifference(kind, one, other) {
  if (one.hits === undefined || other?.hits === undefined) return 'one of them is no answer to a search'
  if (one.timed_out || other.timed_out) return 'timed out'
  return (
    totalDifference(one.hits.total, other.hits.total) ??
    valueDifference(one.aggregations, other.aggregations, 'aggregations', kind.tolerance ?? TOLERANCE) ??
    hitsDifference(kind, one.hits.hits, other.hits.hits, one.hits.total.value)
  )
}

/** Who stopped counting says `gte`: every greater total is the same then. */
function totalDifference(one, other) {
  const agrees = (bound, total) => bound.relation === 'gte' && total.value >= bound.value
  if (agrees(one, other) || agrees(other, one)) return undefined
  return valueDifference(one, other, 'total', 0)
}

function hitsDifference(kind, one, other, total) {
  if (one.length !== other.length) return `${one.length} hits and ${other.length}`
  if (kind.hasRandomOrder) return undefined
  const keysOf = (hits) => hits.map((hit) => hit.sort ?? hit._score)
  const moved = valueDifference(keysOf(one), keysOf(other), 'order', TOLERANCE)
  if (moved !== undefined) return moved
  const chosen = total === one.length ? (hits) => hits : withoutTies
  const [documents, others] = [one, other].map(
    (hits) => new Map(chosen(hits).map((hit) => [idOf(kind, hit), hit])),
  )
  for (const [id, hit] of documents) {
    const same = others.get(id)
    if (same === undefined) return `only one of them has ${id}`
    const found = kind.idField === undefined ? contentDifference(hit, same) : undefined
    if (found !== undefined) return `${id}: ${found}`
  }
  return undefined
}

const contentDifference = (one, other) =>
  valueDifference(one._source, other._source, '_source', 0) ??
  valueDifference(one.highlight, other.highlight, 'highlight', 0)

function idOf({ idField }, hit) {
  if (idField !== undefined) return hit.fields[idField][0]
  return hit._source?.trace.id ?? hit.sort[0]
}

/** Those between the first and the last group of equal keys. */
function withoutTies(hits) {
  const key = (hit) => hit.sort?.[0] ?? hit._score
  const ends = hits.length === 0 ? [] : [key(hits[0]), key(hits.at(-1))]
  const isNear = (value, end) => value === end || Math.abs(value - end) <= TOLERANCE * Math.abs(end)
  return hits.filter((hit) => !ends.some((end) => isNear(key(hit), end)))
}

/** Numbers may differ by a share of their size; what only one of two objects has does not count as the same. */
export function valueDifference(one, other, name, tolerance) {
  if (typeof one === 'number' && typeof other === 'number') {
    const isSame = Math.abs(one - other) <= tolerance * Math.max(Math.abs(one), Math.abs(other))
    return isSame ? undefined : `${name} ${one} and ${other}`
  }
  if (one === other) return undefined
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) {
    return `${name} ${apart(one, other).join(' and ')}`
  }
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const found = valueDifference(one[key], other[key], `${name}.${key}`, tolerance)
    if (found !== undefined) return found
  }
  return undefined
}

/** Both in short, from a little before the first character that is not the same. */
function apart(...values) {
  const [one, other] = values.map((value) => JSON.stringify(value) ?? 'nothing')
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  const start = Math.max(0, at - BEFORE)
  return [one, other].map((text) => `${start > 0 ? '…' : ''}${text.slice(start, start + LONGEST)}`)
}
