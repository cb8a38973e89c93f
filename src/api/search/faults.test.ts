/**
 * Faults of the program, as opposed to refusals of a request: a TypeError thrown anywhere in the engine is answered
 * with 500 and an `exception` body, and logged once with its stack.
 */
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { configureLogging } from '../../log/logger.ts'
import { SumAccumulator } from '../../search/aggs/numbers/sums.ts'
import { PipelineOptions } from '../../search/aggs/pipeline/options.ts'
import { Analysis } from '../../search/analysis/analysis.ts'
import { TokenBuffer } from '../../search/analysis/token-buffer.ts'
import { HitFetcher } from '../../search/collect/fetch/hit-fetcher.ts'
import { FieldKey } from '../../search/collect/sort/field-key.ts'
import { IngestDocument } from '../../search/ingest/ingest-document.ts'
import { DynamicTemplate } from '../../search/mapping/definition/dynamic-template.ts'
import { FieldSetup } from '../../search/mapping/field-setup.ts'
import { DateField } from '../../search/mapping/fields/date-field.ts'
import { GeoPointField } from '../../search/mapping/fields/geo-fields.ts'
import { numberKinds } from '../../search/mapping/values/number-kinds.ts'
import { Options } from '../../search/query/dsl/options.ts'
import { TermQuery } from '../../search/query/exec/terms/term-query.ts'
import { DocFields } from '../../search/script/documents/doc-fields.ts'
import { ExpressionParser } from '../../search/script/expression-parser.ts'
import { SourceFilter } from '../../search/source/source-filter.ts'
import { FieldTerms } from '../../search/suggest/term-statistics.ts'
import { DateFormat } from '../../search/time/date-format.ts'
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
  const properties = {
    tag: { type: 'keyword' },
    text: { type: 'text' },
    size: { type: 'long' },
    day: { type: 'date' },
    place: { type: 'geo_point' },
    odd_day: { type: 'date', ignore_malformed: true },
    odd_size: { type: 'long', ignore_malformed: true },
  }
  const dynamic_templates = [{ all: { match: 'dyn*', mapping: { type: 'keyword' } } }]
  await node.ask('PUT', '/things', { mappings: { properties, dynamic_templates } })
  await node.ask('PUT', '/things/_doc/1?refresh=true', {
    tag: 'red',
    text: 'red fox',
    size: 3,
    day: '2026-01-02',
  })
  const set = { set: { field: 'a', value: 1 } }
  await node.ask('PUT', '/_ingest/pipeline/plain', { processors: [set] })
  await node.ask('PUT', '/_ingest/pipeline/json', { processors: [{ json: { field: 'tag' } }] })
  await node.ask('PUT', '/_ingest/pipeline/ignoring', {
    processors: [{ set: { ...set.set, ignore_failure: true } }],
  })
  await node.ask('PUT', '/_ingest/pipeline/handling', {
    processors: [{ set: { ...set.set, on_failure: [{ drop: {} }] } }],
  })
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

describe('a SyntaxError that is not about the request is a fault, too', () => {
  const unclosed = '('
  it.each([
    ['of a number', () => BigInt('x')],
    ['of JSON', () => JSON.parse('{"a":') as unknown],
    ['of a regular expression', () => new RegExp(unclosed)],
  ])('%s', async (_, mistake) => {
    const before = await countedFaults()
    vi.spyOn(TermQuery.prototype, 'weight').mockImplementation(mistake as () => never)
    const answer = await node.ask('POST', '/things/_search', { query: { term: { tag: 'red' } } })
    expect(answer.status).toBe(500)
    expect(answer.at('error.type')).toBe('exception')
    expect(errors).toHaveLength(1)
    expect(errors[0]).toContain('SyntaxError: ')
    expect(await countedFaults()).toBe(before + 1)
  })

  it('in a processor whose failures are ignored', async () => {
    const before = await countedFaults()
    vi.spyOn(IngestDocument.prototype, 'set').mockImplementation(() => void BigInt('x'))
    const answer = await node.ask('PUT', '/things/_doc/2?pipeline=ignoring', { tag: 'blue' })
    expect(answer.status).toBe(500)
    expect(errors[0]).toContain('SyntaxError: ')
    expect(await countedFaults()).toBe(before + 1)
  })
})

type Request = [method: string, path: string, body: unknown]

