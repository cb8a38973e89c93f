/**
 * Option values as a configuration gives them, after `${VAR}` substitution and before validation.
 */
import type { LsFloat } from '../event/value.ts'

export class RawPlugin {
  readonly name: string
  readonly options: ReadonlyMap<string, RawValue>

  constructor(name: string, options: ReadonlyMap<string, RawValue>) {
    this.name = name
    this.options = options
  }
}

export type RawHash = ReadonlyMap<string, RawValue>
export type RawValue = string | number | bigint | LsFloat | null | RawValue[] | RawHash | RawPlugin
