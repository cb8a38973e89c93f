/**
 * Sends events to a logstash input, of this program or of Logstash: each batch as one JSON array over HTTP, packed with
 * gzip. A batch that one host does not take goes to the next one, for as long as it takes.
 */
import { isIPv6 } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { Event } from '../../event/event.ts'
import { startConcern } from '../../plugin/concern.ts'
import { defineOutput, type OptionValues, option, withoutEffect } from '../../plugin/define.ts'
import { exponentialBackOff, pause } from '../delivery/pause.ts'
import { eventNamesHeader, maxNamedEvents, writeNames } from '../event-names/http-header.ts'
import { mintLastingIds } from '../event-names/minted-ids.ts'
import { HttpClient, isHopeless } from '../http-client/http-client.ts'
import { allowedTlsOptions, fileList, ownCertificateOptions } from '../tls/client-options.ts'
import { clientTls } from '../tls/client-tls.ts'
import { keystoreOptions, storeTypes, truststoreOptions } from '../tls/store-options.ts'
import { LoadBalancer } from './logstash/load-balancer.ts'

const defaultPort = 9800
/** The receiver says that it is the batch that is wrong. */
const refusals = new Set([400, 413, 415, 422])

const logstashOptions = {
  hosts: option.list(option.string({ doc: 'A host.' }), {
    required: true,
    doc: 'Receivers, `name` or `name:port`, IPv6 addresses in brackets; batches are divided among them.',
    aliases: ['host'],
  }),
  port: option.number({ default: defaultPort, doc: 'Port of hosts that are given without one.' }),
  username: option.string({ doc: 'Name to log in with; needs `password`.', aliases: ['user'] }),
  password: option.password({ doc: 'Password to log in with; needs `username`.' }),
  ssl_enabled: option.boolean({
    default: true,
    doc: 'Whether to use https; without it no other `ssl_` option may be given.',
  }),
  ...ownCertificateOptions,
  ...keystoreOptions(storeTypes),
  ssl_certificate_authorities: fileList({
    doc: 'Certificates that are trusted instead of those of the system, PEM files.',
  }),
  ...truststoreOptions(storeTypes),
  ssl_verification_mode: option.oneOf(['full', 'none'] as const, {
    doc: 'Whether to check certificate and name of the receiver; `full` unless given.',
  }),
  ...allowedTlsOptions,
  request_timeout: option.number({ default: 60, doc: 'Seconds a request may take.' }),
  socket_timeout: option.number({ default: 10, doc: 'Seconds to wait for data on a connection.' }),
  connect_timeout: option.number({ default: 10, doc: 'Seconds to wait for a connection.' }),
  pool_max: option.number(withoutEffect('`pool_max_per_route` limits connections.', 50)),
  pool_max_per_route: option.number({ default: 25, doc: 'Most connections to one host.' }),
  keepalive: option.boolean({ default: true, doc: 'Whether connections are used again.' }),
  automatic_retries: option.number(withoutEffect('batches are always repeated.', 1)),
  retry_non_idempotent: option.boolean(withoutEffect('batches are repeated until they were taken.', false)),
  validate_after_inactivity: option.number(
    withoutEffect('connections that the receiver has closed are noticed without it.', 200),
  ),
  follow_redirects: option.boolean(withoutEffect('batches are posted.', true)),
  cookies: option.boolean(withoutEffect('the receiver sets none.', true)),
  proxy: option.uri({ doc: 'Proxy to connect through.' }),
}

type LogstashOptions = OptionValues<typeof logstashOptions>

