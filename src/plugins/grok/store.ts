/**
 * Stores the captures of a match. One function is generated per expression: it knows the groups and the
 * fields, so a capture for an absent top-level field is one read and one write. Field names reach the
 * source as string literals only; fields that need more care go through `keep`.
 */
import { compileGet, compileSet, literal } from '../../event/accessors.ts'
import type { Event } from '../../event/event.ts'
import { InvalidFieldReference, parseFieldReference } from '../../event/field-reference.ts'
import { float, type Value } from '../../event/value.ts'
import type { GrokCapture } from '../../grok/capture.ts'
import { leadingNumber, leadingWhole } from '../ruby-values/number.ts'

export type Store = (event: Event, match: RegExpExecArray) => void

interface StoreOptions {
  readonly target: string | undefined
  readonly overwrite: readonly string[]
  readonly keepEmpty: boolean
}

type Keep = (event: Event, value: Value) => void

const toInteger = (text: string): Value => leadingWhole(text)
const toFloat = (text: string): Value => float(leadingNumber(text))

export function compileStore(captures: readonly GrokCapture[], options: StoreOptions): Store {
  const keeps: Keep[] = []
  const lines = captures.map((capture) => {
    const reference = referenceOf(capture.field, options.target)
    const overwrites = options.overwrite.includes(capture.field)
    const keep = `k[${keeps.push(keeperOf(reference, overwrites)) - 1}](event, v);`
    const store = overwrites ? keep : (fastStore(reference, keep) ?? keep)
    return `v = ${groupSource(capture.groups)};\n${caseSource(capture, store, options.keepEmpty)}`
  })
  const source = `return function store(event, m) {\nlet v;\nconst d = event.data;\nevent.raw = null;\n${lines.join('\n')}\n}`
  return new Function('k', 'toInteger', 'toFloat', source)(keeps, toInteger, toFloat) as Store
}

/** The last of several capturing groups that took part. */
function groupSource(groups: readonly number[]): string {
  const [first, ...others] = groups.toReversed()
  if (first === undefined) return 'undefined'
  return [first, ...others].map((number) => `m[${number}]`).join(' ?? ')
}

function caseSource({ cast }: GrokCapture, store: string, keepEmpty: boolean): string {
  const converted = cast === 'int' ? 'v = toInteger(v); ' : cast === 'float' ? 'v = toFloat(v); ' : ''
  if (keepEmpty) return `if (v === undefined) v = null;${converted && ` else { ${converted}}`} ${store}`
  // An empty text that is converted is the number 0, and that is kept.
  return `if (v !== undefined${converted === '' ? ' && v !== ""' : ''}) { ${converted}${store} }`
}

/** The common case in the open: a plain top-level field that the event does not have yet. */
function fastStore(reference: string, otherwise: string): string | undefined {
  if (!isReference(reference)) return undefined
  const { metadata, path } = parseFieldReference(reference)
  const [name] = path
  if (metadata || path.length !== 1 || name === undefined || !/^[a-z][a-z0-9_]*$/i.test(name))
    return undefined
  if (name in Object.prototype || name === 'tags') return undefined
  const field = `d[${literal(name)}]`
  return `if (${field} === undefined) ${field} = v; else ${otherwise}`
}

function isReference(text: string): boolean {
  try {
    parseFieldReference(text)
    return true
  } catch {
    return false
  }
}

function referenceOf(field: string, target: string | undefined): string {
  if (target === undefined) return field
  return `${bracketed(target.trim())}${bracketed(field)}`
}

function bracketed(reference: string): string {
  return reference.includes('[') ? reference : `[${reference}]`
}

/** Absent: set. A list grows, a text becomes a list of two, anything else keeps its value. */
function keeperOf(reference: string, overwrites: boolean): Keep {
  if (!isReference(reference)) {
    // Refused where it is used, as by Logstash: the other captures of the expression may never come to it.
    return () => {
      throw new InvalidFieldReference(reference)
    }
  }
  const set = compileSet(reference)
  if (overwrites) return set
  const get = compileGet(reference)
  const { path } = parseFieldReference(reference)
  // What becomes a tag and is no text is refused by the setter.
  const mayGrow = (value: Value) => path[0] !== 'tags' || (path.length === 1 && typeof value === 'string')
  // Many matches of one event grow the list that the first of them made; lists of others are not written to.
  let owner: Event | undefined
  let made: Value[] | undefined
  return (event, value) => {
    const old = get(event)
    if (old === undefined || old === null) set(event, value)
    else if (Array.isArray(old)) {
      if (owner === event && made === old && mayGrow(value)) {
        made.push(value)
        return
      }
      owner = event
      made = [...old, value]
      set(event, made)
    } else if (typeof old === 'string') set(event, [old, value])
  }
}
