/**
 * prune: removes top-level fields by patterns of their names or values. Patterns are searched for, so an
 * unanchored one matches anywhere; with `interpolate` they are filled in for each event.
 */
import type { Event } from '../../event/event.ts'
import { type Fields, fieldNames, putField, readField, type Value } from '../../event/value.ts'
import type { Compile } from '../../plugin/compile.ts'
import { defineFilter, type HashValue, option } from '../../plugin/define.ts'
import { compilePattern, type Pattern } from '../../regex/pattern.ts'
import { rubyText } from '../ruby-values/text.ts'

type PatternOf = (event: Event) => Pattern

export default defineFilter({
  name: 'prune',
  oneToOne: true,
  summary: 'Removes fields by patterns of their names or values.',
  description: [
    'Only fields at the top of the event count, `@timestamp`, `@version` and `tags` among them: a whitelist that',
    'does not name them removes them. By default fields are removed whose names contain an unresolved `%{…}`.',
    'Lists are filtered item by item, and removed when nothing is left.',
  ].join('\n'),
  options: {
    whitelist_names: option.array({
      default: [],
      doc: 'Expressions for the names of the only fields to keep.',
    }),
    blacklist_names: option.array({
      default: ['%\\{[^}]+\\}'],
      doc: 'Expressions for the names of fields to remove.',
    }),
    whitelist_values: option.hash({
      default: new Map(),
      doc: 'Fields and expressions that their values must match to be kept.',
    }),
    blacklist_values: option.hash({
      default: new Map(),
      doc: 'Fields and expressions for values to remove.',
    }),
    interpolate: option.boolean({
      default: false,
      doc: 'Whether names and expressions may contain `%{…}`.',
    }),
  },
  examples: [
    {
      title: 'Nothing but these',
      config: 'prune { whitelist_names => ["^@", "^m"] }',
      in: { message: 'a', method: 'GET', host: 'b' },
      out: { message: 'a', method: 'GET' },
    },
    {
      title: 'By value',
      config: 'prune { blacklist_values => { "status" => "^2\\d\\d$" "codes" => "^2" } }',
      in: { status: '200', codes: ['200', '404'] },
      out: { codes: ['404'] },
    },
    {
      title: 'Names that were not filled in',
      config: 'prune { }',
      in: { '%{user}': 'a', b: 'c' },
      out: { b: 'c' },
    },
  ],
  create({ options, compile }) {
    const { interpolate } = options
    const kept = options.whitelist_names.map((text) => patternOf(text, interpolate, compile))
    const gone = options.blacklist_names.map((text) => patternOf(text, interpolate, compile))
    const keptValues = valuePatterns(options.whitelist_values, interpolate, compile)
    const goneValues = valuePatterns(options.blacklist_values, interpolate, compile)

    return {
      filter(event) {
        const { data } = event
        const keep = kept.map((pattern) => pattern(event))
        const drop = gone.map((pattern) => pattern(event))
        const removed = new Set<string>()
        const names = fieldNames(data)
        for (const name of names) {
          if (keep.length > 0 && !keep.some((pattern) => pattern.test(name))) removed.add(name)
          else if (drop.some((pattern) => pattern.test(name))) removed.add(name)
        }
        for (const { name, pattern } of keptValues)
          choose(data, name(event), pattern(event), true, removed, event)
        for (const { name, pattern } of goneValues)
          choose(data, name(event), pattern(event), false, removed, event)
        if (removed.size > 0) {
          event.raw = null
          for (const name of removed) putField(data, name, undefined)
        }
        return true
      },
    }
  },
})

function patternOf(given: Value, interpolate: boolean, compile: Compile): PatternOf {
  const text = rubyText(given)
  if (interpolate && !compile.isConstant(text)) {
    const template = compile.template(text)
    return (event) => compilePattern(template(event))
  }
  const pattern = compilePattern(text)
  return () => pattern
}

function valuePatterns(fields: HashValue, interpolate: boolean, compile: Compile) {
  return [...fields].map(([field, given]) => ({
    name: interpolate ? compile.template(field) : () => field,
    pattern: patternOf(given, interpolate, compile),
  }))
}

/** Keeps, or drops, the values that match. */
function choose(
  data: Fields,
  name: string,
  pattern: Pattern,
  keeps: boolean,
  removed: Set<string>,
  event: Event,
): void {
  const value = readField(data, name)
  if (value === undefined) return
  if (!Array.isArray(value)) {
    if (pattern.test(rubyText(value)) !== keeps) removed.add(name)
    return
  }
  const left = value.filter((item) => pattern.test(rubyText(item)) === keeps)
  if (left.length === value.length) return
  if (left.length === 0) removed.add(name)
  else {
    event.raw = null
    putField(data, name, left)
  }
}
