/**
 * metrics: counts events and measures values, and tells about them in an event of its own every few seconds. The
 * measured events pass unchanged: add_field, add_tag and the like apply to the event with the figures.
 */
import { hostname } from 'node:os'
import { Event } from '../../event/event.ts'
import type { Template } from '../../event/sprintf.ts'
import { float, type Value } from '../../event/value.ts'
import { inspect } from '../../log/ruby-inspect.ts'
import { defineFilter, option } from '../../plugin/define.ts'
import { leadingNumber } from '../ruby-values/number.ts'
import { rubyText } from '../ruby-values/text.ts'
import { Meter } from './metrics/meter.ts'
import { Timer } from './metrics/timer.ts'

/** A flush comes every five seconds; intervals are counted in those. */
const flushSeconds = 5
/** Names come from events, and events may bring any number of them. */
const maxNames = 10_000

export default defineFilter({
  name: 'metrics',
  summary: 'Counts events and measures values, and reports in events of its own.',
  description: [
    'For each `meter` the report holds `[name][count]` and the rates per second `[name][rate_1m]`, `[rate_5m]` and',
    '`[rate_15m]`; for each `timer` also `[min]`, `[max]`, `[stddev]`, `[mean]` and the percentiles `[p1]` to `[p100]`.',
    '`message` is the name of the computer. As in Logstash, `[stddev]` is the root of the standard deviation.',
  ].join('\n'),
  concurrency: 'shared-state',
  options: {
    meter: option.array({ default: [], doc: 'Names to count events under; may contain `%{…}`.' }),
    timer: option.hash({
      default: new Map(),
      doc: 'Names and the values to measure under them; both may contain `%{…}`.',
    }),
    ignore_older_than: option.number({
      default: 0,
      doc: 'Seconds of age from which events are not measured; 0 for no limit.',
    }),
    flush_interval: option.number({ default: 5, doc: 'Seconds between reports, a multiple of 5.' }),
    clear_interval: option.number({
      default: -1,
      doc: 'Seconds after which all figures begin anew, a multiple of 5; -1 for never.',
    }),
    rates: option.array({ default: [1, 5, 15], doc: 'Rates to report: over 1, 5 and 15 minutes.' }),
    percentiles: option.array({
      default: [1, 5, 10, 90, 95, 99, 100],
      doc: 'Percentiles of timers to report.',
    }),
    periodic_flush: option.boolean({ default: true, doc: 'Whether to report regularly.' }),
  },
  create({ options, compile, matched, logger }) {
    const { flush_interval, clear_interval, ignore_older_than } = options
    const rates = options.rates.map(Number)
    if (rates.some((rate) => ![1, 5, 15].includes(rate))) {
      throw new Error(
        `Invalid rates configuration. possible rates are 1, 5, 15. Rates: ${inspect(options.rates)}.`,
      )
    }
    const percentiles = options.percentiles.map((given) => ({ name: rubyText(given), part: Number(given) }))
    const meterNames = options.meter.map((name) => compile.template(rubyText(name)))
    const timed = [...options.timer].map(([name, value]): [Template, Template] => [
      compile.template(name),
      compile.template(rubyText(value)),
    ])
    const meters = new Map<string, Meter>()
    const timers = new Map<string, Timer>()
    let sinceFlush = 0
    let sinceClear = 0
    let hasWarned = false

    const find = <M>(known: Map<string, M>, name: string, create: () => M): M | undefined => {
      let found = known.get(name)
      if (found !== undefined) return found
      if (meters.size + timers.size >= maxNames) {
        if (!hasWarned) logger.warn(`More than ${maxNames} names; further ones are not counted`, { name })
        hasWarned = true
        return undefined
      }
      found = create()
      known.set(name, found)
      return found
    }

    const report = (now: number): Event => {
      const event = Event.from({ message: hostname() })
      const put = (name: string, figure: string, value: Value) => {
        try {
          event.set(`[${name}][${figure}]`, value)
        } catch (error) {
          logger.warn('A metric cannot be reported under this name', {
            name,
            message: (error as Error).message,
          })
        }
      }
      const putRates = (name: string, meter: Meter) => {
        put(name, 'count', meter.count)
        for (const minutes of [1, 5, 15]) {
          if (rates.includes(minutes)) put(name, `rate_${minutes}m`, float(meter.rate(minutes, now)))
        }
      }
      for (const [name, meter] of meters) putRates(name, meter)
      for (const [name, timer] of timers) {
        putRates(name, timer)
        put(name, 'min', float(timer.min))
        put(name, 'max', float(timer.max))
        put(name, 'stddev', float(timer.stddev))
        put(name, 'mean', float(timer.mean))
        const values = timer.percentiles(percentiles.map(({ part }) => part))
        for (const [i, { name: percentile }] of percentiles.entries()) {
          put(name, `p${percentile}`, float(values[i]!))
        }
      }
      return event
    }

    return {
      filter(event) {
        const time = event.timestamp
        if (ignore_older_than > 0 && time !== undefined) {
          if (Date.now() - time.millis > ignore_older_than * 1000) {
            logger.debug('Skipping metriks for old event')
            return false
          }
        }
        const now = performance.now() / 1000
        for (const nameOf of meterNames) find(meters, nameOf(event), () => new Meter(now))?.mark(now)
        for (const [nameOf, durationOf] of timed) {
          find(timers, nameOf(event), () => new Timer(now))?.update(leadingNumber(durationOf(event)), now)
        }
        return false
      },
      flush() {
        sinceFlush += flushSeconds
        sinceClear += flushSeconds
        if (sinceFlush < flush_interval || meters.size + timers.size === 0) return []
        const event = report(performance.now() / 1000)
        sinceFlush = 0
        if (clear_interval > 0 && sinceClear >= clear_interval) {
          sinceClear = 0
          meters.clear()
          timers.clear()
        }
        matched(event)
        return [event]
      },
    }
  },
})
