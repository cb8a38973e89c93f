/**
 * The redis output: events appended to lists or published on channels. What the server does not take is sent
 * again, to the next of its hosts, until it does; lists that grow too long hold the pipeline back.
 */
import { defineOutput, option, Undelivered, withoutEffect } from '../../plugin/define.ts'
import { encodeFrames, encodeOf, groupByTarget, readFrames } from '../../plugin/encode-buffer.ts'
import { pause } from '../delivery/pause.ts'
import { writeEach } from '../delivery/undelivered-blocks.ts'
import { RespClient, RespError } from '../redis/resp-client.ts'
import { clientTlsOptions, fileList, keyPassphrase, ownCertificateOptions } from '../tls/client-options.ts'
import { tlsOptions } from '../tls/tls-options.ts'

/** Commands under way at a time when events are sent one by one. */
const window = 500

export default defineOutput({
  name: 'redis',
  summary: 'Sends events to Redis lists or channels.',
  options: {
    host: option.list(option.string({ doc: 'A host.' }), {
      default: ['127.0.0.1'],
      doc: 'Hosts of Redis servers, `name` or `name:port`; one of them is used at a time.',
    }),
    port: option.number({ default: 6379, doc: 'Port of hosts that are given without one.' }),
    shuffle_hosts: option.boolean({ default: true, doc: 'Whether to shuffle the hosts at the start.' }),
    db: option.number({ default: 0, doc: 'Number of the database.' }),
    timeout: option.number({ default: 5, doc: 'Seconds to wait for a connection and for an answer.' }),
    password: option.password({ doc: 'Password of the server.' }),
    key: option.string({ required: true, doc: 'Name of the list or channel; may contain `%{…}`.' }),
    data_type: option.oneOf(['list', 'channel'], {
      required: true,
      doc: 'Whether events are appended to a list or published on a channel.',
    }),
    batch: option.boolean({
      default: false,
      doc: 'For lists: whether several events go into one command.',
    }),
    batch_events: option.number({ default: 50, doc: 'Most events of such a command.' }),
    batch_timeout: option.number(withoutEffect('events never wait for others.', 5)),
    reconnect_interval: option.number({ default: 1, doc: 'Seconds to wait before trying again.' }),
    congestion_threshold: option.number({
      default: 0,
      doc: 'For lists: wait while the list is longer than this; 0 for never.',
    }),
    congestion_interval: option.number({
      default: 1,
      doc: 'Seconds between two looks at the length of a list.',
    }),
    ssl_enabled: option.boolean({ default: false, aliases: ['ssl'], doc: 'Whether to use TLS.' }),
    ...ownCertificateOptions,
    ssl_key_passphrase: keyPassphrase,
    ssl_certificate_authorities: fileList({
      doc: 'Certificates, PEM files, that are trusted besides those of the system.',
    }),
    ...clientTlsOptions,
    ssl_verification_mode: option.oneOf(['full', 'none'], {
      default: 'full',
      doc: 'Whether to check certificate and name of the server.',
    }),
    name: option.string({ deprecated: 'It has no effect.', doc: 'No longer has a meaning.' }),
  },
  codec: 'json',
  concurrency: 'single',
  create({ options, codec, codecName, compile, abort, logger }) {
    const { data_type, congestion_threshold } = options
    if (options.batch && data_type !== 'list') {
      throw new Error('batch is not supported with data_type channel')
    }
    const encode = encodeOf(codec, codecName)
    const keyOf = compile.template(options.key)
    const perCommand = options.batch ? Math.max(1, Math.trunc(options.batch_events)) : 1
    const lastLooks = new Map<string, number>()
    let hosts = options.host
    let next = 0
    let client: RespClient | undefined
    let tls: Awaited<ReturnType<typeof tlsSettings>>
    const stop = () => client?.close()

    const connect = async (): Promise<RespClient> => {
      const { host, port } = hostOf(hosts[next % hosts.length] ?? '', options.port)
      next += 1
      const milliseconds = Math.max(1, options.timeout * 1000)
      return RespClient.connect({
        host,
        port,
        tls,
        password: options.password?.value,
        db: options.db,
        connectMilliseconds: milliseconds,
        replyMilliseconds: milliseconds,
      })
    }

    /** Waits while the list is too long; looks at it now and then only. */
    const untilShort = async (open: RespClient, key: string): Promise<void> => {
      if (data_type !== 'list' || congestion_threshold <= 0) return
      const interval = options.congestion_interval * 1000
      if (Date.now() - (lastLooks.get(key) ?? 0) < interval) return
      while (Number(await open.command('LLEN', key)) > congestion_threshold) {
        const text = `Redis key size has hit a congestion threshold ${congestion_threshold} suspending output for`
        logger.warn(`${text} ${options.congestion_interval} seconds`)
        await pause(Math.max(10, interval), abort)
      }
      if (lastLooks.size > 1000) lastLooks.clear()
      lastLooks.set(key, Date.now())
    }

    const send = async (key: string, frames: readonly Uint8Array[]): Promise<void> => {
      const open = (client ??= await connect())
      await untilShort(open, key)
      const commands: (string | Uint8Array)[][] = []
      if (data_type === 'channel') for (const frame of frames) commands.push(['PUBLISH', key, frame])
      else {
        for (let i = 0; i < frames.length; i += perCommand)
          commands.push(['RPUSH', key, ...frames.slice(i, i + perCommand)])
      }
      for (const reply of await open.pipeline(commands)) if (reply instanceof RespError) throw reply
    }

    const deliver = async (key: string, frames: readonly Uint8Array[]): Promise<void> => {
      for (;;) {
        try {
          await send(key, frames)
          return
        } catch (error) {
          client?.close()
          client = undefined
          abort.throwIfAborted()
          const { message, name } = error as Error
          // There is something else under that key; no later try changes that.
          if (error instanceof RespError && error.code === 'WRONGTYPE') throw new Undelivered(message, [key])
          logger.warn('Failed to send event to Redis', { key, exception: name, message })
          await pause(Math.max(10, options.reconnect_interval * 1000), abort)
        }
      }
    }

    return {
      async register() {
        if (options.shuffle_hosts) hosts = shuffled(hosts)
        tls = await tlsSettings(options)
        abort.addEventListener('abort', stop, { once: true })
      },
      encode: (events) =>
        [...groupByTarget(events, keyOf)].map(([key, group]) => encodeFrames(group, encode, key)),
      async write(blocks) {
        await writeEach(blocks, async ({ target, bytes }) => {
          const frames = readFrames(bytes)
          const step = Math.max(window, perCommand)
          for (let i = 0; i < frames.length; i += step) await deliver(target, frames.slice(i, i + step))
        })
      },
      close() {
        abort.removeEventListener('abort', stop)
        client?.close()
        client = undefined
      },
    }
  },
})

