/**
 * Follows the changes of a CouchDB database. The sequence of a change is remembered when its event is safe, and with it
 * those of all before it, so that a crash repeats changes rather than losing them.
 */

import { readFile } from 'node:fs/promises'
import { request as requestPlain } from 'node:http'
import { request as requestTls } from 'node:https'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { Event } from '../../event/event.ts'
import { parseJson } from '../../event/json-parse.ts'
import { writeJson } from '../../event/json-write.ts'
import { Timestamp } from '../../event/timestamp.ts'
import { utf8Text } from '../../event/utf8-text.ts'
import { type Fields, isFields, type Value } from '../../event/value.ts'
import { defineInput, option, type Sink } from '../../plugin/define.ts'
import { lineFeed } from '../../text/ascii.ts'
import { serverOptions } from '../delivery/server-address.ts'
import { whilePositionsMove } from '../receiving/arrivals.ts'
import { Stop } from '../receiving/stop.ts'
import { SequenceFile } from './couchdb-changes/sequence-file.ts'
import { Deliveries } from './file/deliveries.ts'

const maxLineBytes = 64 * 1024 * 1024
const connectMilliseconds = 60_000

export default defineInput({
  name: 'couchdb_changes',
  summary: 'Follows the changes of a CouchDB database.',
  description: [
    'A change becomes an event with the document in `doc`; `[@metadata][action]` is `update` or `delete`, `[@metadata][_id]`',
    'the document and `[@metadata][seq]` the sequence. The sequence is remembered when the event and all before it are safe:',
    'on stable storage where the queue of the pipeline is persisted, delivered by the outputs where it is in memory.',
  ].join('\n'),
  options: {
    db: option.string({ required: true, doc: 'Database to follow.' }),
    ...serverOptions(5984),
    secure: option.boolean({ default: false, doc: 'Whether to use https.' }),
    ca_file: option.path({ doc: 'Certificates of authorities that vouch for the server, a PEM file.' }),
    username: option.string({ doc: 'Name to log in with.' }),
    password: option.password({ doc: 'Password to log in with.' }),
    heartbeat: option.number({ default: 1000, doc: 'Milliseconds between two signs of life of the server.' }),
    timeout: option.number({
      doc: 'Milliseconds to wait for a change before the connection is ended; then there are no signs of life.',
    }),
    sequence_path: option.string({
      doc: 'File with the last sequence; `.couchdb_seq` in the home folder unless given.',
      aliases: ['sincedb_path'],
    }),
    initial_sequence: option.number({ doc: 'Sequence to begin behind, instead of the one in the file.' }),
    keep_id: option.boolean({ default: false, doc: 'Whether documents keep their `_id`.' }),
    keep_revision: option.boolean({ default: false, doc: 'Whether documents keep their `_rev`.' }),
    ignore_attachments: option.boolean({ default: true, doc: 'Has no effect, as in Logstash.' }),
    always_reconnect: option.boolean({ default: true, doc: 'Whether to connect again after a failure.' }),
    reconnect_delay: option.number({ default: 10, doc: 'Seconds to wait before that.' }),
  },
  create({ options, logger, abort }) {
    const stop = new Stop()
    const file = new SequenceFile(options.sequence_path ?? join(homedir(), '.couchdb_seq'))
    let sequence = '0'
    let safe = ''
    const deliveries = new Deliveries<string>((last) => {
      safe = last
      file.write(last, (error) => logger.error('The sequence was not written', { message: error.message }))
    })

    const pathOf = (): string => {
      const wait =
        options.timeout === undefined ? `heartbeat=${options.heartbeat}` : `timeout=${options.timeout}`
      const since = encodeURIComponent(sequence)
      return `/${encodeURIComponent(options.db)}/_changes?feed=continuous&include_docs=true&since=${since}&${wait}`
    }

    const takeLine = async (line: Buffer, sink: Sink): Promise<void> => {
      const text = utf8Text(line).trim()
      if (text === '') return
      const change = parseJson(text)
      const event = isFields(change) ? eventOf(change, options) : undefined
      if (event === undefined) return
      const next = sequenceText(event.get('[@metadata][seq]'))
      const accepted = sink.events([event], { done: deliveries.track(next) })
      if (accepted !== undefined) await stop.during(accepted)
      sequence = next
    }

    /** Resolves when the server ends the feed. */
    const follow = async (sink: Sink): Promise<void> => {
      const ca = options.ca_file === undefined ? undefined : await readFile(options.ca_file)
      const { host, port, username, password } = options
      const request = (options.secure ? requestTls : requestPlain)({
        host,
        port,
        path: pathOf(),
        agent: false,
        ...(username !== undefined && password !== undefined && { auth: `${username}:${password.value}` }),
        ...(ca !== undefined && { ca }),
      })
      // Signs of life come all the time; a server that gives none is gone.
      const silence = options.timeout ?? Math.max(connectMilliseconds, options.heartbeat * 10)
      request.setTimeout(silence + connectMilliseconds, () =>
        request.destroy(new Error('the server is silent')),
      )
      const end = stop.requested.then(() => request.destroy())
      try {
        const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
          request.on('response', resolve)
          request.on('error', reject)
          request.end()
        })
        request.on('error', () => undefined)
        checkStatus(response.statusCode ?? 0)
        const parts: Buffer[] = []
        let length = 0
        for await (const chunk of response as AsyncIterable<Buffer>) {
          let start = 0
          for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, start)) {
            parts.push(chunk.subarray(start, at))
            start = at + 1
            length = 0
            await takeLine(Buffer.concat(parts.splice(0)), sink)
            if (stop.isRequested) return
          }
          if (start < chunk.length) parts.push(chunk.subarray(start))
          length += chunk.length - start
          if (length > maxLineBytes) throw new Error(`a change is longer than ${maxLineBytes} bytes`)
        }
      } finally {
        request.destroy()
        void end
      }
    }

    return {
      async register() {
        if (options.initial_sequence !== undefined) {
          sequence = String(options.initial_sequence)
          file.write(sequence, (error) =>
            logger.error('The sequence was not written', { message: error.message }),
          )
          await file.settled()
        } else sequence = await file.read()
        logger.info('Connecting to CouchDB _changes stream at:', {
          host: options.host,
          port: options.port,
          db: options.db,
          since: sequence,
        })
      },
      async run(sink) {
        while (!stop.isRequested) {
          try {
            await follow(sink)
          } catch (error) {
            if (stop.isRequested) break
            logger.error(
              `Connection problem encountered: Retrying connection in ${options.reconnect_delay} seconds...`,
              { error: (error as Error).message, host: options.host, port: options.port, db: options.db },
            )
            if (!options.always_reconnect) break
            await stop.sleep(Math.max(10, options.reconnect_delay * 1000))
          }
          // A feed that ends at once is not asked for without a pause.
          await stop.sleep(10)
        }
        await whilePositionsMove(deliveries.settled(), abort, () => safe)
        await file.settled()
      },
      stop() {
        stop.request()
      },
    }
  },
})

