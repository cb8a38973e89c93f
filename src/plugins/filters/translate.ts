/**
 * translate: looks the value of a field up in a dictionary, written in the configuration or read from a
 * file, and stores what it finds in another field, or in the same.
 */
import { cloneValue } from '../../event/clone.ts'
import type { Event } from '../../event/event.ts'
import { type Fields, isFields, readField, type Value } from '../../event/value.ts'
import { defineFilter, option } from '../../plugin/define.ts'
import { rubyText } from '../ruby-values/text.ts'
import { nestedReference } from '../values/dynamic-field.ts'
import { refuseToRegister } from '../values/register-refusal.ts'
import { hasKnownFormat } from './translate/dictionary-file.ts'
import { compileLookup, type Lookup } from './translate/lookup.ts'
import { RefreshedLookup } from './translate/refreshed-lookup.ts'

export default defineFilter({
  name: 'translate',
  oneToOne: true,
  summary: 'Replaces values by what a dictionary says about them.',
  description: [
    'By default the whole value must be a key. With `regex` the keys are expressions and the first that matches',
    'anywhere counts. Without `exact` every key that occurs in the value is replaced by its translation.',
    'The value is compared as text; of a list the first item counts. An event is left alone when it has no',
    'source, when the target exists and `override` is off, and when nothing was found and there is no fallback.',
  ].join('\n'),
  options: {
    source: option.string({ doc: 'The field to look up.' }),
    field: option.string({ doc: 'The field to look up.', deprecated: 'Use `source` option instead.' }),
    target: option.string({
      doc: 'Field for the translation; the source itself with ECS compatibility, otherwise `translation`.',
    }),
    destination: option.string({
      doc: 'Field for the translation.',
      deprecated: 'Use `target` option instead.',
    }),
    dictionary: option.hash({ default: new Map(), doc: 'Keys and their translations.' }),
    dictionary_path: option.path({
      doc: 'A file with the dictionary: .yml, .yaml, .json, or .csv with key and translation in two columns.',
    }),
    exact: option.boolean({ default: true, doc: 'Whether the whole value must be a key.' }),
    regex: option.boolean({
      default: false,
      doc: 'Whether the keys are regular expressions; needs `exact`.',
    }),
    fallback: option.string({
      doc: 'Translation of values that are not in the dictionary; may contain `%{…}`.',
    }),
    override: option.boolean({
      doc: 'Whether to translate where the target exists already; on where it is the source itself.',
    }),
    refresh_interval: option.number({
      default: 300,
      doc: 'Seconds after which the file is read again, up to 300 only when it has changed; 0 for never.',
    }),
    refresh_behaviour: option.oneOf(['merge', 'replace'], {
      default: 'merge',
      doc: 'Whether keys that are no longer in the file are kept.',
    }),
    iterate_on: option.string({
      doc:
        'A list to translate item by item: the source itself, which gives a list of translations, or a list ' +
        'of maps, in which source and target are then looked for.',
    }),
    yaml_dictionary_code_point_limit: option.number({
      doc: 'Characters a YAML dictionary may have; without effect, as the size of files is limited anyway.',
    }),
    yaml_load_strategy: option.oneOf(['one_shot', 'streaming'], {
      default: 'one_shot',
      doc: 'How to read YAML; without effect.',
    }),
  },
  examples: [
    {
      title: 'Names of codes',
      config:
        'translate { source => "code" target => "meaning" dictionary => { "100" => "Continue" "200" => "OK" } fallback => "code %{code}?" }',
      in: [{ code: 200 }, { code: '999' }],
      out: [
        { code: 200, meaning: 'OK' },
        { code: '999', meaning: 'code 999?' },
      ],
    },
    {
      title: 'Expressions as keys',
      config:
        'translate { source => "host" target => "role" regex => true dictionary => [ "^db", "database", "^web", "frontend" ] }',
      in: { host: 'web-3' },
      out: { host: 'web-3', role: 'frontend' },
    },
    {
      title: 'Words inside of a text',
      config:
        'translate { source => "message" target => "message" exact => false dictionary => { "colour" => "color" } }',
      in: { message: 'colourful colours' },
      out: { message: 'colorful colors' },
    },
    {
      title: 'A list',
      config:
        'translate { source => "codes" iterate_on => "codes" target => "names" dictionary => { "1" => "one" } fallback => "?" }',
      in: { codes: ['1', '2'] },
      out: { codes: ['1', '2'], names: ['one', '?'] },
    },
  ],
  create({ options, compile, ecs, logger, matched }) {
    const { dictionary, dictionary_path: path, exact, regex, iterate_on } = options
    const source = options.source ?? options.field
    if (source === undefined) refuseToRegister('translate', 'Missing a required setting for `source`')
    const target = options.target ?? options.destination ?? (ecs === 'disabled' ? 'translation' : source)
    const override = options.override ?? target === source
    // In place, an event counts as translated even where the dictionary has nothing for it.
    const inPlace = target === source
    if (dictionary.size > 0 && path !== undefined) {
      refuseToRegister(
        'translate',
        "The configuration options 'dictionary' and 'dictionary_path' are mutually exclusive",
      )
    }
    if (path !== undefined && !hasKnownFormat(path))
      refuseToRegister('translate', `Translate: Dictionary ${path} has a non valid format`)
    const file =
      path === undefined
        ? undefined
        : new RefreshedLookup({
            path,
            exact,
            regex,
            refreshInterval: options.refresh_interval,
            refreshBehaviour: options.refresh_behaviour,
            logger,
          })
    const inline = file === undefined ? compileLookup(new Map(dictionary), exact, regex) : undefined
    const lookup: Lookup = inline ?? ((text) => file!.lookup(text))
    const fallback = options.fallback === undefined ? undefined : compile.template(options.fallback)

    /** What the event gets for the value, undefined for nothing. */
    function translation(event: Event, value: Value): Value | undefined {
      const found = lookup(typeof value === 'string' ? value : rubyText(value))
      // A structure belongs to the dictionary, and events are changed in place.
      if (found !== undefined) return typeof found === 'object' ? cloneValue(found) : found
      return fallback?.(event)
    }

    const update =
      iterate_on === undefined
        ? oneValue(source, target)
        : iterate_on === source
          ? listOfValues(source, target)
          : listOfMaps(iterate_on, source, target)

    /** Where there is a value, and a target that is empty or may be written over, `write` is called. */
    function fieldToField(
      from: string,
      to: string,
      write: (event: Event, value: Value, set: (event: Event, found: Value) => void) => boolean,
    ): (event: Event) => boolean {
      const get = compile.get(from)
      const old = compile.get(to)
      const set = compile.set(to)
      return (event) => {
        const value = get(event)
        if (value === undefined || (!override && old(event) !== undefined)) return false
        return write(event, value, set)
      }
    }

    function oneValue(from: string, to: string): (event: Event) => boolean {
      return fieldToField(from, to, (event, value, set) => {
        const found = translation(event, Array.isArray(value) ? (value[0] ?? null) : value)
        if (found === undefined) return inPlace
        set(event, found)
        return true
      })
    }

    function listOfValues(from: string, to: string): (event: Event) => boolean {
      return fieldToField(from, to, (event, value, set) => {
        const found = listOf(value).map((item) => translation(event, item) ?? null)
        set(event, found)
        return inPlace || found.some((item) => item !== null && item !== false)
      })
    }

    function listOfMaps(list: string, from: string, to: string): (event: Event) => boolean {
      const get = compile.get(list)
      return (event) => {
        const value = get(event)
        if (value === undefined) return false
        let isMatched = inPlace
        for (let i = 0; i < listOf(value).length; i++) {
          const item = event.get(nestedReference(nestedReference(list, String(i)), from))
          const place = nestedReference(nestedReference(list, String(i)), to)
          if (item === undefined || item === null) continue
          if (!override && event.get(place) !== undefined) continue
          const found = translation(event, item)
          if (found === undefined) continue
          event.set(place, found)
          isMatched = true
        }
        return isMatched
      }
    }

    return {
      register: () => file?.start(),
      filter(event) {
        try {
          // A failure of add_field and the like is logged here, too, and concerns nobody else.
          if (update(event)) matched(event)
        } catch (exception) {
          logger.error('Something went wrong when attempting to translate from dictionary', {
            exception,
            source,
          })
        }
        return false
      },
      close: () => file?.stop(),
    }
  },
})

/** Ruby's `Array(value)` of a value that is there. */
function listOf(value: Value): readonly Value[] {
  if (Array.isArray(value)) return value
  if (value === null) return []
  if (!isFields(value)) return [value]
  const fields: Fields = value
  return Object.keys(fields).map((name) => [name, readField(fields, name) ?? null])
}
