/**
 * drop: takes events out of the pipeline, all of them or a random share.
 */
import { defineFilter, option } from '../../plugin/define.ts'

export default defineFilter({
  name: 'drop',
  oneToOne: true,
  summary: 'Drops events.',
  description: 'Every event that reaches this filter is dropped, so it usually stands inside an `if`.',
  options: {
    percentage: option.number({ default: 100, doc: 'Share of the events to drop, in percent, by chance.' }),
  },
  examples: [
    { title: 'Drop everything', config: 'drop { }', in: { loglevel: 'debug' }, out: [] },
    {
      title: 'Drop nothing',
      config: 'drop { percentage => 0 }',
      in: { loglevel: 'debug' },
      out: { loglevel: 'debug' },
    },
  ],
  create({ options: { percentage } }) {
    const share = percentage / 100
    return {
      filter(event) {
        if (percentage === 100 || Math.random() < share) event.cancel()
        // Logstash never applies the common options.
        return false
      },
    }
  },
})