export default defineOutput({
  name: 'logstash',
  summary: 'Sends events to the logstash input of another pipeline, process or host.',
  description: [
    'A batch counts as delivered when a receiver has answered that its events are safe. Of several hosts the one with the',
    'fewest requests under way gets the next batch; a host that failed is the last choice for a minute. Batches are sent',
    'again until a host takes them, so that events may arrive twice. What a receiver refuses as wrong (400, 413, 415, 422)',
    'goes to the dead letters, where they are on. The output has no codec of its own.',
    '',
    'Events that may be delivered again, such as those of a persisted queue, have names, which the header `millrace-events`',
    'tells to the receiver; a store that is written there holds each of them once, even when it was sent to two hosts.',
  ].join('\n'),
  options: logstashOptions,
  codec: 'json_lines',
  concurrency: 'shared',
  concerns: (options) => startConcern('ssl_enabled', () => checkOptions(options)),
  create({ options, codecName, abort, logger, giveUp, pipelineId, id }) {
    let balancer = new LoadBalancer([])
    const headers: [string, string][] = [
      ['Content-Type', 'application/x-ndjson'],
      ['Content-Encoding', 'gzip'],
    ]
    if (options.username !== undefined) {
      const login = Buffer.from(`${options.username}:${options.password?.value ?? ''}`).toString('base64')
      headers.push(['Authorization', `Basic ${login}`])
    }
    let client: HttpClient | undefined

    const nameOf = mintLastingIds(pipelineId, id)

    const post = (url: string, body: Uint8Array, names: string | undefined) => {
      const named: [string, string][] =
        names === undefined ? headers : [...headers, [eventNamesHeader, names]]
      return client!.request({ method: 'POST', url, headers: named, body }).then((answer) => {
        if (answer.status >= 200 && answer.status <= 299) return undefined
        if (refusals.has(answer.status)) return answer
        throw new Error(`${url} answered ${answer.status}`)
      })
    }

    const refuse = (events: readonly Event[], status: number, answer: string): void => {
      const text = `The receiver refused the batch with ${status}: ${answer.slice(0, 200)}`
      for (const event of events) {
        if (!giveUp(event, text)) logger.error('Encountered error', { response_code: status })
      }
    }

    const deliver = async (events: readonly Event[]): Promise<void> => {
      const names = writeNames(events.map(nameOf))
      if (names !== undefined && events.length > maxNamedEvents) {
        await deliver(events.slice(0, maxNamedEvents))
        return deliver(events.slice(maxNamedEvents))
      }
      const body = gzipSync(Buffer.from(`[${events.map((event) => event.toJson()).join(',')}]\n`))
      for (let attempt = 0; ; attempt++) {
        try {
          const refusal = await balancer.use((url) => post(url, body, names))
          if (refusal === undefined) return
          const middle = events.length >> 1
          if (refusal.status !== 413 || middle === 0) return refuse(events, refusal.status, refusal.body)
          await deliver(events.slice(0, middle))
          return await deliver(events.slice(middle))
        } catch (error) {
          abort.throwIfAborted()
          const { message, name } = error as Error
          if (isHopeless(error as Error)) return refuse(events, 0, message)
          logger.error('Could not send data to host', { message, class: name, retry: true })
          // The other hosts are tried at once.
          const round = Math.floor(attempt / balancer.size)
          if ((attempt + 1) % balancer.size === 0) await pause(exponentialBackOff(round, 100), abort)
        }
      }
    }

    return {
      async register() {
        if (codecName !== 'json_lines')
          throw new Error('The `logstash` output does not have an externally-configurable `codec`')
        checkOptions(options)
        const scheme = options.ssl_enabled ? 'https' : 'http'
        balancer = new LoadBalancer(options.hosts.map((host) => urlOf(scheme, host, options.port)))
        client = new HttpClient({
          connectSeconds: options.connect_timeout,
          // An answer takes as long as filters and outputs of the receiver do.
          socketSeconds: Math.max(options.socket_timeout, options.request_timeout),
          requestSeconds: options.request_timeout,
          connectionsPerHost: Math.max(1, options.pool_max_per_route),
          keepAlive: options.keepalive,
          followRedirects: false,
          cookies: false,
          automaticRetries: 0,
          retryNonIdempotent: false,
          proxy: options.proxy === undefined ? undefined : { uri: options.proxy, token: undefined },
          tls: await tlsOf(options),
          signal: abort,
        })
      },
      async receive(events) {
        if (events.length > 0) await deliver(events)
      },
      async close() {
        await client?.close()
        client = undefined
      },
    }
  },
})

function checkOptions(options: LogstashOptions): void {
  const { username, password, ssl_enabled } = options
  if (username !== undefined && password === undefined)
    throw new Error('`password` is REQUIRED when `username` is provided')
  if (username === undefined && password !== undefined)
    throw new Error('`password` not allowed unless `username` is configured')
  for (const host of options.hosts) urlOf('http', host, options.port)
  if (ssl_enabled) {
    if (options.ssl_truststore_path !== undefined)
      throw new Error(
        'Trust stores cannot be read: export their certificates in PEM format and set `ssl_certificate_authorities`',
      )
    return
  }
  const given = Object.entries(options)
    .filter(([name]) => name.startsWith('ssl_') && name !== 'ssl_enabled')
    .filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0))
  if (given.length > 0) {
    const names = JSON.stringify(given.map(([name]) => name)).replaceAll(',', ', ')
    throw new Error(`Explicit SSL-related settings not supported because \`ssl_enabled => false\`: ${names}`)
  }
}

async function tlsOf(options: LogstashOptions) {
  const context = await clientTls(options)
  return { ...context, rejectUnauthorized: options.ssl_verification_mode !== 'none' }
}

/** `name`, `name:port`, `[::1]`, `[::1]:port`. */
function urlOf(scheme: string, text: string, port: number): string {
  const [, name, given] = /^(\[[^\]]+\]|[^:/\s]+)(?::(\d{1,5}))?$/.exec(text) ?? []
  if (name === undefined || (name.startsWith('[') && !isIPv6(name.slice(1, -1))))
    throw new Error(
      `Invalid host "${text.slice(0, 200)}": a name or an address, with or without a port, is needed`,
    )
  return `${scheme}://${name}:${given ?? port}/`
}
