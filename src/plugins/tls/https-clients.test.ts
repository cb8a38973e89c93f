/** Plugins that ask servers over HTTPS, each in the names of its own options: whom they trust, and what they show. */
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { TLSSocket } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import type { PluginDefinition } from '../../plugin/define.ts'
import { filterFor, inputFor, outputFor, type TestOptions, testEvent } from '../../plugin/testing.ts'
import json from '../codecs/json.ts'
import line from '../codecs/line.ts'
import elasticsearchFilter from '../filters/elasticsearch.ts'
import couchdb from '../inputs/couchdb-changes.ts'
import elasticsearchInput from '../inputs/elasticsearch.ts'
import influxdb from '../outputs/influxdb.ts'
import loki from '../outputs/loki.ts'
import { certificateFiles, testCertificate, testKey } from './test-certificate.ts'

const { certificate, key } = await certificateFiles()
const fingerprint = new X509Certificate(testCertificate).fingerprint256.replaceAll(':', '')
const atEnd: (() => unknown)[] = []
afterEach(async () => {
  for (const end of atEnd.splice(0)) await end()
})

async function server() {
  const seen = { requests: 0, refused: 0, names: [] as unknown[] }
  const settings = { key: testKey, cert: testCertificate, ca: testCertificate, requestCert: true }
  const listener = createServer({ ...settings, rejectUnauthorized: false }, (request, response) => {
    seen.requests += 1
    seen.names.push((request.socket as TLSSocket).getPeerCertificate().subject?.CN)
    request.resume()
    response.setHeader('x-elastic-product', 'Elasticsearch')
    response.setHeader('content-type', 'application/json')
    response.end(
      '{"version":{"number":"8.0.0"},"hits":{"hits":[],"total":{"value":0}},"results":[],"last_seq":"1"}',
    )
  })
  listener.on('tlsClientError', () => {
    seen.refused += 1
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  atEnd.push(() => {
    listener.closeAllConnections()
    listener.close()
  })
  return { seen, port: (listener.address() as AddressInfo).port }
}

/** Runs the plugin until the server has seen something of it. */
async function asked(
  definition: PluginDefinition,
  optionsOf: (port: number) => TestOptions,
  isTrusted = true,
) {
  const { seen, port } = await server()
  const work = begin(definition, optionsOf(port))
  for (let i = 0; i < 400 && seen.requests + (isTrusted ? 0 : seen.refused) === 0; i++) await wait(5)
  work.stop()
  await Promise.race([work.ended, wait(1000)])
  return seen
}

function begin(
  definition: PluginDefinition,
  options: TestOptions,
): { stop(): void; ended: Promise<unknown> } {
  if (definition.type === 'output') {
    const { instance, environment, deliver } = outputFor(definition, options, { codecs: [line] })
    const ended = (async () => {
      await instance.register?.()
      await deliver([{ message: 'm', a: 1 }])
    })().catch(() => undefined)
    return { stop: () => environment.stop(), ended: ended.then(() => instance.close?.()) }
  }
  if (definition.type === 'filter') {
    const { instance, environment, filter } = filterFor(definition, options)
    const ended = (async () => {
      await instance.register?.()
      await filter([testEvent({ message: 'm' })])
    })().catch(() => undefined)
    return { stop: () => environment.stop(), ended: ended.then(() => instance.close?.()) }
  }
  if (definition.type !== 'input') throw new Error('no such plugin here')
  const { instance, environment, sink } = inputFor(definition, options, { codecs: [json] })
  const ended = (async () => {
    await instance.register?.()
    await instance.run(sink)
  })().catch(() => undefined)
  const stop = (): void => {
    environment.stop()
    void instance.stop()
  }
  return { stop, ended: ended.then(() => instance.close?.()) }
}

const search = (port: number) => ({ hosts: [`https://127.0.0.1:${port}`], query: '{}' })

interface Client {
  readonly name: string
  readonly definition: PluginDefinition
  on(port: number): TestOptions
  /** Ways to make it trust the server. */
  readonly trusts: readonly TestOptions[]
  readonly shows?: TestOptions
}

const clients: readonly Client[] = [
  {
    name: 'output loki',
    definition: loki,
    on: (port) => ({ url: `https://127.0.0.1:${port}/push`, max_delay: 1 }),
    trusts: [{ ca_cert: certificate }, { insecure_skip_verify: true }],
    shows: { ca_cert: certificate, cert: certificate, key },
  },
  {
    name: 'output influxdb',
    definition: influxdb,
    on: (port) => ({ host: '127.0.0.1', port, ssl: true, data_points: { a: '1' } }),
    trusts: [],
  },
  {
    name: 'input couchdb_changes',
    definition: couchdb,
    on: (port) => ({ host: '127.0.0.1', port, db: 'd', secure: true, always_reconnect: false }),
    trusts: [{ ca_file: certificate }],
  },
  {
    name: 'input elasticsearch',
    definition: elasticsearchInput,
    on: search,
    trusts: [
      { ssl_certificate_authorities: [certificate] },
      { ssl_verification_mode: 'none' },
      { ca_trusted_fingerprint: fingerprint },
    ],
    shows: { ssl_certificate_authorities: [certificate], ssl_certificate: certificate, ssl_key: key },
  },
  {
    name: 'filter elasticsearch',
    definition: elasticsearchFilter,
    on: search,
    trusts: [
      { ssl_certificate_authorities: [certificate] },
      { ssl_verification_mode: 'none' },
      { ca_trusted_fingerprint: fingerprint },
    ],
    shows: { ssl_certificate_authorities: [certificate], ssl_certificate: certificate, ssl_key: key },
  },
]

describe.each(clients)('the $name', ({ definition, on, trusts, shows }) => {
  it('asks nobody that it does not know', async () => {
    const seen = await asked(definition, on, false)
    expect(seen.requests).toBe(0)
    expect(seen.refused).toBeGreaterThan(0)
  })

  it('asks a server it is told to trust', async () => {
    for (const trust of trusts)
      expect((await asked(definition, (port) => ({ ...on(port), ...trust }))).requests).toBeGreaterThan(0)
  })

  it.runIf(shows !== undefined)('shows its own certificate', async () => {
    expect((await asked(definition, (port) => ({ ...on(port), ...shows }))).names).toContain('localhost')
  })
})
