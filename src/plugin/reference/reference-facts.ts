/** A plugin's declaration as data, for editors that complete names: what it does, its options and what they take. */
import { commonOptions } from '../common-options.ts'
import type { PluginDefinition } from '../define.ts'
import type { Option, OptionKind } from '../option.ts'
import { configText } from '../option-text.ts'

interface PluginFacts {
  readonly type: string
  readonly name: string
  readonly summary: string
  /** In the order of the declaration, options that every plugin of the type has last. */
  readonly options: readonly OptionFacts[]
}

interface OptionFacts {
  readonly name: string
  readonly kind: OptionKind
  readonly list: boolean
  readonly required: boolean
  readonly doc: string
  /** As it would be written in a configuration. */
  readonly default?: string
  /** What may be written, where that is a fixed choice. */
  readonly values?: readonly string[]
  readonly deprecated?: string
}

const ecsValues = ['disabled', 'v1', 'v8']

/** Leaves out options that Logstash refuses or no longer knows: nobody should write them anew. */
export function pluginFacts({ type, name, summary, options }: PluginDefinition): PluginFacts {
  const table = Object.entries({ ...options, ...withoutOwn(commonOptions(type), options) })
  const current = table.filter(([, { obsolete, removed }]) => obsolete === undefined && removed === undefined)
  return { type, name, summary, options: current.map(([option, declared]) => optionFacts(option, declared)) }
}

function withoutOwn<T>(common: Readonly<Record<string, T>>, own: object): Record<string, T> {
  return Object.fromEntries(Object.entries(common).filter(([name]) => !Object.hasOwn(own, name)))
}

function optionFacts(name: string, option: Option<unknown>): OptionFacts {
  const { kind, list, required, doc, deprecated } = option
  const values = kind === 'ecs_compatibility' ? ecsValues : kind === 'one_of' ? option.values : undefined
  return {
    name,
    kind,
    list,
    required,
    doc,
    ...(option.default !== undefined && { default: configText(option.default) }),
    ...(values !== undefined && { values }),
    ...(deprecated !== undefined && { deprecated }),
  }
}
