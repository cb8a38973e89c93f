/** What options of the elasticsearch output do that few configurations use; by the words of its documentation. */
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { TestOptions, TestSettings } from '../../../plugin/testing.ts'
import { testCertificate } from '../../tls/test-certificate.ts'
import type { BulkSink, SinkBehaviour } from './test-bulk-sink.ts'
import { output as anyOutput, atEnd, sink } from './test-output.ts'

/** Hosts that are down are looked at again soon. */
const output = (cluster: Pick<BulkSink, 'url'>, options: TestOptions = {}, settings: TestSettings = {}) =>
  anyOutput(cluster, { resurrect_delay: 0.02, ...options }, settings)

async function sent(cluster: BulkSink, options: TestOptions, events: object[] = [{ a: 1 }]) {
  const { deliver, environment } = await output(cluster, options)
  await deliver(events as { a: number }[])
  return environment
}

const puts = ({ requests }: BulkSink) =>
  requests.filter(({ method }) => method === 'PUT').map(({ path }) => decodeURIComponent(path))
const basic = (login: string) => `Basic ${Buffer.from(login).toString('base64')}`

describe('paths', () => {
  it('of bulk requests', async () => {
    const cluster = await sink()
    await sent(cluster, { bulk_path: '/own/_bulk' })
    await sent(cluster, { path: '/below' })
    const posts = cluster.requests.filter(({ method }) => method === 'POST')
    expect(posts.map(({ path }) => path)).toEqual(['/own/_bulk', '/below/_bulk'])
  })

  it('of looks at dead hosts', async () => {
    const gone = await sink()
    await gone.close()
    const { deliver } = await output(gone, { healthcheck_path: '/are/you/there' })
    const delivered = deliver([{ a: 1 }])
    await new Promise((resolve) => setTimeout(resolve, 60))
    const back = await sink({}, { port: gone.port })
    await delivered
    const looks = back.requests.filter(({ method }) => method === 'HEAD').map(({ path }) => path)
    expect(looks[0]).toBe('/are/you/there')
  })
})

describe('who it is', () => {
  it.each<[TestOptions, string]>([
    [{ cloud_auth: 'cloud:secret:with colon' }, basic('cloud:secret:with colon')],
    [{ auth_type: { type: 'basic', user: 'u', password: 'p' } }, basic('u:p')],
    [{ user: 'u2', password: 'p2' }, basic('u2:p2')],
  ])('is told by %j', async (options, expected) => {
    const cluster = await sink()
    await sent(cluster, options)
    expect(new Set(cluster.requests.map(({ headers }) => headers.authorization))).toEqual(new Set([expected]))
  })
})

describe('a cluster', () => {
  it('that does not tell its version has the one it is said to have', async () => {
    const silent: SinkBehaviour = { other: ({ path }) => (path === '/' ? 200 : undefined) }
    const old = await sink(silent)
    await sent(old, { default_server_major_version: 6 })
    expect(puts(old)).toEqual(['/_template/logstash'])
    expect(old.items()[0]!.meta['_type']).toBe('doc')
    const unknown = await sink(silent)
    await sent(unknown, {})
    expect(puts(unknown)).toEqual(['/_index_template/logstash'])
    expect(unknown.items()[0]!.meta).not.toHaveProperty('_type')
  })

  it('that does not answer in time is asked again', async () => {
    const connections: unknown[] = []
    const deaf = createTcpServer((socket) => {
      connections.push(socket)
      socket.on('error', () => undefined)
    })
    deaf.listen(0, '127.0.0.1')
    await once(deaf, 'listening')
    const { port } = deaf.address() as AddressInfo
    const { environment } = await output({ url: `http://127.0.0.1:${port}` }, { timeout: 0.05 })
    while (connections.length < 2) await new Promise((resolve) => setTimeout(resolve, 10))
    expect(environment.logger.messages('warn').join('\n')).toContain('Marking url as dead')
    deaf.close()
  })

  it('is reached through a proxy', async () => {
    const cluster = await sink()
    const passed: string[] = []
    const proxy = createServer((incoming, response) => {
      passed.push(`${incoming.method} ${new URL(incoming.url!).pathname}`)
      const { method, headers } = incoming
      const onward = request(incoming.url!, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(response)
      })
      incoming.pipe(onward)
    })
    proxy.listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    atEnd.push(() => proxy.close())
    const { port } = proxy.address() as AddressInfo
    await sent(cluster, { proxy: `http://127.0.0.1:${port}`, manage_template: false })
    expect(passed).toEqual(['GET /', 'POST /_bulk'])
    expect(cluster.items()).toHaveLength(1)
  })
})

