import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTestNode, type TestNode } from '../testing.ts'

let node: TestNode

beforeEach(async () => {
  node = await startTestNode()
})

afterEach(() => node.close())

const lines = (...all: unknown[]) => all.map((line) => `${JSON.stringify(line)}\n`).join('')

/** An id with characters that careless string building would let escape. */
const odd = 'a"b\\ "_version":-1 ü \u0001'
const shards = { total: 2, successful: 1, failed: 0 }

const body = lines(
  { index: { _index: 'x', _id: '1' } },
  { n: 1 },
  { index: { _index: 'x', _id: '1' } },
  { n: 2 },
  { create: { _index: 'x', _id: '1' } },
  { n: 3 },
  { index: { _index: 'x', _id: odd } },
  { n: 4 },
  { update: { _index: 'x', _id: '1', _source: true } },
  { doc: { m: 1 } },
  { delete: { _index: 'x', _id: odd } },
  { delete: { _index: 'x', _id: odd } },
)

test('every item reports the result of its document', async () => {
  const { json } = await node.ask('POST', '/_bulk', body)
  const { errors, items } = json as { errors: boolean; items: Record<string, Record<string, unknown>>[] }
  const of = (id: string, version: number, result: string, seqNo: number, status: number) => ({
    _index: 'x',
    _id: id,
    _version: version,
    result,
    _shards: shards,
    _seq_no: seqNo,
    _primary_term: 1,
    status,
  })
  expect(errors).toBe(true)
  expect(items[0]).toEqual({ index: of('1', 1, 'created', 0, 201) })
  expect(items[1]).toEqual({ index: of('1', 2, 'updated', 1, 200) })
  expect(items[2]!['create']).toMatchObject({ _id: '1', status: 409 })
  expect(items[2]!['create']!['error']).toMatchObject({ type: 'version_conflict_engine_exception' })
  expect(items[3]).toEqual({ index: of(odd, 1, 'created', 2, 201) })
  expect(items[4]!['update']).toMatchObject({ _version: 3, get: { found: true, _source: { n: 2, m: 1 } } })
  expect(items[5]).toEqual({ delete: of(odd, 2, 'deleted', 4, 200) })
  expect(items[6]).toEqual({ delete: of(odd, 3, 'not_found', 5, 404) })
})

test('copied items equal items rendered one by one', async () => {
  const other = await startTestNode()
  try {
    const plain = await node.ask('POST', '/_bulk', body)
    const pretty = await other.ask('POST', '/_bulk?pretty', body)
    const items = ({ json }: { json: unknown }) => {
      const uuid = /"index_uuid":"[^"]*"/g
      return JSON.stringify((json as { items: unknown }).items).replace(uuid, '')
    }
    expect(items(plain)).toBe(items(pretty))
  } finally {
    await other.close()
  }
})

test('copied items differ by id and numbers of any length', async () => {
  const ids = Array.from({ length: 120 }, (_, n) => (n % 40 === 39 ? `${odd}${n}` : `id-${n % 70}`))
  const many = lines(
    ...ids.flatMap((id, n) => [{ index: { _index: n < 60 ? 'x' : 'größe', _id: id } }, { n }]),
  )
  const { json } = await node.ask('POST', '/_bulk', many)
  const { items } = json as { items: { index: Record<string, unknown> }[] }
  const seen = new Map<string, number>()
  for (const [n, id] of ids.entries()) {
    const index = n < 60 ? 'x' : 'größe'
    const version = (seen.get(`${index} ${id}`) ?? 0) + 1
    seen.set(`${index} ${id}`, version)
    expect(items[n]!.index).toMatchObject({
      _index: index,
      _id: id,
      _version: version,
      result: version === 1 ? 'created' : 'updated',
      _seq_no: n % 60,
      status: version === 1 ? 201 : 200,
    })
  }
  expect(items).toHaveLength(120)
})

test('the answer may be YAML', async () => {
  const { text } = await node.ask(
    'POST',
    '/_bulk?format=yaml',
    lines({ index: { _index: 'x', _id: 'a' } }, {}),
  )
  expect(text).toMatch(/^---\n/)
  expect(text).toContain('errors: false')
  expect(text).toMatch(/_id: "?a"?\n/)
})

