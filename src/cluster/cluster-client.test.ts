import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterEach, describe, expect, it } from 'vitest'
import { testCertificate, testKey } from '../plugins/tls/test-certificate.ts'
import { ClusterClient, type ClusterClientOptions } from './cluster-client.ts'
import { AnswerTooLarge, ClusterUnreachable } from './cluster-error.ts'
import { apiKeyAuthorization, basicAuthorization, parseHost } from './cluster-host.ts'

const closing: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function started(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(async () => {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  })
  return (server.address() as AddressInfo).port
}

function host(listener: RequestListener): Promise<number> {
  return started(createServer(listener))
}

/** A port nobody listens at. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((closed) => server.close(closed))
  return port
}

function client(hosts: readonly (number | string)[], options: Partial<ClusterClientOptions> = {}) {
  const made = new ClusterClient({
    hosts: hosts.map((one) => parseHost(typeof one === 'number' ? `127.0.0.1:${one}` : one)),
    connectMillis: 2_000,
    requestMillis: 2_000,
    retries: 3,
    ...options,
  })
  closing.push(() => made.close())
  return made
}

const limit = 1024 * 1024

async function textOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

describe('the hosts of a cluster', () => {
  it('are asked round-robin, over connections that stay open', async () => {
    const seen: string[] = []
    const sockets = new Set()
    const answering = (name: string) =>
      host((message, response) => {
        seen.push(name)
        sockets.add(message.socket)
        response.end('{}')
      })
    const cluster = client([await answering('a'), await answering('b')])
    for (let turn = 0; turn < 6; turn++) await cluster.ask({ method: 'GET', path: '/' }, limit)
    expect(seen).toEqual(['a', 'b', 'a', 'b', 'a', 'b'])
    expect(sockets.size).toBe(2)
  })

  it('are left out for a while after they refused a connection', async () => {
    let count = 0
    const works = await host((_, response) => {
      count++
      response.end('{}')
    })
    const cluster = client([await freePort(), works])
    for (let turn = 0; turn < 4; turn++) {
      const body = Buffer.from('{}')
      const { status } = await cluster.ask({ method: 'POST', path: '/a/_doc', body }, limit)
      expect(status).toBe(200)
    }
    expect(count).toBe(4)
    expect(cluster.hosts.map(({ isAlive }) => isAlive)).toEqual([false, true])
    expect(cluster.hosts[0]!.lastError).toMatch(/ECONNREFUSED/)
  })

  it('that failed are asked again once they answer a probe', async () => {
    const port = await freePort()
    const works = await host((_, response) => response.end('{"from":"works"}'))
    const cluster = client([port, works])
    const ask = async () => String((await cluster.ask({ method: 'GET', path: '/' }, limit)).body)
    expect(await ask()).toBe('{"from":"works"}')
    const probes: string[] = []
    const back = createServer((message, response) => {
      probes.push(message.method!)
      response.end('{"from":"back"}')
    }).listen(port, '127.0.0.1')
    closing.push(async () => {
      back.closeAllConnections()
      await new Promise((closed) => back.close(closed))
    })
    const seen = new Set<string>()
    for (const end = Date.now() + 10_000; Date.now() < end && seen.size < 2; ) {
      seen.add(await ask())
      await new Promise((next) => setTimeout(next, 50))
    }
    expect([...seen].sort()).toEqual(['{"from":"back"}', '{"from":"works"}'])
    expect(probes[0]).toBe('HEAD')
  })

  it('that all refuse make one readable error in the envelope of Elasticsearch', async () => {
    const ports = [await freePort(), await freePort()]
    const error = await client(ports)
      .ask({ method: 'POST', path: '/_bulk' }, limit)
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ClusterUnreachable)
    const { body, mayHaveArrived } = error as ClusterUnreachable
    expect(mayHaveArrived).toBe(false)
    expect(body.status).toBe(503)
    expect(body.error.type).toBe('no_node_available_exception')
    expect(body.error.root_cause[0]?.reason).toMatch(
      new RegExp(`^None of the configured nodes are available: .*:${ports[0]} .*:${ports[1]} `),
    )
  })

  it('are learned from the cluster itself, without those that only elect', async () => {
    const data = await host((_, response) => response.end('{"from":"data"}'))
    const seed = await host((message, response) => {
      const nodes = {
        a: { roles: ['data', 'ingest'], http: { publish_address: `localhost/127.0.0.1:${data}` } },
        b: { roles: ['cluster_manager'], http: { publish_address: '127.0.0.1:1' } },
      }
      response.end(message.url === '/_nodes/http' ? JSON.stringify({ nodes }) : '{"from":"seed"}')
    })
    const cluster = client([seed], { sniffMillis: 60_000 })
    await cluster.sniff()
    expect(cluster.hosts.map(({ url }) => url)).toEqual([`http://localhost:${data}`])
    const { body } = await cluster.ask({ method: 'GET', path: '/' }, limit)
    expect(String(body)).toBe('{"from":"data"}')
  })

  it('the settings name are asked again when all that were learned are gone', async () => {
    const gone = await freePort()
    let isMoved = false
    const seed = await host((_, response) => {
      const address = isMoved ? seedAddress : `127.0.0.1:${gone}`
      response.end(JSON.stringify({ nodes: { a: { http: { publish_address: address } } } }))
    })
    const seedAddress = `127.0.0.1:${seed}`
    const cluster = client([seed], { sniffMillis: 60_000 })
    await cluster.sniff()
    expect(cluster.hosts.map(({ url }) => url)).toEqual([`http://127.0.0.1:${gone}`])
    isMoved = true
    await cluster.sniff()
    expect(cluster.hosts.map(({ url }) => url)).toEqual([`http://${seedAddress}`])
  })
})

describe('a request', () => {
  /** Answers with the statuses in turn. */
  function statuses(...list: number[]) {
    let count = 0
    return {
      listener: ((_, response) => {
        response.statusCode = list[Math.min(count++, list.length - 1)]!
        response.end('{}')
      }) satisfies RequestListener,
      get count() {
        return count
      },
    }
  }

  it.each([429, 502, 503])('that only reads is sent again after a %i', async (status) => {
    const busy = statuses(status, status, 200)
    const answer = await client([await host(busy.listener)]).ask({ method: 'GET', path: '/' }, limit)
    expect(answer.status).toBe(200)
    expect(busy.count).toBe(3)
  })

  it('that is refused to the end gets the answer of the cluster', async () => {
    const busy = statuses(503)
    const port = await host(busy.listener)
    const answer = await client([port], { retries: 2 }).ask({ method: 'GET', path: '/' }, limit)
    expect(answer.status).toBe(503)
    expect(busy.count).toBe(3)
  })

  it.each([
    ['that changes something is sent once', undefined, 1, 503],
    ['whose sender says it may be repeated is sent again', true, 2, 200],
  ] as const)('%s', async (_, isRepeatable, count, status) => {
    const busy = statuses(503, 200)
    const answer = await client([await host(busy.listener)]).ask(
      {
        method: 'POST',
        path: '/a/_search',
        body: Buffer.from('{}'),
        ...(isRepeatable !== undefined && { isRepeatable }),
      },
      limit,
    )
    expect([busy.count, answer.status]).toEqual([count, status])
  })

  it('that changes something is not sent again after the connection broke', async () => {
    let count = 0
    const port = await host((message) => {
      count++
      message.socket.destroy()
    })
    const error = await client([port, port])
      .ask({ method: 'POST', path: '/_bulk', body: Buffer.from('{}\n') }, limit)
      .catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ mayHaveArrived: true, status: 503 })
    expect(count).toBe(1)
  })

  it('streams its body and its answer', async () => {
    const port = await host((message, response) => void message.pipe(response))
    const pieces = Array.from({ length: 200 }, (_, number) => Buffer.alloc(10_000, number % 251))
    const { body } = await client([port]).request({
      method: 'POST',
      path: '/_bulk',
      body: Readable.from(pieces),
    })
    const answer: Buffer[] = []
    for await (const chunk of body) answer.push(chunk as Buffer)
    expect(Buffer.concat(answer).equals(Buffer.concat(pieces))).toBe(true)
  })

  it('sends a streamed body to the next host when the first one refuses the connection', async () => {
    let seen = ''
    const port = await host((message, response) => {
      void textOf(message).then((text) => {
        seen = text
        response.end('{}')
      })
    })
    const cluster = client([await freePort(), port])
    await cluster.ask({ method: 'POST', path: '/_bulk', body: Readable.from(['one\n', 'two\n']) }, limit)
    expect(seen).toBe('one\ntwo\n')
  })

  it('whose body breaks off says nothing about the host', async () => {
    const port = await host((message) => message.resume())
    const cluster = client([port])
    const body = new Readable({ read() {} })
    body.push('one\n')
    setTimeout(() => body.destroy(new Error('the sender is gone')), 50)
    await expect(cluster.ask({ method: 'POST', path: '/_bulk', body }, limit)).rejects.toThrow(
      'the sender is gone',
    )
    expect(cluster.hosts[0]!.isAlive).toBe(true)
  })

  it('carries the credentials of the settings, or those of the address', async () => {
    const seen: (string | undefined)[] = []
    const port = await host(({ headers }, response) => {
      seen.push(headers.authorization)
      response.end('{}')
    })
    const authorization = apiKeyAuthorization('id:secret')
    const ask = (address: string) =>
      client([address], { authorization }).ask({ method: 'GET', path: '/' }, limit)
    await ask(`http://127.0.0.1:${port}`)
    await ask(`http://kim:p%40ss@127.0.0.1:${port}/`)
    expect(seen).toEqual(['ApiKey aWQ6c2VjcmV0', basicAuthorization('kim', 'p@ss')])
  })

  it('ends with its signal, also while the answer is read', async () => {
    const port = await host((_, response) => {
      response.write('{')
    })
    const leaving = new AbortController()
    const asked = client([port]).ask({ method: 'GET', path: '/', signal: leaving.signal }, limit)
    setTimeout(() => leaving.abort(new Error('gone')), 50)
    await expect(asked).rejects.toThrow('gone')
  })

  it('ends when no answer comes in time', async () => {
    const port = await host(() => {})
    const asked = client([port], { retries: 0, requestMillis: 100 }).ask({ method: 'GET', path: '/' }, limit)
    await expect(asked).rejects.toMatchObject({ status: 503, message: /no answer within 100 ms/ })
  })

  it('gives up an answer that is too large', async () => {
    const port = await host((_, response) => response.end('x'.repeat(1000)))
    await expect(client([port]).ask({ method: 'GET', path: '/' }, 999)).rejects.toBeInstanceOf(AnswerTooLarge)
  })

  it('trusts the authority of the settings and no other', async () => {
    const server = createSecureServer({ cert: testCertificate, key: testKey }, (_, response) => {
      response.end('{"tls":true}')
    })
    const address = `https://localhost:${await started(server)}`
    const ask = (tls: ClusterClientOptions['tls']) =>
      client([address], { tls, retries: 0 }).ask({ method: 'GET', path: '/' }, limit)
    expect(String((await ask({ ca: testCertificate })).body)).toBe('{"tls":true}')
    expect(String((await ask({ rejectUnauthorized: false })).body)).toBe('{"tls":true}')
    await expect(ask(undefined)).rejects.toMatchObject({ mayHaveArrived: false, message: /self-signed/ })
  })
})
