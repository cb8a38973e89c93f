/**
 * kv: pairs like `key=value` in a text become fields. Separators are sets of characters or expressions;
 * `kv/scan.ts` says how pairs are found, here they are trimmed, chosen and stored.
 */
import type { Event } from '../../event/event.ts'
import { putField, type Value } from '../../event/value.ts'
import type { Compile } from '../../plugin/compile.ts'
import { defineFilter, option } from '../../plugin/define.ts'
import { PatternTimeout } from '../../regex/pattern.ts'
import { CharSet } from '../ruby-values/char-set.ts'
import { rubyClass, rubyText } from '../ruby-values/text.ts'
import { isPlainName } from '../values/dynamic-field.ts'
import { noteMissingTarget } from '../values/ecs-target.ts'
import { refuseToRegister } from '../values/register-refusal.ts'
import { Pairs } from './kv/pairs.ts'
import { compileScan } from './kv/scan.ts'
import { capitalize, downcase, upcase } from './mutate/letters.ts'

const transforms = { lowercase: downcase, uppercase: upcase, capitalize } as const
/** Values inside values inside values: nobody means more. */
const maxRecursionDepth = 64
const maxShownLength = 255
const maxRemembered = 64

export default defineFilter({
  name: 'kv',
  oneToOne: true,
  summary: 'Makes fields of the key=value pairs in a text.',
  description: [
    'A value may stand in double or single quotes, and in `()`, `[]` or `<>` unless `include_brackets` is',
    'off; they are taken away. A backslash protects the character after it from being a separator, and stays.',
    'A key that occurs more than once gets a list of its values. Events in which nothing is found pass',
    'unchanged, without the common options being applied.',
  ].join('\n'),
  options: {
    source: option.string({ default: 'message', doc: 'The field to search for pairs.' }),
    target: option.fieldReference({ doc: 'Field for the pairs. Unless given, the event itself.' }),
    field_split: option.string({
      default: ' ',
      doc: 'Characters that end a pair, each of them alone; written as inside the brackets of a regular expression.',
    }),
    field_split_pattern: option.string({
      doc: 'Regular expression that ends a pair, in place of `field_split`.',
    }),
    value_split: option.string({
      default: '=',
      doc: 'Characters between key and value, each of them alone; written as inside the brackets of a regular expression.',
    }),
    value_split_pattern: option.string({
      doc: 'Regular expression between key and value, in place of `value_split`.',
    }),
    prefix: option.string({ default: '', doc: 'Text to put before every key; may contain `%{…}`.' }),
    include_keys: option.array({ default: [], doc: 'The only keys to keep; may contain `%{…}`.' }),
    exclude_keys: option.array({ default: [], doc: 'Keys to leave out; may contain `%{…}`.' }),
    default_keys: option.hash({
      default: new Map(),
      doc: 'Keys and values to add where the text does not have them.',
    }),
    allow_duplicate_values: option.boolean({
      default: true,
      doc: 'Whether a key keeps a value it has already; otherwise every value is kept once.',
    }),
    allow_empty_values: option.boolean({ default: false, doc: 'Whether to keep keys with an empty value.' }),
    include_brackets: option.boolean({
      default: true,
      doc: 'Whether brackets around a value hold it together and are taken away.',
    }),
    recursive: option.boolean({
      default: false,
      doc: 'Whether to look for pairs inside of values; those that have any become maps.',
    }),
    whitespace: option.oneOf(['lenient', 'strict'], {
      default: 'lenient',
      doc: 'Whether blanks around the separator of key and value belong to it.',
    }),
    trim_key: option.string({
      aliases: ['trimkey'],
      doc: 'Characters to remove from both ends of keys; written as inside the brackets of a regular expression.',
    }),
    trim_value: option.string({
      aliases: ['trim'],
      doc: 'Characters to remove from both ends of values; written as inside the brackets of a regular expression.',
    }),
    remove_char_key: option.string({
      doc: 'Characters to remove from keys wherever they stand; written as inside the brackets of a regular expression.',
    }),
    remove_char_value: option.string({
      doc: 'Characters to remove from values wherever they stand; written as inside the brackets of a regular expression.',
    }),
    transform_key: option.oneOf(['lowercase', 'uppercase', 'capitalize'], {
      doc: 'How to write the letters of keys.',
    }),
    transform_value: option.oneOf(['lowercase', 'uppercase', 'capitalize'], {
      doc: 'How to write the letters of values.',
    }),
    tag_on_failure: option.array({
      default: ['_kv_filter_error'],
      doc: 'Tags for events on which something went wrong.',
    }),
    tag_on_timeout: option.string({
      default: '_kv_filter_timeout',
      doc: 'Tag for events whose text took too long.',
    }),
    timeout_millis: option.number({
      default: 30_000,
      doc: 'Milliseconds the search in one text may take; 0 for no limit.',
    }),
  },
  examples: [
    {
      title: 'Pairs of a firewall',
      config: 'kv { exclude_keys => ["time"] }',
      in: { message: 'time=12:30 src=10.0.0.1 action="not allowed"' },
      out: {
        message: 'time=12:30 src=10.0.0.1 action="not allowed"',
        src: '10.0.0.1',
        action: 'not allowed',
      },
    },
    {
      title: 'Parameters of a URL',
      config: 'kv { source => "query" field_split => "&?" target => "param" }',
      in: { query: '?a=1&b=2&a=3' },
      out: { query: '?a=1&b=2&a=3', param: { a: ['1', '3'], b: '2' } },
    },
    {
      title: 'Tidied keys and values',
      config:
        'kv { field_split => "," value_split => ":" trim_key => " " trim_value => " ." transform_key => "lowercase" prefix => "x_" }',
      in: { message: 'From: me., To : you' },
      out: { message: 'From: me., To : you', x_from: 'me', x_to: 'you' },
    },
    {
      title: 'Pairs inside of pairs',
      config: 'kv { recursive => true }',
      in: { message: 'a=(b=1 c=2) d=e' },
      out: { message: 'a=(b=1 c=2) d=e', a: { b: '1', c: '2' }, d: 'e' },
    },
  ],
  create({ options, compile, logger, ecs, matched }) {
    for (const name of [
      'field_split',
      'value_split',
      'field_split_pattern',
      'value_split_pattern',
    ] as const) {
      if (options[name] === '')
        refuseToRegister('kv', `Configuration option '${name}' must be a non-empty string`)
    }
    const { source, target, recursive, allow_empty_values, timeout_millis, tag_on_timeout } = options
    const get = compile.get(source)
    const setTarget = target === undefined ? undefined : compile.set(target)
    const scan = compileScan(options)
    const keyText = textChange(options.trim_key, options.remove_char_key, options.transform_key)
    const valueText = textChange(options.trim_value, options.remove_char_value, options.transform_value)
    const included = namesOf(options.include_keys, compile)
    const excluded = namesOf(options.exclude_keys, compile)
    const prefixOf = compile.isConstant(options.prefix) ? undefined : compile.template(options.prefix)
    const failureTags = options.tag_on_failure.map(rubyText)
    const defaults = [...options.default_keys]

    // The pairs of the event at hand; inner texts have their own.
    const outer = new Pairs(options.allow_duplicate_values)
    let pairs = outer
    let prefix = options.prefix
    let only: ReadonlySet<string> | undefined
    let without: ReadonlySet<string> | undefined
    let depth = 0

    function visit(foundKey: string, foundValue: string): void {
      if (foundValue === '' && !allow_empty_values) return
      let key = keyText === undefined ? foundKey : keyText(foundKey)
      if (only !== undefined && !only.has(key)) return
      if (without?.has(key)) return
      if (prefix !== '') key = prefix + key
      const value = valueText === undefined ? foundValue : valueText(foundValue)
      if (pairs.refuses(key, value)) return
      pairs.add(key, recursive && depth < maxRecursionDepth ? inside(value) : value)
    }

    function inside(value: string): Value {
      const around = pairs
      const inner = new Pairs(options.allow_duplicate_values)
      pairs = inner
      depth += 1
      try {
        scan(value, visit, timeout_millis)
      } finally {
        pairs = around
        depth -= 1
      }
      return inner.count === 0 ? value : inner.toFields()
    }

    function search(event: Event, value: Value | undefined): void {
      outer.clear()
      if (prefixOf !== undefined) prefix = prefixOf(event)
      only = included(event)
      without = excluded(event)
      if (typeof value === 'string') scan(value, visit, timeout_millis)
      else if (Array.isArray(value)) {
        for (const item of value) if (typeof item === 'string') scan(item, visit, timeout_millis)
      } else if (value !== undefined && value !== null)
        logger.warn('kv filter has no support for this type of data', { type: rubyClass(value), value })
    }

    function addDefaults(): void {
      if (defaults.length === 0) return
      const found = new Map(defaults)
      for (let i = 0; i < outer.count; i++) found.set(outer.keys[i]!, outer.values[i]!)
      outer.clear()
      for (const [key, value] of found) outer.add(key, value)
    }

    /** The key at each place of the last event, where it was plain. */
    const plain: string[] = []

    function isPlain(key: string, place: number): boolean {
      if (!isPlainName(key)) return false
      if (place < maxRemembered) plain[place] = key
      return true
    }

    return {
      register: () => noteMissingTarget(ecs, target, logger),
      filter(event) {
        try {
          search(event, get(event))
          addDefaults()
          const { count, keys, values } = outer
          if (count === 0) return false
          if (setTarget !== undefined) setTarget(event, outer.toFields())
          else {
            event.raw = null
            for (let i = 0; i < count; i++) {
              const key = keys[i]!
              // Keys stay the same strings from line to line, so most need no look at their letters.
              if (key !== plain[i] && !isPlain(key, i)) event.set(key, values[i]!)
              else putField(event.data, key, values[i]!)
            }
          }
          // A failure of add_field and the like is tagged too, so they run here and not in the host.
          matched(event)
          return false
        } catch (error) {
          if (error instanceof PatternTimeout) {
            logger.warn(`Timeout reached in KV filter with value ${shortened(get(event))}`)
            event.tag(tag_on_timeout)
          } else {
            logger.warn('Exception while parsing KV', { exception: (error as Error).message })
            for (const tag of failureTags) event.tag(tag)
          }
          return false
        }
      },
    }
  },
})

