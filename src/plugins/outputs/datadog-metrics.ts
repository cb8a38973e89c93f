/** The datadog_metrics output: metrics of events to Datadog, several in a request. */
import type { Event } from '../../event/event.ts'
import { defineOutput, option } from '../../plugin/define.ts'
import { textOf } from '../../plugin/raw-text.ts'
import type { HttpClient } from '../http-client/http-client.ts'
import { sendRepeatedly, serviceClient } from '../http-client/repeated-request.ts'
import { leadingNumber } from '../ruby-values/number.ts'

/** About five minutes of tries. */
const repetition = { retries: 8, firstPause: 1, longestPause: 60 }

export default defineOutput({
  name: 'datadog_metrics',
  summary: 'Sends metrics to Datadog.',
  description: 'What the service refuses, or cannot take for minutes, is logged and given up.',
  options: {
    api_key: option.string({ required: true, doc: 'Key of the Datadog API.' }),
    metric_name: option.string({ default: '%{metric_name}', doc: 'Name of the metric; may contain `%{…}`.' }),
    metric_value: option.string({ default: '%{metric_value}', doc: 'Its value; may contain `%{…}`.' }),
    metric_type: option.oneOf(['gauge', 'counter', '%{metric_type}'], {
      default: '%{metric_type}',
      doc: 'Its type.',
    }),
    host: option.string({ default: '%{host}', doc: 'Name of the host; may contain `%{…}`.' }),
    device: option.string({ default: '%{metric_device}', doc: 'Name of the device; may contain `%{…}`.' }),
    dd_tags: option.array({
      doc: 'Tags in Datadog; may contain `%{…}`. The tags of the event unless given.',
    }),
    queue_size: option.number({ default: 10, doc: 'Most metrics of a request.' }),
    timeframe: option.number({
      default: 10,
      doc: 'Accepted for compatibility; metrics never wait for others.',
    }),
    api_url: option.string({
      default: 'https://app.datadoghq.com/api/v1/series',
      doc: 'Address of the API, for other sites of the service.',
    }),
  },
  concurrency: 'shared',
  create({ options, compile, abort, logger, giveUp }) {
    const [name, value, type, host, device] = [
      options.metric_name,
      options.metric_value,
      options.metric_type,
      options.host,
      options.device,
    ].map((text) => compile.template(text))
    const tags = options.dd_tags?.map((tag) => compile.template(textOf(tag)))
    const url = `${options.api_url}?api_key=${encodeURIComponent(options.api_key)}`
    let client: HttpClient | undefined

    const metricOf = (event: Event) => ({
      metric: name!(event),
      points: [[Math.floor((event.timestamp?.millis ?? Date.now()) / 1000), leadingNumber(value!(event))]],
      type: type!(event),
      host: host!(event),
      device: device!(event),
      tags: tags?.map((tag) => tag(event)) ?? event.get('tags'),
    })

    return {
      register() {
        client = serviceClient(abort)
      },
      async receive(events) {
        const size = Math.max(1, options.queue_size)
        for (let at = 0; at < events.length; at += size) {
          const part = events.slice(at, at + size)
          const body = JSON.stringify({ series: part.map(metricOf) })
          const headers = [['Content-Type', 'application/json']] as const
          const refusal = await sendRepeatedly(
            client!,
            { method: 'POST', url, headers, body },
            repetition,
            abort,
            logger,
          )
          if (refusal === undefined) continue
          logger.warn('Datadog did not take metrics', { reason: refusal, count: part.length })
          for (const event of part) giveUp(event, refusal)
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
