import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { ClusterClient } from './cluster-client.ts'
import { parseHost } from './cluster-host.ts'
import { type ClusterStatus, ClusterWatch } from './cluster-watch.ts'

it('tells how a cluster is, and when that changes', async () => {
  const server = createServer((_, response) =>
    response.end('{"cluster_name":"logs","status":"yellow","number_of_nodes":3}'),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = new ClusterClient({
    hosts: [parseHost(`127.0.0.1:${port}`)],
    connectMillis: 1_000,
    requestMillis: 1_000,
    retries: 0,
  })
  const told: ClusterStatus[] = []
  let heard = () => {}
  const watch = () =>
    new ClusterWatch(client, (status) => {
      told.push(status)
      heard()
    })
  const next = () => new Promise<void>((resolve) => (heard = resolve))
  const first = next()
  const one = watch()
  await first
  expect(told[0]).toMatchObject({
    isReachable: true,
    name: 'logs',
    health: 'yellow',
    nodes: 3,
    failedHosts: [],
  })
  one.close()
  server.closeAllConnections()
  await new Promise((closed) => server.close(closed))
  const second = next()
  const other = watch()
  await second
  expect(told[1]).toMatchObject({ isReachable: false, health: undefined, reason: /ECONN/ })
  expect(told[1]!.failedHosts).toEqual([`http://127.0.0.1:${port}`])
  other.close()
  await client.close()
})