describe('a TypeError is a fault wherever it is thrown', () => {
  const script = "doc['tag'].value"
  const document = { tag: 'blue' }
  const search = (body: object): Request => ['POST', '/things/_search', body]
  const places: [string, () => unknown, Request][] = [
    [
      'a date of a field that ignores malformed ones',
      () => vi.spyOn(DateFormat.prototype, 'parse'),
      ['PUT', '/things/_doc/2', { odd_day: 'never' }],
    ],
    [
      'a number of a field that ignores malformed ones',
      () => vi.spyOn(numberKinds.get('long')!, 'fromJson'),
      ['PUT', '/things/_doc/2', { odd_size: 'many' }],
    ],
    [
      'a dynamic template that a new field is compared with',
      () => vi.spyOn(DynamicTemplate.prototype, 'matches'),
      ['PUT', '/things/_doc/2', { dynamic: 1 }],
    ],
    [
      'a mapping that is parsed',
      () => vi.spyOn(FieldSetup.prototype, 'explicit'),
      ['PUT', '/things/_mapping', { properties: { more: { type: 'long' } } }],
    ],
    [
      'the mapping of an index template',
      () => vi.spyOn(FieldSetup.prototype, 'explicit'),
      [
        'PUT',
        '/_index_template/one',
        { index_patterns: ['one-*'], template: { mappings: { properties: { more: { type: 'long' } } } } },
      ],
    ],
    [
      'analyzers of a new index',
      () => vi.spyOn(Analysis.prototype, 'check'),
      ['PUT', '/more', { settings: { analysis: { analyzer: { own: { type: 'standard' } } } } }],
    ],
    ['_analyze', () => vi.spyOn(TokenBuffer.prototype, 'push'), ['POST', '/_analyze', { text: 'a b' }]],
    [
      'a query that is parsed',
      () => vi.spyOn(Options.prototype, 'get'),
      search({ query: { match: { text: { query: 'fox', operator: 'and' } } } }),
    ],
    ['a sort key', () => vi.spyOn(FieldKey.prototype, 'list'), search({ sort: ['size'] })],
    [
      '`search_after`',
      () => vi.spyOn(DateField.prototype, 'lowerBound'),
      search({ sort: ['day'], search_after: ['2026-01-01'] }),
    ],
    ['the fetch phase', () => vi.spyOn(HitFetcher.prototype, 'show'), search({})],
    ['source filtering', () => vi.spyOn(SourceFilter.prototype, 'apply'), search({ _source: ['tag'] })],
    [
      'a highlighter',
      () => vi.spyOn(TokenBuffer.prototype, 'push'),
      search({ query: { term: { text: 'fox' } }, highlight: { fields: { text: {} } } }),
    ],
    [
      'a script that is compiled',
      () => vi.spyOn(ExpressionParser.prototype, 'expression'),
      search({ script_fields: { more: { script } } }),
    ],
    [
      'a script that runs',
      () => vi.spyOn(DocFields.prototype, 'at'),
      search({ script_fields: { more: { script } } }),
    ],
    [
      'a suggester',
      () => vi.spyOn(FieldTerms.prototype, 'docFreq'),
      search({ suggest: { one: { text: 'foxes', term: { field: 'text' } } } }),
    ],
    [
      'a pipeline aggregation',
      () => vi.spyOn(PipelineOptions.prototype, 'bucketsPaths'),
      search({
        aggs: {
          days: {
            date_histogram: { field: 'day', fixed_interval: '1d' },
            aggs: { s: { sum: { field: 'size' } } },
          },
          all: { sum_bucket: { buckets_path: 'days>s' } },
        },
      }),
    ],
    [
      'a processor',
      () => vi.spyOn(IngestDocument.prototype, 'set'),
      ['PUT', '/things/_doc/2?pipeline=plain', document],
    ],
    [
      'a processor whose failures are ignored',
      () => vi.spyOn(IngestDocument.prototype, 'set'),
      ['PUT', '/things/_doc/2?pipeline=ignoring', document],
    ],
    [
      'a processor with `on_failure`',
      () => vi.spyOn(IngestDocument.prototype, 'set'),
      ['PUT', '/things/_doc/2?pipeline=handling', document],
    ],
    [
      'a script of an update',
      () => vi.spyOn(ExpressionParser.prototype, 'expression'),
      ['POST', '/things/_update/1', { script: 'ctx._source.size = 4' }],
    ],
    [
      '_termvectors',
      () => vi.spyOn(TokenBuffer.prototype, 'push'),
      ['POST', '/things/_termvectors/1', { fields: ['text'] }],
    ],
    [
      '_count',
      () => vi.spyOn(Options.prototype, 'get'),
      ['POST', '/things/_count', { query: { match: { text: { query: 'fox', operator: 'and' } } } }],
    ],
    [
      '_explain',
      () => vi.spyOn(TermQuery.prototype, 'weight'),
      ['POST', '/things/_explain/1', { query: { term: { tag: 'red' } } }],
    ],
    [
      '_validate',
      () => vi.spyOn(Options.prototype, 'get'),
      ['POST', '/things/_validate/query', { query: { match: { text: { query: 'fox', operator: 'and' } } } }],
    ],
  ]
  it.each(places)('in %s', async (_, spy, [method, path, body]) => {
    const spied = spy() as { mockImplementation(run: () => never): void }
    spied.mockImplementation(fault)
    await expectFault(() => node.ask(method, path, body))
  })
})