interface TlsChoice {
  ssl_enabled: boolean
  ssl_certificate: string | undefined
  ssl_key: string | undefined
  ssl_key_passphrase: Parameters<typeof tlsOptions>[0]['passphrase']
  ssl_certificate_authorities: readonly string[]
  ssl_cipher_suites: readonly string[]
  ssl_supported_protocols: readonly string[]
  ssl_verification_mode: string
}

async function tlsSettings(options: TlsChoice) {
  if (!options.ssl_enabled) return undefined
  const tls = await tlsOptions({
    certificate: options.ssl_certificate,
    key: options.ssl_key,
    passphrase: options.ssl_key_passphrase,
    authorities: options.ssl_certificate_authorities,
    protocols: options.ssl_supported_protocols,
    ciphers: options.ssl_cipher_suites,
    trustSystem: true,
  })
  return { ...tls, rejectUnauthorized: options.ssl_verification_mode === 'full' }
}

function hostOf(text: string, defaultPort: number): { host: string; port: number } {
  const [, host = text, port] = /^(.*?)(?::(\d+))?$/.exec(text) ?? []
  return { host, port: port === undefined ? defaultPort : Number(port) }
}

function shuffled<T>(list: readonly T[]): T[] {
  const result = [...list]
  for (let i = result.length - 1; i > 0; i--) {
    const other = Math.floor(Math.random() * (i + 1))
    ;[result[i], result[other]] = [result[other]!, result[i]!]
  }
  return result
}
