/**
 * The udp output: one datagram per event. Datagrams get lost on the way without anybody noticing; only what
 * the own system refuses is tried again.
 */
import { createSocket, type Socket } from 'node:dgram'
import { type LookupOptions, lookup } from 'node:dns'
import { isIPv6 } from 'node:net'
import type { Event } from '../../event/event.ts'
import { defineOutput, option } from '../../plugin/define.ts'
import { encodeFrames, encodeOf, groupByTarget, readFrames } from '../../plugin/encode-buffer.ts'
import { pause } from '../delivery/pause.ts'

/** Datagrams handed to the system at a time. */
const window = 64
const addressMilliseconds = 30_000

export default defineOutput({
  name: 'udp',
  summary: 'Sends each event as a UDP datagram.',
  options: {
    host: option.string({ required: true, doc: 'Address or name of the receiver.' }),
    port: option.string({ required: true, doc: 'Port of the receiver; may contain `%{…}`.' }),
    retry_count: option.number({
      default: 0,
      doc: 'How often to try again when the system refuses a datagram.',
    }),
    retry_backoff_ms: option.number({ default: 100, doc: 'Milliseconds to wait before trying again.' }),
  },
  codec: 'json',
  concurrency: 'single',
  create({
    options: { host, port, retry_count, retry_backoff_ms },
    codec,
    codecName,
    compile,
    abort,
    logger,
    giveUp,
  }) {
    const encode = encodeOf(codec, codecName)
    const portOf = compile.template(port)
    let socket: Socket | undefined

    const targetOf = (event: Event): string => {
      const text = portOf(event).trim()
      if (/^\d{1,9}$/.test(text)) return text
      const message = `invalid value for Integer(): "${text}"`
      if (!giveUp(event, message))
        logger.error('Failed to resolve port, dropping event', { port, event: event.toHash(), message })
      return ''
    }

    const deliver = async (to: Socket, frame: Uint8Array, toPort: number): Promise<void> => {
      for (let attempt = 0; ; attempt++) {
        const error = await send(to, frame, toPort, host)
        if (error === undefined) return
        if (error.code === 'EMSGSIZE') {
          const message = `Failed to send event, message size of ${frame.length} too long`
          logger.error(message, { error: error.message })
          return
        }
        if (attempt >= retry_count) {
          logger.error('Failed to send event:', { error: error.message })
          return
        }
        logger.warn('Failed to send event, retrying:', { error: error.message })
        await pause(retry_backoff_ms, abort)
      }
    }

    const open = (): Socket => {
      const created = createSocket({ type: isIPv6(host) ? 'udp6' : 'udp4', lookup: rememberingLookup() })
      created.on('error', (error) => logger.debug('socket error', { error: error.message }))
      created.unref()
      return created
    }

    return {
      encode(events) {
        const groups = groupByTarget(events, targetOf)
        groups.delete('')
        return [...groups].map(([target, group]) => encodeFrames(group, encode, target))
      },
      async write(blocks) {
        socket ??= open()
        for (const { target, bytes } of blocks) {
          const frames = readFrames(bytes)
          for (let i = 0; i < frames.length; i += window) {
            const some = frames.slice(i, i + window)
            await Promise.all(some.map((frame) => deliver(socket!, frame, Number(target))))
          }
        }
      },
      close() {
        const closing = socket
        socket = undefined
        if (closing !== undefined) return new Promise((resolve) => closing.close(() => resolve()))
      },
    }
  },
})

function send(
  socket: Socket,
  frame: Uint8Array,
  port: number,
  host: string,
): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    try {
      socket.send(frame, port, host, (error) => resolve(error ?? undefined))
    } catch (error) {
      resolve(error as NodeJS.ErrnoException)
    }
  })
}

type LookupCallback = (error: NodeJS.ErrnoException | null, address: string, family: number) => void

/** Name resolution that asks again only now and then, instead of for every datagram. */
function rememberingLookup() {
  // A socket also looks up the address it binds to, so there is more than one name.
  const known = new Map<string, { address: string; family: number; until: number }>()
  return (hostname: string, options: LookupOptions | number, callback: LookupCallback): void => {
    const found = known.get(hostname)
    if (found !== undefined && Date.now() < found.until) {
      process.nextTick(callback, null, found.address, found.family)
      return
    }
    const wanted = typeof options === 'number' ? options : options.family
    lookup(hostname, { family: wanted, all: false }, (error, address, family) => {
      if (error === null) known.set(hostname, { address, family, until: Date.now() + addressMilliseconds })
      callback(error, address, family)
    })
  }
}