function shortened(value: Value | undefined): string {
  const text = value === undefined ? '' : rubyText(value)
  return text.length <= maxShownLength
    ? `\`${text}\``
    : `entry too large to show; showing first 255 characters \`${text.slice(0, maxShownLength)}\`[...]`
}

/** Trim, remove, transform, in this order; undefined when there is nothing to do. */
function textChange(
  trim: string | undefined,
  remove: string | undefined,
  transform: keyof typeof transforms | undefined,
): ((text: string) => string) | undefined {
  const steps: ((text: string) => string)[] = []
  if (trim !== undefined && trim !== '') {
    const set = new CharSet(trim)
    steps.push((text) => set.trim(text))
  }
  if (remove !== undefined && remove !== '') {
    const set = new CharSet(remove)
    steps.push((text) => set.remove(text))
  }
  if (transform !== undefined) steps.push(transforms[transform])
  const [first, second] = steps
  if (second === undefined) return first
  return (text) => {
    let result = text
    for (const step of steps) result = step(result)
    return result
  }
}

/** The names of an option, filled in per event where they contain `%{…}`; undefined for none. */
function namesOf(
  given: readonly Value[],
  compile: Compile,
): (event: Event) => ReadonlySet<string> | undefined {
  const texts = given.map(rubyText)
  if (texts.length === 0) return () => undefined
  if (texts.every((text) => compile.isConstant(text))) {
    const names = new Set(texts)
    return () => names
  }
  const templates = texts.map((text) => compile.template(text))
  return (event) => new Set(templates.map((template) => template(event)))
}
