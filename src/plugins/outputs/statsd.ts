/**
 * The statsd output: counters, timers, gauges and sets, one datagram each, or a line each over TCP:
 *
 *   namespace.sender.metric:value|c|@0.1
 */
import { createSocket, type Socket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import type { Event } from '../../event/event.ts'
import { valueText } from '../../event/sprintf.ts'
import type { Value } from '../../event/value.ts'
import type { Compile } from '../../plugin/compile.ts'
import { defineOutput, type HashValue, option } from '../../plugin/define.ts'
import { serverOptions } from '../delivery/server-address.ts'
import { TcpClient } from '../delivery/tcp-client.ts'

type Counters = readonly Value[]

export default defineOutput({
  name: 'statsd',
  summary: 'Sends metrics to StatsD.',
  options: {
    ...serverOptions(8125, 'the StatsD server'),
    protocol: option.oneOf(['udp', 'tcp'], { default: 'udp', doc: 'How to reach the server.' }),
    namespace: option.string({
      default: 'logstash',
      doc: 'Beginning of the names; may contain `%{…}`, empty for none.',
    }),
    sender: option.string({
      doc: 'Second part of the names; may contain `%{…}`. The field `host`, in ECS mode `[host][hostname]`, unless given.',
    }),
    increment: option.array({ default: [], doc: 'Counters to increment; may contain `%{…}`.' }),
    decrement: option.array({ default: [], doc: 'Counters to decrement; may contain `%{…}`.' }),
    count: option.hash({ default: new Map(), doc: 'Counters and how much to add; may contain `%{…}`.' }),
    timing: option.hash({ default: new Map(), doc: 'Timers and milliseconds; may contain `%{…}`.' }),
    gauge: option.hash({ default: new Map(), doc: 'Gauges and values; may contain `%{…}`.' }),
    set: option.hash({ default: new Map(), doc: 'Sets and members; may contain `%{…}`.' }),
    sample_rate: option.number({ default: 1, doc: 'Part of the metrics that is sent, 0 to 1.' }),
    debug: option.boolean({ deprecated: 'It has no effect.', doc: 'No longer has a meaning.' }),
  },
  concurrency: 'single',
  create({ options, ecs, compile, abort, logger }) {
    const { host, port, protocol, sample_rate } = options
    const sender = options.sender ?? (ecs === 'disabled' ? '%{host}' : '%{[host][hostname]}')
    const toLines = compileLines({ ...options, sender }, compile)
    const target = `${host}:${port}`
    let socket: Socket | undefined
    let client: TcpClient | undefined

    const sampled = (line: string) =>
      sample_rate >= 1 ? [line] : Math.random() < sample_rate ? [`${line}|@${sample_rate}`] : []

    return {
      register() {
        if (protocol === 'tcp') {
          client = new TcpClient({
            host,
            port,
            tls: undefined,
            reconnectMilliseconds: 1000,
            logger,
            signal: abort,
          })
          return
        }
        socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
        socket.on('error', (error) => logger.debug('socket error', { error: error.message }))
        socket.unref()
      },
      encode(events) {
        const lines = events.flatMap((event) => toLines(event).flatMap(sampled))
        return [{ target, bytes: Buffer.from(lines.join('\n')), count: Math.max(1, events.length) }]
      },
      async write(blocks) {
        for (const { bytes } of blocks) {
          if (bytes.length === 0) continue
          if (client !== undefined) {
            await client.send(Buffer.concat([bytes, Buffer.from('\n')]))
            continue
          }
          for (const line of Buffer.from(bytes).toString('utf8').split('\n')) {
            const error = await send(socket!, line, port, host)
            if (error !== undefined)
              logger.warn('Failed to send a metric', { error: error.message, host, port })
          }
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

interface Metrics {
  readonly namespace: string
  readonly sender: string
  readonly increment: Counters
  readonly decrement: Counters
  readonly count: HashValue
  readonly timing: HashValue
  readonly gauge: HashValue
  readonly set: HashValue
}

function compileLines(metrics: Metrics, compile: Compile): (event: Event) => string[] {
  const namespace = compile.template(metrics.namespace)
  const sender = compile.template(metrics.sender)
  const all: { name: (event: Event) => string; value: (event: Event) => string; type: string }[] = []
  const add = (name: string, value: string, type: string) =>
    all.push({ name: compile.template(name), value: compile.template(value), type })
  for (const name of metrics.increment) add(valueText(name), '1', 'c')
  for (const name of metrics.decrement) add(valueText(name), '-1', 'c')
  for (const [name, value] of metrics.count) add(name, valueText(value), 'c')
  for (const [name, value] of metrics.timing) add(name, valueText(value), 'ms')
  for (const [name, value] of metrics.set) add(name, valueText(value), 's')
  for (const [name, value] of metrics.gauge) add(name, valueText(value), 'g')
  return (event) => {
    const prefix = namespace(event)
    const from = clean(sender(event)).replaceAll('.', '_')
    const head = `${prefix === '' ? '' : `${prefix}.`}${from}`
    return all.map(({ name, value, type }) =>
      oneLine(`${head}.${clean(name(event))}:${value(event)}|${type}`),
    )
  }
}

/** What separates the parts of a metric cannot be in its name. */
function clean(text: string): string {
  return text.replaceAll('::', '.').replace(/[:|@]/g, '_')
}

function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, '_')
}

function send(socket: Socket, line: string, port: number, host: string): Promise<Error | undefined> {
  return new Promise((resolve) => {
    try {
      socket.send(line, port, host, (error) => resolve(error ?? undefined))
    } catch (error) {
      resolve(error as Error)
    }
  })
}