test('equal lines are separate documents', async () => {
  const head = { index: { _index: 'x' } }
  const { at } = await node.ask(
    'POST',
    '/_bulk?refresh',
    lines(head, { n: 1 }, head, { n: 2 }, head, { n: 3 }),
  )
  expect(at('errors')).toBe(false)
  const found = await node.ask('POST', '/x/_search', { sort: ['n'], _source: ['n'] })
  expect((found.at('hits.hits') as { _source: unknown }[]).map(({ _source }) => _source)).toEqual([
    { n: 1 },
    { n: 2 },
    { n: 3 },
  ])
})

test('stored documents survive the reuse of the request buffer', async () => {
  const filling = (letter: string) => letter.repeat(300)
  /**
   * Every other document cannot be read directly from its bytes; one in ten changes the mapping, one in ten
   * is refused.
   */
  const documentOf = (letter: string, n: number) =>
    n % 10 === 9
      ? { letter, n: `no number ${letter}` }
      : { letter, n, text: filling(letter), list: n % 2 ? [2, n, 1] : [n], deep: [{ letter }] }
  const request = (letter: string) =>
    lines(
      ...Array.from({ length: 400 }, (_, n) => [
        { [n % 10 === 8 ? 'update' : 'index']: { _index: 'x', _id: `${letter}${n}` } },
        n % 10 === 8 ? { doc_as_upsert: true, doc: documentOf(letter, n) } : documentOf(letter, n),
      ]).flat(),
    )
  for (const letter of ['a', 'b', 'c']) {
    const { json } = await node.ask('POST', '/_bulk?refresh=true', request(letter))
    const { items } = json as { items: Record<string, { status: number }>[] }
    expect(items.filter((item) => Object.values(item)[0]!.status >= 400)).toHaveLength(40)
  }
  for (const letter of ['a', 'b', 'c']) {
    const { json } = await node.ask('POST', '/x/_search', { query: { term: { letter } }, size: 1000 })
    const { hits } = (json as { hits: { hits: { _id: string; _source: unknown }[] } }).hits
    expect(hits).toHaveLength(360)
    for (const { _id, _source } of hits)
      expect(_source).toEqual(documentOf(letter, Number(_id.slice(letter.length))))
    const found = await node.ask('GET', `/x/_count?q=text:${filling(letter)}`)
    expect(found.at('count')).toBe(360)
  }
})

test('items are left out on request unless one failed', async () => {
  const well = lines({ index: { _index: 'x', _id: '1' } }, { n: 1 })
  const brief = await node.ask('POST', '/_bulk?millrace_items=failed', well)
  expect(brief.json).toEqual({ took: expect.any(Number), errors: false, items: [] })
  const bad = lines(
    { index: { _index: 'x', _id: '2' } },
    { n: 1 },
    { create: { _index: 'x', _id: '1' } },
    { n: 3 },
  )
  const full = await node.ask('POST', '/_bulk?millrace_items=failed', bad)
  const { errors, items } = full.json as { errors: boolean; items: Record<string, { status: number }>[] }
  expect(errors).toBe(true)
  expect(items.map((item) => Object.values(item)[0]!.status)).toEqual([201, 409])
})

test('items are filtered part by part as they would be together', async () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, n) =>
      lines({ create: { _index: 'x', _id: `${n % 5000}` } }, { n, text: 'w'.repeat(900) }),
    ).join('')
  // Larger than what is processed at once.
  const body = many(10_000)
  const failed = await node.ask('POST', '/_bulk?filter_path=errors,items.*.error.type,items.*.status', body)
  expect(failed.json).toEqual({
    errors: true,
    items: Array.from({ length: 10_000 }, (_, n) => ({
      create:
        n < 5000 ? { status: 201 } : { status: 409, error: { type: 'version_conflict_engine_exception' } },
    })),
  })
  expect((await node.ask('POST', '/_bulk?filter_path=errors', body)).json).toEqual({ errors: true })
  expect((await node.ask('POST', '/_bulk?filter_path=-took,-items.*', body)).json).toEqual({ errors: true })
  expect((await node.ask('POST', '/_bulk?filter_path=-took,-items.*', many(10))).json).toEqual({
    errors: true,
  })
  const source = lines({ update: { _index: 'x', _id: '1', _source: true } }, { doc: { text: 'short' } })
  expect((await node.ask('POST', '/_bulk?filter_path=items.update.get._source.text', source)).json).toEqual({
    items: [{ update: { get: { _source: { text: 'short' } } } }],
  })
})
