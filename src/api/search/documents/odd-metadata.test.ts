/**
 * Values of the wrong kind where a request names documents, versions and sequence numbers. What they would become as
 * text or number is in the write-ahead log for good, or cannot be read back from it.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestNode, type TestNode } from '../testing.ts'

let node: TestNode

beforeAll(async () => {
  node = await startTestNode()
  await node.ask('PUT', '/a/_doc/1?refresh=true', { k: 1 })
})

afterAll(() => node.close())

const bulk = (metadata: object, kind = 'index') =>
  node.ask('POST', '/a/_bulk', `${JSON.stringify({ [kind]: metadata })}\n{"k":1}\n`)

function firstError(text: string): string | undefined {
  return /"reason":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1]?.replaceAll('\\"', '"')
}

describe('metadata of a bulk action', () => {
  it.each([
    '_index',
    '_id',
    'routing',
    'pipeline',
    'version',
    'if_seq_no',
    'op_type',
    'require_alias',
    'nobody',
  ])('refuses a structure for %s', async (name) => {
    for (const [value, token] of [
      [{ x: 1 }, 'START_OBJECT'],
      [['1'], 'START_ARRAY'],
    ] as const) {
      const answer = await bulk({ _id: '2', [name]: value })
      expect(answer.status).toBe(400)
      expect(answer.at('error.type')).toBe('illegal_argument_exception')
      expect(answer.at('error.reason')).toBe(
        `Malformed action/metadata line [1], expected a simple value for field [${name}] but found [${token}]`,
      )
    }
  })

  it.each([
    [{ version: 'abc' }, 'For input string: "abc"'],
    [{ version: '99999999999999999999' }, 'Value [99999999999999999999] is out of range for a long'],
    [{ version: true }, 'Current token (VALUE_BOOLEAN) not numeric, can not use numeric value accessors'],
    [{ if_seq_no: -3, if_primary_term: 1 }, 'sequence numbers must be non negative. got [-3].'],
    [{ if_seq_no: 1, if_primary_term: -1 }, 'primary term must be non negative. got [-1]'],
    [{ require_alias: 'maybe' }, 'Failed to parse value [maybe] as only [true] or [false] are allowed.'],
    [{ retry_on_conflict: 'abc' }, 'For input string: "abc"'],
  ])('refuses the whole request for %j', async (metadata, reason) => {
    const answer = await bulk({ _id: '2', version_type: 'external', ...metadata })
    expect(answer.status).toBe(400)
    expect(answer.at('error.reason')).toBe(reason)
  })

  it.each([
    [-5, '-5'],
    [1e18, '1000000000000000000'],
    [2 ** 53, '9007199254740992'],
  ])('refuses the version %d, which the log cannot hold', async (version, shown) => {
    const answer = await bulk({ _id: '2', version, version_type: 'external' })
    expect(firstError(answer.text)).toBe(
      `Validation Failed: 1: illegal version value [${shown}] for version type [EXTERNAL];`,
    )
  })

  it('refuses a sequence number without a primary term, and the other way round', async () => {
    expect(firstError((await bulk({ _id: '2', if_seq_no: 0 })).text)).toBe(
      'Validation Failed: 1: ifSeqNo is set, but primary term is [0];',
    )
    expect(firstError((await bulk({ _id: '2', if_primary_term: 1 })).text)).toBe(
      'Validation Failed: 1: ifSeqNo is unassigned, but primary term is [1];',
    )
  })

  it('has stored nothing of all that', async () => {
    const answer = await node.ask('GET', '/a/_count')
    expect(answer.at('count')).toBe(1)
  })
})

describe('versions elsewhere', () => {
  it.each([
    ['99999999999999999999', 'Failed to parse long parameter [version] with value [99999999999999999999]'],
    ['-5', 'Validation Failed: 1: illegal version value [-5] for version type [EXTERNAL];'],
    [
      '9007199254740992',
      'Validation Failed: 1: illegal version value [9007199254740992] for version type [EXTERNAL];',
    ],
  ])('are refused in the query string: %s', async (version, reason) => {
    for (const method of ['PUT', 'DELETE']) {
      const path = `/a/_doc/3?version_type=external&version=${version}`
      const answer = await node.ask(method, path, method === 'PUT' ? { k: 1 } : undefined)
      expect([answer.status, answer.at('error.reason')]).toEqual([400, reason])
    }
  })

  it('do not go past what the log holds by counting on', async () => {
    const last = 2 ** 53 - 1
    await node.ask('PUT', `/a/_doc/4?version_type=external&version=${last}`, { k: 1 })
    const next = await node.ask('PUT', '/a/_doc/4', { k: 2 })
    expect(next.status).toBe(400)
    expect((await node.ask('GET', '/a/_doc/4')).at('_version')).toBe(last)
  })

  it.each([
    ['_version', 'abc'],
    ['_version', -1],
    ['_version_type', 'force'],
  ])('are refused when a pipeline sets %s to %j', async (field, value) => {
    const wrong = { processors: [{ set: { field, value } }] }
    await node.ask('PUT', '/_ingest/pipeline/odd', wrong)
    const path = '/a/_doc/5?pipeline=odd&version=7&version_type=external'
    expect((await node.ask('PUT', path, { k: 1 })).status).toBe(400)
    expect((await node.ask('GET', '/a/_doc/5')).status).toBe(404)
  })
})

describe('names that are structures', () => {
  it('are missing names for mget', async () => {
    const docs = [
      { _index: { a: 1 }, _id: '1' },
      { _index: 'a', _id: { x: 1 } },
    ]
    const answer = await node.ask('POST', '/_mget', { docs })
    expect([answer.status, answer.at('error.reason')]).toEqual([
      400,
      'Validation Failed: 1: index is missing for doc 0;2: id is missing for doc 1;',
    ])
    const ids = await node.ask('POST', '/a/_mget', { ids: [{ x: 1 }] })
    expect([ids.status, ids.at('error.reason')]).toEqual([400, 'ids array element should only contain ids'])
  })

  it('are refused by reindex and by aliases', async () => {
    const dest = await node.ask('POST', '/_reindex', { source: { index: 'a' }, dest: { index: ['b'] } })
    expect([dest.status, dest.at('error.reason')]).toEqual([
      400,
      "[dest] index doesn't support values of type: START_ARRAY",
    ])
    const alias = await node.ask('PUT', '/a/_alias/z', { routing: { x: 1 } })
    expect([alias.status, alias.at('error.type')]).toEqual([400, 'x_content_parse_exception'])
    const body = {
      source: { index: 'a' },
      dest: { index: 'b' },
      script: { source: "ctx._id = ['x': 1]" },
    }
    expect((await node.ask('POST', '/_reindex', body)).status).toBe(400)
  })
})
