/** The datadog output: an event in the event stream of Datadog per event. */
import type { Event } from '../../event/event.ts'
import { defineOutput, option } from '../../plugin/define.ts'
import { leadingWhole } from '../ruby-values/number.ts'
import { compileTags, DatadogService, datadogOptions, givesUpSentence } from './datadog/service.ts'

export default defineOutput({
  name: 'datadog',
  summary: 'Sends events to the event stream of Datadog.',
  description: givesUpSentence,
  options: {
    api_key: datadogOptions.api_key,
    title: option.string({ default: 'Logstash event for %{host}', doc: 'Title; may contain `%{…}`.' }),
    text: option.string({ default: '%{message}', doc: 'Text; may contain `%{…}`.' }),
    date_happened: option.string({
      doc: 'When it happened, in seconds since 1970; may contain `%{…}`. The time of the event unless given.',
    }),
    source_type_name: option.oneOf(
      [
        'nagios',
        'hudson',
        'jenkins',
        'user',
        'my apps',
        'feed',
        'chef',
        'puppet',
        'git',
        'bitbucket',
        'fabric',
        'capistrano',
      ],
      { default: 'my apps', doc: 'Where it came from.' },
    ),
    alert_type: option.oneOf(['info', 'error', 'warning', 'success'], { doc: 'Kind of alert.' }),
    priority: option.oneOf(['normal', 'low'], { doc: 'Priority.' }),
    dd_tags: datadogOptions.dd_tags,
    url: option.string({
      default: 'https://app.datadoghq.com/api/v1/events',
      doc: 'Address of the API, for other sites of the service.',
    }),
  },
  concurrency: 'shared',
  create({ options, compile, abort, logger, giveUp }) {
    const [title, text] = [compile.template(options.title), compile.template(options.text)]
    const happened = options.date_happened === undefined ? undefined : compile.template(options.date_happened)
    const tagsOf = compileTags(options.dd_tags, compile)
    const service = new DatadogService(options.url, options.api_key, abort, logger)

    function bodyOf(event: Event) {
      const seconds = Math.floor((event.timestamp?.millis ?? Date.now()) / 1000)
      return {
        title: title(event),
        text: text(event),
        date_happened: happened === undefined ? seconds : Number(leadingWhole(happened(event))),
        tags: tagsOf(event),
        source_type_name: options.source_type_name,
        alert_type: options.alert_type,
        priority: options.priority,
      }
    }

    return {
      register: () => service.open(),
      async receive(events) {
        for (const event of events) {
          const refusal = await service.post(bodyOf(event))
          if (refusal === undefined) continue
          logger.warn('Datadog did not take an event', { reason: refusal })
          giveUp(event, refusal)
        }
      },
      close: () => service.close(),
    }
  },
})
