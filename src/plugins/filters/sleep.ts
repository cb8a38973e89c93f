/**
 * sleep: delays the pipeline. The waits of a batch are added up and waited for once, at its end: nobody
 * can see an event before its whole batch has passed. A stop of the pipeline ends the wait.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { Event } from '../../event/event.ts'
import { defineFilter, option } from '../../plugin/define.ts'
import { leadingNumber } from '../ruby-values/number.ts'

/** Timers hold at most 31 bits of milliseconds; longer waits are made of several. */
const maxTimer = 2_000_000_000

export default defineFilter({
  name: 'sleep',
  summary: 'Waits before events go on, to limit their rate or to replay them in their own time.',
  options: {
    time: option.string({
      doc:
        'Seconds to wait, a number or a text with `%{…}`. In replay mode it is the speed instead: 2 is twice ' +
        'as fast as the events happened, 1 unless given.',
    }),
    every: option.string({ default: '1', doc: 'Wait only at every so many events; not in replay mode.' }),
    replay: option.boolean({
      default: false,
      doc: 'Wait for the difference between the `@timestamp` of an event and that of the one before it.',
    }),
  },
  examples: [
    {
      title: 'No time at all for every tenth event',
      config: 'sleep { time => "0" every => 10 add_tag => ["rested"] }',
      in: { message: 'a' },
      out: { message: 'a', tags: ['rested'] },
    },
    {
      title: 'As long as the event says',
      config: 'sleep { time => "%{seconds}" }',
      in: { seconds: 0 },
      out: { seconds: 0 },
    },
  ],
  create({ options, compile, abort, matched, failed }) {
    const { replay } = options
    const time = options.time ?? (replay ? '1' : undefined)
    if (time === undefined) throw new Error("Missing required parameter 'time' for input/eventlog")
    const template = compile.template(time)
    const constant = compile.isConstant(time) ? leadingNumber(time) : undefined
    const every = leadingNumber(options.every)
    let count = 0
    let lastClock: number | undefined

    function seconds(event: Event): number {
      const given = constant ?? leadingNumber(template(event))
      if (!replay) {
        count += 1
        if (count < every) return 0
        count = 0
        return given
      }
      const clock = event.timestamp
      if (clock === undefined) return 0
      const now = clock.millis / 1000 + clock.nanos / 1e9
      const delay = lastClock === undefined ? 0 : (now - lastClock) / given
      lastClock = now
      return delay
    }

    return {
      async filterBatch(events) {
        let total = 0
        for (const event of events) {
          try {
            const delay = seconds(event)
            // Events that go back in time, or a speed of zero, are no reason to wait.
            if (delay > 0 && Number.isFinite(delay)) total += delay
            matched(event)
          } catch (error) {
            failed(event, error)
          }
        }
        await waitFor(total * 1000, abort)
      },
    }
  },
})

async function waitFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  const end = performance.now() + milliseconds
  for (let left = milliseconds; left > 0 && !signal.aborted; left = end - performance.now()) {
    try {
      await wait(Math.min(left, maxTimer), undefined, { signal })
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }
}
