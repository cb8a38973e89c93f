/**
 * Scripts of pipeline aggregations: arithmetic, comparisons and conditions over numbers, in Painless or as a
 * Lucene expression. The rest of Painless is refused when the request is read.
 */

import { isObject, tokenKind } from '../../../collect/request-values.ts'
import { JsonNumber } from '../../../mapping/json-literals.ts'
import { SearchError } from '../../../search-error.ts'
import { runtimeError, type ScriptText } from './script-error.ts'
import { StatementParser } from './statement-parser.ts'
import { ScriptFailure, type ScriptValue } from './values.ts'

export interface Script extends ScriptText {
  readonly params: ReadonlyMap<string, ScriptValue>
}

/** `script.max_size_in_bytes` */
const longest = 65_535

export function readScript(json: unknown): Script {
  const object = typeof json === 'string' ? { source: json } : json
  if (!isObject(object)) throw illegal(`unexpected value type [${tokenKind(json)}] for [script]`)
  for (const key of Object.keys(object)) {
    if (!['source', 'inline', 'lang', 'params', 'options', 'id'].includes(key)) {
      throw new SearchError('x_content_parse_exception', `[script] unknown field [${key}]`)
    }
  }
  const own = (key: string) => (Object.hasOwn(object, key) ? object[key] : undefined)
  if (own('id') !== undefined) {
    const reason = `unable to find script [${String(own('id'))}] in cluster state`
    throw new SearchError('resource_not_found_exception', reason, { status: 404 })
  }
  const source = own('source') ?? own('inline')
  if (typeof source !== 'string')
    throw illegal('must specify either [source] for an inline script or [id] for a stored script')
  const lang = own('lang') ?? 'painless'
  if (lang !== 'painless' && lang !== 'expression')
    throw illegal(`script_lang not supported [${String(lang)}]`)
  if (Buffer.byteLength(source) > longest) {
    throw illegal(
      `exceeded max allowed inline script size in bytes [${longest}] with size [${Buffer.byteLength(source)}] for script [${source.slice(0, 100)}]`,
    )
  }
  return { source, lang, params: paramsOf(own('params')) }
}

function paramsOf(json: unknown): ReadonlyMap<string, ScriptValue> {
  const params = new Map<string, ScriptValue>()
  if (!isObject(json)) return params
  for (const [name, value] of Object.entries(json)) {
    if (value instanceof JsonNumber) params.set(name, value.isInteger ? BigInt(value.text) : value.value)
    else if (typeof value === 'number') params.set(name, Number.isInteger(value) ? BigInt(value) : value)
    else if (typeof value === 'string' || typeof value === 'boolean' || value === null)
      params.set(name, value)
    else if (Array.isArray(value) && value.every((item) => typeof item === 'number')) params.set(name, value)
    else
      throw illegal(
        `params of scripts in aggregations must be numbers, strings or booleans, [${name}] is not`,
      )
  }
  return params
}

/** What a script is for decides what it must come to. */
export type Purpose = 'number' | 'condition' | 'window'

/** `variables` are those given beside the script's own parameters. */
export function compileScript(
  script: Script,
  purpose: Purpose,
  variables: readonly string[],
): (params: ReadonlyMap<string, ScriptValue>) => ScriptValue {
  const program = new StatementParser(script, purpose === 'window' ? variables : []).program()
  const isLucene = script.lang === 'expression'
  return (params) => {
    try {
      const value = program({ params, locals: [] })
      if (purpose === 'condition') return isLucene ? value !== 0 && value !== null : checked(value, 'boolean')
      if (value === null && purpose === 'number') return null
      return checked(value, 'number')
    } catch (error) {
      if (error instanceof ScriptFailure) throw runtimeError(script, 0, error.type, error.message)
      throw error
    }
  }
}

function checked(value: ScriptValue, type: 'boolean' | 'number'): ScriptValue {
  if (typeof value === type || (type === 'number' && typeof value === 'bigint')) return value
  const wanted = type === 'number' ? 'java.lang.Number' : 'java.lang.Boolean'
  throw new ScriptFailure('class_cast_exception', `Cannot cast from [${typeof value}] to [${wanted}].`)
}

function illegal(reason: string): SearchError {
  return new SearchError('illegal_argument_exception', reason)
}
