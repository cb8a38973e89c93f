/**
 * Reads the options of a pipeline aggregation by name and type. As in Elasticsearch, older and newer
 * pipelines word errors differently; `style` selects the wording.
 */

import { decimalFormat } from '../../answer/decimal-format.ts'
import { didYouMean } from '../../request/did-you-mean.ts'
import { illegalArgument, parsingError } from '../../request/errors.ts'
import { isObject, type JsonObject, scalarText, tokenKind } from '../../request/request-values.ts'
import { SearchError } from '../../request/search-error.ts'
import { type GapPolicy, readGapPolicy } from './gap-policy.ts'
import type { PipelineContext } from './pipeline.ts'

export type Format = (value: number) => string

export class PipelineOptions {
  readonly name: string
  readonly kind: string
  readonly meta: PipelineContext['meta']
  readonly #json: JsonObject
  readonly #context: PipelineContext

  constructor(
    kind: string,
    name: string,
    json: unknown,
    context: PipelineContext,
    known: readonly string[],
    style: 'older' | 'newer' = 'older',
  ) {
    this.kind = kind
    this.name = name
    this.meta = context.meta
    this.#context = context
    if (!isObject(json)) throw this.error(`Unexpected token ${tokenKind(json)} in [${name}].`, json)
    this.#json = json
    for (const key of Object.keys(json)) {
      if (known.includes(key)) continue
      throw style === 'older'
        ? this.unknownKey(key)
        : this.error(`[${kind}] unknown field [${key}]${didYouMean(key, known)}`, json, key)
    }
  }

  error(reason: string, node: unknown = this.#json, key?: string): SearchError {
    return this.#context.error?.(reason, node, key) ?? parsingError(reason)
  }

  unknownKey(key: string): SearchError {
    const token = tokenKind(this.get(key))
    return this.error(`Unknown key for a ${token} in [${this.name}]: [${key}].`, this.#json, key)
  }

  missing(key: string): SearchError {
    return this.error(`Missing required field [${key}] for ${this.kind} aggregation [${this.name}]`)
  }

  get(key: string): unknown {
    const value = Object.hasOwn(this.#json, key) ? this.#json[key] : undefined
    return value === null ? undefined : value
  }

  text(key: string): string | undefined {
    const value = this.get(key)
    const text = scalarText(value)
    if (text === undefined && value !== undefined) throw this.unknownKey(key)
    return text
  }

  number(key: string): number | undefined {
    const text = this.text(key)
    if (text === undefined) return undefined
    if (typeof this.get(key) === 'boolean') throw this.unknownKey(key)
    const number = text.trim() === '' ? Number.NaN : Number(text)
    if (!Number.isNaN(number)) return number
    throw new SearchError('number_format_exception', `For input string: "${text}"`)
  }

  integer(key: string): number | undefined {
    const number = this.number(key)
    return number === undefined ? undefined : Math.trunc(number)
  }

  boolean(key: string): boolean | undefined {
    const text = this.text(key)
    if (text === undefined) return undefined
    if (text === 'true' || text === 'false') return text === 'true'
    throw illegalArgument(`Failed to parse value [${text}] as only [true] or [false] are allowed.`)
  }

  gapPolicy(): GapPolicy {
    const text = this.text('gap_policy')
    if (text === undefined) return 'skip'
    return readGapPolicy(text, (reason) => this.error(reason, this.#json, 'gap_policy'))
  }

  /** Undefined for plain numbers. */
  format(): Format | undefined {
    const pattern = this.text('format')
    return pattern === undefined ? undefined : decimalFormat(pattern)
  }

  /** `buckets_path` of pipelines that read one value, as a list; the number of paths is checked later. */
  bucketsPaths(): readonly string[] {
    const value = this.get('buckets_path')
    if (typeof value === 'string') return [value]
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value
    throw value === undefined ? this.missing('buckets_path') : this.unknownKey('buckets_path')
  }

  /**
   * `buckets_path` of scripts: paths by variable. A single path is `_value`, several are `_value0`, `_value1`
   * …
   */
  namedPaths(): ReadonlyMap<string, string> {
    const value = this.get('buckets_path')
    if (typeof value === 'string') return new Map([['_value', value]])
    const isList = Array.isArray(value)
    if (!isList && !isObject(value)) {
      throw value === undefined ? this.missing('buckets_path') : this.unknownKey('buckets_path')
    }
    const paths = new Map<string, string>()
    for (const [name, path] of Object.entries(value)) {
      if (typeof path !== 'string') throw this.unknownKey('buckets_path')
      paths.set(isList ? `_value${name}` : name, path)
    }
    return paths
  }
}
