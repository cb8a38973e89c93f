/** The datadog_metrics output: metrics of events to Datadog, several in a request. */
import type { Event } from '../../event/event.ts'
import { defineOutput, option, withoutEffect } from '../../plugin/define.ts'
import { leadingNumber } from '../ruby-values/number.ts'
import { compileTags, DatadogService, datadogOptions, givesUpSentence } from './datadog/service.ts'

export default defineOutput({
  name: 'datadog_metrics',
  summary: 'Sends metrics to Datadog.',
  description: givesUpSentence,
  options: {
    api_key: datadogOptions.api_key,
    metric_name: option.string({ default: '%{metric_name}', doc: 'Name of the metric; may contain `%{…}`.' }),
    metric_value: option.string({ default: '%{metric_value}', doc: 'Its value; may contain `%{…}`.' }),
    metric_type: option.oneOf(['gauge', 'counter', '%{metric_type}'], {
      default: '%{metric_type}',
      doc: 'Its type.',
    }),
    host: option.string({ default: '%{host}', doc: 'Name of the host; may contain `%{…}`.' }),
    device: option.string({ default: '%{metric_device}', doc: 'Name of the device; may contain `%{…}`.' }),
    dd_tags: datadogOptions.dd_tags,
    queue_size: option.number({ default: 10, doc: 'Most metrics of a request.' }),
    timeframe: option.number(withoutEffect('metrics never wait for others.', 10)),
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
    const tagsOf = compileTags(options.dd_tags, compile)
    const service = new DatadogService(options.api_url, options.api_key, abort, logger)

    const metricOf = (event: Event) => ({
      metric: name!(event),
      points: [[Math.floor((event.timestamp?.millis ?? Date.now()) / 1000), leadingNumber(value!(event))]],
      type: type!(event),
      host: host!(event),
      device: device!(event),
      tags: tagsOf(event),
    })

    return {
      register: () => service.open(),
      async receive(events) {
        const size = Math.max(1, options.queue_size)
        for (let at = 0; at < events.length; at += size) {
          const part = events.slice(at, at + size)
          const refusal = await service.post({ series: part.map(metricOf) })
          if (refusal === undefined) continue
          logger.warn('Datadog did not take metrics', { reason: refusal, count: part.length })
          for (const event of part) giveUp(event, refusal)
        }
      },
      close: () => service.close(),
    }
  },
})
