/**
 * Options that every plugin of a type has without declaring them. A plugin that declares one of these
 * names itself replaces the common one.
 */
import type { EcsCompatibility, PluginDefinition, PluginType } from './define.ts'
import {
  type CodecChoice,
  type HashValue,
  type Option,
  type OptionTable,
  type OptionValues,
  option,
} from './option.ts'

const everywhere = {
  id: option.string({
    doc: 'Name of this plugin in logs, metrics and the monitoring API; generated from the configuration when absent.',
  }),
  enable_metric: option.boolean({ default: true, doc: 'Whether the plugin records metrics of its own.' }),
  ecs_compatibility: {
    ...option.string({
      doc: 'Which field names the plugin uses: `disabled` for the old ones, `v1` or `v8` for the Elastic Common Schema; `pipeline.ecs_compatibility` unless given.',
    }),
    kind: 'ecs_compatibility',
  } as Option<EcsCompatibility | undefined>,
}

const codec = {
  codec: {
    ...option.string({
      doc: 'How payloads are read or written: the name of a codec, or a codec with options of its own.',
    }),
    kind: 'codec',
  } as Option<CodecChoice | undefined>,
}

/** What Logstash says to a filter or output with a `type`. */
const obsoleteType =
  'You can achieve this same behavior with the new conditionals, like: `if [type] == "sometype" { %PLUGIN% { ... } }`.'

/**
 * `pipeline/plan/old-selection.ts` gives `type` its meaning. The other two stay refused: who writes `tags` today most
 * likely wants `add_tag`.
 */
const obsoleteSelection = {
  type: option.string({
    doc: 'Only events of this type; put the plugin inside a condition instead.',
    obsolete: obsoleteType,
    accepted: 'It works like a condition around the plugin; write that instead.',
  }),
  tags: option.array({
    doc: 'No longer available; put the plugin inside a condition.',
    obsolete:
      'You can achieve similar behavior with the new conditionals, like: `if "sometag" in [tags] { %PLUGIN% { ... } }`',
  }),
  exclude_tags: option.array({
    doc: 'No longer available; put the plugin inside a condition.',
    obsolete:
      'You can achieve similar behavior with the new conditionals, like: `if ("sometag" not in [tags]) { %PLUGIN% { ... } }`',
  }),
}

const none: HashValue = new Map()

/** Options that all inputs had before codecs existed. */
const removedFromInputs = {
  format: option.oneOf(['plain', 'json', 'json_event'], {
    doc: 'Old form of `codec`: `plain`, or `json` and `json_event`, which both mean the codec `json`.',
    removed: 'Use `codec` instead.',
  }),
  charset: option.string({
    doc: 'Character set of the payloads; an option of the codec now.',
    removed: 'Give the codec a `charset` instead.',
  }),
  debug: option.boolean({ doc: 'No longer has a meaning.', removed: 'It has no effect.' }),
}

const inputOptions = {
  type: option.string({ doc: 'Put into the field `type` of events that do not have one yet.' }),
  add_field: option.hash({
    default: none,
    names: 'keys',
    doc: 'Fields to add to every event; names and values may contain `%{…}`.',
  }),
  tags: option.array({ default: [], doc: 'Tags to add to every event.' }),
  ...codec,
  ...everywhere,
  ...removedFromInputs,
}

const filterOptions = {
  add_field: option.hash({
    default: none,
    names: 'keys',
    doc: 'Fields to add when the filter succeeded; names and values may contain `%{…}`, and a field that exists becomes a list.',
  }),
  remove_field: option.array({
    default: [],
    names: 'items',
    doc: 'Fields to remove when the filter succeeded; names may contain `%{…}`.',
  }),
  add_tag: option.array({
    default: [],
    doc: 'Tags to add when the filter succeeded; they may contain `%{…}`.',
  }),
  remove_tag: option.array({
    default: [],
    doc: 'Tags to remove when the filter succeeded; they may contain `%{…}`.',
  }),
  periodic_flush: option.boolean({
    default: false,
    doc: 'Whether the filter is flushed every five seconds.',
  }),
  ...everywhere,
  ...obsoleteSelection,
}

const outputOptions = {
  ...codec,
  workers: option.number({
    doc: 'Ignored; outputs run in the workers of their pipeline.',
    deprecated: 'Set `pipeline.workers` instead.',
  }),
  ...everywhere,
  ...obsoleteSelection,
}

const codecOptions = { ...everywhere }

export type CommonInputOptions = OptionValues<typeof inputOptions>
export type CommonFilterOptions = OptionValues<typeof filterOptions>

const tables: Readonly<Record<PluginType, OptionTable>> = {
  input: inputOptions,
  filter: filterOptions,
  output: outputOptions,
  codec: codecOptions,
}

export function commonOptions(type: PluginType): OptionTable {
  return tables[type]
}

/** Every option of a plugin, its own first. */
export function allOptions(definition: PluginDefinition): OptionTable {
  return { ...definition.options, ...withoutOwn(tables[definition.type], definition.options) }
}

function withoutOwn(common: OptionTable, own: OptionTable): OptionTable {
  return Object.fromEntries(Object.entries(common).filter(([name]) => !Object.hasOwn(own, name)))
}
