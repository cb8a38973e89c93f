/** Scripts in Painless, as much of it as people write into requests, or as a Lucene expression. */
import { isObject, tokenKind } from '../collect/request-values.ts'
import { SearchError } from '../search-error.ts'
import type { Evaluate } from './expression-parser.ts'
import type { ClassFunctions } from './functions.ts'
import { mapFrom } from './json-values.ts'
import { newScope } from './scope.ts'
import { runtimeError, type ScriptText } from './script-error.ts'
import { StatementParser } from './statement-parser.ts'
import { ScriptFailure, type ScriptMap, type ScriptValue, typeName, unwrapped } from './values.ts'

export interface Script extends ScriptText {
  readonly params: ScriptMap
}

/** `script.max_size_in_bytes` */
const longest = 65_535

/** `stored` has scripts by the ids they may be named by. */
export function readScript(
  json: unknown,
  stored: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {},
): Script {
  const object = typeof json === 'string' ? { source: json } : json
  if (!isObject(object)) throw illegal(`unexpected value type [${tokenKind(json)}] for [script]`)
  for (const key of Object.keys(object)) {
    if (!['source', 'inline', 'lang', 'params', 'options', 'id'].includes(key)) {
      throw new SearchError('x_content_parse_exception', `[script] unknown field [${key}]`)
    }
  }
  const own = (key: string) => (Object.hasOwn(object, key) ? object[key] : undefined)
  if (own('id') !== undefined) {
    const id = String(own('id'))
    if (own('source') !== undefined || own('lang') !== undefined)
      throw illegal(
        `illegally specified [${own('lang') === undefined ? 'source' : 'lang'}] for a stored script`,
      )
    if (Object.hasOwn(stored, id)) return readScript({ ...stored[id], params: own('params') })
    const reason = `unable to find script [${id}] in cluster state`
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

function paramsOf(json: unknown): ScriptMap {
  return isObject(json) ? mapFrom(json) : new Map()
}

/**
 * `globals` are the names a script may use beside its own; whoever runs it gives their values. What goes wrong is
 * told with the script.
 */
export function compileScript(
  script: Script,
  globals: readonly string[],
  more?: ClassFunctions,
): (values: ReadonlyMap<string, ScriptValue>) => ScriptValue {
  const program =
    more === undefined ? known(script, globals) : new StatementParser(script, globals, more).program()
  return (values) => guarded(script, () => unwrapped(program(newScope(values))))
}

/** Bulk requests tend to have the same script many times. */
const programs = new Map<string, Evaluate>()
const mostPrograms = 100

function known(script: Script, globals: readonly string[]): Evaluate {
  const key = JSON.stringify([script.lang, globals, script.source])
  const found = programs.get(key)
  if (found !== undefined) return found
  const program = new StatementParser(script, globals).program()
  if (programs.size >= mostPrograms) programs.delete(programs.keys().next().value!)
  programs.set(key, program)
  return program
}

/** Failures of a script, or of what is made of its answer, with the script. */
export function guarded<Result>(script: ScriptText, run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    if (error instanceof ScriptFailure) throw runtimeError(script, 0, error.type, error.message)
    throw error
  }
}

export type NumberPurpose = 'number' | 'condition'

/** What a script comes to where a number or a decision is needed. */
export function checkedAnswer(script: Script, value: ScriptValue, purpose: NumberPurpose): ScriptValue {
  if (purpose === 'condition' && script.lang === 'expression') return value !== 0 && value !== null
  return guarded(script, () => checked(value, purpose === 'condition' ? 'boolean' : 'number'))
}

function checked(value: ScriptValue, type: 'boolean' | 'number'): ScriptValue {
  if (typeof value === type || (type === 'number' && typeof value === 'bigint')) return value
  const wanted = type === 'number' ? 'java.lang.Number' : 'java.lang.Boolean'
  throw new ScriptFailure('class_cast_exception', `Cannot cast from [${typeName(value)}] to [${wanted}].`)
}

function illegal(reason: string): SearchError {
  return new SearchError('illegal_argument_exception', reason)
}
