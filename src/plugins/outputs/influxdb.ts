/** The influxdb output: points in the line protocol, to the `/write` API of InfluxDB 1 and whatever speaks it. */
import type { Event } from '../../event/event.ts'
import { fieldNames, float, readField, type Value } from '../../event/value.ts'
import { startConcern } from '../../plugin/concern.ts'
import { defineOutput, option, withoutEffect } from '../../plugin/define.ts'
import { textOf } from '../../plugin/raw-text.ts'
import { namedServerOptions } from '../delivery/server-address.ts'
import type { HttpClient } from '../http-client/http-client.ts'
import { sendRepeatedly, serviceClient } from '../http-client/repeated-request.ts'
import { leadingNumber, leadingWhole } from '../ruby-values/number.ts'
import { rubyText } from '../ruby-values/text.ts'
import { lineOf } from './influxdb/line-protocol.ts'

const maxPause = 30

const units: Readonly<Record<string, bigint>> = {
  n: 1n,
  u: 1000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
}

export default defineOutput({
  name: 'influxdb',
  summary: 'Sends points to InfluxDB.',
  description: [
    'The events of a batch go in as few requests as `flush_size` allows, a request per database. What the database',
    'refuses is logged and given up; what it cannot take for now is sent again up to `max_retries` times.',
  ].join('\n'),
  options: {
    ...namedServerOptions(8086),
    ssl: option.boolean({ default: false, doc: 'Whether to use https.' }),
    db: option.string({ default: 'statistics', doc: 'Name of the database; may contain `%{…}`.' }),
    retention_policy: option.string({ default: 'autogen', doc: 'The retention policy to use.' }),
    user: option.string({ doc: 'Name of the user.' }),
    password: option.password({ doc: 'Password of the user.' }),
    measurement: option.string({ default: 'logstash', doc: 'Name of the measurement; may contain `%{…}`.' }),
    data_points: option.hash({
      default: new Map(),
      doc: 'Names and values of what to send; may contain `%{…}`. Needed unless fields of the event are sent.',
    }),
    use_event_fields_for_data_points: option.boolean({
      default: false,
      doc: 'Whether to send the fields of the event instead.',
    }),
    exclude_fields: option.array({
      default: ['@timestamp', '@version', 'sequence', 'message', 'type'],
      doc: 'Fields of the event that are not sent.',
    }),
    send_as_tags: option.array({ default: ['host'], doc: 'Names of values that are sent as tags.' }),
    coerce_values: option.hash({
      default: new Map(),
      doc: 'Types of values, `integer` or `float`; they are texts otherwise.',
    }),
    allow_time_override: option.boolean({
      default: false,
      doc: 'Whether a value called `time` is the time of the point.',
    }),
    time_precision: option.oneOf(['n', 'u', 'ms', 's', 'm', 'h'], {
      default: 'ms',
      doc: 'Unit of times.',
    }),
    flush_size: option.number({ default: 100, doc: 'Most points of a request.' }),
    idle_flush_time: option.number(withoutEffect('points never wait for others.', 1)),
    initial_delay: option.number({
      default: 1,
      doc: 'Seconds before a request is sent again; doubled with each try.',
    }),
    max_retries: option.number({
      default: 3,
      doc: 'How often a request is sent again; -1 for without end.',
    }),
  },
  concerns: (options) => startConcern('data_points', () => checkOptions(options)),
  concurrency: 'shared',
  create({ options, compile, abort, logger, giveUp }) {
    const { coerce_values, max_retries } = options
    const databaseOf = compile.template(options.db)
    const measurementOf = compile.template(options.measurement)
    const excluded = new Set(options.exclude_fields.map(textOf))
    const tagNames = new Set(options.send_as_tags.map(textOf))
    const points = [...options.data_points].map(([name, value]) => ({
      name: compile.template(name),
      value: compile.template(textOf(value)),
    }))
    const scheme = options.ssl ? 'https' : 'http'
    const host =
      options.host.includes(':') && !options.host.startsWith('[') ? `[${options.host}]` : options.host
    const base = `${scheme}://${host}:${options.port}/write`
    const unit = units[options.time_precision]!
    let client: HttpClient | undefined

    function valuesOf(event: Event): Map<string, Value> {
      if (!options.use_event_fields_for_data_points)
        return new Map(points.map(({ name, value }) => [name(event), value(event)]))
      const { data } = event
      const names = fieldNames(data).filter((name) => !excluded.has(name))
      return new Map(names.map((name) => [name, readField(data, name)!]))
    }

    function coerce(values: Map<string, Value>): void {
      for (const [name, kind] of coerce_values) {
        const value = values.get(name)
        if (value === undefined) continue
        if (kind === 'integer') values.set(name, leadingWhole(rubyText(value)))
        else if (kind === 'float') values.set(name, float(leadingNumber(rubyText(value))))
        else logger.warn(`Don't know how to convert to ${textOf(kind)}. Returning value unchanged`)
      }
    }

    function timeOf(event: Event): string {
      const { millis = Date.now(), nanos = 0 } = event.timestamp ?? {}
      return String((BigInt(millis) * 1_000_000n + BigInt(nanos)) / unit)
    }

    function pointLine(event: Event): string | undefined {
      const values = valuesOf(event)
      coerce(values)
      let time = timeOf(event)
      const own = values.get('time')
      if (own !== undefined && options.allow_time_override) {
        time = String(leadingWhole(rubyText(own)))
        values.delete('time')
      } else if (own !== undefined)
        logger.error("Cannot override value of time without 'allow_time_override'. Using event timestamp")
      const tags: [string, Value][] = []
      const list = values.get('tags')
      if (Array.isArray(list)) {
        values.delete('tags')
        for (const tag of list) if (tag !== null && tag !== '') tags.push([rubyText(tag), 'true'])
      }
      for (const [name, value] of values) if (tagNames.has(name)) tags.push([name, value])
      const fields = [...values].filter(([name]) => !tagNames.has(name))
      return lineOf({ measurement: measurementOf(event), tags, fields, time })
    }

    async function deliver(database: string, events: readonly Event[], body: string): Promise<void> {
      const parameters = new URLSearchParams({ db: database, precision: options.time_precision })
      if (options.retention_policy !== '') parameters.set('rp', options.retention_policy)
      if (options.user !== undefined) {
        parameters.set('u', options.user)
        parameters.set('p', options.password?.value ?? '')
      }
      const headers = [['Content-Type', 'text/plain; charset=utf-8']] as const
      const refusal = await sendRepeatedly(
        client!,
        { method: 'POST', url: `${base}?${parameters}`, headers, body },
        {
          retries: max_retries < 0 ? Infinity : max_retries,
          firstPause: options.initial_delay,
          maxPause,
        },
        abort,
        logger,
      )
      if (refusal === undefined) return
      logger.error('Non recoverable exception while writing to InfluxDB', { exception: refusal, database })
      for (const event of events) giveUp(event, refusal)
    }

    return {
      register() {
        checkOptions(options)
        client = serviceClient(abort)
      },
      async receive(events) {
        const groups = new Map<string, { event: Event; line: string }[]>()
        for (const event of events) {
          const line = pointLine(event)
          if (line === undefined) {
            logger.warn('An event has no value to send to InfluxDB')
            continue
          }
          const database = databaseOf(event)
          const group = groups.get(database)
          if (group === undefined) groups.set(database, [{ event, line }])
          else group.push({ event, line })
        }
        const size = Math.max(1, options.flush_size)
        for (const [database, group] of groups) {
          for (let at = 0; at < group.length; at += size) {
            const part = group.slice(at, at + size)
            const body = part.map(({ line }) => line).join('\n')
            await deliver(
              database,
              part.map(({ event }) => event),
              body,
            )
          }
        }
      },
      async close() {
        const closing = client
        client = undefined
        await closing?.close()
      },
    }
  },
})

function checkOptions(options: {
  data_points: ReadonlyMap<string, Value>
  use_event_fields_for_data_points: boolean
}): void {
  if (options.data_points.size === 0 && !options.use_event_fields_for_data_points)
    throw new Error('data_points is missing; it says what to send')
}
