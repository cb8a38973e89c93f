/**
 * dissect: cuts a text at the delimiters of a pattern, by plain text search. Faster than an expression and
 * stricter: the delimiters must be there, in order.
 */
import type { Event } from '../../event/event.ts'
import { defineFilter, option } from '../../plugin/define.ts'
import { rubyText } from '../ruby-values/text.ts'
import { compileConversions } from './dissect/convert.ts'
import { compileDissect } from './dissect/pattern.ts'

export default defineFilter({
  name: 'dissect',
  oneToOne: true,
  summary: 'Cuts a text into fields at fixed delimiters.',
  description: [
    'A pattern is text with keys: `%{a}` stores what stands there under `a`, `%{}` and `%{?a}` skip it, `%{+a}`',
    'appends it (with the delimiter before it, or a blank, in between), `%{+a/2}` says in which order, `%{&a}`',
    'stores it under the text of `%{a}` or `%{?a}`. `%{a->}` swallows repeats of the delimiter that follows.',
    '',
    'Text before the first key must be at the beginning. The last key takes what is left, unless text follows',
    'it. Nothing is stored unless the whole pattern fits; keys without a delimiter between them never do.',
    'A field that is missing is no reason for a tag, an empty one is. Other values are cut as their text in Ruby.',
  ].join('\n'),
  options: {
    mapping: option.hash({ default: new Map(), names: 'keys', doc: 'Fields to cut and their patterns.' }),
    convert_datatype: option.hash({
      default: new Map(),
      names: 'keys',
      doc: 'Fields to convert afterwards, to int or float.',
    }),
    tag_on_failure: option.array({
      default: ['_dissectfailure'],
      doc: 'Tags for events whose text did not fit the pattern.',
    }),
  },
  metrics: {
    matches: 'Texts that fitted their pattern.',
    failures: 'Texts that did not, and missing fields.',
  },
  examples: [
    {
      title: 'A syslog line',
      config:
        'dissect { mapping => { "message" => "%{ts} %{+ts} %{+ts} %{src} %{prog}[%{pid}]: %{msg}" } convert_datatype => { "pid" => "int" } remove_field => ["message"] }',
      in: { message: 'Apr 26 12:20:02 localhost systemd[1]: Starting system activity' },
      out: {
        ts: 'Apr 26 12:20:02',
        src: 'localhost',
        prog: 'systemd',
        pid: 1,
        msg: 'Starting system activity',
      },
    },
    {
      title: 'Blanks swallowed, names out of the text',
      config: 'dissect { mapping => { "message" => "%{level->} %{?key}=%{&key}" } }',
      in: { message: 'WARN    user=jane' },
      out: { message: 'WARN    user=jane', level: 'WARN', user: 'jane' },
    },
    {
      title: 'Order of appending',
      config: 'dissect { mapping => { "message" => "%{+name/2}, %{+name/1}" } }',
      in: { message: 'Doe, Jane' },
      out: { message: 'Doe, Jane', name: 'Jane Doe' },
    },
    {
      title: 'Not as expected',
      config: 'dissect { mapping => { "message" => "%{a}:%{b}" } }',
      in: { message: 'no colon' },
      out: { message: 'no colon', tags: ['_dissectfailure'] },
    },
  ],
  create({ options, compile, logger, matched, metrics }) {
    const mappings = [...options.mapping].map(([field, given]) => {
      const pattern = rubyText(given)
      return { field, pattern, get: compile.get(field), dissect: compileDissect(pattern, compile) }
    })
    const conversions = compileConversions(options.convert_datatype, compile, logger)
    const failureTags = options.tag_on_failure.map(rubyText)
    const { matches, failures } = metrics

    function tagFailure(event: Event): void {
      failures.increment()
      for (const tag of failureTags) event.tag(tag)
    }

    function dissectAll(event: Event): void {
      for (const { field, pattern, get, dissect } of mappings) {
        const value = get(event)
        if (value === undefined) {
          logger.warn('Dissector mapping, field not found in event', { field })
          failures.increment()
          continue
        }
        const text = typeof value === 'string' ? value : rubyText(value)
        if (text === '') {
          logger.warn('Dissector mapping, field found in event but it was empty', { field })
          tagFailure(event)
        } else if (dissect(event, text)) {
          matches.increment()
          // Each pattern that fits applies the common options, as in Logstash.
          matched(event)
        } else {
          logger.warn('Dissector mapping, pattern not found', { field, pattern, value: text })
          tagFailure(event)
        }
      }
      for (let i = 0; i < conversions.length; i++) conversions[i]!(event)
    }

    return {
      filter(event) {
        try {
          dissectAll(event)
        } catch (exception) {
          // A key that is no reference, a reserved field: what was stored before stays.
          logger.error('Dissect threw an exception', { exception })
          tagFailure(event)
        }
        return false
      },
    }
  },
})
