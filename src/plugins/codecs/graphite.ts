/**
 * The graphite codec: lines of `name value seconds` are events with a field by that name and that value, and
 * their time; events are written as such lines, for named metrics or for every number they hold.
 */
import { Event } from '../../event/event.ts'
import { Timestamp } from '../../event/timestamp.ts'
import { float, putField } from '../../event/value.ts'
import { defineCodec, option } from '../../plugin/define.ts'
import { compileGraphiteLines, graphiteOptions } from '../graphite/lines.ts'

/** Fields that hold no numbers, whatever a line says. */
const reserved = new Set(['@timestamp', '@version', '@metadata', 'tags'])

export default defineCodec({
  name: 'graphite',
  summary: 'Reads and writes the plain text protocol of Graphite.',
  options: {
    metrics: graphiteOptions.metrics,
    fields_are_metrics: graphiteOptions.fields_are_metrics,
    include_metrics: graphiteOptions.include_metrics,
    exclude_metrics: graphiteOptions.exclude_metrics,
    metrics_format: option.string({
      default: '*',
      doc: 'Form of the names; the star stands for the name of the metric.',
    }),
  },
  examples: [
    {
      title: 'A metric',
      config: 'graphite { }',
      decode: {
        text: 'load.short 0.5 1443675967\n',
        out: [{ '@timestamp': new Timestamp(1443675967000), 'load.short': 0.5 }],
      },
    },
  ],
  create({ options, compile, logger }) {
    const lines = compileGraphiteLines(
      { ...options, nested_object_separator: '.', timestamp_field: '@timestamp' },
      compile,
      logger,
    )
    return {
      delimiter: Buffer.from('\n'),
      decode(text, emit, time) {
        const [name, value = '', seconds = ''] = text.trim().split(' ')
        if (name === undefined || name === '') return
        const at = Number(seconds)
        const known = seconds !== '' && Number.isFinite(at)
        const event = new Event({
          '@timestamp': known ? new Timestamp(Math.floor(at * 1000)) : time,
          '@version': '1',
        })
        if (!reserved.has(name)) putField(event.data, name, float(Number.parseFloat(value) || 0))
        emit(event)
      },
      encode: (event) => lines(event).join(''),
    }
  },
})
