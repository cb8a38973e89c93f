/**
 * multiline, the filter of old configurations: joins events that are lines of one message. Lines wait by stream
 * until a line shows that the message is complete, or until they are too old. The codec of the same name is the
 * better choice, as it sees lines before they are mixed with those of other streams.
 */
import type { Event } from '../../event/event.ts'
import type { Value } from '../../event/value.ts'
import { compileGrok } from '../../grok/compile.ts'
import { defineFilter, option } from '../../plugin/define.ts'
import { PatternTimeout } from '../../regex/pattern.ts'
import { definitionsFor } from '../grok/definitions.ts'
import { rubyText } from '../ruby-values/text.ts'

const timeoutMillis = 30_000
/** Lines of one message and messages under way; a message that grows beyond is sent on as it is. */
const limits = { lines: 10_000, streams: 100_000 }

export default defineFilter({
  name: 'multiline',
  summary: 'Joins events that are lines of one message.',
  concurrency: 'shared-state',
  options: {
    pattern: option.string({ required: true, doc: 'Expression, with grok patterns, to match lines with.' }),
    what: option.oneOf(['previous', 'next'] as const, {
      required: true,
      doc: 'Whether a line that matches belongs to the line before or to the line after it.',
    }),
    negate: option.boolean({ default: false, doc: 'Whether lines that do not match are meant.' }),
    source: option.string({ default: 'message', doc: 'Field that holds the line.' }),
    stream_identity: option.string({
      default: '%{host}.%{path}.%{type}',
      doc: 'What tells streams of lines apart, with `%{…}`.',
    }),
    allow_duplicates: option.boolean({
      default: true,
      doc: 'Whether a line that is the same as an earlier one of its message is kept.',
    }),
    max_age: option.number({ default: 5, doc: 'Seconds after which a message is sent on as it is.' }),
    patterns_dir: option.array({ default: [], doc: 'Folders with pattern files, or single files.' }),
    periodic_flush: option.boolean({ default: true, doc: 'Whether to look for old messages.' }),
  },
  examples: [
    {
      title: 'Lines that begin with a blank belong to the line before',
      config: 'multiline { pattern => "^\\s" what => "previous" }',
      in: [{ message: 'Exception' }, { message: '  at a' }, { message: '  at b' }, { message: 'next' }],
      out: [{ message: 'Exception\n  at a\n  at b', tags: ['multiline'] }, { message: 'next' }],
    },
  ],
  create({ options, compile, matched, logger, ecs }) {
    const { what, negate, source, allow_duplicates, max_age } = options
    const { pattern } = compileGrok(
      options.pattern,
      definitionsFor(
        { patterns_dir: options.patterns_dir, patterns_files_glob: '*', pattern_definitions: new Map() },
        ecs,
      ),
      { namedCapturesOnly: true, timeout: timeoutMillis },
    )
    const streamOf = compile.template(options.stream_identity)
    const getSource = compile.get(source)
    const setSource = compile.set(source)
    const pending = new Map<string, Event[]>()

    const matches = (event: Event): boolean => {
      const value = getSource(event)
      const line = Array.isArray(value) ? (value[0] ?? '') : (value ?? '')
      try {
        return (pattern.search(rubyText(line), timeoutMillis) !== null) !== negate
      } catch (error) {
        if (!(error instanceof PatternTimeout)) throw error
        logger.warn('A line took too long to match', { pattern: options.pattern })
        return negate
      }
    }

    const linesOf = (event: Event): Value[] => {
      const value = getSource(event)
      if (value === undefined || value === null) return []
      return Array.isArray(value) ? [...value] : [value]
    }

    /** The first event with the lines and fields of all. */
    const merge = (events: readonly Event[]): Event => {
      const [first, ...rest] = events
      const whole = first!.clone()
      const lines = linesOf(whole)
      for (const event of rest) {
        for (const line of linesOf(event)) {
          if (allow_duplicates || !lines.includes(line)) lines.push(line)
        }
        const other = event.clone()
        other.remove('@timestamp')
        other.remove(source)
        whole.append(other)
      }
      if (lines.length > 0) setSource(whole, lines.map(rubyText).join('\n'))
      whole.uncancel()
      return whole
    }

    const waitingOf = (stream: string): Event[] => {
      let waiting = pending.get(stream)
      if (waiting === undefined) {
        waiting = []
        pending.set(stream, waiting)
      }
      return waiting
    }

    const hold = (event: Event, waiting: Event[]): void => {
      const copy = event.clone()
      waiting.push(copy)
      event.cancel()
    }

    const joinPrevious = (event: Event, stream: string, isPart: boolean): void => {
      const waiting = waitingOf(stream)
      if (isPart && waiting.length < limits.lines) {
        event.tag('multiline')
        hold(event, waiting)
      } else if (waiting.length === 0) hold(event, waiting)
      else {
        const whole = merge(waiting)
        const next = event.clone()
        event.overwrite(whole)
        pending.set(stream, [next])
      }
    }

    const joinNext = (event: Event, stream: string, isPart: boolean): void => {
      if (isPart && waitingOf(stream).length < limits.lines) {
        event.tag('multiline')
        hold(event, waitingOf(stream))
        return
      }
      const waiting = pending.get(stream)
      if (waiting === undefined || waiting.length === 0) return
      event.overwrite(merge([...waiting, event]))
      pending.delete(stream)
    }

    return {
      filter(event, emit) {
        const isPart = matches(event)
        const stream = streamOf(event)
        if (pending.size >= limits.streams && !pending.has(stream)) {
          const [oldest, waiting] = pending.entries().next().value!
          pending.delete(oldest)
          if (waiting.length > 0) emit(merge(waiting))
        }
        if (what === 'previous') joinPrevious(event, stream, isPart)
        else joinNext(event, stream, isPart)
        return isPart && !event.cancelled
      },
      flush(final) {
        const now = Date.now()
        const complete: Event[] = []
        for (const [stream, waiting] of pending) {
          const time = waiting[0]?.timestamp
          if (waiting.length > 0 && !final && time !== undefined && now - time.millis < max_age * 1000)
            continue
          pending.delete(stream)
          if (waiting.length === 0) continue
          const event = merge(waiting)
          matched(event)
          complete.push(event)
        }
        return complete
      },
    }
  },
})
