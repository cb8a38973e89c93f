/**
 * mutate: the everyday changes of fields. Whatever the order in the configuration, the operations run in
 * one fixed order; each becomes a list of compiled steps, and an event is one walk along all of them.
 */
import { defineFilter, option } from '../../plugin/define.ts'
import { coerce, replace, update } from './mutate/assign.ts'
import { convert } from './mutate/convert.ts'
import { gsub } from './mutate/gsub.ts'
import { capitalize, downcase, upcase } from './mutate/letters.ts'
import { copy, merge, rename } from './mutate/move.ts'
import { type Step, toolsOf } from './mutate/step.ts'
import { change, join, split, strip } from './mutate/text.ts'

export default defineFilter({
  name: 'mutate',
  oneToOne: true,
  summary: 'Renames, replaces, converts and rewrites fields.',
  description: [
    'The operations always run in this order: coerce, rename, update, replace, convert, gsub, uppercase,',
    'capitalize, lowercase, strip, split, join, merge, copy; then add_field, remove_field, add_tag and',
    'remove_tag. Write two mutate blocks where another order is needed.',
    '',
    'When an operation fails, those after it and the common options are skipped, and the event is tagged',
    'with `tag_on_failure`.',
  ].join('\n'),
  options: {
    coerce: option.hash({ names: 'keys', doc: 'Texts for fields that exist but hold null.' }),
    rename: option.hash({
      names: 'keys and values',
      doc: 'Old name to new name; both may contain `%{…}`. A field of the new name is overwritten.',
    }),
    update: option.hash({
      names: 'keys',
      doc: 'New values for fields that exist; values may contain `%{…}`.',
    }),
    replace: option.hash({
      names: 'keys',
      doc: 'New values for fields, which are created when missing; values may contain `%{…}`.',
    }),
    convert: option.hash({
      names: 'keys',
      doc:
        'New types for fields: integer, float, string, boolean, integer_eu or float_eu. Lists are converted ' +
        'item by item, maps stay. Commas in numbers are ignored; the _eu types read `1.234,5`. A text that ' +
        'is no number is a failure; a value that is neither true nor false stays.',
    }),
    gsub: option.array({
      doc:
        'Field, regular expression and replacement, three items for each substitution. The replacement may ' +
        'contain `\\1`, `\\k<name>` and `%{…}`; an expression that contains `%{…}` is filled in per event.',
    }),
    uppercase: option.array({ names: 'items', doc: 'Fields to write in capital letters.' }),
    capitalize: option.array({
      names: 'items',
      doc: 'Fields to write with a capital letter at the beginning and small letters after it.',
    }),
    lowercase: option.array({ names: 'items', doc: 'Fields to write in small letters.' }),
    strip: option.array({ names: 'items', doc: 'Fields to remove white space from, at both ends.' }),
    split: option.hash({
      names: 'keys',
      doc:
        'Separators to cut text fields into lists with. Empty parts at the end are left out; a separator of ' +
        'one blank means any run of white space.',
    }),
    join: option.hash({ names: 'keys', doc: 'Separators to join list fields into texts with.' }),
    merge: option.hash({
      names: 'keys and values',
      doc:
        'Destination to the field, or list of fields, merged into it. Two maps become one map, anything ' +
        'else becomes a list; a map and something else cannot be merged.',
    }),
    copy: option.hash({
      names: 'keys and values',
      doc: 'Fields to copy, old name to new name. An existing field is overwritten.',
    }),
    tag_on_failure: option.string({
      default: '_mutate_error',
      doc: 'Tag for events on which an operation failed.',
    }),
  },
  examples: [
    {
      title: 'Rename a field and convert another',
      config: 'mutate { rename => { "HOSTORIP" => "client_ip" } convert => { "bytes" => "integer" } }',
      in: { HOSTORIP: '10.0.0.1', bytes: '1,024' },
      out: { client_ip: '10.0.0.1', bytes: 1024 },
    },
    {
      title: 'Replace dashes and slashes',
      config: String.raw`mutate { gsub => [ "path", "/", "_", "date", "(\d+)-(\d+)", "\2.\1" ] }`,
      in: { path: '/a/b', date: '10-01' },
      out: { path: '_a_b', date: '01.10' },
    },
    {
      title: 'Cut a list out of a text and join another',
      config: 'mutate { split => { "hosts" => "," } join => { "parts" => "-" } }',
      in: { hosts: 'a,b,,', parts: [1, 'two', [3]] },
      out: { hosts: ['a', 'b'], parts: '1-two-3' },
    },
    {
      title: 'Merge fields into a list',
      config: 'mutate { merge => { "all" => "one" } }',
      in: { all: ['zero'], one: 'one' },
      out: { all: ['zero', 'one'], one: 'one' },
    },
    {
      title: 'Numbers with a decimal comma',
      config: 'mutate { convert => { "price" => "float_eu" "count" => "integer_eu" } }',
      in: { price: '1.234,56', count: '1.000' },
      out: { price: 1234.56, count: 1000 },
    },
    {
      title: 'A text that is no number',
      config: 'mutate { convert => { "n" => "integer" } add_field => { "seen" => "yes" } }',
      in: { n: 'abc' },
      out: { n: 'abc', tags: ['_mutate_error'] },
    },
  ],
  create({ options, compile, logger, matched }) {
    const tools = toolsOf(compile, logger)
    const none = new Map<string, never>()
    const steps: Step[] = [
      ...coerce(options.coerce ?? none, tools),
      ...rename(options.rename ?? none, tools),
      ...update(options.update ?? none, tools),
      ...replace(options.replace ?? none, tools),
      ...convert(options.convert ?? none, tools),
      ...gsub(options.gsub ?? [], tools),
      ...change(options.uppercase ?? [], tools, upcase),
      ...change(options.capitalize ?? [], tools, capitalize),
      ...change(options.lowercase ?? [], tools, downcase),
      ...strip(options.strip ?? [], tools),
      ...split(options.split ?? none, tools),
      ...join(options.join ?? none, tools),
      ...merge(options.merge ?? none, tools),
      ...copy(options.copy ?? none, tools),
      // A failure of add_field and the like is tagged too, so they run here and not in the host.
      matched,
    ]
    const { tag_on_failure } = options
    return {
      filter(event) {
        try {
          for (let i = 0; i < steps.length; i++) steps[i]!(event)
        } catch (error) {
          const exception = error instanceof Error ? error.message : String(error)
          logger.warn('Exception caught while applying mutate filter', { exception })
          event.tag(tag_on_failure)
        }
        return false
      },
    }
  },
})
