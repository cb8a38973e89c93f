/**
 * Reads events from Redis: from a list, which several readers may share, or from channels. Lists are emptied in
 * batches by a script on the server, so that reading and removing is one step; a lost connection is opened again. Items
 * that are not safe when the input ends go back to the list.
 */

import { defineInput, type Origin, option, type Sink } from '../../plugin/define.ts'
import { serverOptions } from '../delivery/server-address.ts'
import { untilSafe } from '../receiving/arrivals.ts'
import { Stop } from '../receiving/stop.ts'
import { RespClient, RespError, RespTooLong, type RespValue } from '../redis/resp-client.ts'
import { ItemsInHand } from './redis/items-in-hand.ts'
import { ProcessingList } from './redis/processing-list.ts'

/** Takes up to ARGV[1] items from the head of the list KEYS[1]. */
const takeItems = `local items = redis.call('LRANGE', KEYS[1], 0, ARGV[1] - 1)
if #items > 0 then redis.call('LTRIM', KEYS[1], #items, -1) end
return items`

const emptyPauseMilliseconds = 50
const reconnectMilliseconds = 1000
/** A blocking read ends after this long, so that a stop is noticed. */
const blockSeconds = 1
const maxChannels = 10_000
/** A server that owes a reply and sends nothing for so long is gone; one that works on a large save is not. */
const silenceMilliseconds = 60_000
/** How long a reply that is under way may still take when the input stops. */
const lastReplyMilliseconds = 2000
/** Items of one command when they go back to their list, and how long that may take. */
const giveBack = { items: 500, milliseconds: 5000 }

