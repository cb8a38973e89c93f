/**
 * Random indices and random searches against a model that sorts all matches one by one. `COLLECT_CASES` sets
 * how many, `COLLECT_SEED` which.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareUtf8 } from '../../text/utf8-order.ts'
import { SearchCache } from './search-cache.ts'
import { search, type TestDoc, testIndex } from './test-search.ts'

const cases = Number(process.env['COLLECT_CASES'] ?? 150)
const seed = Number(process.env['COLLECT_SEED'] ?? Date.now() % 2 ** 31)

interface Source {
  n?: number[]
  d?: number[]
  long?: string[]
  k?: string[]
  g?: string
  inner?: { v: number }[]
}

const longs = [
  '9223372036854775806',
  '9223372036854775805',
  '9007199254740993',
  '9007199254740992',
  '-9223372036854775807',
  '5',
]
const texts = ['a', 'b', 'ab', 'é', '\ue000', '😀', '']

const source: fc.Arbitrary<Source> = fc.record(
  {
    n: fc.array(fc.integer({ min: -3, max: 6 }), { minLength: 1, maxLength: 3 }),
    d: fc.array(fc.constantFrom(-1.5, 0.25, 2, 1e300), { minLength: 1, maxLength: 2 }),
    long: fc.array(fc.constantFrom(...longs), { minLength: 1, maxLength: 2 }),
    k: fc.array(fc.constantFrom(...texts), { minLength: 1, maxLength: 3 }),
    g: fc.constantFrom('x', 'y', 'z'),
    inner: fc.array(fc.record({ v: fc.integer({ min: 0, max: 4 }) }), { minLength: 1, maxLength: 3 }),
  },
  { requiredKeys: [] },
)

const mappings = {
  properties: {
    n: { type: 'integer' },
    d: { type: 'double' },
    long: { type: 'long' },
    k: { type: 'keyword' },
    g: { type: 'keyword' },
    inner: { type: 'nested', properties: { v: { type: 'integer' } } },
  },
}

type Value = number | bigint | string | null

interface Key {
  readonly field: 'n' | 'd' | 'long' | 'k' | 'inner.v' | '_id' | '_doc' | '_score'
  readonly order: 'asc' | 'desc'
  readonly mode?: 'min' | 'max' | 'sum' | 'avg' | 'median'
  readonly missing?: '_first' | '_last' | number | string
}

const key: fc.Arbitrary<Key> = fc.oneof(
  fc.record({
    field: fc.constantFrom('n' as const, 'd' as const, 'inner.v' as const),
    order: fc.constantFrom('asc' as const, 'desc' as const),
    mode: fc.constantFrom('min' as const, 'max' as const, 'sum' as const, 'avg' as const, 'median' as const),
    missing: fc.constantFrom('_first' as const, '_last' as const, 2, -7),
  }),
  fc.record({
    field: fc.constantFrom('long' as const),
    order: fc.constantFrom('asc' as const, 'desc' as const),
    mode: fc.constantFrom('min' as const, 'max' as const),
    missing: fc.constantFrom('_first' as const, '_last' as const),
  }),
  fc.record({
    field: fc.constantFrom('k' as const),
    order: fc.constantFrom('asc' as const, 'desc' as const),
    mode: fc.constantFrom('min' as const, 'max' as const),
    missing: fc.constantFrom('_first' as const, '_last' as const, 'ab', 'aa'),
  }),
  fc.record({
    field: fc.constantFrom('_id' as const, '_doc' as const, '_score' as const),
    order: fc.constantFrom('asc' as const, 'desc' as const),
  }),
)

interface Row {
  readonly id: string
  readonly source: Source
  readonly shard: number
  /** The document number in the shard. */
  readonly doc: number
  readonly isDeleted: boolean
}

function combine(values: readonly number[], mode: string, isWhole: boolean): number {
  const sorted = [...values].sort((a, b) => a - b)
  const sum = sorted.reduce((total, value) => total + value, 0)
  const middle = sorted.length >> 1
  const round = (value: number) => (isWhole ? Math.floor(value + 0.5) : value)
  if (mode === 'min') return sorted[0]!
  if (mode === 'max') return sorted.at(-1)!
  if (mode === 'sum') return sum
  if (mode === 'avg') return round(sum / sorted.length)
  return round(sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2)
}

function sortValue(row: Row, { field, mode = 'min', missing }: Key): Value {
  const standIn = missing === '_first' || missing === '_last' ? null : (missing ?? null)
  const { n, d, long, k, g, inner } = row.source
  switch (field) {
    case 'n':
      return n === undefined ? standIn : combine(n, mode, true)
    case 'd':
      return d === undefined ? standIn : combine(d, mode, false)
    case 'inner.v':
      return inner === undefined
        ? standIn
        : combine(
            inner.map(({ v }) => v),
            mode,
            true,
          )
    case 'long': {
      if (long === undefined) return standIn
      const sorted = long.map(BigInt).sort((a, b) => (a < b ? -1 : 1))
      return mode === 'min' ? sorted[0]! : sorted.at(-1)!
    }
    case 'k': {
      if (k === undefined) return standIn
      const sorted = [...k].sort(compareUtf8)
      return mode === 'min' ? sorted[0]! : sorted.at(-1)!
    }
    case '_id':
      return row.id
    case '_doc':
      return row.doc
    case '_score':
      return g === 'x' ? 3 : 1
  }
}

