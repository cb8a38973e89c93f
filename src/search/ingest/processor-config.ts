/**
 * Reads the properties of a processor in the order in which OpenSearch does; each is taken out when it is read, and
 * what is left over in the end is refused.
 */

import { hashMapOrder } from '../../text/java-hash.ts'
import { parseError } from '../request/errors.ts'
import { isObject, type JsonObject } from '../request/json-object.ts'
import { SearchError } from '../request/search-error.ts'
import { classOf, valueText } from './ingest-document.ts'

export class ProcessorConfig {
  readonly type: string | undefined
  readonly tag: string | undefined
  readonly #left: Map<string, unknown>

  constructor(options: JsonObject, type?: string, tag?: string) {
    this.type = type
    this.tag = tag
    this.#left = new Map(Object.entries(options))
  }

  /** These properties, for a processor of this type. */
  of(type: string, tag: string | undefined): ProcessorConfig {
    return new ProcessorConfig(Object.fromEntries(this.#left), type, tag)
  }

  error(property: string | undefined, what: string): SearchError {
    return new SearchError('parse_exception', property === undefined ? what : `[${property}] ${what}`, {
      details: {
        ...(this.type !== undefined && { processor_type: this.type }),
        ...(this.tag !== undefined && { processor_tag: this.tag }),
        ...(property !== undefined && { property_name: property }),
      },
    })
  }

  take(name: string): unknown {
    const value = this.#left.get(name)
    this.#left.delete(name)
    return value ?? undefined
  }

  #taken<Value>(name: string, what: string, is: (value: unknown) => value is Value): Value | undefined {
    const value = this.take(name)
    if (value === undefined || is(value)) return value
    throw this.error(name, `property isn't ${what}, but of type [${classOf(value)}]`)
  }

  #needed<Value>(name: string, value: Value | undefined): Value {
    if (value === undefined) throw this.error(name, 'required property is missing')
    return value
  }

  optionalText(name: string): string | undefined {
    return this.#taken(name, 'a string', (value) => typeof value === 'string')
  }

  text(name: string, standard?: string): string {
    return this.#needed(name, this.optionalText(name) ?? standard)
  }

  flag(name: string, standard = false): boolean {
    return this.#taken(name, 'a boolean', (value) => typeof value === 'boolean') ?? standard
  }

  optionalList(name: string): readonly unknown[] | undefined {
    return this.#taken(name, 'a list', (value): value is readonly unknown[] => Array.isArray(value))
  }

  list(name: string): readonly unknown[] {
    return this.#needed(name, this.optionalList(name))
  }

  optionalMap(name: string): JsonObject | undefined {
    return this.#taken(name, 'a map', isObject)
  }

  map(name: string): JsonObject {
    return this.#needed(name, this.optionalMap(name))
  }

  any(name: string): unknown {
    return this.#needed(name, this.take(name))
  }

  integer(name: string, standard: number): number
  integer(name: string): number | undefined
  integer(name: string, standard?: number): number | undefined {
    const value = this.take(name)
    if (value === undefined) return standard
    const text = valueText(value)
    if (!/^[+-]?\d{1,10}$/.test(text))
      throw this.error(name, `property cannot be converted to an int [${text}]`)
    return Number(text)
  }

  /** Names that nobody read, as Java's map lists them. */
  get leftOver(): string[] {
    return hashMapOrder([...this.#left.keys()])
  }

  checkAllRead(subject: string): void {
    const names = this.leftOver
    if (names.length > 0)
      throw parseError(
        `${subject} doesn't support one or more provided configuration parameters [${names.join(', ')}]`,
      )
  }

  /** What nobody read yet. */
  takeRest(): JsonObject {
    const rest = Object.fromEntries(this.#left)
    this.#left.clear()
    return rest
  }
}
