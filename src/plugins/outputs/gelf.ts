/**
 * The gelf output: each event as a message in the Graylog Extended Log Format, over UDP compressed and in chunks, over TCP
 * ended by NUL. Datagrams get lost on the way without anybody noticing; what the own system refuses is tried again.
 */
import { createSocket, type Socket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import type { ConnectionOptions } from 'node:tls'
import { deflateSync } from 'node:zlib'
import { writeJson } from '../../event/json-write.ts'
import { defineOutput, option } from '../../plugin/define.ts'
import { encodeFrames, readFrames } from '../../plugin/encode-buffer.ts'
import { exponentialBackOff, pause } from '../delivery/pause.ts'
import { namedServerOptions } from '../delivery/server-address.ts'
import { TcpClient } from '../delivery/tcp-client.ts'
import { tlsOptions } from '../tls/tls-options.ts'
import { datagramsOf } from './gelf/datagrams.ts'
import { compileMessage } from './gelf/message.ts'

const addressMilliseconds = 30_000
const reconnectMilliseconds = 1000

export default defineOutput({
  name: 'gelf',
  summary: 'Sends events to Graylog, or whoever reads GELF.',
  options: {
    ...namedServerOptions(12201, 'the receiver'),
    protocol: option.oneOf(['TCP', 'UDP'] as const, { default: 'UDP', doc: 'How to send.' }),
    chunksize: option.number({ default: 1420, doc: 'Bytes of a message that go into one datagram.' }),
    sender: option.string({ default: '%{host}', doc: 'The field `host` of messages; may contain `%{…}`.' }),
    level: option.array({
      default: ['%{severity}', 'INFO'],
      doc: 'Level of a message, a number from 0 to 7 or a name; the first one whose fields the event has.',
    }),
    ship_metadata: option.boolean({
      default: true,
      doc: 'Whether the fields of the event are sent as additional fields.',
    }),
    ship_tags: option.boolean({ default: true, doc: 'Whether the tags are sent as `_tags`.' }),
    ignore_metadata: option.array({
      default: ['@timestamp', '@version', 'severity', 'host', 'source_host', 'source_path', 'short_message'],
      doc: 'Fields that are not sent as additional fields.',
    }),
    custom_fields: option.hash({
      default: new Map(),
      doc: 'Further additional fields and their values, names without the underscore.',
    }),
    full_message: option.string({
      default: '%{message}',
      doc: 'The full message; may contain `%{…}`.',
    }),
    short_message: option.string({
      default: 'short_message',
      doc: 'Field with the short message; where it is missing or empty, that is `message`.',
    }),
    ssl: option.boolean({ default: false, doc: 'Whether to encrypt connections, with `protocol => "TCP"`.' }),
    ssl_certificate_authorities: option.string({
      default: '',
      doc: 'Certificates that are trusted instead of those of the system, a PEM file.',
    }),
    ssl_certificate: option.string({ default: '', doc: 'Own certificate, a PEM file.' }),
    ssl_key: option.string({ default: '', doc: 'Key of the own certificate, a PEM file.' }),
    ssl_verify_mode: option.string({
      default: 'force_peer',
      doc: 'Whether to check the certificate of the receiver: `force_peer` and `peer` do, `none` does not.',
    }),
    facility: option.string({ doc: 'No longer has a meaning.', removed: 'Use `custom_fields` instead.' }),
    file: option.string({ doc: 'No longer has a meaning.', removed: 'Use `custom_fields` instead.' }),
    line: option.string({ doc: 'No longer has a meaning.', removed: 'Use `custom_fields` instead.' }),
  },
  concurrency: 'single',
  create({ options, compile, abort, logger, giveUp }) {
    const { host, port, protocol } = options
    const toMessage = compileMessage(options, compile)
    const chunkBytes = Math.max(1, Math.trunc(options.chunksize))
    let socket: Socket | undefined
    let client: TcpClient | undefined
    let address: { text: string; family: number; until: number } | undefined

    const encode = (message: string): Uint8Array => {
      if (protocol === 'UDP') return deflateSync(message)
      return Buffer.from(`${message}\0`)
    }

    const resolved = async (): Promise<{ text: string; family: number }> => {
      if (address !== undefined && Date.now() < address.until) return address
      const found = await lookup(host)
      address = { text: found.address, family: found.family, until: Date.now() + addressMilliseconds }
      return address
    }

    const sendDatagram = async (datagram: Buffer): Promise<void> => {
      for (let attempt = 0; ; attempt++) {
        try {
          const { text, family } = await resolved()
          socket ??= createSocket(family === 6 ? 'udp6' : 'udp4').unref()
          await new Promise<void>((resolve, reject) => {
            socket!.send(datagram, port, text, (error) => (error ? reject(error) : resolve()))
          })
          return
        } catch (error) {
          abort.throwIfAborted()
          const { code, message } = error as NodeJS.ErrnoException
          logger.warn('Trouble sending GELF event', { error: message })
          if (code === 'EMSGSIZE') return
          address = undefined
          await pause(exponentialBackOff(attempt, 100), abort)
        }
      }
    }

    return {
      async register() {
        if (protocol === 'UDP') return
        const tls = options.ssl ? await tlsSettings(options) : undefined
        client = new TcpClient({ host, port, tls, reconnectMilliseconds, logger, signal: abort })
      },
      encode(events) {
        const messages = new Map<(typeof events)[number], Uint8Array>()
        for (const event of events) {
          try {
            const message = encode(writeJson(toMessage(event)))
            if (protocol === 'UDP' && datagramsOf(Buffer.from(message), chunkBytes) === undefined)
              throw new Error(`The message does not fit into 128 chunks of ${chunkBytes} bytes`)
            messages.set(event, message)
          } catch (error) {
            const { message } = error as Error
            if (!giveUp(event, message)) logger.warn('Trouble sending GELF event', { error: message })
          }
        }
        const sent = [...messages.keys()]
        return sent.length === 0 ? [] : [encodeFrames(sent, (event) => messages.get(event)!, protocol)]
      },
      async write(blocks) {
        for (const { bytes } of blocks) {
          const frames = readFrames(bytes)
          if (client !== undefined) {
            await client.send(Buffer.concat(frames))
            continue
          }
          for (const frame of frames) {
            for (const datagram of datagramsOf(Buffer.from(frame), chunkBytes) ?? [])
              await sendDatagram(datagram)
          }
        }
      },
      async close() {
        socket?.close()
        socket = undefined
        await client?.close()
        client = undefined
      },
    }
  },
})

interface TlsChoice {
  readonly ssl_certificate: string
  readonly ssl_key: string
  readonly ssl_certificate_authorities: string
  readonly ssl_verify_mode: string
}

async function tlsSettings(options: TlsChoice): Promise<ConnectionOptions> {
  const given = (text: string) => (text === '' ? undefined : text)
  const authorities = given(options.ssl_certificate_authorities)
  return {
    ...(await tlsOptions({
      certificate: given(options.ssl_certificate),
      key: given(options.ssl_key),
      authorities: authorities === undefined ? [] : [authorities],
    })),
    rejectUnauthorized: options.ssl_verify_mode !== 'none',
  }
}
