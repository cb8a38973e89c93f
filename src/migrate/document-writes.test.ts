import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ClusterClient } from '../cluster/cluster-client.ts'
import { parseHost } from '../cluster/cluster-host.ts'
import { writeDocuments } from './document-writes.ts'
import type { StoredDocument } from './raw-hits.ts'
import { SearchStore } from './search-store.ts'

let server: Server
let client: ClusterClient
let bodies: string[]
let answers: [status: number, body: unknown][]

beforeEach(async () => {
  bodies = []
  answers = []
  server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (piece: string) => {
      body += piece
    })
    request.on('end', () => {
      bodies.push(body)
      const [status, answer] = answers.shift() ?? [200, allWritten(body)]
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()))
  const hosts = [parseHost(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)]
  client = new ClusterClient({ hosts, connectMillis: 5000, requestMillis: 5000, retries: 0 })
})

afterEach(async () => {
  await client.close()
  await new Promise((done) => server.close(done))
})

const store = (maxRetryMillis = 10_000) => new SearchStore({ client, url: 'target', maxRetryMillis })

const document = (id: string, source = '{"n":1}'): StoredDocument => ({
  index: 'a',
  id,
  routing: id === 'routed' ? 'r' : undefined,
  version: 3,
  seqNo: 0,
  source,
})

function allWritten(body: string): unknown {
  return { items: Array.from({ length: body.split('\n').length >> 1 }, () => ({ index: { status: 201 } })) }
}

const item = (status: number, reason?: string) => ({
  index: { _index: 'a', _id: 'x', status, ...(reason !== undefined && { error: { reason } }) },
})

describe('writes', () => {
  it('name version and routing, and have each source on a line', async () => {
    await writeDocuments(store(), 'a', false, [document('routed'), document('x', '{\n "n":\r\n1 }')])
    expect(bodies).toEqual([
      '{"index":{"_index":"a","_id":"routed","routing":"r","version":3,"version_type":"external_gte"}}\n{"n":1}\n' +
        '{"index":{"_index":"a","_id":"x","version":3,"version_type":"external_gte"}}\n{  "n": 1 }\n',
    ])
  })

  it('into a data stream are creations', async () => {
    await writeDocuments(store(), 's', true, [document('x')])
    expect(bodies).toEqual(['{"create":{"_index":"s","_id":"x"}}\n{"n":1}\n'])
  })

  it('are repeated while the target is busy: the whole request, or the items that were refused', async () => {
    answers.push([429, {}], [503, {}], [200, { items: [item(201), item(429, 'queue is full')] }])
    const { written, failures } = await writeDocuments(store(), 'a', false, [document('x'), document('y')])
    expect({ written, failures }).toEqual({ written: 2, failures: [] })
    expect(bodies.length).toBe(4)
    expect(bodies[3]).toContain('"y"')
    expect(bodies[3]).not.toContain('"x"')
  })

  it('end with the answer when the patience is over', async () => {
    answers.push([503, { error: { reason: 'away' } }])
    await expect(writeDocuments(store(0), 'a', false, [document('x')])).rejects.toThrow('503')
  })

  it('tell conflicts from failures', async () => {
    answers.push([200, { items: [item(409, 'newer'), item(400, 'no number')] }])
    const { written, conflicts, failures } = await writeDocuments(store(), 'a', false, [
      document('x'),
      document('y'),
    ])
    expect(written).toBe(0)
    expect(conflicts.map(({ id }) => id)).toEqual(['x'])
    expect(failures).toEqual([{ index: 'a', id: 'x', reason: '400 no number' }])
  })

  it('of a document that the target does not take for its size fail alone', async () => {
    answers.push([413, {}])
    const { failures } = await writeDocuments(store(), 'a', false, [document('x')])
    expect(failures).toEqual([
      { index: 'target', id: 'x', reason: '413 the document is too large for the target' },
    ])
  })

  it('are cut into requests of bounded size', async () => {
    const large = `{"text":"${'x'.repeat(5_000_000)}"}`
    await writeDocuments(store(), 'a', false, [document('1', large), document('2', large), document('3')])
    expect(bodies.length).toBe(2)
    bodies.length = 0
    const many = Array.from({ length: 2500 }, (_, n) => document(`${n}`))
    expect((await writeDocuments(store(), 'a', false, many)).written).toBe(2500)
    expect(bodies.length).toBe(3)
  })
})
