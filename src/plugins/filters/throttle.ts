/**
 * throttle: counts events of one key within slots of time, by the time of the events, and matches those that come
 * too early or too late in their slot. Old slots go when newer ones make them too old.
 */
import { defineFilter, option } from '../../plugin/define.ts'
import { leadingWhole } from '../ruby-values/number.ts'

interface Counters {
  readonly slots: Map<number, number>
  /** Time of the key's first event, in seconds. */
  readonly created: number
  latest: number
}

export default defineFilter({
  name: 'throttle',
  summary: 'Finds events that come too often, or not often enough.',
  description: [
    'Each event counts for its key in the slot of `period` seconds that its `@timestamp` falls into. Events whose',
    'number in the slot is below `before_count` or above `after_count` match: `add_tag` and the like apply to them.',
  ].join('\n'),
  concurrency: 'shared-state',
  options: {
    key: option.string({ required: true, doc: 'What is counted together, with `%{…}`.' }),
    before_count: option.number({ default: -1, doc: 'Events before this number match; -1 for none.' }),
    after_count: option.number({ default: -1, doc: 'Events after this number match; -1 for none.' }),
    period: option.string({ default: '60', doc: 'Length of a slot in seconds, may contain `%{…}`.' }),
    max_age: option.number({ default: 3600, doc: 'Seconds after which a slot is forgotten.' }),
    max_counters: option.number({
      default: 100_000,
      doc: 'Counters to keep; with more, slots are forgotten earlier. -1 for no limit.',
    }),
    periodic_flush: option.boolean({ default: true, doc: 'Whether to look for old slots.' }),
  },
  examples: [
    {
      title: 'No more than two of a kind',
      config: 'throttle { key => "%{host}" after_count => 2 add_tag => "throttled" }',
      in: [{ host: 'a' }, { host: 'a' }, { host: 'b' }, { host: 'a' }],
      out: [{ host: 'a' }, { host: 'a' }, { host: 'b' }, { host: 'a', tags: ['throttled'] }],
    },
  ],
  create({ options, compile, logger }) {
    const { before_count, after_count, max_age, max_counters } = options
    const keyOf = compile.template(options.key)
    const periodText = compile.template(options.period)
    const constant = compile.isConstant(options.period) ? periodOf(options.period) : undefined
    const keys = new Map<string, Counters>()
    let total = 0

    const forget = (key: string, counters: Counters, before: number): void => {
      for (const slot of counters.slots.keys()) {
        if (slot >= before) continue
        counters.slots.delete(slot)
        total -= 1
      }
      if (counters.slots.size === 0) keys.delete(key)
    }

    /** Forgets slots that are too old beside the newest; then ever younger ones until few enough are left. */
    const prune = (): void => {
      let newest = Number.NEGATIVE_INFINITY
      for (const { latest } of keys.values()) newest = Math.max(newest, latest)
      for (let age = max_age; ; age = Math.floor(age / 2)) {
        for (const [key, counters] of keys) forget(key, counters, newest - age)
        if (max_counters < 0 || total <= max_counters) return
        if (age === 0) {
          logger.warn('Throttle: more counters than max_counters in the present; all are forgotten', {
            max_counters,
          })
          keys.clear()
          total = 0
          return
        }
      }
    }

    const count = (key: string, seconds: number, period: number): number => {
      let counters = keys.get(key)
      if (counters === undefined) {
        counters = { slots: new Map(), created: seconds, latest: seconds }
        keys.set(key, counters)
      }
      // Slots are counted from the first event of the key.
      const beyond = (seconds - counters.created) % period
      const slot = seconds - (beyond < 0 ? beyond + period : beyond)
      const before = counters.slots.get(slot)
      if (before === undefined) total += 1
      if (slot > counters.latest) counters.latest = slot
      counters.slots.set(slot, (before ?? 0) + 1)
      if (counters.slots.size > 1) forget(key, counters, Math.max(...counters.slots.keys()) - max_age)
      return (before ?? 0) + 1
    }

    return {
      filter(event) {
        const time = event.timestamp
        if (time === undefined) return false
        const period = constant ?? periodOf(periodText(event))
        const seconds = Math.floor(time.millis / 1000)
        const number = count(keyOf(event), seconds, period)
        if (max_counters >= 0 && total > max_counters + slack) prune()
        return (before_count !== -1 && number < before_count) || (after_count !== -1 && number > after_count)
      },
      flush() {
        prune()
        return []
      },
    }
  },
})

/** Counters over the limit that are put up with until the next flush. */
const slack = 1000

/** Ruby's `to_i`; what is no length of time is a minute. */
function periodOf(text: string): number {
  const seconds = Number(leadingWhole(text))
  return seconds > 0 && Number.isFinite(seconds) ? seconds : 60
}
