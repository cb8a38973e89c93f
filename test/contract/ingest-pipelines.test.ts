/** Pipelines in front of writes: which run, what they change of the target, and what a dropped document answers. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Endpoint, startEndpoint } from '../../src/endpoint.ts'

let endpoint: Endpoint

async function ask(method: string, path: string, body?: unknown): Promise<{ status: number; json: unknown }> {
  const isText = typeof body === 'string'
  const response = await fetch(endpoint.url + path, {
    method,
    ...(body !== undefined && {
      headers: { 'content-type': isText ? 'application/x-ndjson' : 'application/json' },
      body: isText ? body : JSON.stringify(body),
    }),
  })
  return { status: response.status, json: await response.json() }
}

const pipeline = (id: string, ...processors: unknown[]) =>
  ask('PUT', `/_ingest/pipeline/${id}`, { processors })

beforeAll(async () => {
  endpoint = await startEndpoint({ flavor: 'opensearch', strict: true })
  await pipeline('one', { set: { field: 'one', value: '{{_ingest.pipeline}}' } })
  await pipeline(
    'two',
    { set: { field: 'two', value: 2 } },
    { set: { field: '_index', value: 'other', if: 'ctx.move == true' } },
  )
  await pipeline(
    'move',
    { set: { field: '_index', value: 'other' } },
    { set: { field: '_id', value: 'moved' } },
    { set: { field: '_routing', value: 'r' } },
  )
  await pipeline('drop', { drop: {} })
  await pipeline('fail', { fail: { message: 'bad' } })
  await pipeline('cycle1', { pipeline: { name: 'cycle2' } })
  await pipeline('cycle2', { pipeline: { name: 'cycle1' } })
  await ask('PUT', '/target', { settings: { default_pipeline: 'one', final_pipeline: 'two' } })
  await ask('PUT', '/other', { settings: { final_pipeline: 'one' } })
  await ask('PUT', '/_index_template/t', {
    index_patterns: ['new*'],
    template: { settings: { default_pipeline: 'one' } },
  })
})
afterAll(() => endpoint.stop())

describe('a write', () => {
  it('goes through the default and the final pipeline of its index', async () => {
    await ask('PUT', '/target/_doc/1', { a: 1 })
    expect((await ask('GET', '/target/_source/1')).json).toEqual({ a: 1, one: 'one', two: 2 })
  })

  it('skips the default pipeline, not the final one, with `_none`', async () => {
    await ask('PUT', '/target/_doc/2?pipeline=_none', { a: 1 })
    expect((await ask('GET', '/target/_source/2')).json).toEqual({ a: 1, two: 2 })
  })

  it('is refused, and is no fault, where a processor would make too long a text', async () => {
    await pipeline('long', { gsub: { field: 'text', pattern: 'y', replacement: 'z'.repeat(100_000) } })
    const answer = await ask('PUT', '/target/_doc/3?pipeline=long', { text: 'y'.repeat(1000) })
    expect(answer).toMatchObject({ status: 400, json: { error: { type: 'illegal_argument_exception' } } })
  })

  it('may change its index, id and routing; the new index has the last word', async () => {
    const moved = await ask('PUT', '/target/_doc/3?pipeline=move', { b: 1 })
    expect(moved.json).toMatchObject({ _index: 'other', _id: 'moved', result: 'created' })
    const found = await ask('GET', '/other/_doc/moved?routing=r')
    expect(found.json).toMatchObject({ _routing: 'r', _source: { b: 1, one: 'one' } })
  })

  it('may not change its index in the final pipeline', async () => {
    const { status, json } = await ask('PUT', '/target/_doc/4', { move: true })
    expect(status).toBe(500)
    expect(json).toMatchObject({
      error: {
        type: 'illegal_state_exception',
        reason: "FINAL pipeline [two] can't change the target index",
      },
    })
  })

  it('uses the pipeline of the template of an index that does not exist yet', async () => {
    await ask('PUT', '/new1/_doc/1', { a: 1 })
    expect((await ask('GET', '/new1/_source/1')).json).toEqual({ a: 1, one: 'one' })
  })

  it('that is dropped or fails creates no index', async () => {
    const dropped = await ask('PUT', '/none/_doc/1?pipeline=drop', { a: 1 })
    const shards = { total: 0, successful: 0, failed: 0 }
    expect(dropped).toEqual({
      status: 200,
      json: { _index: 'none', _id: '1', _version: -3, result: 'noop', _shards: shards },
    })
    const failed = await ask('PUT', '/none/_doc/1?pipeline=fail', { a: 1 })
    expect(failed.json).toEqual({
      error: {
        root_cause: [{ type: 'fail_processor_exception', reason: 'bad' }],
        type: 'fail_processor_exception',
        reason: 'bad',
      },
      status: 500,
    })
    expect((await ask('GET', '/none')).status).toBe(404)
  })

  it('fails alone in a bulk', async () => {
    const lines = '{"index":{"_index":"bulk1","_id":"1"}}\n{"a":1}\n'
    const all = `${lines}{"index":{"_index":"bulk1","_id":"2","pipeline":"fail"}}\n{"a":1}\n{"create":{"_index":"bulk1","_id":"3","pipeline":"drop"}}\n{"a":1}\n`
    const { json } = await ask('POST', '/_bulk', all)
    expect(json).toMatchObject({
      errors: true,
      items: [
        { index: { status: 201 } },
        { index: { status: 500, error: { type: 'fail_processor_exception', reason: 'bad' } } },
        { create: { _id: '3', _version: -4, result: 'noop', status: 200 } },
      ],
    })
  })

  it('of an update that creates goes through the pipelines', async () => {
    await ask('POST', '/target/_update/9', { doc: { u: 1 }, doc_as_upsert: true })
    expect((await ask('GET', '/target/_source/9')).json).toEqual({ u: 1, one: 'one', two: 2 })
    await ask('POST', '/target/_update/10', { doc: { u: 1 }, upsert: { x: 1 } })
    expect((await ask('GET', '/target/_source/10')).json).toEqual({ x: 1, one: 'one', two: 2 })
  })

  it('keeps names of prototypes as data', async () => {
    await pipeline(
      'odd',
      { set: { field: '__proto__', value: { polluted: 1 } } },
      { set: { field: 'constructor', value: 1 } },
    )
    await ask('PUT', '/odd/_doc/1?pipeline=odd', { a: 1 })
    const response = await fetch(`${endpoint.url}/odd/_source/1`)
    expect(await response.text()).toBe('{"a":1,"__proto__":{"polluted":1},"constructor":1}')
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })
})

describe('pipelines that call each other', () => {
  it('end with an error', async () => {
    const { json } = await ask('PUT', '/target/_doc/5?pipeline=cycle1', { a: 1 })
    expect(json).toMatchObject({ error: { reason: 'Cycle detected for pipeline: cycle1' } })
    const verbose = await ask('POST', '/_ingest/pipeline/cycle1/_simulate?verbose', {
      docs: [{ _source: {} }],
    })
    expect(verbose.json).toMatchObject({
      docs: [
        {
          processor_results: [
            {
              processor_type: 'pipeline',
              status: 'error',
              error: { reason: 'Cycle detected for pipeline: cycle2' },
            },
          ],
        },
      ],
    })
  })
})
