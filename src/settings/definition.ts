/**
 * What is known about one setting. A default that depends on the machine or on other settings is a function of
 * `Surroundings`; everything else is written as a user would write it.
 */

export type Kind =
  | 'string'
  | 'nullable_string'
  | 'path'
  | 'nullable_path'
  | 'password'
  | 'integer'
  | 'positive_integer'
  | 'number'
  | 'boolean'
  | 'bytes'
  | 'time'
  | 'port_range'
  | 'enum'
  | 'string_list'

export interface Flag {
  readonly short?: string
  /** When it is not `--<setting name>`. */
  readonly long?: string
  /** What stands for the value in `--help`. */
  readonly argument?: string
  readonly hidden?: boolean
}

/** What defaults are made of. */
export interface Surroundings {
  readonly home: string
  readonly hostname: string
  readonly cores: number
  readonly pathSettings: string
  readonly pathData: string
  readonly hasSecureApi: boolean
}

export interface Definition {
  readonly kind: Kind
  /** In the form a user would write it, except for numbers and booleans. */
  readonly default:
    | string
    | number
    | boolean
    | null
    | readonly string[]
    | ((from: Surroundings) => string | number)
  readonly doc: string
  readonly options?: readonly string[]
  readonly flag?: Flag
  /** Names of earlier versions; still accepted, with a deprecation. */
  readonly aliases?: readonly string[]
  /** Accepted but without effect here; the sentence says why. */
  readonly ignored?: string
}
