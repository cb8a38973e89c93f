/** The webhdfs output: events appended to files in HDFS, by way of WebHDFS or HttpFS. */
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { startConcern } from '../../plugin/concern.ts'
import { defineOutput, option, Undelivered, withoutEffect } from '../../plugin/define.ts'
import { encodeByTarget, encodeOf } from '../../plugin/encode-buffer.ts'
import { pause } from '../delivery/pause.ts'
import { namedServerOptions } from '../delivery/server-address.ts'
import { writeEach } from '../delivery/undelivered-blocks.ts'
import { serviceClient } from '../http-client/repeated-request.ts'
import { ownCertificateOptions } from '../tls/client-options.ts'
import { WebHdfsClient, WebHdfsError } from './webhdfs/client.ts'
import { snappy } from './webhdfs/snappy.ts'

const compress = promisify(gzip)
/** Begins a file of Snappy blocks: a name, version and least version that reads it. */
const snappyHeader = Buffer.from([0x82, ...Buffer.from('SNAPPY'), 0, 0, 0, 0, 1, 0, 0, 0, 1])
/** Seconds between two tries, where nothing else bounds them. */
const maxPause = 300

export default defineOutput({
  name: 'webhdfs',
  summary: 'Appends events to files in HDFS.',
  description: [
    'Files are appended to, and created where they do not exist. What cannot be written after `retry_times` tries is',
    'given up. Kerberos is not supported: put a gateway that speaks HttpFS before the cluster.',
  ].join('\n'),
  options: {
    ...namedServerOptions(50070, 'the name node, or of HttpFS'),
    standby_host: option.string({ doc: 'A second name node, for when the first is on standby.' }),
    standby_port: option.number({ default: 50070, doc: 'Port of the second name node.' }),
    user: option.string({ required: true, doc: 'Name of the user.' }),
    path: option.string({ required: true, doc: 'Path of the file; may contain `%{…}`.' }),
    compression: option.oneOf(['none', 'snappy', 'gzip'], {
      default: 'none',
      doc: 'How to compress; files get the ending `.snappy` or `.gz`.',
    }),
    snappy_bufsize: option.number({ default: 32_768, doc: 'Bytes of a block of the format `stream`.' }),
    snappy_format: option.oneOf(['stream', 'file'], { default: 'stream', doc: 'Form of Snappy data.' }),
    flush_size: option.number(withoutEffect('a batch is written as a whole.', 500)),
    idle_flush_time: option.number(withoutEffect('events never wait.', 1)),
    open_timeout: option.number({ default: 30, doc: 'Seconds to wait for a connection.' }),
    read_timeout: option.number({ default: 30, doc: 'Seconds to wait for an answer.' }),
    retry_known_errors: option.boolean({ default: true, doc: 'Whether to try again at all.' }),
    retry_interval: option.number({
      default: 0.5,
      doc: 'Seconds before the first repetition; grows with each.',
    }),
    retry_max_interval: option.number({
      default: -1,
      doc: 'Most seconds between two tries; -1 for no limit.',
    }),
    retry_times: option.number({ default: 5, doc: 'How often to try again; -1 for without end.' }),
    single_file_per_thread: option.boolean({
      default: false,
      doc: 'Whether `path` has to contain `%{[@metadata][thread_id]}`; one thread writes in any case.',
    }),
    use_httpfs: option.boolean({ default: false, doc: 'Whether the server is HttpFS.' }),
    use_ssl_auth: option.boolean({
      default: false,
      doc: 'Whether to use https, with the certificate below.',
    }),
    ssl_cert: ownCertificateOptions.ssl_certificate,
    ssl_key: ownCertificateOptions.ssl_key,
    use_kerberos_auth: option.boolean({ default: false, doc: 'Kerberos is not supported.' }),
    kerberos_keytab: option.string({ doc: 'Kerberos is not supported.' }),
  },
  codec: 'line',
  concerns: (options) => startConcern('path', () => checkOptions(options)),
  concurrency: 'single',
  create({ options, codec, codecName, compile, abort, logger }) {
    const { compression, retry_interval, retry_max_interval } = options
    const encode = encodeOf(codec, codecName)
    const pathOf = compile.template(options.path)
    const setThread = compile.set('[@metadata][thread_id]')
    const tries = !options.retry_known_errors ? 0 : options.retry_times < 0 ? Infinity : options.retry_times
    const maxInterval = retry_max_interval < 0 ? maxPause : retry_max_interval
    let client: WebHdfsClient | undefined

    async function packed(bytes: Buffer): Promise<Buffer> {
      if (compression === 'gzip') return compress(bytes)
      if (compression !== 'snappy') return bytes
      if (options.snappy_format === 'file') return withLengths([snappy(bytes)])
      const size = Math.max(1, Math.min(options.snappy_bufsize, 65_536))
      const chunks: Buffer[] = []
      for (let at = 0; at < bytes.length; at += size) {
        const chunk = bytes.subarray(at, at + size)
        const length = Buffer.alloc(4)
        length.writeUInt32BE(chunk.length)
        chunks.push(length, withLengths([snappy(chunk)]))
      }
      return Buffer.concat(chunks)
    }

    async function write(path: string, data: Buffer): Promise<void> {
      try {
        await client!.append(path, data)
      } catch (error) {
        if (!(error instanceof WebHdfsError) || error.status !== 404) throw error
        const isFile = compression === 'snappy' && options.snappy_format === 'file'
        await client!.create(path, isFile ? Buffer.concat([snappyHeader, data]) : data)
      }
    }

    async function deliver(target: string, bytes: Buffer): Promise<void> {
      const ending = { none: '', gzip: '.gz', snappy: '.snappy' }[compression]
      const data = await packed(bytes)
      for (let attempt = 1; ; attempt++) {
        try {
          await write(target + ending, data)
          return
        } catch (error) {
          abort.throwIfAborted()
          const { message } = error as Error
          if (attempt > tries) {
            logger.error(`Max write retries reached. Events will be discarded. Exception: ${message}`)
            throw new Undelivered(message, [target])
          }
          logger.warn(`webhdfs write caused an exception: ${message}. Retrying...`, { path: target, attempt })
          await pause(Math.min(retry_interval * attempt, maxInterval) * 1000, abort)
        }
      }
    }

    return {
      async register() {
        checkOptions(options)
        const { host, port, standby_host, standby_port, use_ssl_auth, ssl_cert, ssl_key } = options
        const [cert, key] = await Promise.all(
          [ssl_cert, ssl_key].map((path) =>
            use_ssl_auth && path !== undefined ? readFile(path) : undefined,
          ),
        )
        const nodes = [{ host, port }]
        if (standby_host !== undefined && standby_host !== 'false')
          nodes.push({ host: standby_host, port: standby_port })
        const http = serviceClient(abort, {
          connectSeconds: options.open_timeout,
          socketSeconds: options.read_timeout,
          tls: { ...(cert && { cert }), ...(key && { key }), rejectUnauthorized: true },
        })
        const scheme = use_ssl_auth ? 'https' : 'http'
        client = new WebHdfsClient(http, { nodes, scheme, user: options.user, isHttpFs: options.use_httpfs })
      },
      encode(events) {
        if (options.single_file_per_thread) for (const event of events) setThread(event, '0')
        return encodeByTarget(events, encode, pathOf)
      },
      async write(blocks) {
        await writeEach(blocks, ({ target, bytes }) => deliver(target, Buffer.from(bytes)))
      },
      async close() {
        const closing = client
        client = undefined
        await closing?.close()
      },
    }
  },
})

function withLengths(chunks: readonly Buffer[]): Buffer {
  return Buffer.concat(
    chunks.flatMap((chunk) => {
      const length = Buffer.alloc(4)
      length.writeUInt32BE(chunk.length)
      return [length, chunk]
    }),
  )
}

function checkOptions(options: {
  use_kerberos_auth: boolean
  single_file_per_thread: boolean
  path: string
}): void {
  if (options.use_kerberos_auth)
    throw new Error('`use_kerberos_auth` is not supported; send to a gateway that speaks HttpFS')
  if (options.single_file_per_thread && !options.path.includes('%{[@metadata][thread_id]}'))
    throw new Error('`single_file_per_thread` needs `%{[@metadata][thread_id]}` in `path`')
}
