/**
 * Takes events from the bodies of HTTP requests, whatever their method and path. A request is answered with 200 `ok`
 * when its events are safe; 401 without the right credentials, 408 when it comes too slowly, 413 when too long, 429 when
 * the pipeline is too busy, 500 when it failed, 503 when the input stops before the events are safe. Errors have no body.
 */
import { defineInput } from '../../plugin/define.ts'
import { httpListener } from './http/listener.ts'
import { httpOptions } from './http/options.ts'
import { checkTls } from './http/tls.ts'

export default defineInput({
  name: 'http',
  summary: 'Receives events over HTTP or HTTPS, one or more in the body of each request.',
  description: [
    'A request is answered with `response_code` when its events are safe: on stable storage where the queue of the',
    'pipeline is persisted, delivered by the outputs where it is in memory. Until then the client waits; other requests,',
    'on the same connection or on others, do not wait for it. A request whose events are not safe after 30 seconds, or',
    'that finds no room in the queue for 10 seconds, is answered with 429, and with 503 when the pipeline stops first:',
    'the client should send it again. Events of a request that was sent again may arrive twice, unless both carry the',
    'same `Idempotency-Key` header, a text that the client makes up for each request (a UUID, for example): then the',
    '`millrace`, `elasticsearch` and `opensearch` outputs store them once. Codecs that keep state between events',
    '(`multiline`) or unpack (`gzip_lines`) take no notice of it. Logstash has no such header.',
  ].join('\n'),
  options: httpOptions,
  additionalCodecs: ({ additional_codecs }) => [...additional_codecs.values()].map(String),
  create({ options, ecs, logger, abort }) {
    const listener = httpListener({ options, ecs, logger, abort })
    return {
      ...listener,
      async register() {
        checkTls(options, logger)
        await listener.register?.()
      },
    }
  },
})
