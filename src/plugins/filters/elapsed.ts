/**
 * elapsed: pairs the start and the end of a task by an id, and puts the time between them on the end, or into an
 * event of its own. A start whose end does not come in time is told about by an event, too. Age is counted in
 * flushes, five seconds each.
 */
import { hostname } from 'node:os'
import { Event } from '../../event/event.ts'
import { Timestamp } from '../../event/timestamp.ts'
import { float, type Value } from '../../event/value.ts'
import { defineFilter, option } from '../../plugin/define.ts'

interface Start {
  readonly id: Value
  time: Timestamp
  age: number
}

const flushSeconds = 5
/** Starts that may wait at the same time; beyond that the oldest is forgotten. */
const maxStarts = 1_000_000

export default defineFilter({
  name: 'elapsed',
  summary: 'Measures the time between the start and the end of a task, which are two events.',
  description: [
    'Events with the tag `start_tag` begin a task, events with the tag `end_tag` end it; both carry its id in the',
    'field `unique_id_field`. The end gets the fields `elapsed_time` (seconds) and `elapsed_timestamp_start` and the',
    'tags `elapsed` and `elapsed_match`, or, when no start is known, the tag `elapsed_end_without_start`. A start',
    'without an end makes an event with the tags `elapsed` and `elapsed_expired_error` after `timeout` seconds.',
  ].join('\n'),
  concurrency: 'shared-state',
  options: {
    start_tag: option.string({ required: true, doc: 'Tag of events that begin a task.' }),
    end_tag: option.string({ required: true, doc: 'Tag of events that end a task.' }),
    unique_id_field: option.string({ required: true, doc: 'Field with the id of the task.' }),
    timeout: option.number({ default: 1800, doc: 'Seconds to wait for the end of a task.' }),
    new_event_on_match: option.boolean({
      default: false,
      doc: 'Make an event of its own for the time elapsed, instead of adding it to the end.',
    }),
    keep_start_event: option.oneOf(['first', 'last'] as const, {
      default: 'first',
      doc: 'Which start counts when a task begins twice.',
    }),
    periodic_flush: option.boolean({ default: true, doc: 'Whether to look for starts without an end.' }),
  },
  examples: [
    {
      title: 'A task of two and a half seconds',
      config: 'elapsed { start_tag => "begin" end_tag => "finish" unique_id_field => "task" }',
      in: [
        { '@timestamp': new Timestamp(1000), task: 7, tags: ['begin'] },
        { '@timestamp': new Timestamp(3500), task: 7, tags: ['finish'] },
      ],
      out: [
        { '@timestamp': new Timestamp(1000), task: 7, tags: ['begin'] },
        {
          '@timestamp': new Timestamp(3500),
          task: 7,
          tags: ['finish', 'elapsed', 'elapsed_match'],
          elapsed_time: 2.5,
          elapsed_timestamp_start: new Timestamp(1000),
        },
      ],
    },
  ],
  create({ options, compile, matched, logger }) {
    const { start_tag, end_tag, timeout, keep_start_event, new_event_on_match } = options
    const getId = compile.get(options.unique_id_field)
    const setId = compile.set(options.unique_id_field)
    const starts = new Map<Value, Start>()
    let hasWarned = false

    const begin = (event: Event, id: Value): void => {
      const key = keyOf(id)
      const known = starts.get(key)
      const time = event.timestamp ?? Timestamp.now()
      if (known === undefined) {
        if (starts.size >= maxStarts) forgetOldest()
        starts.set(key, { id, time, age: 0 })
      } else if (keep_start_event === 'last') {
        known.time = time
        known.age = 0
      }
    }

    const forgetOldest = (): void => {
      for (const key of starts.keys()) {
        starts.delete(key)
        break
      }
      if (!hasWarned) logger.warn('More tasks are under way than can be kept; the oldest are forgotten')
      hasWarned = true
    }

    const addElapsed = (event: Event, seconds: number, { id, time }: Start): void => {
      event.tag('elapsed')
      event.tag('elapsed_match')
      event.set('elapsed_time', float(seconds))
      setId(event, id)
      event.set('elapsed_timestamp_start', time)
    }

    const end = (event: Event, id: Value, emit: (event: Event) => void): void => {
      const key = keyOf(id)
      const start = starts.get(key)
      if (start === undefined) {
        event.tag('elapsed_end_without_start')
        return
      }
      starts.delete(key)
      const seconds = secondsBetween(start.time, event.timestamp ?? Timestamp.now())
      if (!new_event_on_match) {
        addElapsed(event, seconds, start)
        return
      }
      const own = Event.from({ host: hostname() })
      addElapsed(own, seconds, start)
      matched(own)
      emit(own)
    }

    return {
      filter(event, emit) {
        const id = getId(event)
        if (id === undefined || id === null) return false
        // Decorations come first here, and once.
        if (hasTag(event, start_tag)) {
          matched(event)
          begin(event, id)
        } else if (hasTag(event, end_tag)) {
          matched(event)
          end(event, id, emit)
        }
        return false
      },
      flush() {
        const expired: Event[] = []
        for (const [key, start] of starts) {
          start.age += flushSeconds
          if (start.age < timeout) continue
          starts.delete(key)
          const event = Event.from({ host: hostname() })
          event.tag('elapsed')
          event.tag('elapsed_expired_error')
          setId(event, start.id)
          event.set('elapsed_time', start.age)
          event.set('elapsed_timestamp_start', start.time)
          matched(event)
          expired.push(event)
        }
        return expired
      },
    }
  },
})

/** Lists and maps are the same task when they hold the same. */
function keyOf(id: Value): Value {
  return typeof id === 'object' ? `json:${JSON.stringify(id)}` : id
}

function hasTag(event: Event, tag: string): boolean {
  const tags = event.data['tags']
  return (typeof tags === 'string' || Array.isArray(tags)) && tags.includes(tag)
}

function secondsBetween(from: Timestamp, to: Timestamp): number {
  return (to.millis - from.millis) / 1000 + (to.nanos - from.nanos) / 1e9
}
