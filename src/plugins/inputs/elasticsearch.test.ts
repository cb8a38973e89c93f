import { once } from 'node:events'
import { mkdtemp, readFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { type AddressInfo, createServer as createNetServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { inputFor, type TestOptions, type TestSettings } from '../../plugin/testing.ts'
import elasticsearch from './elasticsearch.ts'

interface Hit {
  _index: string
  _id: string
  _source: Record<string, unknown>
}

interface Seen {
  readonly method: string
  readonly url: string
  readonly body: Record<string, unknown>
  readonly authorization: string | undefined
  readonly headers: IncomingHttpHeaders
}

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})

/** A cluster of one index that knows scrolls and points in time. */
async function cluster(hits: Hit[], version: Record<string, string> = { number: '8.17.0' }) {
  const seen: Seen[] = []
  const scrolls = new Map<string, number>()
  const answer = ({ method, url, body }: Seen): unknown => {
    if (url === '/') return { version }
    if (method === 'DELETE') return { succeeded: true }
    if (url.includes('/_pit?')) return { id: 'point' }
    const page = (from: number, size: number) => ({
      hits: { hits: hits.slice(from, from + size).map((hit, i) => ({ ...hit, sort: [from + i] })) },
    })
    if (url === '/_search/scroll') {
      const from = scrolls.get('s')!
      scrolls.set('s', from + 2)
      return { _scroll_id: 's', ...page(from, 2) }
    }
    if (url === '/_search') {
      const after = body['search_after'] as number[] | undefined
      return { pit_id: 'point2', ...page(after === undefined ? 0 : after[0]! + 1, body['size'] as number) }
    }
    if (url.includes('scroll=')) {
      scrolls.set('s', 2)
      return { _scroll_id: 's', ...page(0, 2) }
    }
    return { hits: { hits: [] }, aggregations: { total: { value: 5 } } }
  }
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      const one = {
        method: request.method!,
        url: request.url!,
        body: text === '' ? {} : JSON.parse(text),
        authorization: request.headers.authorization,
        headers: request.headers,
      }
      seen.push(one)
      const value = one.url.startsWith('/missing') ? undefined : answer(one)
      if (value === undefined) response.writeHead(404).end('{"error":"no such index"}')
      else response.end(JSON.stringify(value))
    })
  })
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { seen, host: `127.0.0.1:${(server.address() as AddressInfo).port}` }
}

function hits(count: number): Hit[] {
  return Array.from({ length: count }, (_, i) => ({ _index: 'x', _id: String(i), _source: { n: i } }))
}

async function run(options: TestOptions, settings: TestSettings = {}) {
  const input = inputFor(elasticsearch, { index: 'x', ...options }, settings)
  await input.instance.register?.()
  await input.instance.run(input.sink)
  await input.instance.close?.()
  const fields = input.sink.fields().map(({ '@timestamp': _, ...rest }) => rest)
  return { ...input, fields }
}

describe('elasticsearch input and a cluster that does not answer', () => {
  /** Answers what it is asked at first, and from then on sends a byte of white space every 100 ms, or nothing. */
  async function slowCluster(isTrickling: boolean): Promise<string> {
    const server = createServer((request, response) => {
      if (request.url === '/') return void response.end('{"version":{"number":"7.17.0"}}')
      if (!isTrickling) return
      response.writeHead(200, { 'content-type': 'application/json' })
      const timer = setInterval(() => response.write(' '), 100)
      response.on('close', () => clearInterval(timer))
    })
    servers.push(server)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return `127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  async function seconds(options: TestOptions): Promise<[number, string[]]> {
    const start = Date.now()
    const { environment } = await run({ retries: 0, ...options })
    const logged = environment.logger.lines.filter(({ level }) => level === 'error' || level === 'warn')
    return [(Date.now() - start) / 1000, logged.map((line) => JSON.stringify(line))]
  }

  it('waits for a whole answer no longer than request_timeout_seconds', async () => {
    const host = await slowCluster(true)
    const [took, logged] = await seconds({ hosts: [host], request_timeout_seconds: 1 })
    expect(took).toBeLessThan(30)
    expect(logged.join()).toContain('Request timed out')
  })

  it('waits for the next byte no longer than socket_timeout_seconds', async () => {
    const host = await slowCluster(false)
    const [took, logged] = await seconds({ hosts: [host], socket_timeout_seconds: 1 })
    expect(took).toBeLessThan(30)
    expect(logged.join()).toContain('Headers Timeout Error')
  })

  it('waits for a connection no longer than connect_timeout_seconds', async () => {
    // Takes connections, and never shows a certificate.
    const silent = createNetServer()
    silent.listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const host = `https://127.0.0.1:${(silent.address() as AddressInfo).port}`
    const [took, logged] = await seconds({ hosts: [host], ssl_enabled: true, connect_timeout_seconds: 1 })
    expect(took).toBeLessThan(30)
    expect(logged.join()).toContain('Connect Timeout Error')
    silent.close()
  })
})