export default defineInput({
  name: 'redis',
  summary: 'Reads events from a list or from channels of a Redis server.',
  description: [
    'Items of a list are removed from it when they are read, so that from then on only this program has them. Those that',
    'are not safe when the input stops (on stable storage where the queue of the pipeline is persisted, delivered by the',
    'outputs where it is in memory) are put back at the head of the list within five seconds, and may arrive twice. When',
    'the program is killed, or the machine loses power, items are lost that were read and not yet safe: at most what the',
    'queue of the pipeline holds, its batches under way, and `batch_count` items for each of the `threads`. With',
    '`processing_list` nothing is lost: items wait in that list until they are safe. Messages of',
    'channels go to whoever listens at that moment and cannot be asked for again.',
    '',
    'A server that owes a reply and sends nothing for a minute is given up and connected to again; when the input stops,',
    'after two seconds.',
    '',
    'A value of more than 64 MiB is not read: it is dropped with a line in the log, or stays in the `processing_list`.',
  ].join('\n'),
  codec: 'json',
  originLast: true,
  options: {
    data_type: option.oneOf(['list', 'channel', 'pattern_channel'] as const, {
      required: true,
      doc: 'What to read: a list, a channel, or all channels whose names fit a pattern.',
    }),
    key: option.string({ required: true, doc: 'Name of the list or channel, or the pattern.' }),
    ...serverOptions(6379, 'the server', '127.0.0.1'),
    path: option.string({ doc: 'Unix socket of the server, instead of host and port.' }),
    db: option.number({ default: 0, doc: 'Number of the database.' }),
    password: option.password({ doc: 'Password of the server.' }),
    ssl: option.boolean({ default: false, doc: 'Whether to encrypt the connection.' }),
    timeout: option.number({ default: 5, doc: 'Seconds to wait for a connection.' }),
    batch_count: option.number({ default: 125, doc: 'How many items of a list to take at once.' }),
    threads: option.number({ default: 1, doc: 'How many connections read at the same time.' }),
    processing_list: option.string({
      doc: 'Name of a second list in which items wait from when they are read until they are safe; at the start what is in it goes back to the list. It belongs to this input alone, and needs Redis 6.2 or later. Not an option of Logstash.',
    }),
    command_map: option.hash({
      default: new Map(),
      doc: 'Commands that the server knows under another name: `"evalsha" => "own-name"`.',
    }),
    name: option.string({
      doc: 'No longer has a meaning.',
      deprecated: 'It has no effect.',
    }),
    queue: option.string({
      doc: 'Old name of `key`, for lists.',
      obsolete: "Use 'key' and 'data_type' instead.",
    }),
    channel: option.string({
      doc: 'Old name of `key`, for channels.',
      obsolete: "Use 'key' and 'data_type' instead.",
    }),
  },
  create({ options, logger, abort }) {
    const { data_type, key, batch_count } = options
    const stop = new Stop()
    const clients = new Set<RespClient>()
    const inHand = new ItemsInHand()
    const processing =
      options.processing_list === undefined ? undefined : new ProcessingList(key, options.processing_list)
    const origins = new Map<string, Origin>()
    const renamed = new Map([...options.command_map].map(([name, other]) => [name, String(other)]))

    const connect = async (): Promise<RespClient> => {
      const client = await RespClient.connect({
        host: options.host,
        port: options.port,
        path: options.path,
        tls: options.ssl ? {} : undefined,
        password: options.password?.value,
        db: options.db,
        connectMilliseconds: Math.max(1, options.timeout * 1000),
        silenceMilliseconds: Math.max(silenceMilliseconds, options.timeout * 1000),
        renamed,
      })
      clients.add(client)
      void client.closed.then(() => clients.delete(client))
      return client
    }

    /** One origin per channel, so that its accessors are compiled once. */
    const originOf = (channel: string): Origin => {
      let origin = origins.get(channel)
      if (origin === undefined) {
        if (origins.size >= maxChannels) origins.clear()
        origin = { overwrite: [['[@metadata][redis_channel]', channel]] }
        origins.set(channel, origin)
      }
      return origin
    }

    const fromList: Origin = {}

    const warnOfConnection = ({ name, message }: Error): void => {
      logger.warn('Redis connection error', {
        address: options.path ?? `${options.host}:${options.port}`,
        exception: name,
        message,
      })
    }

    /** What comes with it is read; itself it is in the processing list, or nowhere any more. */
    const refuseLong = ({ bytes }: RespTooLong): void => {
      const isKept = processing !== undefined
      const text = isKept
        ? 'A value is too long to be read; it stays in the processing list'
        : 'A value is too long to be read and is dropped'
      logger.error(text, { key, bytes })
    }

    const handOver = async (sink: Sink, items: readonly RespValue[]): Promise<void> => {
      for (const item of items) if (item instanceof RespTooLong) refuseLong(item)
      const taken = items.flatMap((item) => {
        if (item instanceof RespTooLong) return []
        const bytes = Buffer.isBuffer(item) ? item : Buffer.from(String(item))
        const out = inHand.take(bytes)
        const done = () => {
          processing?.settle(bytes)
          out()
        }
        return [{ bytes, done }]
      })
      for (const { bytes, done } of taken) {
        const accepted = sink.record(bytes, fromList, { done })
        if (accepted !== undefined) await stop.during(accepted)
      }
    }

    /** A connection for giving items back, which is closed when that takes too long. */
    const forReturn = async (work: (client: RespClient) => Promise<void>): Promise<void> => {
      let client: RespClient | undefined
      const timer = setTimeout(() => client?.close(), giveBack.milliseconds)
      try {
        client = await connect()
        await work(client)
      } finally {
        clearTimeout(timer)
        client?.close()
      }
    }

    /** What nobody has but us, and we cannot keep, goes back where it came from. */
    const putBack = async (): Promise<void> => {
      const items = inHand.letGo().reverse()
      try {
        await forReturn(async (client) => {
          while (items.length > 0) {
            await client.command('LPUSH', key, ...items.slice(0, giveBack.items))
            items.splice(0, giveBack.items)
          }
        })
      } catch (error) {
        logger.error('Items could not be put back and may be lost', {
          key,
          count: items.length,
          message: (error as Error).message,
        })
      }
    }

    /** What is not safe goes back from the second list to the first. */
    const emptyProcessingList = async (list: ProcessingList): Promise<void> => {
      try {
        await forReturn(async (client) => {
          await list.removeSafe(client)
          await list.giveBack(client)
        })
      } catch (error) {
        logger.warn('Items stay in the processing list until the next start', {
          processing_list: options.processing_list,
          message: (error as Error).message,
        })
      }
    }

    /** What a run before this one had read and did not get to a safe place is read again, before everything else. */
    const recoverItems = async (list: ProcessingList): Promise<void> => {
      while (!stop.isRequested) {
        let client: RespClient | undefined
        try {
          client = await connect()
          const count = await list.giveBack(client)
          if (count > 0) logger.info('Items of an earlier run went back to the list', { key, count })
          return
        } catch (error) {
          warnOfConnection(error as Error)
          await stop.sleep(reconnectMilliseconds)
        } finally {
          client?.close()
        }
      }
    }

    const readProcessing = async (list: ProcessingList, client: RespClient, sink: Sink): Promise<void> => {
      while (!stop.isRequested) {
        const items = await list.take(client, batch_count, blockSeconds)
        await list.removeSafe(client)
        if (items.length > 0) await handOver(sink, items)
      }
    }

    let scriptSha = ''
    const takeBatch = async (client: RespClient): Promise<RespValue[]> => {
      for (;;) {
        try {
          if (scriptSha !== '') return listOf(await client.command('EVALSHA', scriptSha, 1, key, batch_count))
        } catch (error) {
          if (!(error instanceof RespError) || error.code !== 'NOSCRIPT') throw error
        }
        scriptSha = String(await client.command('SCRIPT', 'LOAD', takeItems))
      }
    }

    const readList = async (client: RespClient, sink: Sink): Promise<void> => {
      while (!stop.isRequested) {
        if (batch_count > 1) {
          const items = await takeBatch(client)
          if (items.length === 0) await stop.sleep(emptyPauseMilliseconds)
          else await handOver(sink, items)
        } else {
          const popped = await client.command('BLPOP', key, blockSeconds)
          if (Array.isArray(popped)) await handOver(sink, popped.slice(1))
        }
      }
    }

    const readChannels = async (client: RespClient, sink: Sink): Promise<void> => {
      const kind = data_type === 'channel' ? 'SUBSCRIBE' : 'PSUBSCRIBE'
      await client.subscribe(kind, key, ({ channel, payload }) =>
        payload instanceof RespTooLong ? refuseLong(payload) : sink.record(payload, originOf(channel)),
      )
      logger.info('Subscribed', { channel: key })
      await stop.during(client.closed)
      if (!stop.isRequested) throw new Error('The Redis server closed the connection')
    }

    let lastReply: NodeJS.Timeout | undefined
    const closeAll = (): void => {
      for (const client of clients) client.close()
    }

    let hasBroken = false
    const readAlways = async (sink: Sink): Promise<void> => {
      while (!stop.isRequested) {
        let client: RespClient | undefined
        try {
          client = await connect()
          // Nobody knows what a connection that broke had moved; what is in hand may arrive twice.
          if (hasBroken) await processing?.giveBack(client)
          hasBroken = false
          if (data_type !== 'list') await readChannels(client, sink)
          else if (processing === undefined) await readList(client, sink)
          else await readProcessing(processing, client, sink)
        } catch (error) {
          if (stop.isRequested) return
          hasBroken = true
          warnOfConnection(error as Error)
          await stop.sleep(reconnectMilliseconds)
        } finally {
          client?.close()
        }
      }
    }

    return {
      register() {
        logger.info('Registering Redis', {
          identity: `${options.path ?? `${options.host}:${options.port}`} ${data_type}:${key}`,
        })
      },
      async run(sink) {
        if (processing !== undefined) await recoverItems(processing)
        await Promise.all(Array.from({ length: Math.max(1, options.threads) }, () => readAlways(sink)))
        clearTimeout(lastReply)
        const isSafe = await untilSafe(inHand.settled(), stop, abort)
        if (processing !== undefined) await emptyProcessingList(processing)
        else if (!isSafe) await putBack()
      },
      stop() {
        stop.request()
        lastReply ??= setTimeout(closeAll, lastReplyMilliseconds)
      },
      close() {
        clearTimeout(lastReply)
        closeAll()
      },
    }
  },
})

function listOf(reply: RespValue): RespValue[] {
  return Array.isArray(reply) ? reply : []
}
