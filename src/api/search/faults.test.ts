/**
 * Faults of the program, as opposed to refusals of a request: a TypeError thrown in a mapper, a query or an
 * aggregation is answered with 500 and an `exception` body, and logged once with its stack.
 */
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { configureLogging } from '../../log/logger.ts'
import { SumAccumulator } from '../../search/aggs/numbers/sums.ts'
import { GeoPointField } from '../../search/mapping/fields/geo-fields.ts'
import { TermQuery } from '../../search/query/exec/terms/term-query.ts'
import { startTestNode, type TestAnswer, type TestNode } from './testing.ts'

const message = 'x is not a function'
const fault = () => {
  throw new TypeError(message)
}

let node: TestNode
let errors: string[] = []

beforeAll(async () => {
  configureLogging({
    level: 'info',
    format: 'plain',
    writeConsole: (line) => {
      if (line.includes('ERROR')) errors.push(line)
    },
  })
  node = await startTestNode()
  const properties = { tag: { type: 'keyword' }, size: { type: 'long' }, place: { type: 'geo_point' } }
  await node.ask('PUT', '/things', { mappings: { properties } })
  await node.ask('PUT', '/things/_doc/1?refresh=true', { tag: 'red', size: 3 })
})

afterEach(() => {
  vi.restoreAllMocks()
  errors = []
})

afterAll(async () => {
  await node.close()
  configureLogging({ level: 'info', format: 'plain', writeConsole: null })
})

async function countedFaults(): Promise<number> {
  const stats = await node.ask('GET', '/_nodes/stats')
  const [first] = Object.values(stats.at('nodes') as Record<string, { ext: { faults: number } }>)
  return first!.ext.faults
}

async function expectFault(request: () => Promise<TestAnswer>): Promise<void> {
  const before = await countedFaults()
  const answer = await request()
  expect(answer.status).toBe(500)
  expect(answer.at('status')).toBe(500)
  expect(answer.at('error.type')).toBe('exception')
  expect(answer.at('error.reason')).toBe(message)
  expect(answer.at('error.root_cause')).toEqual([{ type: 'exception', reason: message }])
  expect(errors).toHaveLength(1)
  expect(errors[0]).toContain(`TypeError: ${message}`)
  expect(errors[0]).toContain('faults.test.ts')
  expect(await countedFaults()).toBe(before + 1)
}

describe('a TypeError is answered with 500, logged once with its stack and counted', () => {
  it('when a mapper throws it', async () => {
    vi.spyOn(GeoPointField.prototype, 'add').mockImplementation(fault)
    await expectFault(() => node.ask('PUT', '/things/_doc/2', { place: [13.4, 52.5] }))
  })

  it('when a query throws it', async () => {
    vi.spyOn(TermQuery.prototype, 'weight').mockImplementation(fault)
    const query = { query: { bool: { must: [{ term: { tag: 'red' } }] } } }
    await expectFault(() => node.ask('POST', '/things/_search', query))
  })

  it('when an aggregation throws it', async () => {
    vi.spyOn(SumAccumulator.prototype, 'add').mockImplementation(fault)
    const aggs = { total: { sum: { field: 'size' } } }
    await expectFault(() => node.ask('POST', '/things/_search', { size: 0, aggs }))
  })
})

describe('a refusal stays a 4xx and is neither logged nor counted', () => {
  const refusals: [string, string, string, unknown, string][] = [
    ['a mapper', 'PUT', '/things/_doc/2', { size: 'many' }, 'mapper_parsing_exception'],
    ['a query', 'POST', '/things/_search', { query: { nope: {} } }, 'parsing_exception'],
    ['an aggregation', 'POST', '/things/_search', { aggs: { a: { nope: {} } } }, 'parsing_exception'],
  ]
  it.each(refusals)('of %s', async (_, method, path, body, type) => {
    const before = await countedFaults()
    const answer = await node.ask(method, path, body)
    expect(answer.status).toBe(400)
    expect(answer.at('status')).toBe(400)
    expect(answer.at('error.type')).toBe(type)
    expect(errors).toEqual([])
    expect(await countedFaults()).toBe(before)
  })
})

it('a client that goes away in the middle of its body is no fault', async () => {
  const before = await countedFaults()
  const socket = connect(Number(new URL(node.url).port), '127.0.0.1')
  const head =
    'POST /_bulk HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n'
  socket.write(`${head}{"index":{"_index":"things"}}\n`)
  await wait(100)
  socket.destroy()
  await wait(300)
  expect(errors).toEqual([])
  expect(await countedFaults()).toBe(before)
})
