/** One request as its route handler sees it: path, typed parameters, body and the node. */

import type { IncomingHttpHeaders } from 'node:http'
import type { PathParameters } from '../../http/router.ts'
import type { SourceFilter } from '../../search/index/documents/source-request.ts'
import { type IndicesOptions, splitExpression } from '../../search/index/index-expressions.ts'
import { illegalArgument, numberFormat } from '../../search/request/errors.ts'
import { parseFlag, parseInteger, parseTime } from '../../search/request/units/units.ts'
import type { MediaType } from './media-type.ts'
import type { SearchNode } from './node-view.ts'
import type { RequestJson } from './request-json.ts'
import type { Access } from './security/access.ts'

type CallFacts = Pick<
  Call,
  | 'node'
  | 'method'
  | 'path'
  | 'parts'
  | 'parameters'
  | 'headers'
  | 'body'
  | 'contentType'
  | 'signal'
  | 'access'
>

export class Call {
  readonly node: SearchNode
  readonly method: string
  /** The raw path without the query string. */
  readonly path: string
  readonly parts: PathParameters
  readonly parameters: ReadonlyMap<string, string>
  readonly headers: IncomingHttpHeaders
  readonly body: RequestJson
  readonly contentType: MediaType | undefined
  readonly signal: AbortSignal
  /** Undefined when security is off. */
  readonly access: Access | undefined
  #narrowed: readonly string[] | undefined

  constructor(init: CallFacts) {
    this.node = init.node
    this.method = init.method
    this.path = init.path
    this.parts = init.parts
    this.parameters = init.parameters
    this.headers = init.headers
    this.body = init.body
    this.contentType = init.contentType
    this.signal = init.signal
    this.access = init.access
  }

  get cluster() {
    return this.node.cluster
  }

  /** A parameter of the path. */
  part(name: string): string {
    const value = this.parts[name]
    if (value === undefined) throw new Error(`the route has no part ${name}`)
    return value
  }

  /** A parameter of the path or the query string. */
  text(name: string): string | undefined {
    return this.parameters.get(name) ?? this.parts[name]
  }

  list(name: string): string[] {
    const text = this.text(name)
    return text === undefined || text === '' ? [] : text.split(',').map((part) => part.trim())
  }

  /** A parameter without a value means true. */
  flag(name: string, standard = false): boolean {
    const text = this.parameters.get(name)
    if (text === undefined) return standard
    if (text === '') return true
    const value = parseFlag(text)
    if (value === undefined)
      throw illegalArgument(`Failed to parse value [${text}] as only [true] or [false] are allowed.`)
    return value
  }

  integer(name: string): number | undefined {
    const text = this.parameters.get(name)
    if (text === undefined) return undefined
    const value = parseInteger(text)
    if (value === undefined)
      throw illegalArgument(
        `Failed to parse int parameter [${name}] with value [${text}]`,
        numberFormat(text),
      )
    return value
  }

  long(name: string): number | undefined {
    const text = this.parameters.get(name)
    if (text === undefined) return undefined
    if (!/^[+-]?\d+$/.test(text) || BigInt.asIntN(64, BigInt(text)) !== BigInt(text))
      throw illegalArgument(
        `Failed to parse long parameter [${name}] with value [${text}]`,
        numberFormat(text),
      )
    return Number(text)
  }

  /** Milliseconds. */
  time(name: string): number | undefined {
    const text = this.parameters.get(name)
    return text === undefined ? undefined : parseTime(text, name)
  }

  /** The index expression of the path. */
  get expressions(): readonly string[] {
    return this.#narrowed ?? splitExpression(this.parts['index'] ?? this.parameters.get('index'))
  }

  /** Restricts the index expression to what the sender may access. */
  narrowTo(expressions: readonly string[]): void {
    this.#narrowed = expressions
  }

  /** True when the sender may perform the route's action on this index, alias or data stream. */
  permits(name: string): boolean {
    return this.access === undefined || this.access.permits(name)
  }

  /** The `indices` options of the request over the route's defaults. */
  indices(standard: IndicesOptions): IndicesOptions {
    const states = this.list('expand_wildcards')
    const has = (state: string) => states.includes('all') || states.includes(state)
    for (const state of states) {
      if (!['open', 'closed', 'hidden', 'none', 'all'].includes(state))
        throw illegalArgument(`No valid expand wildcard value [${state}]`)
    }
    return {
      ...standard,
      ignoreUnavailable: this.flag('ignore_unavailable', standard.ignoreUnavailable),
      allowNoIndices: this.flag('allow_no_indices', standard.allowNoIndices),
      ...(states.length > 0 && {
        expandOpen: has('open'),
        expandClosed: has('closed'),
        expandHidden: has('hidden'),
      }),
    }
  }

  /** `_source` and its companions; undefined when none is given. */
  get sourceFilter(): boolean | SourceFilter | undefined {
    const text = this.parameters.get('_source')
    const includes = [...this.list('_source_includes'), ...this.list('_source_include')]
    const excludes = [...this.list('_source_excludes'), ...this.list('_source_exclude')]
    if (text === 'false') return false
    if (text === 'true' || text === '') {
      if (includes.length + excludes.length === 0) return true
    } else if (text !== undefined) includes.unshift(...text.split(','))
    return includes.length + excludes.length === 0 ? undefined : { includes, excludes }
  }

  /** Elasticsearch 7 shows `_type`. */
  get showsType(): boolean {
    return this.cluster.compat.flavor === 'elasticsearch7' || this.contentType?.version === 7
  }
}
