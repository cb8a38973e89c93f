/**
 * grok: finds the parts of a text by named patterns and stores them in fields. Each expression is one
 * regular expression with a generated function behind it that stores the captures; an expression whose
 * fixed texts do not occur in a line is passed over without a search.
 */
import type { Event } from '../../event/event.ts'
import { putField, type Value } from '../../event/value.ts'
import { type CompiledGrok, compileGrok } from '../../grok/compile.ts'
import type { Compile } from '../../plugin/compile.ts'
import { type Concern, defineFilter, type HashValue, option } from '../../plugin/define.ts'
import { textOf } from '../../plugin/raw-text.ts'
import { PatternTimeout } from '../../regex/pattern.ts'
import { definitionsFor } from '../grok/definitions.ts'
import { compileStore, type Store } from '../grok/store.ts'
import { rubyText } from '../ruby-values/text.ts'

interface Expression extends CompiledGrok {
  readonly store: Store
  hit(): void
  missed(): void
  took(nanoseconds: number): void
}

interface Field {
  readonly field: string
  readonly get: (event: Event) => Value | undefined
  readonly expressions: readonly Expression[]
}

/** One search in this many is timed. */
const timedEvery = 64
const maxShownLength = 255

export default defineFilter({
  name: 'grok',
  oneToOne: true,
  summary: 'Takes texts apart by patterns and stores the parts in fields.',
  description: [
    'An expression is a regular expression in Ruby syntax in which `%{NAME:field}` stands for a pattern of the',
    'library whose text goes into a field, `%{NAME:field:int}` and `%{NAME:field:float}` for a number, and',
    '`%{NAME:field=expression}` defines the pattern on the spot. The dot matches newlines.',
    'A field that exists already becomes a list of the old and the new text, unless `overwrite` names it.',
    '',
    'A search that takes longer than `timeout_millis` ends with the tag `_groktimeout`; it stops neither this',
    'pipeline nor another.',
  ].join('\n'),
  options: {
    match: option.hash({
      default: new Map(),
      doc: 'Fields and the expressions their texts are matched with.',
    }),
    patterns_dir: option.array({
      default: [],
      doc: 'Folders with pattern files, or single files. A line is a name, blanks and an expression.',
    }),
    patterns_files_glob: option.string({ default: '*', doc: 'Which files of those folders are read.' }),
    pattern_definitions: option.hash({
      default: new Map(),
      doc: 'Further patterns by name; they win over files and library.',
    }),
    break_on_match: option.boolean({ default: true, doc: 'Stop at the first expression that matches.' }),
    named_captures_only: option.boolean({ default: true, doc: 'Store only what has a field name.' }),
    keep_empty_captures: option.boolean({
      default: false,
      doc: 'Store captures that are empty or took no part in the match.',
    }),
    target: option.string({ doc: 'A field under which the captures are stored.' }),
    overwrite: option.array({ default: [], doc: 'Fields whose old value a capture replaces.' }),
    tag_on_failure: option.array({ default: ['_grokparsefailure'], doc: 'Tags for events nothing matched.' }),
    timeout_millis: option.number({
      default: 30000,
      doc: 'Milliseconds after which a search is given up; 0 for never.',
    }),
    timeout_scope: option.oneOf(['pattern', 'event'], {
      default: 'pattern',
      doc: 'Whether each expression has this time, or all expressions of an event together.',
    }),
    tag_on_timeout: option.string({
      default: '_groktimeout',
      doc: 'Tag for events whose search took too long.',
    }),
    pattern: option.array({
      default: [],
      doc: 'Old form of `match` for the field `message`.',
      removed: 'Use `match => { "message" => … }` instead.',
    }),
    singles: option.boolean({
      doc: 'No longer has a meaning: a single capture never is a list.',
      removed: 'It has no effect.',
    }),
  },
  metrics: {
    matches: 'Events an expression matched.',
    failures: 'Events no expression matched.',
    timeouts: 'Events whose search took too long.',
  },
  metricsOf: (options) =>
    Object.fromEntries(
      expressionsOf(matchOf(options)).flatMap((_, number) => [
        [`ext.patterns.${number}.hits`, 'Searches that matched'],
        [`ext.patterns.${number}.misses`, 'Searches that did not match'],
        [`ext.patterns.${number}.duration_in_nanos`, `Time of the searches, from one in ${timedEvery}`],
      ]),
    ),
  factsOf: (options) => {
    const patternsPerField: Record<string, number> = {}
    for (const [field, expressions] of matchOf(options))
      putField(patternsPerField, field, listOf(expressions).length)
    return { patterns_per_field: patternsPerField }
  },
  concerns(options, ecs) {
    const definitions = definitionsFor(options, ecs)
    return expressionsOf(matchOf(options)).flatMap(({ expression }): Concern[] => {
      const { pattern } = compileGrok(expression, definitions, {
        namedCapturesOnly: options.named_captures_only,
        timeout: options.timeout_millis,
      })
      const danger = pattern.dangers.find(({ exponential }) => exponential)
      if (danger === undefined) return []
      return [
        {
          option: 'match',
          message: `The grok expression '${expression}' can take very long on some texts: ${danger.explanation}`,
          hint: `Rewrite ${danger.part}; until then such texts end with the tag of tag_on_timeout.`,
        },
      ]
    })
  },
  examples: [
    {
      title: 'An access log line',
      config:
        'grok { match => { "message" => "%{IP:client} %{WORD:method} %{URIPATHPARAM:request} %{NUMBER:bytes:int} %{NUMBER:duration:float}" } }',
      in: { message: '55.3.244.1 GET /index.html 15824 0.043' },
      out: {
        message: '55.3.244.1 GET /index.html 15824 0.043',
        client: '55.3.244.1',
        method: 'GET',
        request: '/index.html',
        bytes: 15824,
        duration: 0.043,
      },
    },
    {
      title: 'A pattern of your own, and a field replaced',
      config:
        'grok { match => { "message" => "%{QUEUEID:queue_id}: %{GREEDYDATA:message}" } pattern_definitions => { "QUEUEID" => "[0-9A-F]{10,11}" } overwrite => ["message"] }',
      in: { message: 'BEF25A72965: message-id=<20130101@example.org>' },
      out: { queue_id: 'BEF25A72965', message: 'message-id=<20130101@example.org>' },
    },
    {
      title: 'Nothing matches',
      config: 'grok { match => { "message" => ["%{IP:client}", "%{MAC:client}"] } }',
      in: { message: 'nobody here' },
      out: { message: 'nobody here', tags: ['_grokparsefailure'] },
    },
  ],
  create({ options, compile, metrics, metric, logger, ecs }) {
    const definitions = definitionsFor(options, ecs)
    const failureTags = options.tag_on_failure.map(rubyText)
    const { break_on_match: breaks, timeout_millis: timeout, tag_on_timeout: timeoutTag } = options
    const shared = options.timeout_scope === 'event' && timeout > 0
    let searches = 0
    /** When the time of the event at hand is over, for `timeout_scope => "event"`. */
    let deadline = 0

    const storeOptions = {
      target: options.target,
      overwrite: options.overwrite.map(rubyText),
      keepEmpty: options.keep_empty_captures,
    }
    const expressions = expressionsOf(matchOf(options)).map(({ expression }, number): Expression => {
      const compiled = compileGrok(expression, definitions, {
        namedCapturesOnly: options.named_captures_only,
        timeout,
      })
      return {
        ...compiled,
        store: compileStore(compiled.captures, storeOptions),
        hit: metric(`ext.patterns.${number}.hits`).increment,
        missed: metric(`ext.patterns.${number}.misses`).increment,
        took: metric(`ext.patterns.${number}.duration_in_nanos`).increment,
      }
    })
    const fields = [...matchOf(options)].map(
      ([field, list]): Field => ({
        field,
        get: getterOf(field, compile),
        expressions: expressions.splice(0, listOf(list).length),
      }),
    )

    function search({ pattern, took }: Expression, text: string): RegExpExecArray | null {
      const limit = shared ? Math.max(1, deadline - performance.now()) : timeout
      if (++searches % timedEvery !== 0) return pattern.search(text, limit)
      const started = performance.now()
      const match = pattern.search(text, limit)
      took((performance.now() - started) * 1e6 * timedEvery)
      return match
    }

    function matchText(event: Event, field: string, list: readonly Expression[], text: string): boolean {
      let matched = false
      for (const expression of list) {
        let match: RegExpExecArray | null
        try {
          match = search(expression, text)
        } catch (error) {
          if (error instanceof PatternTimeout) throw new GrokTimeout(expression.expression, field, text)
          throw error
        }
        matched = match !== null
        if (match === null) expression.missed()
        else {
          expression.hit()
          expression.store(event, match)
          if (breaks) break
        }
      }
      return matched
    }

    /** A field that cannot be searched or whose captures cannot be stored counts as one without a match. */
    function tryField(event: Event, { field, get, expressions: list }: Field): boolean {
      try {
        return matchField(event, field, list, get(event))
      } catch (error) {
        if (error instanceof GrokTimeout) throw error
        logger.warn('Grok regexp threw exception', { exception: (error as Error).message })
        return false
      }
    }

    function matchField(
      event: Event,
      field: string,
      list: readonly Expression[],
      value: Value | undefined,
    ): boolean {
      if (typeof value === 'string') return matchText(event, field, list, value)
      if (!Array.isArray(value))
        return matchText(event, field, list, value === undefined ? '' : rubyText(value))
      let matched = false
      // The captures may go into the list itself.
      for (const item of [...value]) matched = matchText(event, field, list, rubyText(item)) || matched
      return matched
    }

    function timedOut(event: Event, timeout: GrokTimeout): false {
      logger.warn(timeout.message)
      metrics.timeouts.increment()
      event.tag(timeoutTag)
      return false
    }

    return {
      filter(event) {
        let matched = false
        if (shared) deadline = performance.now() + timeout
        try {
          for (const field of fields) {
            if (!tryField(event, field)) continue
            matched = true
            if (breaks) break
          }
        } catch (error) {
          if (error instanceof GrokTimeout) return timedOut(event, error)
          throw error
        }
        if (matched) {
          metrics.matches.increment()
          return true
        }
        metrics.failures.increment()
        for (const tag of failureTags) event.tag(tag)
        return false
      },
    }
  },
})

