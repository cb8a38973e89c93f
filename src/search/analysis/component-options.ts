/**
 * Options of an analysis component as users write them: numbers and booleans may be texts, lists may be separated by
 * commas. Unknown options are ignored, as in Elasticsearch.
 */
import { plainText } from '../request/plain-text.ts'
import { AnalysisError } from './analysis-error.ts'

export class ComponentOptions {
  readonly name: string
  readonly #values: Readonly<Record<string, unknown>>

  constructor(name: string, values: Readonly<Record<string, unknown>>) {
    this.name = name
    this.#values = values
  }

  /** Returns a copy with some options replaced. */
  with(values: Readonly<Record<string, unknown>>): ComponentOptions {
    return new ComponentOptions(this.name, { ...this.#values, ...values })
  }

  raw(option: string): unknown {
    return Object.hasOwn(this.#values, option) ? this.#values[option] : undefined
  }

  has(option: string): boolean {
    const value = this.raw(option)
    return value !== undefined && value !== null
  }

  text(option: string, fallback: string): string {
    const value = this.raw(option)
    return value === undefined || value === null ? fallback : plainText(value)
  }

  integer(option: string, fallback: number): number {
    const value = this.raw(option)
    if (value === undefined || value === null) return fallback
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
    if (typeof number === 'number' && Number.isInteger(number)) return number
    throw new AnalysisError(`Failed to parse value [${plainText(value)}] for setting [${option}]`)
  }

  flag(option: string, fallback: boolean): boolean {
    const value = this.raw(option)
    if (value === undefined || value === null) return fallback
    if (value === true || value === 'true') return true
    if (value === false || value === 'false') return false
    throw new AnalysisError(
      `Failed to parse value [${plainText(value)}] as only [true] or [false] are allowed.`,
    )
  }

  /** A boolean that may also be 1 or 0. */
  bit(option: string, fallback: boolean): boolean {
    const value = this.raw(option)
    if (value === 1 || value === '1') return true
    if (value === 0 || value === '0') return false
    return this.flag(option, fallback)
  }

  list(option: string): string[] | undefined {
    const value = this.raw(option)
    if (value === undefined || value === null) return undefined
    if (Array.isArray(value)) return value.map(plainText)
    return plainText(value)
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
  }

  /** A list whose items may contain commas: mapping and synonym rules. */
  lines(option: string): string[] | undefined {
    const value = this.raw(option)
    if (value === undefined || value === null) return undefined
    return Array.isArray(value) ? value.map(plainText) : [plainText(value)]
  }
}
