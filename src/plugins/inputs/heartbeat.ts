/** Makes an event in regular intervals: to see that a pipeline is alive, and how long events travel. */
import { hostname } from 'node:os'
import { Event } from '../../event/event.ts'
import type { Fields } from '../../event/value.ts'
import { defineInput, option, type Sink } from '../../plugin/define.ts'
import { Stop } from '../receiving/stop.ts'

const magicMessages: readonly string[] = ['epoch', 'sequence']

export default defineInput({
  name: 'heartbeat',
  summary: 'Generates an event in regular intervals.',
  options: {
    message: option.string({
      default: 'ok',
      doc: 'Text of every event. Without ECS the words `epoch` and `sequence` stand for the option `sequence` with that value; that use is outdated.',
    }),
    interval: option.number({ default: 60, doc: 'Seconds between two events, fractions allowed.' }),
    count: option.number({ default: -1, doc: 'How many events to make; -1 means without end.' }),
    sequence: option.oneOf(['none', 'epoch', 'sequence'] as const, {
      doc: 'What to put into the field `clock` (ECS: `[event][sequence]`): the time in seconds since 1970, a number that counts up from 1, or nothing.',
    }),
    threads: option.number({ default: 1, doc: 'How many independent heartbeats to run.' }),
  },
  create({ options, ecs, logger }) {
    const { message, interval, count, sequence, threads } = options
    // Old configurations choose the sequence by the message, which then is no message.
    const isMagic = sequence === undefined && magicMessages.includes(message)
    const replacesMessage = isMagic && ecs === 'disabled'
    const selector = sequence ?? (replacesMessage ? message : 'none')
    const host = hostname()
    const stop = new Stop()

    const beat = (number: number): Event => {
      const fields: Fields = ecs === 'disabled' ? { host } : { host: { name: host } }
      if (!replacesMessage) fields['message'] = message
      if (selector !== 'none') {
        const clock = selector === 'epoch' ? Math.floor(Date.now() / 1000) : number
        if (ecs === 'disabled') fields['clock'] = clock
        else fields['event'] = { sequence: clock }
      }
      return Event.from(fields)
    }

    const run = async (sink: Sink): Promise<void> => {
      for (let number = 1; !stop.isRequested; number++) {
        const started = performance.now()
        await sink.events([beat(number)])
        if (number === count) return
        await stop.sleep(interval * 1000 - (performance.now() - started))
      }
    }

    return {
      register() {
        if (isMagic) {
          logger.warn(
            'message contains sequence type specification (epoch|sequence) for this purpose use the sequence option',
          )
        }
      },
      async run(sink) {
        await Promise.all(Array.from({ length: Math.max(1, threads) }, () => run(sink)))
      },
      stop() {
        stop.request()
      },
    }
  },
})
