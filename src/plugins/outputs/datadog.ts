/** The datadog output: an event in the event stream of Datadog per event. */
import type { Event } from '../../event/event.ts'
import { defineOutput, option } from '../../plugin/define.ts'
import { textOf } from '../../plugin/raw-text.ts'
import type { HttpClient } from '../http-client/http-client.ts'
import { sendRepeatedly, serviceClient } from '../http-client/repeated-request.ts'
import { leadingWhole } from '../ruby-values/number.ts'

/** About five minutes of tries. */
const repetition = { retries: 8, firstPause: 1, longestPause: 60 }

export default defineOutput({
  name: 'datadog',
  summary: 'Sends events to the event stream of Datadog.',
  description: 'What the service refuses, or cannot take for minutes, is logged and given up.',
  options: {
    api_key: option.string({ required: true, doc: 'Key of the Datadog API.' }),
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
    dd_tags: option.array({
      doc: 'Tags in Datadog; may contain `%{…}`. The tags of the event unless given.',
    }),
    url: option.string({
      default: 'https://app.datadoghq.com/api/v1/events',
      doc: 'Address of the API, for other sites of the service.',
    }),
  },
  concurrency: 'shared',
  create({ options, compile, abort, logger, giveUp }) {
    const [title, text] = [compile.template(options.title), compile.template(options.text)]
    const happened = options.date_happened === undefined ? undefined : compile.template(options.date_happened)
    const tags = options.dd_tags?.map((tag) => compile.template(textOf(tag)))
    const url = `${options.url}?api_key=${encodeURIComponent(options.api_key)}`
    let client: HttpClient | undefined

    function bodyOf(event: Event): string {
      const seconds = Math.floor((event.timestamp?.millis ?? Date.now()) / 1000)
      return JSON.stringify({
        title: title(event),
        text: text(event),
        date_happened: happened === undefined ? seconds : Number(leadingWhole(happened(event))),
        tags: tags?.map((tag) => tag(event)) ?? event.get('tags'),
        source_type_name: options.source_type_name,
        alert_type: options.alert_type,
        priority: options.priority,
      })
    }

    return {
      register() {
        client = serviceClient(abort)
      },
      async receive(events) {
        for (const event of events) {
          const headers = [['Content-Type', 'application/json']] as const
          const request = { method: 'POST', url, headers, body: bodyOf(event) } as const
          const refusal = await sendRepeatedly(client!, request, repetition, abort, logger)
          if (refusal === undefined) continue
          logger.warn('Datadog did not take an event', { reason: refusal })
          giveUp(event, refusal)
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