describe('a TypeError in one part of a request', () => {
  it('fails that item of a bulk alone, and is logged and counted', async () => {
    const before = await countedFaults()
    vi.spyOn(GeoPointField.prototype, 'add').mockImplementationOnce(fault)
    const lines = ['{"index":{}}', '{"place":[13.4,52.5]}', '{"index":{}}', '{"tag":"green"}', '']
    const answer = await node.ask('POST', '/things/_bulk', lines.join('\n'))
    expect(answer.status).toBe(200)
    expect(answer.at('items.0.index.status')).toBe(500)
    expect(answer.at('items.0.index.error.type')).toBe('exception')
    expect(answer.at('items.1.index.status')).toBe(201)
    expect(errors.length).toBeGreaterThan(0)
    expect(await countedFaults()).toBeGreaterThan(before)
  })

  it('fails that search of a multi search alone, and is logged and counted', async () => {
    const before = await countedFaults()
    vi.spyOn(FieldKey.prototype, 'list').mockImplementation(fault)
    const lines = ['{"index":"things"}', '{"sort":["size"]}', '{"index":"things"}', '{"size":0}', '']
    const answer = await node.ask('POST', '/_msearch', lines.join('\n'))
    expect(answer.status).toBe(200)
    expect(answer.at('responses.0.status')).toBe(500)
    expect(answer.at('responses.1.status')).toBe(200)
    expect(errors).toHaveLength(1)
    expect(await countedFaults()).toBe(before + 1)
  })
})

describe('a refusal stays a 4xx and is neither logged nor counted', () => {
  const deep = '['.repeat(1100) + ']'.repeat(1100)
  const refusals: [string, string, string, unknown, string][] = [
    ['a mapper', 'PUT', '/things/_doc/2', { size: 'many' }, 'mapper_parsing_exception'],
    ['a query', 'POST', '/things/_search', { query: { nope: {} } }, 'parsing_exception'],
    ['an aggregation', 'POST', '/things/_search', { aggs: { a: { nope: {} } } }, 'parsing_exception'],
    ['a body that is no JSON', 'POST', '/things/_search', '{"query":', 'json_e_o_f_exception'],
    ['a document that is no JSON', 'PUT', '/things/_doc/2', '{"tag":x}', 'mapper_parsing_exception'],
    ['one for a pipeline', 'PUT', '/things/_doc/2?pipeline=plain', '{"tag":x}', 'mapper_parsing_exception'],
    ['an update that is no JSON', 'POST', '/things/_update/1', '{"doc":', 'json_e_o_f_exception'],
    [
      'an update that is nested deeply',
      'POST',
      '/things/_update/1',
      `{"doc":${deep}}`,
      'stream_constraints_exception',
    ],
    [
      'a text for the json processor',
      'PUT',
      '/things/_doc/2?pipeline=json',
      { tag: deep },
      'json_parse_exception',
    ],
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

it('JSON in a bulk that cannot be read is refused in words of the parser, and is no fault', async () => {
  const before = await countedFaults()
  const deep = '['.repeat(1100) + ']'.repeat(1100)
  const update = '{"update":{"_id":"1"}}'
  const index = '{"index":{"pipeline":"plain"}}'
  const pairs = [
    [update, '{"doc":x}'],
    [update, `{"doc":{"tag":${deep}}}`],
    [index, '{"tag":'],
    [index, `{"tag":${deep}}`],
  ]
  const answer = await node.ask('POST', '/things/_bulk', [...pairs.flat(), ''].join('\n'))
  const items = answer.at('items') as Record<string, { status: number; error: Record<string, unknown> }>[]
  const refused = items.map((item) => Object.values(item)[0]!)
  expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400])
  for (const { error } of refused) expect(error['type']).toBe('mapper_parsing_exception')
  expect(refused.map(({ error }) => (error['caused_by'] as { type: string } | undefined)?.type)).toEqual([
    'json_parse_exception',
    'json_parse_exception',
    'json_e_o_f_exception',
    'json_parse_exception',
  ])
  expect(errors).toEqual([])
  expect(await countedFaults()).toBe(before)
})

it.each([1001, 200_000])(
  'a document that is nested %i levels deep is refused, and is no fault',
  async (levels) => {
    const before = await countedFaults()
    const nested = (depth: number) => `{"free":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`
    await node.ask('PUT', '/deep', { mappings: { properties: { free: { type: 'object', enabled: false } } } })
    const lines = ['{"index":{}}', nested(levels), '{"index":{}}', nested(1000), '']
    const answer = await node.ask('POST', '/deep/_bulk', lines.join('\n'))
    expect(answer.at('items.0.index.status')).toBe(400)
    expect(answer.at('items.0.index.error.type')).toBe('mapper_parsing_exception')
    expect(answer.at('items.0.index.error.caused_by.type')).toBe('stream_constraints_exception')
    expect(answer.at('items.1.index.status')).toBe(201)
    expect(errors).toEqual([])
    expect(await countedFaults()).toBe(before)
  },
)

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
