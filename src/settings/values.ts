/** The types that `settings.get(name)` returns, derived from the kind of each setting in the table. */
import type { definitions, SettingName } from './definitions.ts'

/** Inclusive; one port has `first` equal to `last`. */
export interface PortRange {
  readonly first: number
  readonly last: number
}

/** Bytes are numbers of bytes and times are milliseconds (fractions possible, -1 is "never"). */
interface ValueOfKind {
  string: string
  path: string
  nullable_string: string | null
  nullable_path: string | null
  password: string | null
  integer: number
  positive_integer: number
  number: number
  bytes: number
  time: number
  boolean: boolean
  port_range: PortRange
  string_list: readonly string[]
}

type Table = typeof definitions

export type SettingValue<Name extends SettingName> = Table[Name] extends {
  readonly kind: 'enum'
  readonly options: readonly (infer Choice)[]
}
  ? Choice
  : Table[Name]['kind'] extends keyof ValueOfKind
    ? ValueOfKind[Table[Name]['kind']]
    : never

export type AnyValue = string | number | boolean | null | PortRange | readonly string[]
