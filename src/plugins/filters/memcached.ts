/**
 * memcached: puts what a memcached server keeps under keys into fields, and what fields hold under keys. The requests
 * of a batch are pipelined over one connection per server, in the order of the events.
 */
import type { Event } from '../../event/event.ts'
import type { Value } from '../../event/value.ts'
import { startConcern } from '../../plugin/concern.ts'
import { defineFilter, option } from '../../plugin/define.ts'
import { textOf } from '../../plugin/raw-text.ts'
import { LruCache } from '../values/lru-cache.ts'
import { sideBySide } from '../values/side-by-side.ts'
import { type Answer, MemcachedConnection, status } from './memcached/client.ts'
import { compileRing, hostOf } from './memcached/ring.ts'
import { decodeValue, encodeValue, keyBytes } from './memcached/values.ts'

/** Milliseconds to wait for a connection and for an answer. */
const timeoutMillis = 1000
/** Milliseconds after a failure before the next try. */
const rest = 1000
/** Events whose requests are under way at the same time. */
const window = 200

class ServerAnswer extends Error {}

interface Cached {
  readonly value: Value | undefined
  readonly until: number
}

export default defineFilter({
  name: 'memcached',
  summary: 'Reads values from memcached into fields, and writes fields to memcached.',
  description: [
    'Fields are written before keys are read. Texts are kept as they are, other values as Logstash keeps them. The',
    'common options are applied when something was written, or found.',
  ].join('\n'),
  oneToOne: true,
  options: {
    hosts: option.array({
      default: ['localhost'],
      doc: 'Servers, `name` or `name:port`; keys are spread over them.',
    }),
    namespace: option.string({ doc: 'What all keys begin with, followed by a colon.' }),
    get: option.hash({
      default: new Map(),
      doc: 'Keys to read and the fields that take their values; keys may contain `%{…}`.',
    }),
    set: option.hash({
      default: new Map(),
      doc: 'Fields to write and the keys that take their values; keys may contain `%{…}`.',
    }),
    ttl: option.number({ default: 0, doc: 'Seconds a written value is kept; 0 for ever.' }),
    tag_on_failure: option.string({
      default: '_memcached_failure',
      doc: 'Tag for events whose requests failed.',
    }),
    lru_cache_ttl: option.number({
      default: 0,
      doc: 'Seconds to remember what was read, in this process; 0 for not at all.',
    }),
    lru_cache_max_size: option.number({ default: 1024, doc: 'How many values to remember.' }),
  },
  concerns: (options) => startConcern('ttl', () => checkOptions(options)),
  create({ options, compile, logger, matched, abort, failed }) {
    const { namespace, tag_on_failure, lru_cache_ttl } = options
    checkOptions(options)
    const hosts = options.hosts.map((host) => hostOf(textOf(host)))
    const serverOf = compileRing(hosts)
    const reads = [...options.get].map(([key, field]) => ({
      key: compile.template(key),
      set: compile.set(textOf(field)),
    }))
    const writes = [...options.set].map(([field, key]) => ({
      get: compile.get(field),
      key: compile.template(textOf(key)),
    }))
    const remembered =
      lru_cache_ttl > 0 && options.lru_cache_max_size > 0
        ? new LruCache<Cached>(options.lru_cache_max_size)
        : undefined
    const connections: (Promise<MemcachedConnection> | undefined)[] = hosts.map(() => undefined)
    const restUntil = hosts.map(() => 0)
    let isClosed = false

    function connectionOf(index: number): Promise<MemcachedConnection> {
      if (isClosed || abort.aborted) return Promise.reject(new Error('stopped'))
      const { host, port } = hosts[index]!
      if (connections[index] === undefined && Date.now() < restUntil[index]!)
        return Promise.reject(new Error(`No server available at ${host}:${port}`))
      return (connections[index] ??= MemcachedConnection.connect(host, port, timeoutMillis))
    }

    /** One request; a connection that fails is given up for a while. */
    async function ask(
      key: Buffer,
      request: (connection: MemcachedConnection) => Promise<Answer>,
    ): Promise<Answer> {
      const index = serverOf(key)
      const pending = connectionOf(index)
      try {
        return await request(await pending)
      } catch (error) {
        if (connections[index] === pending) {
          connections[index] = undefined
          restUntil[index] = Date.now() + rest
          const { host, port } = hosts[index]!
          const message = (error as Error).message
          if (!isClosed) logger.error('memcached communication error', { hosts: `${host}:${port}`, message })
        }
        throw error
      }
    }

    async function write(key: string, value: Value): Promise<void> {
      const name = keyBytes(key, namespace)
      const { bytes, flags } = encodeValue(value)
      const answer = await ask(name, (connection) => connection.set(name, bytes, flags, options.ttl))
      if (answer.status !== status.ok)
        throw new ServerAnswer(answer.value.toString('utf8') || `status ${answer.status}`)
    }

    async function read(key: string): Promise<Value | undefined> {
      const known = remembered?.get(key)
      if (known !== undefined && known.until > Date.now()) return known.value
      const name = keyBytes(key, namespace)
      const answer = await ask(name, (connection) => connection.get(name))
      if (answer.status !== status.ok && answer.status !== status.notFound)
        throw new ServerAnswer(answer.value.toString('utf8') || `status ${answer.status}`)
      const value = answer.status === status.ok ? decodeValue(answer.value, answer.flags) : undefined
      remembered?.set(key, { value, until: Date.now() + lru_cache_ttl * 1000 })
      return value
    }

    async function one(event: Event): Promise<void> {
      try {
        const written: Promise<void>[] = []
        for (const { get, key } of writes) {
          const value = get(event)
          if (value !== undefined && value !== null) written.push(write(key(event), value))
        }
        const found = await Promise.all([
          ...reads.map(async ({ key, set }) => {
            const value = await read(key(event))
            if (value === undefined || value === null) return false
            set(event, value)
            return true
          }),
          Promise.all(written).then(() => written.length > 0),
        ])
        if (found.includes(true)) matched(event)
      } catch (error) {
        if (error instanceof ServerAnswer || !(error as NodeJS.ErrnoException).code)
          logger.debug('memcached request failed', { message: (error as Error).message })
        event.tag(tag_on_failure)
      }
    }

    return {
      filterBatch: (events) =>
        sideBySide(events, window, (event) => one(event).catch((error) => failed(event, error))),
      async close() {
        isClosed = true
        for (const connection of connections.splice(0))
          await connection?.then((open) => open.close()).catch(() => undefined)
      },
    }
  },
})

function checkOptions({ ttl, hosts }: { ttl: number; hosts: readonly Value[] }): void {
  if (ttl < 0) throw new Error("'ttl' option cannot be negative")
  if (hosts.length === 0) throw new Error("'hosts' cannot be empty")
}
