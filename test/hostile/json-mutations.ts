/** Changes of a JSON value that keep it JSON: members renamed, dropped and doubled, values of other kinds, nesting. */

/** Whole numbers below the one given, from a seed. */
export type Random = (below: number) => number

export function random(seed: number): Random {
  let state = seed >>> 0
  return (below) => {
    // Mulberry32.
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

const odd: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1,
  1.5,
  -0,
  1e300,
  2_147_483_648,
  9_007_199_254_740_991,
  '',
  ' ',
  'x',
  '*',
  '-1',
  '1e400',
  'now',
  '__proto__',
  'constructor',
  '\ud800',
  '\0',
  '{{a}}',
  '((',
  '[a-',
  'a'.repeat(300),
  [],
  {},
  [[]],
  [null],
  [{}],
  { '': {} },
  { query: {} },
  { field: 'text' },
  { match_all: {} },
  ['text', 'number'],
  'text',
  'number',
  'date',
  'child',
  'object',
  'place',
  'flat.a',
  '_id',
  '_score',
  '_doc',
]

const names = [
  '',
  'field',
  'query',
  'size',
  'boost',
  '_name',
  'x',
  '__proto__',
  'toString',
  'a.b',
  'aggs',
  'terms',
  'script',
  'text',
  'number',
  'order',
]

type Json = Record<string, unknown>

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A copy with one to four changes. */
export function mutated(value: unknown, next: Random): unknown {
  let result = value
  for (let left = 1 + next(4); left > 0; left--) result = changed(result, next, 0)
  return result
}

function changed(value: unknown, next: Random, depth: number): unknown {
  const isContainer = Array.isArray(value)
    ? value.length > 0
    : isObject(value) && Object.keys(value).length > 0
  // The deeper, the likelier: most of a request's meaning is in its leaves.
  if (!isContainer || (depth > 0 && next(6) === 0)) return replaced(value, next)
  return Array.isArray(value) ? changedArray(value, next, depth) : changedObject(value as Json, next, depth)
}

function changedArray(array: readonly unknown[], next: Random, depth: number): unknown {
  const at = next(array.length)
  const copy = [...array]
  const kind = next(8)
  if (kind === 0) copy.splice(at, 1)
  else if (kind === 1) copy.splice(at, 0, copy[at])
  else copy[at] = changed(copy[at], next, depth + 1)
  return copy
}

function changedObject(object: Json, next: Random, depth: number): unknown {
  const entries = Object.entries(object)
  const at = next(entries.length)
  const [name, value] = entries[at]!
  const kind = next(12)
  if (kind === 0) entries.splice(at, 1)
  else if (kind === 1) entries[at] = [names[next(names.length)]!, value]
  else if (kind === 2) entries.push([names[next(names.length)]!, odd[next(odd.length)]])
  else entries[at] = [name, changed(value, next, depth + 1)]
  return Object.fromEntries(entries)
}

function replaced(value: unknown, next: Random): unknown {
  switch (next(8)) {
    case 0:
      return [value]
    case 1:
      return { [names[next(names.length)]!]: value }
    case 2:
      return typeof value === 'string' ? value + String(odd[next(odd.length)]) : odd[next(odd.length)]
    default:
      return odd[next(odd.length)]
  }
}
