/**
 * Declared options of plugins: kind, default, doc sentence. One declaration feeds validation, reference
 * docs, the config check and the TypeScript type of `options` inside the plugin.
 */

import type { Value } from '../event/value.ts'
import { hideText } from '../log/hidden-texts.ts'
import type { RawHash } from './raw-value.ts'

export type OptionKind =
  | 'string'
  | 'number'
  | 'boolean'
  | 'array'
  | 'hash'
  | 'one_of'
  | 'codec'
  | 'password'
  | 'uri'
  | 'path'
  | 'bytes'
  | 'ipaddr'
  | 'field_reference'
  | 'sha_256_hex'
  | 'ecs_compatibility'
  | 'any'

/** Where an option's value names fields: the keys of a hash, keys and values, or the items of a list. */
export type NamedFields = 'keys' | 'keys and values' | 'items'

/** A declared option whose validated value has type T. */
export interface Option<T> {
  readonly kind: OptionKind
  readonly doc: string
  readonly required: boolean
  readonly default: T | undefined
  /** Scalars are wrapped and every element is validated. */
  readonly list: boolean
  /** For `one_of`. */
  readonly values: readonly string[] | undefined
  /** Still works; the sentence is logged once when the option is used. */
  readonly deprecated: string | undefined
  /** Logstash refuses it with this sentence; so do we, unless `accepted` or an alias says otherwise. */
  readonly obsolete: string | undefined
  /** What becomes of an obsolete option that is accepted all the same; the sentence is logged. */
  readonly accepted: string | undefined
  /** Logstash no longer knows the name; it is accepted all the same, and the sentence is logged. */
  readonly removed: string | undefined
  /** Other names that mean the same. One that is declared itself says whether Logstash still takes it. */
  readonly aliases: readonly string[]
  /** Field references inside the value that are checked with the configuration. */
  readonly names: NamedFields | undefined
}

interface Settings<T> {
  doc: string
  required?: boolean
  default?: T
  deprecated?: string
  obsolete?: string
  accepted?: string
  removed?: string
  aliases?: readonly string[]
  names?: NamedFields
}

/** A secret: prints as `<password>` everywhere. */
export class Password {
  readonly value: string

  constructor(value: string) {
    this.value = value
    hideText(value)
  }

  toString(): string {
    return '<password>'
  }

  toJSON(): string {
    return '<password>'
  }
}

/** A codec as the config gives it: a name and its options, neither validated nor created. */
export interface CodecChoice {
  readonly name: string
  readonly options: RawHash
}

/** Hash options keep their order and any key, `__proto__` too. */
export type HashValue = ReadonlyMap<string, Value>

type Given<T, S> = S extends { required: true } | { default: T } ? T : T | undefined

function declare<T>(kind: OptionKind, settings: Settings<T>, more: Partial<Option<T>> = {}): Option<T> {
  return {
    kind,
    doc: settings.doc,
    required: settings.required ?? false,
    default: settings.default,
    list: false,
    values: undefined,
    deprecated: settings.deprecated,
    obsolete: settings.obsolete,
    accepted: settings.accepted,
    removed: settings.removed,
    aliases: settings.aliases ?? [],
    names: settings.names,
    ...more,
  }
}

export const option = {
  string: <S extends Settings<string>>(s: S) => declare('string', s) as Option<Given<string, S>>,
  number: <S extends Settings<number>>(s: S) => declare('number', s) as Option<Given<number, S>>,
  boolean: <S extends Settings<boolean>>(s: S) => declare('boolean', s) as Option<Given<boolean, S>>,
  /** Any values; a scalar becomes a list of one. */
  array: <S extends Settings<Value[]>>(s: S) => declare('array', s) as Option<Given<Value[], S>>,
  /** A map, or a flat list of even length. The default is given as pairs. */
  hash: <S extends Settings<HashValue>>(s: S) => declare('hash', s) as Option<Given<HashValue, S>>,
  oneOf: <const V extends readonly string[], S extends Settings<V[number]>>(values: V, s: S) =>
    declare('one_of', s, { values }) as Option<Given<V[number], S>>,
  password: <S extends Settings<Password>>(s: S) => declare('password', s) as Option<Given<Password, S>>,
  uri: <S extends Settings<string>>(s: S) => declare('uri', s) as Option<Given<string, S>>,
  /** A file or folder that must exist when the pipeline starts. */
  path: <S extends Settings<string>>(s: S) => declare('path', s) as Option<Given<string, S>>,
  /** `10 KiB`, `5mb`: a number of bytes. */
  bytes: <S extends Settings<number>>(s: S) => declare('bytes', s) as Option<Given<number, S>>,
  ipaddr: <S extends Settings<string>>(s: S) => declare('ipaddr', s) as Option<Given<string, S>>,
  fieldReference: <S extends Settings<string>>(s: S) =>
    declare('field_reference', s) as Option<Given<string, S>>,
  sha256Hex: <S extends Settings<string>>(s: S) => declare('sha_256_hex', s) as Option<Given<string, S>>,
  /** Whatever the configuration can say. */
  any: <S extends Settings<Value>>(s: S) => declare('any', s) as Option<Given<Value, S>>,
  /** A list of one kind: `option.list(option.uri({ doc }), { default: [] , doc })`. */
  list: <T, S extends Settings<NonNullable<T>[]>>(of: Option<T>, s: S) =>
    declare(of.kind, s, { list: true, values: of.values } as Partial<Option<NonNullable<T>[]>>) as Option<
      Given<NonNullable<T>[], S>
    >,
}

export type OptionTable = Record<string, Option<unknown>>

/** The validated values of a table of options. */
export type OptionValues<T extends OptionTable> = {
  readonly [K in keyof T]: T[K] extends Option<infer V> ? V : never
}

/** A table of options that are accepted by older names as well. */
export function withAliases<T extends OptionTable>(table: T, names: { readonly [K in keyof T]?: string }): T {
  const renamed = Object.entries(table).map(([name, declared]) => {
    const alias = names[name]
    return [name, alias === undefined ? declared : { ...declared, aliases: [...declared.aliases, alias] }]
  })
  return Object.fromEntries(renamed) as T
}

/** Settings of a name that an option had once; `verb` begins the sentence with which Logstash refuses it. */
export const oldName = (current: string, verb: 'Use' | 'Set' = 'Use') => ({
  doc: `Old name of \`${current}\`.`,
  obsolete: `${verb} '${current}' instead.`,
})

/** Settings of an option of Logstash that does nothing here; the reason says why nothing is missing. */
export function withoutEffect(reason: string): { doc: string }
export function withoutEffect<T>(reason: string, value: T): { doc: string; default: T }
export function withoutEffect<T>(reason: string, value?: T): { doc: string; default?: T } {
  const doc = `Accepted for compatibility; ${reason}`
  return value === undefined ? { doc } : { doc, default: value }
}
