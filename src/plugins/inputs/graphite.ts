/** Receives metrics in Graphite's plain text protocol, over TCP connections as the tcp input does. */
import type { Sink } from '../../plugin/define.ts'
import { LimitedLog } from '../../plugin/limited-log.ts'
import { payloadDecoder } from '../receiving/payload-events.ts'
import { LineStreams } from './graphite/line-streams.ts'
import { readMetric } from './graphite/metric-line.ts'
import { defineTcpInput } from './tcp/input.ts'

export default defineTcpInput({
  name: 'graphite',
  summary: "Receives metrics in Graphite's plain text protocol.",
  description: [
    'A line is `name value seconds`, or `name value N` for now. Its event has the metric in a field by its name, beside the',
    'line in `message`. A line that is none gets the tag `_graphiteparsefailure`, one longer than a mebibyte is cut.',
  ].join('\n'),
  reader({ codec, decorate, logger }) {
    const decode = payloadDecoder(codec)
    const log = new LimitedLog(logger)
    return {
      read(payload, { fields = [] }, emit, time) {
        const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength)
        decode(
          bytes,
          (event) => {
            try {
              for (const [reference, value] of fields)
                if (!event.include(reference)) event.set(reference, value)
              decorate(event)
              readMetric(event)
            } catch (error) {
              event.tag('_inputfailure')
              log.say('error', 'A metric could not be set on its event', () => ({
                message: (error as Error).message,
              }))
            }
            emit(event)
          },
          time,
        )
      },
    }
  },
  withSink: (sink: Sink): Sink => new LineStreams(sink),
})
