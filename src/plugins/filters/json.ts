/**
 * json: parses a field that holds JSON, into a target field or into the event itself. Every failure, in
 * the common options too, leaves the event in the pipeline with a tag.
 */
import type { Event } from '../../event/event.ts'
import { parseJson } from '../../event/json-parse.ts'
import { parseTimestamp } from '../../event/parse-timestamp.ts'
import { Timestamp } from '../../event/timestamp.ts'
import { type Fields, fieldNames, isFields, putField, readField, type Value } from '../../event/value.ts'
import { inspect } from '../../log/ruby-inspect.ts'
import { defineFilter, option } from '../../plugin/define.ts'
import { rubyClass, rubyText } from '../ruby-values/text.ts'

export default defineFilter({
  name: 'json',
  oneToOne: true,
  summary: 'Parses JSON text into fields.',
  description: [
    'Without a target the text must be a JSON object, and its members overwrite fields of the event.',
    'A member `@timestamp` becomes the time of the event; one that cannot be read is kept in `_@timestamp`,',
    'the event gets the current time and the tag `_timestampparsefailure`.',
    'The source field stays; take it away with `remove_field`, which applies to parsed events only.',
  ].join('\n'),
  options: {
    source: option.string({ required: true, doc: 'The field that holds the JSON text.' }),
    target: option.fieldReference({
      doc: 'Field for the parsed value, which may then be any JSON value. Unless given, the event itself.',
    }),
    tag_on_failure: option.array({
      default: ['_jsonparsefailure'],
      doc: 'Tags for events whose source could not be parsed.',
    }),
    skip_on_invalid_json: option.boolean({
      default: false,
      doc: 'Leave events whose source is no JSON as they are, without a tag and without a warning.',
    }),
  },
  examples: [
    {
      title: 'Members become fields',
      config: 'json { source => "message" remove_field => ["message"] }',
      in: { message: '{"level":"warn","code":[1,2.5]}' },
      out: { level: 'warn', code: [1, 2.5] },
    },
    {
      title: 'Into a target',
      config: 'json { source => "message" target => "[log][data]" }',
      in: { message: '[true,null]' },
      out: { message: '[true,null]', log: { data: [true, null] } },
    },
    {
      title: 'Not JSON',
      config: 'json { source => "message" remove_field => ["message"] }',
      in: { message: 'plain text' },
      out: { message: 'plain text', tags: ['_jsonparsefailure'] },
    },
    {
      title: 'Sometimes JSON',
      config: 'json { source => "message" skip_on_invalid_json => true }',
      in: { message: 'plain text' },
      out: { message: 'plain text' },
    },
  ],
  create({ options, compile, logger, matched, ecs }) {
    const { source, target, skip_on_invalid_json } = options
    const get = compile.get(source)
    const set = target === undefined ? undefined : compile.set(target)
    const failureTags = options.tag_on_failure.map(rubyText)

    function fail(event: Event): false {
      for (const tag of failureTags) event.tag(tag)
      return false
    }

    function intoEvent(event: Event, parsed: Fields): void {
      const time = spread(event, parsed)
      if (time === undefined || time === null || time === false) return
      const timestamp = typeof time === 'string' ? parseTimestamp(time) : undefined
      event.timestamp = timestamp ?? Timestamp.now()
      if (timestamp !== undefined) return
      const value = inspect(time, 1000)
      logger.warn(
        'Unrecognized @timestamp value, setting current time to @timestamp, original in _@timestamp field',
        { value },
      )
      event.tag('_timestampparsefailure')
      event.set('_@timestamp', rubyText(time))
    }

    return {
      register() {
        if (ecs === 'disabled' || target !== undefined) return
        logger.info(
          'Without a `target`, parsed members become fields at the top of the event, ' +
            'where they may clash with fields of the Elastic Common Schema.',
        )
      },
      filter(event) {
        const raw = get(event)
        if (raw === undefined || raw === null || raw === false) return false
        let parsed: Value
        try {
          parsed = parse(raw)
        } catch (exception) {
          if (skip_on_invalid_json) return false
          logger.warn('Error parsing json', { source, raw, exception })
          return fail(event)
        }
        try {
          if (set !== undefined) set(event, parsed)
          else if (isFields(parsed)) intoEvent(event, parsed)
          else {
            logger.warn('Parsed JSON object/hash requires a target configuration option', { source, raw })
            return fail(event)
          }
          matched(event)
        } catch (exception) {
          logger.warn('Exception caught in json filter', { source, raw, exception })
          return fail(event)
        }
        return false
      },
    }
  },
})

/** A blank text is null. */
function parse(raw: Value): Value {
  if (typeof raw !== 'string') throw new TypeError(`no JSON text but ${rubyClass(raw)}`)
  return raw.trim() === '' ? null : parseJson(raw)
}

/** Characters that make a member name more than the name of a field: references and escaped references. */
const referenceCharacters = /[[\]%&]/

/** Sets every member but `@timestamp`, which it returns. Member names are field references. */
function spread(event: Event, parsed: Fields): Value | undefined {
  event.raw = null
  for (const name of fieldNames(parsed)) {
    const value = parsed[name]!
    if (name === '@timestamp') continue
    if (name === 'tags' || name === '@metadata' || referenceCharacters.test(name)) event.set(name, value)
    else putField(event.data, name, value)
  }
  return readField(parsed, '@timestamp')
}
