/**
 * The few scripts updates are usually made of, read and carried out without a script language: statements
 * `ctx._source.a.b = value`, `+=`, `-=`, `ctx._source.remove('a')`, `ctx._source.list.add(value)`, `ctx.op = 'noop'`, where a value is a literal
 * or `params.name`. Anything else is refused as the reference refuses a language it does not have.
 */
import { SearchError } from '../search-error.ts'
import { isObject, type JsonObject, own, put, textList } from './json-object.ts'

export interface ScriptResult {
  readonly source: JsonObject
  readonly op: 'index' | 'noop' | 'delete'
}

const statement =
  /^ctx\.(?:_source((?:\.[A-Za-z_@]\w*|\[(?:'[^']*'|"[^"]*")\])*)|(op))\s*(?:(\+=|-=|=)\s*(.+)|\.(remove|add)\(\s*(.+?)\s*\)|(\+\+|--))$/s

type Statement =
  | { readonly kind: 'op'; readonly op: ScriptResult['op'] }
  | {
      readonly kind: 'call'
      readonly path: readonly string[]
      readonly method: string
      readonly value: unknown
    }
  | {
      readonly kind: 'assign'
      readonly path: readonly string[]
      readonly operator: string
      readonly value: unknown
    }

/** Throws for a script that could not run, before anything is done with it. */
export function readScript(json: unknown): readonly Statement[] {
  const { text, params } = scriptOf(json)
  return splitStatements(text).map((part): Statement => {
    const found = statement.exec(part)
    if (found === null) throw unsupported()
    const [, path = '', isOp, operator = '=', value = '', method, argument = '', step] = found
    if (isOp !== undefined) return { kind: 'op', op: operation(literal(value, params)) }
    if (method !== undefined)
      return { kind: 'call', path: names(path), method, value: literal(argument, params) }
    if (step !== undefined) return { kind: 'assign', path: names(path), operator: `${step[0]}=`, value: 1 }
    return { kind: 'assign', path: names(path), operator, value: literal(value, params) }
  })
}

export function runScript(json: unknown, source: JsonObject): ScriptResult {
  const copy = structuredClone(source) as Record<string, unknown>
  let op: ScriptResult['op'] = 'index'
  for (const one of readScript(json)) {
    if (one.kind === 'op') op = one.op
    else if (one.kind === 'call') call(copy, one.path, one.method, one.value)
    else assign(copy, one.path, one.operator, one.value)
  }
  return { source: copy, op }
}

function scriptOf(json: unknown): { readonly text: string; readonly params: JsonObject } {
  if (typeof json === 'string') return { text: json, params: {} }
  if (!isObject(json)) throw unsupported()
  const lang = own(json, 'lang')
  if (lang !== undefined && lang !== 'painless')
    throw new SearchError('illegal_argument_exception', `script_lang not supported [${String(lang)}]`)
  const text = own(json, 'source') ?? own(json, 'inline')
  if (typeof text !== 'string') throw unsupported()
  const params = own(json, 'params')
  return { text, params: isObject(params) ? params : {} }
}

export function unsupported(): SearchError {
  return new SearchError('illegal_argument_exception', 'script_lang not supported [painless]')
}

const mostStatements = 1000

function splitStatements(text: string): string[] {
  const parts: string[] = []
  let quote = ''
  let start = 0
  for (let at = 0; at <= text.length; at++) {
    const character = text[at]
    if (quote !== '') {
      if (character === quote) quote = ''
    } else if (character === "'" || character === '"') quote = character
    else if (character === ';' || at === text.length) {
      const part = text.slice(start, at).trim()
      if (part !== '') parts.push(part)
      start = at + 1
    }
  }
  if (quote !== '' || parts.length > mostStatements) throw unsupported()
  return parts
}

function names(path: string): string[] {
  return [...path.matchAll(/\.([A-Za-z_@]\w*)|\[(?:'([^']*)'|"([^"]*)")\]/g)].map(
    ([, plain, single, double]) => plain ?? single ?? double ?? '',
  )
}

function literal(text: string, params: JsonObject): unknown {
  const trimmed = text.trim()
  const [, parameter] = /^params\.([A-Za-z_]\w*)$/.exec(trimmed) ?? []
  if (parameter !== undefined) return own(params, parameter) ?? null
  if (/^'[^']*'$|^"[^"]*"$/.test(trimmed)) return trimmed.slice(1, -1)
  if (/^-?\d+(?:\.\d+)?[LlFfDd]?$/.test(trimmed)) return Number(trimmed.replace(/[LlFfDd]$/, ''))
  if (trimmed === 'true') return true
  if (trimmed === 'false') return false
  if (trimmed === 'null') return null
  throw unsupported()
}

function operation(value: unknown): ScriptResult['op'] {
  if (value === 'noop' || value === 'none') return 'noop'
  if (value === 'delete') return 'delete'
  if (value === 'index') return 'index'
  throw new SearchError(
    'illegal_argument_exception',
    `Operation type [${String(value)}] not allowed, only [noop, index, delete] are allowed`,
  )
}

/** The object a path leads to, without its last name. */
function parentOf(source: Record<string, unknown>, path: readonly string[]): Record<string, unknown> {
  let level = source
  for (const name of path.slice(0, -1)) {
    const next = own(level, name)
    if (!isObject(next)) throw new SearchError('script_exception', 'runtime error')
    level = next as Record<string, unknown>
  }
  return level
}

function assign(
  source: Record<string, unknown>,
  path: readonly string[],
  operator: string,
  value: unknown,
): void {
  const last = path.at(-1)
  if (last === undefined) throw unsupported()
  const parent = parentOf(source, path)
  if (operator === '=') return put(parent, last, value)
  const before = own(parent, last)
  if (Array.isArray(before)) throw unsupported()
  if (operator === '+=' && (typeof before === 'string' || typeof value === 'string'))
    return put(parent, last, `${String(before)}${String(value)}`)
  if (typeof before !== 'number' || typeof value !== 'number')
    throw new SearchError('script_exception', 'runtime error')
  put(parent, last, operator === '+=' ? before + value : before - value)
}

function call(
  source: Record<string, unknown>,
  path: readonly string[],
  method: string,
  argument: unknown,
): void {
  const target = path.length === 0 ? source : own(parentOf(source, path), path.at(-1)!)
  if (method === 'remove' && isObject(target)) {
    for (const name of textList(argument)) delete (target as Record<string, unknown>)[name]
  } else if (method === 'add' && Array.isArray(target)) target.push(argument)
  else throw unsupported()
}
