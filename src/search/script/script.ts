/** Compiles and runs scripts: a subset of Painless, and Lucene expressions. */

import { contentError, illegalArgument } from '../request/errors.ts'
import { javaText } from '../request/java-text.ts'
import { plainText } from '../request/plain-text.ts'
import { isObject, tokenKind } from '../request/request-values.ts'
import { SearchError } from '../request/search-error.ts'
import type { Steps } from '../scheduling/steps.ts'
import type { ClassFunctions } from './functions.ts'
import { mapFrom, toJson } from './json-values.ts'
import type { NumericPlan } from './numeric-plan.ts'
import { castResult, type ResultType } from './result-type.ts'
import { newScope, type Scope } from './scope.ts'
import { runtimeError, type ScriptText } from './script-error.ts'
import { type Program, StatementParser } from './statement-parser.ts'
import { ScriptFailure, type ScriptMap, type ScriptValue, unwrapped } from './values.ts'

export interface Script extends ScriptText {
  readonly params: ScriptMap
}

/** `script.max_size_in_bytes` */
const maxScriptBytes = 65_535

/** Stored scripts by id. */
export type StoredScripts = Readonly<Record<string, Readonly<Record<string, unknown>>>>

export function readScript(json: unknown, stored: StoredScripts = {}): Script {
  const object = typeof json === 'string' ? { source: json } : json
  if (!isObject(object)) throw illegalArgument(`unexpected value type [${tokenKind(json)}] for [script]`)
  for (const key of Object.keys(object)) {
    if (!['source', 'inline', 'lang', 'params', 'options', 'id'].includes(key)) {
      throw contentError(`[script] unknown field [${key}]`)
    }
  }
  const own = (key: string) => (Object.hasOwn(object, key) ? object[key] : undefined)
  if (own('id') !== undefined) {
    const id = plainText(own('id'))
    if (own('source') !== undefined || own('lang') !== undefined)
      throw illegalArgument(
        `illegally specified [${own('lang') === undefined ? 'source' : 'lang'}] for a stored script`,
      )
    if (Object.hasOwn(stored, id)) return readScript({ ...stored[id], params: own('params') })
    const reason = `unable to find script [${id}] in cluster state`
    throw new SearchError('resource_not_found_exception', reason)
  }
  const source = own('source') ?? own('inline')
  if (typeof source !== 'string')
    throw illegalArgument('must specify either [source] for an inline script or [id] for a stored script')
  const lang = own('lang') ?? 'painless'
  if (lang !== 'painless' && lang !== 'expression')
    throw illegalArgument(`script_lang not supported [${plainText(lang)}]`)
  if (Buffer.byteLength(source) > maxScriptBytes) {
    throw illegalArgument(
      `exceeded max allowed inline script size in bytes [${maxScriptBytes}] with size [${Buffer.byteLength(source)}] for script [${source.slice(0, 100)}]`,
    )
  }
  return { source, lang, params: paramsOf(own('params')) }
}

/** Throws when a script is invalid regardless of stored scripts. */
export function checkScript(json: unknown): void {
  if (!isObject(json) || !Object.hasOwn(json, 'id')) readScript(json)
}

export type ReadScript = (stored?: StoredScripts) => Script

/** Checks a script and returns a reader that resolves stored scripts. */
export function scriptReader(json: unknown): ReadScript {
  checkScript(json)
  return (stored) => readScript(json, stored)
}

function paramsOf(json: unknown): ScriptMap {
  return isObject(json) ? mapFrom(json) : new Map()
}

/**
 * Compiles a script. `globals` are the variables whose values the caller provides. Errors carry the script.
 */
export function compileScript(script: Script, globals: readonly string[], more?: ClassFunctions): RunScript {
  const { program } = more === undefined ? known(script, globals) : parsed(script, globals, more)
  return (values, result) => ran(script, program, newScope(values), result)
}

/** Runs a script; `result` is the type of its result, if it has to have one. */
type RunScript = (values: ReadonlyMap<string, ScriptValue>, result?: ResultType) => ScriptValue

function ran(script: Script, program: Program, scope: Scope, result: ResultType | undefined): ScriptValue {
  try {
    const value = unwrapped(program.run(scope))
    // In Lucene expressions all values are doubles.
    if (result === 'boolean' && script.lang === 'expression') return value !== 0 && value !== null
    return result === undefined ? value : castResult(value, result, scope.place.isInt)
  } catch (error) {
    throw ofScript(script, error, scope.place.at)
  }
}

/**
 * Compiles a script and returns what the caller must know before it runs; loops may iterate `maxIterations`
 * times.
 */
export function compileProgram(
  script: Script,
  globals: readonly string[],
  maxIterations: number,
): { readonly run: RunScript; readonly plan: NumericPlan | undefined } & Pick<Parsed, 'mayLoop' | 'names'> {
  const { program, mayLoop, names } = known(script, globals)
  const run: RunScript = (values, result) => ran(script, program, newScope(values, maxIterations), result)
  // In Lucene expressions all values are doubles, and fields have other rules.
  return { run, plan: script.lang === 'painless' ? program.plan : undefined, mayLoop, names }
}

/** Compiles a script whose outermost loops run in steps. */
export function compileSteps(
  script: Script,
  globals: readonly string[],
): (values: ReadonlyMap<string, ScriptValue>) => Steps<ScriptValue> {
  const { program } = known(script, globals)
  return function* (values) {
    const scope = newScope(values)
    try {
      return unwrapped(yield* program.steps(scope))
    } catch (error) {
      throw ofScript(script, error, scope.place.at)
    }
  }
}

interface Parsed {
  readonly program: Program
  readonly mayLoop: boolean
  /** The globals that the script uses. */
  readonly names: ReadonlySet<string>
}

function parsed(script: Script, globals: readonly string[], more?: ClassFunctions): Parsed {
  const parser = new StatementParser(script, globals, more)
  const program = parser.program()
  return { program, mayLoop: parser.mayLoop, names: parser.names }
}

/** A cache of compiled scripts, as bulk requests tend to repeat one. */
const programs = new Map<string, Parsed>()
const maxPrograms = 100

function known(script: Script, globals: readonly string[]): Parsed {
  const key = JSON.stringify([script.lang, globals, script.source])
  const found = programs.get(key)
  if (found !== undefined) return found
  const program = parsed(script, globals)
  if (programs.size >= maxPrograms) programs.delete(programs.keys().next().value!)
  programs.set(key, program)
  return program
}

/** Attaches the script to errors thrown by `run`. */
export function guarded<Result>(script: ScriptText, run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    throw ofScript(script, error, 0)
  }
}

function ofScript(script: ScriptText, error: unknown, at: number): unknown {
  if (error instanceof ScriptFailure) return runtimeError(script, at, error.type, error.message, error.frames)
  // Unbounded recursion of lambdas.
  if (error instanceof RangeError && /call stack/.test(error.message))
    return runtimeError(script, at, 'stack_overflow_error', 'called too deeply')
  return error
}

/** A script as OpenSearch prints it in descriptions of queries. */
export function scriptText({ source, lang, params }: Script): string {
  return `Script{type=inline, lang='${lang}', idOrCode='${source}', options={}, params=${javaText(toJson(params))}}`
}
