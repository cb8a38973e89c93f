/** The syslog output: events as messages of RFC 3164 or RFC 5424, over UDP, TCP or TLS. */
import { createSocket, type Socket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import type { Event } from '../../event/event.ts'
import { type CodecChoice, defineOutput, option, withoutEffect } from '../../plugin/define.ts'
import { encodeFrames, encodeOf, readFrames } from '../../plugin/encode-buffer.ts'
import { TcpClient } from '../delivery/tcp-client.ts'
import { keyPassphrase, ownCertificateOptions } from '../tls/client-options.ts'
import { tlsOptions } from '../tls/tls-options.ts'
import { syslogFacilities, syslogSeverities } from '../values/syslog-labels.ts'

/** Facility user-level, severity notice. */
const usualPriority = 13

export default defineOutput({
  name: 'syslog',
  summary: 'Sends events to a syslog server.',
  options: {
    host: option.string({ required: true, doc: 'Address or name of the syslog server.' }),
    port: option.number({ required: true, doc: 'Port of the server.' }),
    protocol: option.oneOf(['tcp', 'udp', 'ssl-tcp'], { default: 'udp', doc: 'How to reach the server.' }),
    reconnect_interval: option.number({ default: 1, doc: 'Seconds to wait before connecting again.' }),
    rfc: option.oneOf(['rfc3164', 'rfc5424'], { default: 'rfc3164', doc: 'Form of the messages.' }),
    use_labels: option.boolean({
      default: true,
      doc: 'Whether the priority follows from `facility` and `severity`, or is given by `priority`.',
    }),
    facility: option.string({ default: 'user-level', doc: 'Label of the facility; may contain `%{…}`.' }),
    severity: option.string({ default: 'notice', doc: 'Label of the severity; may contain `%{…}`.' }),
    priority: option.string({ default: '%{syslog_pri}', doc: 'Priority, 0 to 191; may contain `%{…}`.' }),
    sourcehost: option.string({ default: '%{host}', doc: 'Host that sends; may contain `%{…}`.' }),
    appname: option.string({ default: 'LOGSTASH', doc: 'Name of the application; may contain `%{…}`.' }),
    procid: option.string({ default: '-', doc: 'Process id; may contain `%{…}`.' }),
    msgid: option.string({ default: '-', doc: 'Kind of message, RFC 5424 only; may contain `%{…}`.' }),
    message: option.string({
      default: '%{message}',
      doc: 'Text of the message; may contain `%{…}`. Used unless there is a codec.',
    }),
    timestamp: option.string({ deprecated: 'It has no effect.', doc: 'No longer has a meaning.' }),
    ssl_verify: option.boolean({ default: false, doc: 'Whether to check the certificate of the server.' }),
    ssl_cacert: option.path({ doc: 'Certificate, a PEM file, that is trusted besides those of the system.' }),
    ssl_cert: ownCertificateOptions.ssl_certificate,
    ssl_key: ownCertificateOptions.ssl_key,
    ssl_key_passphrase: keyPassphrase,
    ssl_crl: option.path(withoutEffect('revocation lists are not read.')),
    ssl_crl_check_all: option.boolean(withoutEffect('revocation lists are not read.', false)),
  },
  codec: 'plain',
  concurrency: 'single',
  create({ options, codec, codecName, compile, abort, logger }) {
    const { host, port, protocol } = options
    const choice = (options as { codec?: CodecChoice }).codec
    const usesMessage = codecName === 'plain' && !choice?.options.has('format')
    const payload = usesMessage ? compile.template(options.message) : encodeOf(codec, codecName)
    const template = (text: string) => compile.template(text)
    const [appname, procid, sourcehost, msgid] = [
      template(options.appname),
      template(options.procid),
      template(options.sourcehost),
      template(options.msgid),
    ]
    const [facility, severity, priority] = [
      template(options.facility),
      template(options.severity),
      template(options.priority),
    ]
    const oldTime = template('%{+MMM dd HH:mm:ss}')
    const newTime = template("%{+YYYY-MM-dd'T'HH:mm:ss.SSSZZ}")

    const priorityOf = (event: Event): number => {
      if (!options.use_labels) {
        const text = priority(event)
        const given = /^\d{1,3}$/.test(text) ? Number(text) : usualPriority
        return given > 191 ? usualPriority : given
      }
      const facilityCode = syslogFacilities.indexOf(facility(event))
      const severityCode = syslogSeverities.indexOf(severity(event))
      return (facilityCode < 0 ? 1 : facilityCode) * 8 + (severityCode < 0 ? 5 : severityCode)
    }

    /** A message is one line, whatever an event holds. */
    const encode = (event: Event): string => {
      const raw = payload(event)
      const text = oneLine((typeof raw === 'string' ? raw : Buffer.from(raw).toString('utf8')).trimEnd())
      const [from, app, process] = [sourcehost, appname, procid].map((part) => oneLine(part(event)))
      const head = `<${priorityOf(event)}>`
      if (options.rfc === 'rfc3164') return `${head}${oldTime(event)} ${from} ${app}[${process}]: ${text}\n`
      return `${head}1 ${newTime(event)} ${from} ${app} ${process} ${oneLine(msgid(event))} - ${text}\n`
    }

    let client: TcpClient | undefined
    let socket: Socket | undefined

    return {
      async register() {
        if (protocol === 'udp') {
          socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
          socket.on('error', (error) => logger.debug('socket error', { error: error.message }))
          socket.unref()
          return
        }
        const tls =
          protocol === 'tcp'
            ? undefined
            : await tlsOptions({
                certificate: options.ssl_cert,
                key: options.ssl_key,
                passphrase: options.ssl_key_passphrase,
                authorities: options.ssl_cacert === undefined ? [] : [options.ssl_cacert],
                trustSystem: true,
              })
        client = new TcpClient({
          host,
          port,
          tls: tls === undefined ? undefined : { ...tls, rejectUnauthorized: options.ssl_verify },
          reconnectMilliseconds: Math.max(10, options.reconnect_interval * 1000),
          logger,
          signal: abort,
        })
      },
      encode: (events) => [encodeFrames(events, encode, `${host}:${port}`)],
      async write(blocks) {
        for (const { bytes } of blocks) {
          const frames = readFrames(bytes)
          if (client !== undefined) await client.send(Buffer.concat(frames))
          // Nobody notices lost datagrams; neither do we.
          else for (const frame of frames) await send(socket!, frame, port, host)
        }
      },
      async close() {
        const closing = socket
        socket = undefined
        closing?.close()
        await client?.close()
      },
    }
  },
})

function oneLine(text: string): string {
  return /[\r\n]/.test(text)
    ? text.replaceAll('\r\n', '\n').replaceAll('\n', '\\n').replaceAll('\r', '\\r')
    : text
}

function send(socket: Socket, frame: Uint8Array, port: number, host: string): Promise<void> {
  return new Promise((resolve) => {
    try {
      socket.send(frame, port, host, () => resolve())
    } catch {
      resolve()
    }
  })
}
