/**
 * The zabbix output: values for trapper items, in the protocol of zabbix_sender: `ZBXD`, a flag byte, the length in
 * eight bytes little endian, then JSON. Each event is a request on a connection of its own.
 */
import { connect } from 'node:net'
import type { Event } from '../../event/event.ts'
import { startConcern } from '../../plugin/concern.ts'
import { defineOutput, option } from '../../plugin/define.ts'
import { textOf } from '../../plugin/raw-text.ts'
import { rubyText } from '../ruby-values/text.ts'

const header = Buffer.from('ZBXD\x01', 'latin1')
const headerLength = 13
const maxAnswerLength = 1024 * 1024

interface Item {
  readonly host: string
  readonly key: string
  readonly value: string
  readonly clock: number
  readonly ns: number
}

export default defineOutput({
  name: 'zabbix',
  summary: 'Sends values to a Zabbix server.',
  description:
    'An event without the fields it needs is skipped with a warning. What the server does not take is not sent ' +
    'again, as in Logstash: it is logged and given up.',
  options: {
    zabbix_server_host: option.string({ default: 'localhost', doc: 'Address or name of the server.' }),
    zabbix_server_port: option.number({ default: 10051, doc: 'Port of the server.' }),
    zabbix_host: option.string({ required: true, doc: 'Field with the name of the host in Zabbix.' }),
    zabbix_key: option.string({ doc: 'Field with the key of the item; needed without `multi_value`.' }),
    zabbix_value: option.string({ default: 'message', doc: 'Field with the value.' }),
    multi_value: option.array({
      doc: 'Several items per event: fields with a key and a value, in turn.',
    }),
    timeout: option.number({ default: 1, doc: 'Seconds a request may take.' }),
  },
  concerns: (options) => startConcern('zabbix_key', () => checkOptions(options)),
  concurrency: 'shared',
  create({ options, compile, logger, giveUp, abort }) {
    checkOptions(options)
    const { zabbix_server_host: server, zabbix_server_port: port } = options
    const names = options.multi_value?.map(textOf) ?? [options.zabbix_key!, options.zabbix_value]
    const getHost = compile.get(options.zabbix_host)
    const pairs = Array.from({ length: names.length / 2 }, (_, at) => ({
      key: { name: names[at * 2]!, get: compile.get(names[at * 2]!) },
      value: { name: names[at * 2 + 1]!, get: compile.get(names[at * 2 + 1]!) },
    }))

    const missing = (name: string) =>
      logger.warn('Field referenced by configuration is missing', { field: name })

    function itemsOf(event: Event): Item[] {
      const host = getHost(event)
      if (host === undefined || host === null) {
        missing(options.zabbix_host)
        return []
      }
      const { millis = Date.now(), nanos = 0 } = event.timestamp ?? {}
      const clock = Math.floor(millis / 1000)
      const ns = (millis - clock * 1000) * 1e6 + nanos
      return pairs.flatMap(({ key, value }) => {
        const [own, held] = [key.get(event), value.get(event)]
        if (own === undefined || own === null) missing(key.name)
        else if (held === undefined || held === null) missing(value.name)
        else return [{ host: rubyText(host), key: rubyText(own), value: rubyText(held), clock, ns }]
        return []
      })
    }

    /** The answer, within the time of one request. */
    const ask = (items: readonly Item[]): Promise<string> =>
      new Promise((resolve, reject) => {
        const body = Buffer.from(JSON.stringify({ request: 'sender data', data: items }))
        const length = Buffer.alloc(8)
        length.writeBigUInt64LE(BigInt(body.length))
        const chunks: Buffer[] = []
        let received = 0
        const socket = connect({ host: server, port })
        const end = (error?: Error) => {
          clearTimeout(timer)
          abort.removeEventListener('abort', stop)
          socket.destroy()
          if (error !== undefined) reject(error)
          else resolve(Buffer.concat(chunks).subarray(headerLength).toString('utf8'))
        }
        const stop = () => end(new Error('stopped'))
        const timer = setTimeout(
          () => end(new Error('execution expired')),
          Math.max(1, options.timeout * 1000),
        )
        abort.addEventListener('abort', stop, { once: true })
        socket.on('error', end)
        socket.on('end', () => end())
        socket.on('data', (chunk: Buffer) => {
          chunks.push(chunk)
          received += chunk.length
          if (received > maxAnswerLength) end(new Error('the answer is too long'))
          else if (isWhole(chunks, received)) end()
        })
        socket.write(Buffer.concat([header, length, body]))
      })

    async function deliver(event: Event): Promise<void> {
      const items = itemsOf(event)
      if (items.length === 0) return
      const place = { server, port }
      try {
        const text = await ask(items)
        const refusal = refusalOf(text, items.length)
        if (refusal === undefined) return
        logger.warn(`Zabbix server at ${server} ${refusal}`, { response: text, items })
        giveUp(event, refusal)
      } catch (error) {
        abort.throwIfAborted()
        const { message } = error as Error
        if (message === 'execution expired')
          logger.warn('Connection attempt to Zabbix server timed out.', {
            ...place,
            timeout: options.timeout,
          })
        else logger.error('Connection error.  Unable to connect to Zabbix server', { ...place, message })
        giveUp(event, message)
      }
    }

    return {
      async receive(events) {
        for (const event of events) await deliver(event)
      },
    }
  },
})

function isWhole(chunks: readonly Buffer[], received: number): boolean {
  if (received < headerLength) return false
  const start = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
  return (
    start.subarray(0, 4).toString('latin1') === 'ZBXD' && received >= headerLength + start.readUInt32LE(5)
  )
}

/** What the server did not take; undefined when it took all. */
function refusalOf(text: string, count: number): string | undefined {
  let answer: { response?: unknown; info?: unknown }
  try {
    answer = JSON.parse(text)
  } catch {
    return 'responded atypically.'
  }
  if (answer.response !== 'success') return `answered ${String(answer.response)}.`
  const failed = Number(/failed:? (\d+)/i.exec(String(answer.info))?.[1] ?? 0)
  if (failed === 0) return undefined
  return failed >= count ? 'rejected all items sent.' : `rejected ${failed} item(s).`
}

function checkOptions(options: {
  zabbix_key: string | undefined
  multi_value: readonly unknown[] | undefined
}): void {
  if (options.multi_value !== undefined && options.multi_value.length % 2 !== 0)
    throw new Error('Invalid zabbix_key/zabbix_value pairs in multi_value: their number is odd')
  if (options.multi_value === undefined && options.zabbix_key === undefined)
    throw new Error('Must configure either zabbix_key or multi_value')
}