function checkStatus(status: number): void {
  if (status >= 500) throw new Error(`Server error! (${status})`)
  if (status === 401) throw new Error('Authentication error! (401)')
  if (status === 404) throw new Error('Database not found! (404)')
  if (status >= 400) throw new Error(`Request error! (${status})`)
}

/** Numbers, and since CouchDB 2 texts; older clusters give lists. */
function sequenceText(sequence: Value | undefined): string {
  if (typeof sequence === 'string') return sequence
  return sequence === undefined || sequence === null ? '0' : writeJson(sequence)
}

interface Keeping {
  readonly keep_id: boolean
  readonly keep_revision: boolean
}

function eventOf(change: Fields, { keep_id, keep_revision }: Keeping): Event | undefined {
  const { doc, seq } = change
  if (Object.hasOwn(change, 'last_seq') || !isFields(doc)) return undefined
  const metadata: Fields = { _id: doc['_id'] ?? null, seq: seq ?? null }
  const fields: Fields = { '@metadata': metadata }
  if (doc['_deleted'] === true) metadata['action'] = 'delete'
  else {
    metadata['action'] = 'update'
    if (!keep_id) delete doc['_id']
    if (!keep_revision) delete doc['_rev']
    fields['doc'] = doc
    fields['doc_as_upsert'] = true
  }
  return Event.from(fields, Timestamp.now())
}