describe('errors', () => {
  it('of chosen types are not logged', async () => {
    const refusing = () => sink({ item: ({ meta }) => (meta['_id'] === '1' ? 409 : 400) })
    const options = { document_id: '%{i}' }
    const events = [{ i: 1 }, { i: 2 }]
    const loud = await sent(await refusing(), options, events)
    expect(loud.logger.messages('warn')).toHaveLength(2)
    const quiet = await sent(
      await refusing(),
      { ...options, silence_errors_in_log: ['type_409', 'type_400'] },
      events,
    )
    expect(quiet.logger.messages('warn')).toEqual([])
    expect(quiet.counts.get('documents.non_retryable_failures')).toBe(2)
  })

  it('are not what a placeholder in an index is when told so', async () => {
    const cluster = await sink()
    await sent(cluster, { index: 'a-%{b}', dlq_on_failed_indexname_interpolation: false })
    expect(cluster.items()[0]!.meta).toEqual({ _index: 'a-%{b}' })
  })

  it('are waited after no longer than the longest interval', async () => {
    const cluster = await sink()
    let broken = 0
    cluster.server.prependListener('request', ({ method, socket }) => {
      if (method === 'POST' && broken++ < 10) socket.destroy()
    })
    const { logger } = await sent(cluster, { retry_initial_interval: 0.01, retry_max_interval: 0.04 })
    const waits = logger.lines.flatMap(({ fields }) => fields?.['will_retry_in_seconds'] ?? [])
    expect(waits.slice(0, 4)).toEqual([0.01, 0.02, 0.04, 0.04])
  })
})

describe('templates and lifecycles', () => {
  it('are of the older kind when asked for', async () => {
    const cluster = await sink()
    await sent(cluster, { legacy_template: true })
    expect(puts(cluster)).toEqual(['/_template/logstash'])
  })

  it('have the names and the pattern that are given', async () => {
    const cluster = await sink()
    await sent(cluster, {
      ilm_enabled: true,
      ilm_rollover_alias: 'web',
      ilm_pattern: '000007',
      ilm_policy: 'ours',
    })
    // A policy that is named is there already.
    expect(puts(cluster)).toEqual(['/_index_template/web', '/<web-000007>'])
    const template = cluster.requests.find(({ method }) => method === 'PUT')!
    expect(JSON.parse(template.body).template.settings).toMatchObject({
      'index.lifecycle.name': 'ours',
      'index.lifecycle.rollover_alias': 'web',
    })
  })
})

it('leaves the fields of events alone that name another data stream', async () => {
  const cluster = await sink()
  await sent(cluster, { data_stream: true, data_stream_sync_fields: false, data_stream_dataset: 'ours' }, [
    { a: 1 },
    { data_stream: { type: 'metrics' } },
  ])
  expect(cluster.items().map(({ document }) => document!['data_stream'])).toEqual([
    undefined,
    { type: 'metrics' },
  ])
})

describe('trust', () => {
  it('is given to an authority by its fingerprint', async () => {
    const cluster = await sink({}, { tls: true })
    const fingerprint = new X509Certificate(testCertificate).fingerprint256.replaceAll(':', '')
    await sent(cluster, { ca_trusted_fingerprint: fingerprint.toLowerCase() })
    expect(cluster.items()).toHaveLength(1)
    const other = await output(cluster, { ca_trusted_fingerprint: 'ab'.repeat(32) })
    const delivered = other.deliver([{ a: 2 }])
    const outcome = expect(delivered).rejects.toThrow()
    await new Promise((resolve) => setTimeout(resolve, 100))
    other.environment.stop()
    await outcome
    expect(cluster.items()).toHaveLength(1)
  })

  it('is not asked for when told so', async () => {
    const cluster = await sink({}, { tls: true })
    const { logger } = await sent(cluster, { ssl_verification_mode: 'none' })
    expect(cluster.items()).toHaveLength(1)
    expect(logger.messages('warn').join('\n')).toContain('DISABLED certificate verification')
  })
})