describe('elasticsearch input', () => {
  it('reads all documents by scroll and leaves none open', async () => {
    const { host, seen } = await cluster(hits(5), { number: '7.17.0' })
    const { fields } = await run({ hosts: [host], size: 2, query: '{"query":{"match_all":{}}}' })
    expect(fields).toEqual([0, 1, 2, 3, 4].map((n) => ({ n })))
    expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /',
      'POST /x/_search?scroll=1m&size=2',
      'POST /_search/scroll',
      'POST /_search/scroll',
      'POST /_search/scroll',
      'DELETE /_search/scroll',
    ])
    expect(seen[1]!.body).toEqual({ query: { match_all: {} } })
    expect(seen.at(-1)!.body).toEqual({ scroll_id: 's' })
  })

  it('reads them within a point in time from version 8 on', async () => {
    const { host, seen } = await cluster(hits(3))
    const { fields } = await run({ hosts: [host], size: 2 })
    expect(fields).toEqual([{ n: 0 }, { n: 1 }, { n: 2 }])
    expect(seen[2]!.body).toEqual({
      sort: ['_doc'],
      size: 2,
      pit: { id: 'point', keep_alive: '1m' },
    })
    expect(seen[3]!.body).toMatchObject({ search_after: [1], pit: { id: 'point2' } })
    expect(seen.at(-1)).toMatchObject({ method: 'DELETE', url: '/_pit', body: { id: 'point2' } })
  })

  it('scrolls on OpenSearch', async () => {
    const { host, seen } = await cluster(hits(1), { number: '3.1.0', distribution: 'opensearch' })
    await run({ hosts: host })
    expect(seen[1]!.url).toContain('scroll=')
  })

  it.each([
    ['disabled', { '@metadata': { _index: 'x', _id: '0' } }],
    ['v8', { '@metadata': { input: { elasticsearch: { _index: 'x', _id: '0' } } } }],
  ] as const)('adds facts about documents, ECS %s', async (ecs, expected) => {
    const { host } = await cluster(hits(1))
    const { fields } = await run({ hosts: [host], docinfo: true }, { ecs })
    expect(fields).toEqual([{ n: 0, ...expected }])
  })

  it('puts documents below a target, and facts where asked to', async () => {
    const { host } = await cluster(hits(1))
    const { fields } = await run({
      hosts: [host],
      target: '[doc]',
      docinfo: true,
      docinfo_target: 'info',
      docinfo_fields: ['_id'],
    })
    expect(fields).toEqual([{ doc: { n: 0 }, info: { _id: '0' } }])
  })

  it('divides the search', async () => {
    const { host, seen } = await cluster(hits(1))
    await run({ hosts: [host], slices: 2, search_api: 'search_after' })
    expect(seen.filter(({ url }) => url === '/_search').map(({ body }) => body['slice'])).toEqual(
      expect.arrayContaining([
        { id: 0, max: 2 },
        { id: 1, max: 2 },
      ]),
    )
  })

  it('makes an event of aggregations', async () => {
    const { host } = await cluster([])
    const { fields } = await run({ hosts: [host], response_type: 'aggregations' })
    expect(fields).toEqual([{ total: { value: 5 } }])
  })

  it('authenticates', async () => {
    const { host, seen } = await cluster([])
    await run({ hosts: [host], user: 'u', password: 'p' })
    expect(seen[0]!.authorization).toBe(`Basic ${Buffer.from('u:p').toString('base64')}`)
  })

  it('authenticates to a cloud, and sends further headers', async () => {
    const { host, seen } = await cluster([])
    await run({ hosts: [host], cloud_auth: 'cloud:secret', custom_headers: { 'X-Own': 'yes' } })
    expect(new Set(seen.map(({ authorization }) => authorization))).toEqual(
      new Set([`Basic ${Buffer.from('cloud:secret').toString('base64')}`]),
    )
    expect(seen.every(({ headers }) => headers['x-own'] === 'yes')).toBe(true)
  })

  it('searches again after a failure as often as it is told', async () => {
    const { host, seen } = await cluster([])
    const { environment } = await run({ hosts: [host], index: 'missing', retries: 1 })
    expect(seen.filter(({ url }) => url.startsWith('/missing'))).toHaveLength(2)
    expect(environment.logger.lines.at(-1)).toMatchObject({
      message: 'Tried search unsuccessfully',
      fields: { attempts: 2 },
    })
  })

  it('searches on a schedule', async () => {
    const { host, seen } = await cluster(hits(1))
    const input = inputFor(elasticsearch, { index: 'x', hosts: [host], schedule: '* * * * * *' })
    await input.instance.register?.()
    const running = input.instance.run(input.sink)
    await input.sink.waitFor(2)
    await input.instance.stop()
    await running
    expect(seen.filter(({ url }) => url.includes('/_pit?')).length).toBeGreaterThan(1)
  })

  it('begins the next search where the last one ended', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'millrace-es-'))
    const path = join(folder, 'last')
    const { host, seen } = await cluster(hits(3))
    const options = {
      hosts: [host],
      tracking_field: 'n',
      tracking_field_seed: '-1',
      last_run_metadata_path: path,
      query: '{"query":{"range":{"n":{"gt":":last_value"}}}}',
    }
    await run(options)
    expect(await readFile(path, 'utf8')).toBe('2')
    await run(options)
    const bounds = seen
      .filter(({ url }) => url === '/_search')
      .map(({ body }) => (body['query'] as { range: { n: { gt: string } } }).range.n.gt)
    expect(bounds[0]).toBe('-1')
    expect(bounds.at(-1)).toBe('2')
  })

  it('remembers where a search ended when its documents are safe, and not before', async () => {
    const path = join(await mkdtemp(join(tmpdir(), 'millrace-es-')), 'last')
    const { host } = await cluster(hits(3))
    const start = async () => {
      const input = inputFor(elasticsearch, {
        index: 'x',
        hosts: [host],
        tracking_field: 'n',
        tracking_field_seed: '-1',
        last_run_metadata_path: path,
        query: '{"query":{"range":{"n":{"gt":":last_value"}}}}',
      })
      await input.instance.register?.()
      input.sink.hold()
      const running = input.instance.run(input.sink)
      await input.sink.waitFor(3)
      await new Promise((resolve) => setTimeout(resolve, 100))
      await expect(readFile(path, 'utf8')).rejects.toThrow('ENOENT')
      return { ...input, running }
    }
    const unsafe = await start()
    await unsafe.instance.stop()
    unsafe.environment.stop()
    await unsafe.running
    await expect(readFile(path, 'utf8')).rejects.toThrow('ENOENT')
    const { sink, running } = await start()
    sink.release()
    await running
    expect(await readFile(path, 'utf8')).toBe('2')
  })

  it('says what failed and goes on', async () => {
    const { host } = await cluster([])
    const { environment, fields } = await run({ hosts: [host], index: 'missing' })
    expect(fields).toEqual([])
    expect(environment.logger.lines.at(-1)).toMatchObject({
      level: 'error',
      message: 'Tried search unsuccessfully',
      fields: { message: expect.stringContaining('[404]') },
    })
  })

  it.each([
    [{ query: '{' }, /JSON|Unexpected|unexpected/],
    [{ hosts: ['x'], cloud_id: 'a:b' }, /Both cloud_id and hosts specified/],
    [{ user: 'a', api_key: 'b' }, /Multiple authentication options are specified/],
    [{ slices: 0 }, /must be greater than zero/],
  ])('refuses %j', async (options, message) => {
    const { instance } = inputFor(elasticsearch, options)
    await expect((async () => instance.register?.())()).rejects.toThrow(message)
  })
})