class GrokTimeout extends Error {
  constructor(expression: string, field: string, value: string) {
    super(`Timeout executing grok '${expression}' against field '${field}' with value '${shortened(value)}'!`)
    this.name = 'GrokTimeout'
  }
}

function shortened(value: string): string {
  if (value.length <= maxShownLength) return value
  const start = [...value.slice(0, 2 * maxShownLength + 2)].slice(0, maxShownLength + 1).join('')
  if (start.length === value.length && [...value].length <= maxShownLength) return value
  return `Value too large to output (${Buffer.byteLength(value)} bytes)! First 255 chars are: ${start}`
}

function listOf(expressions: Value): readonly Value[] {
  return Array.isArray(expressions) ? expressions : [expressions]
}

interface MatchOptions {
  readonly match: HashValue
  readonly pattern: readonly Value[]
}

/** What is matched with what, the old option `pattern` included. */
function matchOf({ match, pattern }: MatchOptions): HashValue {
  if (pattern.length === 0) return match
  const own = match.get('message')
  return new Map([...match, ['message', [...(own === undefined ? [] : listOf(own)), ...pattern]]])
}

/** Field and expression in the order they are tried. */
function expressionsOf(match: HashValue): { field: string; expression: string }[] {
  return [...match].flatMap(([field, list]) =>
    listOf(list).map((expression) => ({ field, expression: textOf(expression) })),
  )
}

/** A field that cannot be is no error of the configuration: as in Logstash, every event fails at it. */
function getterOf(field: string, compile: Compile): (event: Event) => Value | undefined {
  try {
    return compile.get(field)
  } catch (error) {
    return () => {
      throw error
    }
  }
}
