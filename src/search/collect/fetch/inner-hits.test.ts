import { describe, expect, it } from 'vitest'
import { plainValues } from '../../request/test-values.ts'
import { searchSteps } from '../execute-search.ts'
import { parseSearchRequest } from '../request/parse-request.ts'
import type { SearchIndex } from '../search-index.ts'
import { type TestResponse, testIndex } from '../test-search.ts'

/** More documents than are processed per step, in each of two segments. */
const docs = Array.from({ length: 5000 }, (_, n) => ({
  id: String(n),
  source: { n, order: (n * 1237) % 5000, group: `g${n % 7}`, part: `p${n % 3}` },
}))
const properties = { group: { type: 'keyword' }, part: { type: 'keyword' } }
const index = testIndex([[docs.slice(0, 2500), docs.slice(2500)]], { mappings: { properties } })

function run(indices: readonly SearchIndex[], body: unknown) {
  const steps = searchSteps(indices, parseSearchRequest(body), { node: 'node' })
  for (let taken = 1; ; taken++) {
    const { done, value } = steps.next()
    if (done) return { found: value.response as unknown as TestResponse, taken }
  }
}

interface Inner {
  readonly hits: {
    readonly total: { readonly value: number }
    readonly hits: readonly { readonly _id: string; readonly fields?: { readonly part: readonly string[] } }[]
  }
}

function innerOf({ hits }: TestResponse, name: string): Inner[] {
  return hits.hits.map(({ inner_hits }) => (plainValues(inner_hits) as Record<string, Inner>)[name]!)
}

const sort = [{ n: 'asc' }]
const inOrder = docs.toSorted((one, other) => one.source.order - other.source.order)

describe('inner hits', () => {
  it('are those of the whole group', () => {
    const inner_hits = { name: 'x', size: 40, sort: [{ order: 'asc' }] }
    const { found, taken } = run([index], { size: 7, sort, collapse: { field: 'group', inner_hits } })
    const inner = innerOf(found, 'x')
    for (let group = 0; group < 7; group++) {
      const members = inOrder.filter(({ source }) => source.group === `g${group}`)
      expect(inner[group]!.hits.total.value).toBe(members.length)
      expect(inner[group]!.hits.hits.map(({ _id }) => _id)).toEqual(members.slice(0, 40).map(({ id }) => id))
    }
    // One step per hit, and some for finding the groups.
    expect(taken).toBeGreaterThan(7 * 40 + 4)
  })

  it('are collapsed themselves', () => {
    const inner_hits = { name: 'x', size: 5, sort: [{ order: 'asc' }], collapse: { field: 'part' } }
    const { found } = run([index], { size: 7, sort, collapse: { field: 'group', inner_hits } })
    for (const [group, { hits }] of innerOf(found, 'x').entries()) {
      const members = inOrder.filter(({ source }) => source.group === `g${group}`)
      const heads = members.filter(
        ({ source }, at) => members.findIndex((other) => other.source.part === source.part) === at,
      )
      expect(hits.hits.map(({ _id }) => _id)).toEqual(heads.map(({ id }) => id))
      expect(hits.hits.map(({ fields }) => fields!.part)).toEqual(heads.map(({ source }) => [source.part]))
    }
  })

  it('of nested objects are rendered one per step', () => {
    const users = Array.from({ length: 50 }, (_, n) => ({ n }))
    const mappings = { properties: { u: { type: 'nested', properties: { n: { type: 'integer' } } } } }
    const nested = testIndex([[[{ id: '1', source: { u: users } }]]], { mappings })
    const inner_hits = { size: 30, sort: [{ 'u.n': 'desc' }] }
    const query = { nested: { path: 'u', query: { range: { 'u.n': { gte: 10 } } }, inner_hits } }
    const { found, taken } = run([nested], { query })
    const { hits } = innerOf(found, 'u')[0]!
    expect(hits.total.value).toBe(40)
    expect(hits.hits).toMatchObject(
      users
        .toReversed()
        .slice(0, 30)
        .map(({ n }) => ({ _source: { n } })),
    )
    expect(taken).toBeGreaterThan(30)
  })
})
