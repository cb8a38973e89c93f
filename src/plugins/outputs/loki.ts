/** The loki output: log lines with labels to the push API of Grafana Loki. */
import type { Event } from '../../event/event.ts'
import { fieldNames, isFields, readField, type Value } from '../../event/value.ts'
import { startConcern } from '../../plugin/concern.ts'
import { defineOutput, option, withoutEffect } from '../../plugin/define.ts'
import { textOf } from '../../plugin/raw-text.ts'
import { basicAuthentication, basicAuthOptions } from '../http-client/basic-auth.ts'
import type { HttpClient } from '../http-client/http-client.ts'
import { sendRepeatedly, serviceClient } from '../http-client/repeated-request.ts'
import { rubyText } from '../ruby-values/text.ts'
import { ownCertificateOptions } from '../tls/client-options.ts'
import { tlsOptions } from '../tls/tls-options.ts'

interface Entry {
  readonly event: Event
  readonly labels: Readonly<Record<string, string>>
  readonly value: readonly [time: string, line: string, metadata?: Readonly<Record<string, string>>]
  readonly bytes: number
}

export default defineOutput({
  name: 'loki',
  summary: 'Sends log lines to Grafana Loki.',
  description: [
    'Every field at the top of an event that is no map becomes a label, unless `include_fields` names those that do:',
    'name few, or Loki will have a stream per value. What cannot be delivered after `retries` tries is given up.',
  ].join('\n'),
  options: {
    url: option.string({
      required: true,
      doc: 'Address of the push API, such as `http://host:3100/loki/api/v1/push`.',
    }),
    username: basicAuthOptions.user,
    password: basicAuthOptions.password,
    tenant_id: option.string({ doc: 'The tenant, sent as `X-Scope-OrgID`.' }),
    cert: ownCertificateOptions.ssl_certificate,
    key: ownCertificateOptions.ssl_key,
    ca_cert: option.path({ doc: 'Certificate, a PEM file, that is trusted.' }),
    insecure_skip_verify: option.boolean({
      default: false,
      doc: 'Whether not to check the certificate of the server.',
    }),
    message_field: option.string({ default: 'message', doc: 'Field with the line.' }),
    include_fields: option.array({ default: [], doc: 'Fields that become labels; all unless given.' }),
    metadata_fields: option.array({ default: [], doc: 'Fields that become structured metadata.' }),
    batch_size: option.number({ default: 102_400, doc: 'Most bytes of the lines of a request.' }),
    batch_wait: option.number(withoutEffect('lines never wait for others.', 1)),
    min_delay: option.number({
      default: 1,
      doc: 'Seconds before the first repetition; doubled with each try.',
    }),
    max_delay: option.number({ default: 300, doc: 'Most seconds between two tries.' }),
    retries: option.number({ default: 10, doc: 'How often a request is sent again.' }),
  },
  concerns: (options) => startConcern('url', () => checkOptions(options)),
  concurrency: 'shared',
  create({ options, compile, abort, logger, giveUp }) {
    checkOptions(options)
    const lineOf = compile.get(options.message_field)
    const included = new Set(options.include_fields.map(textOf))
    const metadata = new Set(options.metadata_fields.map(textOf))
    const headers: [string, string][] = [['Content-Type', 'application/json']]
    if (options.tenant_id !== undefined) headers.push(['X-Scope-OrgID', options.tenant_id])
    if (options.username !== undefined)
      headers.push(['Authorization', basicAuthentication(options.username, options.password)])
    let client: HttpClient | undefined

    function entryOf(event: Event): Entry {
      const { millis = Date.now(), nanos = 0 } = event.timestamp ?? {}
      const line = rubyText(lineOf(event) ?? null)
      const fields = fieldNames(event.data).flatMap((name): [string, string][] => {
        const value: Value = readField(event.data, name)!
        const isNone = name.startsWith('@') || name === options.message_field || isFields(value)
        return isNone ? [] : [[name, rubyText(value)]]
      })
      const labels = fields.filter(([name]) => included.size === 0 || included.has(name))
      const facts = fields.filter(([name]) => metadata.has(name))
      const time = String(BigInt(millis) * 1_000_000n + BigInt(nanos))
      return {
        event,
        labels: Object.fromEntries(labels.sort(([a], [b]) => (a < b ? -1 : 1))),
        value: facts.length === 0 ? [time, line] : [time, line, Object.fromEntries(facts)],
        bytes: Buffer.byteLength(line),
      }
    }

    async function push(entries: readonly Entry[]): Promise<void> {
      const streams = new Map<string, { stream: Entry['labels']; values: Entry['value'][] }>()
      for (const { labels, value } of entries) {
        const key = JSON.stringify(labels)
        const known = streams.get(key)
        if (known === undefined) streams.set(key, { stream: labels, values: [value] })
        else known.values.push(value)
      }
      const body = JSON.stringify({ streams: [...streams.values()] })
      const refusal = await sendRepeatedly(
        client!,
        { method: 'POST', url: options.url, headers, body },
        { retries: options.retries, firstPause: options.min_delay, maxPause: options.max_delay },
        abort,
        logger,
      )
      if (refusal === undefined) return
      logger.error('failed to write post to Loki', {
        url: options.url,
        reason: refusal,
        lines: entries.length,
      })
      for (const { event } of entries) giveUp(event, refusal)
    }

    return {
      async register() {
        const authorities = options.ca_cert === undefined ? [] : [options.ca_cert]
        const tls = await tlsOptions({ certificate: options.cert, key: options.key, authorities })
        client = serviceClient(abort, { tls: { ...tls, rejectUnauthorized: !options.insecure_skip_verify } })
      },
      async receive(events) {
        let batch: Entry[] = []
        let size = 0
        for (const event of events) {
          const entry = entryOf(event)
          if (batch.length > 0 && size + entry.bytes > options.batch_size) {
            await push(batch)
            batch = []
            size = 0
          }
          batch.push(entry)
          size += entry.bytes
        }
        if (batch.length > 0) await push(batch)
      },
      async close() {
        const closing = client
        client = undefined
        await closing?.close()
      },
    }
  },
})

function checkOptions({
  url,
  min_delay,
  max_delay,
}: {
  url: string
  min_delay: number
  max_delay: number
}): void {
  if (!/^https?:\/\/./.test(url) || !URL.canParse(url))
    throw new Error(`url parameter must be valid HTTP, currently '${url}'`)
  if (min_delay > max_delay)
    throw new Error(
      `Min delay should be less than Max delay, currently 'Min delay is ${min_delay} and Max delay is ${max_delay}'`,
    )
}