function compare(left: Value, right: Value, { order, missing }: Key): number {
  if (left === null || right === null) {
    if (left === right) return 0
    return (left === null) === (missing === '_first') ? -1 : 1
  }
  let sign: number
  if (typeof left === 'string') sign = compareUtf8(left, right as string)
  else sign = left < (right as number | bigint) ? -1 : left > (right as number | bigint) ? 1 : 0
  return order === 'desc' ? -sign : sign
}

const layout = fc.array(
  fc.array(fc.array(fc.tuple(source, fc.boolean(), fc.boolean()), { minLength: 1, maxLength: 8 }), {
    maxLength: 3,
  }),
  { minLength: 1, maxLength: 7 },
)

const query = {
  bool: {
    should: [{ constant_score: { filter: { term: { g: 'x' } }, boost: 2 } }],
    must: [{ match_all: {} }],
  },
}
const filters = [
  undefined,
  { terms: { g: ['x', 'y'] } },
  { range: { n: { gte: 1 } } },
  { exists: { field: 'k' } },
]

interface Case {
  readonly shards: [Source, boolean, boolean][][][]
  readonly keys: Key[]
  readonly filter: number
  readonly from: number
  readonly size: number
  readonly after: number
}

const testCase: fc.Arbitrary<Case> = fc.record({
  shards: layout,
  keys: fc.array(key, { minLength: 1, maxLength: 3 }),
  filter: fc.nat({ max: filters.length - 1 }),
  from: fc.nat({ max: 40 }),
  size: fc.nat({ max: 20 }),
  after: fc.nat({ max: 30 }),
})

function matches({ g, n, k }: Source, filter: number): boolean {
  if (filter === 1) return g === 'x' || g === 'y'
  if (filter === 2) return n?.some((value) => value >= 1) ?? false
  return filter === 3 ? k !== undefined : true
}

function jsonOf({ long, ...rest }: Source): string {
  const text = JSON.stringify(rest)
  if (long === undefined) return text
  return `${text.slice(0, -1)}${text === '{}' ? '' : ','}"long":[${long.join(',')}]}`
}

function build({ shards }: Case): { rows: Row[]; docs: TestDoc[][][] } {
  const rows: Row[] = []
  const docs = shards.map((segments, shard) => {
    let doc = 0
    return segments.map((segment) =>
      segment.map(([source_, one, two]) => {
        const id = String((rows.length * 7) % 1000)
        const isDeleted = one && two
        doc += source_.inner?.length ?? 0
        rows.push({ id, source: source_, shard, doc: doc++, isDeleted })
        return { id, source: jsonOf(source_), isDeleted }
      }),
    )
  })
  return { rows, docs }
}

function sortJson({ field, ...options }: Key): unknown {
  return { [field]: { ...options, ...(field === 'inner.v' ? { nested: { path: 'inner' } } : {}) } }
}

describe('pages of random searches', () => {
  it(
    `are those of sorting everything (${cases} cases, seed ${seed})`,
    () => {
      fc.assert(
        fc.property(testCase, (each) => {
          const { rows, docs } = build(each)
          const index = testIndex(docs, { mappings })
          const { keys, from, size, filter } = each
          const live = rows.filter((row) => !row.isDeleted && matches(row.source, filter))
          const sorted = live
            .map((row, place) => ({ row, place, values: keys.map((one) => sortValue(row, one)) }))
            .sort((a, b) => {
              for (let i = 0; i < keys.length; i++) {
                const order = compare(a.values[i]!, b.values[i]!, keys[i]!)
                if (order !== 0) return order
              }
              return a.place - b.place
            })
          const ids = sorted.map(({ row }) => row.id)
          const isByScore = keys.length === 1 && keys[0]!.field === '_score' && keys[0]!.order === 'desc'
          const body = {
            query,
            ...(filter > 0 && { post_filter: filters[filter] }),
            sort: keys.map(sortJson),
            from,
            size,
          }
          const context = { cache: new SearchCache() }
          for (let turn = 0; turn < 2; turn++) {
            const found = search(index, body, { context })
            expect(found.hits.hits.map(({ _id }) => _id)).toEqual(ids.slice(from, from + size))
            expect(found.hits.total).toEqual({ value: ids.length, relation: 'eq' })
          }
          if (isByScore || ids.length === 0) return
          // search_after continues with the hits that sort after the given values.
          const at = each.after % ids.length
          const all = search(index, { ...body, from: 0, size: 100 }, { context })
          const after = all.hits.hits[at]!.sort
          const { values } = sorted[at]!
          const behind = sorted
            .filter((other) => {
              for (let i = 0; i < keys.length; i++) {
                const order = compare(other.values[i]!, values[i]!, keys[i]!)
                if (order !== 0) return order > 0
              }
              return false
            })
            .map(({ row }) => row.id)
          const next = search(index, { ...body, from: from % 3, size, search_after: after }, { context })
          expect(next.hits.hits.map(({ _id }) => _id)).toEqual(behind.slice(from % 3, (from % 3) + size))
          expect(next.hits.total!.value).toBe(ids.length)
        }),
        { numRuns: cases, seed },
      )
    },
    120_000 + cases * 100,
  )
})
