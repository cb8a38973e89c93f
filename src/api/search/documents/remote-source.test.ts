/** `_reindex` from a remote that is no cluster, or answers what no cluster would. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestNode, type TestNode } from '../testing.ts'

let node: TestNode
let remote: Server
let answers: string[] = []

beforeAll(async () => {
  node = await startTestNode()
  remote = createServer((request, response) => {
    request.resume()
    response.end(request.method === 'DELETE' ? '{}' : answers.shift())
  })
  await new Promise<void>((listening) => remote.listen(0, '127.0.0.1', listening))
})

afterAll(async () => {
  await node.close()
  remote.closeAllConnections()
  await new Promise((closed) => remote.close(closed))
})

async function reindex(...given: string[]) {
  answers = given
  const { port } = remote.address() as AddressInfo
  const source = { remote: { host: `http://127.0.0.1:${port}` }, index: 'logs' }
  return node.ask('POST', '/_reindex', { source, dest: { index: 'copy' } })
}

async function countedFaults(): Promise<number> {
  const stats = await node.ask('GET', '/_nodes/stats')
  const [first] = Object.values(stats.at('nodes') as Record<string, { ext: { faults: number } }>)
  return first!.ext.faults
}

const page = '{"_scroll_id":"s","hits":{"total":1,"hits":[{"_index":"logs","_id":"1","_source":{"n":1.0}}]}}'

describe('a remote that answers 200', () => {
  it.each([
    ['with HTML', '<html>Welcome</html>'],
    ['with half of an object', page.slice(0, -20)],
    ['with two values', `${page}{}`],
    ['with a list', '[1]'],
    ['with objects that are nested too deeply', `{"a":${'['.repeat(1100)}${']'.repeat(1100)}}`],
  ])('%s is a bad gateway', async (_, text) => {
    const before = await countedFaults()
    const answer = await reindex(text)
    expect(answer.status).toBe(502)
    expect(answer.at('error.type')).toBe('parse_exception')
    expect(answer.at('error.reason')).toBe('the answer of the remote cluster is no JSON object')
    expect(await countedFaults()).toBe(before)
  })

  it('as a cluster does is copied', async () => {
    const answer = await reindex(page, '{"_scroll_id":"s","hits":{"hits":[]}}')
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({ total: 1, created: 1, failures: [] })
  })

  it('with no JSON as the second page is one, too', async () => {
    const answer = await reindex(page, 'so long')
    expect(answer.status).toBe(502)
    expect(answer.at('error.type')).toBe('parse_exception')
  })
})
