/**
 * The OpenAPI document against the real program: every JSON body it describes is asked for and held against its
 * schema. The document is the one the program itself hands out.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { patientSignal } from '../../src/plugin/testing/patience.ts'
import { violations } from '../support/json-schema.ts'
import { type Json, Millrace } from '../support/millrace.ts'

interface Document {
  paths: Record<string, Record<string, { responses: Record<string, { content?: Content }> }>>
}
type Content = Record<string, { schema: Json }>

let millrace: Millrace
let document: Document

beforeAll(async () => {
  millrace = await Millrace.start({
    api: true,
    config: `input { generator { count => 100 } heartbeat { interval => 3600 } }
      filter { if [message] == "Hello world!" { mutate { add_tag => ["x"] } } } output { null { } }`,
  })
  await millrace.untilStarted()
  document = (await millrace.api('/_node/openapi')) as unknown as Document
})

afterAll(() => millrace.dispose())

const examples: Readonly<Record<string, readonly string[]>> = {
  '/_node/{parts}': ['/_node/os', '/_node/jvm,os,nothing', '/_node/pipelines,jvm'],
  '/_node/pipelines': ['/_node/pipelines', '/_node/pipelines?graph=true&vertices=true'],
  '/_node/pipelines/{id}': ['/_node/pipelines/main', '/_node/pipelines/main?graph=true'],
  '/_node/pipelines/{id}/_plugins': ['/_node/pipelines/main/_plugins'],
  '/_node/pipelines/{id}/_dead_letters': ['/_node/pipelines/main/_dead_letters'],
  '/_node/pipelines/{id}/_reloads': ['/_node/pipelines/main/_reloads'],
  '/_node/pipelines/{id}/_source': [],
  '/_node/pipelines/{id}/_queue': ['/_node/pipelines/main/_queue'],
  '/_node/plugins/{type}/{name}': ['/_node/plugins/input/file', '/_node/plugins/codec/json_lines'],
  // Nothing is traced here.
  '/_node/traces/{key}': [],
  '/_node/stats': ['/_node/stats', '/_node/stats?vertices=true&human=true'],
  '/_node/stats/{parts}': [
    '/_node/stats/jvm',
    '/_node/stats/process,events',
    '/_node/stats/flow,pipelines,reloads,os,queue',
  ],
  '/_node/stats/pipelines/{id}': ['/_node/stats/pipelines/main'],
  '/_node/hot_threads': ['/_node/hot_threads?interval=50ms'],
  '/_node/stats/hot_threads': ['/_node/stats/hot_threads?interval=50ms'],
  '/_stats/jvm/hot_threads': ['/_stats/jvm/hot_threads?interval=50ms'],
  '/_stats/{parts}': ['/_stats/jvm'],
}

function schemaOf(path: string, method: string, status: string): Json {
  return document.paths[path]![method]!.responses[status]!.content!['application/json']!.schema
}

async function ask(path: string, init: RequestInit = {}): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`http://127.0.0.1:${millrace.apiPort}${path}`, {
    ...init,
    signal: patientSignal(10_000),
  })
  return { status: response.status, body: await response.json() }
}

describe('bodies', () => {
  it('are as described', async () => {
    const wrong: string[] = []
    for (const [path, methods] of Object.entries(document.paths)) {
      if (methods['get']?.responses['200']?.content?.['application/json'] === undefined) continue
      for (const example of examples[path] ?? [path]) {
        const { status, body } = await ask(example)
        expect([example, status]).toEqual([example, 200])
        wrong.push(...violations(schemaOf(path, 'get', '200'), body, example, document))
      }
    }
    expect(wrong).toEqual([])
  })

  it('of the shape of 5.0 are as described', async () => {
    const schema = { $ref: '#/components/schemas/OldStats' }
    for (const path of ['/_node/stats/pipeline', '/_node/stats/pipeline,jvm?id=main'])
      expect(violations(schema, (await ask(path)).body, path, document)).toEqual([])
  })

  it('of changes are as described', async () => {
    const put = { method: 'PUT', body: '{"logger.logstash.agent":"DEBUG"}' }
    for (const [path, method, target, init] of [
      ['/_node/logging', 'put', '/_node/logging', put],
      ['/_node/logging/reset', 'put', '/_node/logging/reset', { method: 'PUT' }],
      ['/_node/pipelines/{id}/_reload', 'post', '/_node/pipelines/main/_reload', { method: 'POST' }],
    ] as const) {
      const { status, body } = await ask(target, init)
      expect([target, status]).toEqual([target, 200])
      expect(violations(schemaOf(path, method, '200'), body, target, document)).toEqual([])
    }
  })

  it('of problems are as described', async () => {
    for (const [path, target, expected] of [
      ['/', '/?wait_for_status=pink&timeout=1s', 400],
      ['/_node/pipelines/{id}', '/_node/pipelines/nope', 404],
      ['/_node/stats/{parts}', '/_node/stats/nothing', 404],
      ['/_node/stats/stream', '/_node/stats/stream?interval=1d', 400],
      ['/_node/stats/stream', '/_node/stats/stream?metrics=nothing', 404],
    ] as const) {
      const { status, body } = await ask(target)
      expect([target, status]).toEqual([target, expected])
      expect(violations(schemaOf(path, 'get', String(expected)), body, target, document)).toEqual([])
    }
  })

  it('that are wrong would be noticed', () => {
    const schema = schemaOf('/_node/stats', 'get', '200')
    const found = violations(schema, { host: 1, jvm: { threads: { count: 1.5 } } }, 'x', document)
    expect(found).toContain('x.host is no string: 1')
    expect(found).toContain('x.jvm.threads.count is no integer: 1.5')
    expect(found).toContain('x.jvm.threads.peak_count is missing')
    expect(found).toContain('x.pipelines is missing')
  })
})
