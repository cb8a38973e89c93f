import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { setLevel } from '../../log/logger.ts'
import { type NodeApi, startNodeApi } from '../node/server.ts'
import { freshFetch, testAgent, testSettings } from '../node/testing.ts'
import { nodeOf } from './fleet-routes.ts'

setLevel('logstash.agent', 'OFF')
const open: NodeApi[] = []
const servers: Server[] = []

afterEach(async () => {
  for (const api of open.splice(0)) await api.close()
  for (const server of servers.splice(0)) server.close()
})

async function other(): Promise<{ asked: string[]; port: number }> {
  const asked: string[] = []
  const server = createServer(({ method, url, headers }, response) => {
    asked.push(`${method} ${url} ${headers.authorization ?? ''}`.trim())
    if (url === '/_health_report') response.writeHead(302, { location: 'http://127.0.0.1:1/' })
    response.end(url === '/_node/stats' ? 'no json' : '{"version":"8.19.0"}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  servers.push(server)
  return { asked, port: (server.address() as AddressInfo).port }
}

async function start(fleet: readonly string[]) {
  const settings = testSettings({
    'api.http.port': '29610-29690',
    'log.level': 'fatal',
    'api.ui.fleet': fleet,
  })
  const api = await startNodeApi({ settings, agent: testAgent(), id: 'x' })
  open.push(api)
  return (path: string, init?: RequestInit) => freshFetch(`http://${api.address}${path}`, init)
}

describe('the fleet', () => {
  it('shows addresses without their passwords, and asks with them', async () => {
    const { asked, port } = await other()
    const ask = await start([`http://eye:pass%20word@127.0.0.1:${port}/`])
    expect(await (await ask('/ui/fleet/nodes')).json()).toEqual({
      nodes: [{ n: 0, address: `http://127.0.0.1:${port}` }],
    })
    expect(await (await ask('/ui/fleet/0/root')).json()).toEqual({ version: '8.19.0' })
    expect(asked).toEqual([`GET / Basic ${Buffer.from('eye:pass word').toString('base64')}`])
  })

  it('reads what is on its list and changes nothing', async () => {
    const { asked, port } = await other()
    const ask = await start([`http://127.0.0.1:${port}`])
    for (const path of ['/0/_all', '/0/..%2f_all', '/1/root', '/0/__proto__', '/0/constructor', '/x/root'])
      expect([path, (await ask(`/ui/fleet${path}`)).status]).toEqual([path, 404])
    for (const method of ['POST', 'PUT', 'DELETE'])
      expect((await ask('/ui/fleet/0/root', { method })).status).toBe(404)
    expect(asked).toEqual([])
  })

  it('says why a node is silent: no answer, no JSON, somewhere else', async () => {
    const { port } = await other()
    const ask = await start([`http://127.0.0.1:${port}`, 'http://127.0.0.1:1'])
    for (const path of ['/0/stats', '/0/health', '/1/root']) {
      const answer = await ask(`/ui/fleet${path}`)
      expect([path, answer.status]).toEqual([path, 502])
      expect(((await answer.json()) as { error: { message: string } }).error.message).not.toBe('')
    }
  })

  it.each(['ftp://a', 'file:///etc/passwd', 'nonsense'])('refuses the address %s', (address) => {
    expect(() => nodeOf(address)).toThrow('api.ui.fleet')
  })
})
