/**
 * Parameters of field types: how each is parsed, its default, whether it may be updated. Values equal to their
 * default are dropped, so that a mapping prints as Elasticsearch prints it.
 */
import { asSearchError, illegalArgument, mapperParsing, numberFormat } from '../../request/errors.ts'
import { javaSimpleClass, javaText } from '../../request/java-text.ts'
import { plainText } from '../../request/plain-text.ts'

/** The field that owns the parameter, for error texts. */
interface ParameterOwner {
  readonly path: string
  readonly type: string
}

export interface Parameter {
  readonly name: string
  readonly default: unknown
  read(value: unknown, owner: ParameterOwner): unknown
  mayBecome(value: unknown, before: unknown): boolean
  /** Kept and printed whenever it is given, even with its default value. */
  readonly isExplicit: boolean
  /** Kept and printed even when it is not given. */
  readonly isShown?: boolean
  /** Throws when an update may change the parameter, but not in this way. */
  checkUpdate?(before: unknown, after: unknown, path: string): void
}

interface Traits {
  readonly updateable?: boolean
  readonly explicit?: boolean
}

function parameter(
  name: string,
  standard: unknown,
  read: Parameter['read'],
  { updateable = false, explicit = false }: Traits = {},
): Parameter {
  return { name, default: standard, read, isExplicit: explicit, mayBecome: () => updateable }
}

/** `Failed to parse value … as only [true] or [false] are allowed.` */
function readBoolean(value: unknown): boolean {
  if (value === true || value === 'true') return true
  if (value === false || value === 'false' || value === '') return false
  throw illegalArgument(`Failed to parse value [${javaText(value)}] as only [true] or [false] are allowed.`)
}

export function namedBoolean(name: string, value: unknown): boolean {
  try {
    return readBoolean(value)
  } catch (error) {
    throw illegalArgument(`Could not convert [${name}] to boolean`, asSearchError(error))
  }
}

export function flag(name: string, standard: boolean, traits?: Traits): Parameter {
  return parameter(name, standard, (value) => namedBoolean(name, value), traits)
}

/** Overrides an index-wide setting for one field. */
export function explicitFlag(name: string): Parameter {
  return flag(name, false, { updateable: true, explicit: true })
}

export function integer(name: string, standard: number, traits?: Traits, min?: number): Parameter {
  return parameter(
    name,
    standard,
    (value) => {
      const number = readNumber(value)
      if (!Number.isInteger(number)) throw numberFormat(plainText(value))
      if (min !== undefined && number < min) {
        throw illegalArgument(`[${name}] must be positive, got [${number}]`)
      }
      return number
    },
    traits,
  )
}

export function decimal(name: string, standard: number | undefined, traits?: Traits): Parameter {
  return parameter(name, standard, readNumber, traits)
}

function readNumber(value: unknown): number {
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value)
  if (Number.isNaN(number) || typeof value === 'boolean') throw numberFormat(javaText(value))
  return number
}

export function text(name: string, standard: string | undefined, traits?: Traits): Parameter {
  return parameter(name, standard, (value) => javaText(value), traits)
}

export function choice(
  name: string,
  standard: string,
  accepted: readonly string[],
  traits?: Traits,
): Parameter {
  return parameter(
    name,
    standard,
    (value) => {
      const chosen = javaText(value)
      if (accepted.includes(chosen)) return chosen
      throw mapperParsing(
        `Unknown value [${chosen}] for field [${name}] - accepted values are [${accepted.join(', ')}]`,
      )
    },
    traits,
  )
}

/** The parameter, printed also when it is not given. */
export function shown(inner: Parameter): Parameter {
  return { ...inner, isShown: true }
}

/** A value of any form that is only stored. */
export function anything(name: string, traits?: Traits): Parameter {
  return parameter(name, undefined, (value) => value, traits)
}

/** Norms can be switched off later, never on. */
export function norms(standard: boolean): Parameter {
  return { ...flag('norms', standard), mayBecome: (value, before) => before === true && value === false }
}

export const meta: Parameter = parameter('meta', undefined, readMeta, { updateable: true })

function readMeta(value: unknown, { path }: ParameterOwner): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw mapperParsing(
      `[meta] must be an object, got ${javaSimpleClass(value)}[${javaText(value)}] for field [${path}]`,
    )
  }
  const entries = Object.entries(value as Record<string, unknown>)
  if (entries.length > 5) {
    throw mapperParsing(`[meta] can't have more than 5 entries, but got ${entries.length} on field [${path}]`)
  }
  for (const [name, item] of entries) {
    if (name.length > 20) {
      throw mapperParsing(`[meta] keys can't be longer than 20 chars, but got [${name}] for field [${path}]`)
    }
    if (item === null) throw mapperParsing(`[meta] values can't be null (field [${path}])`)
    if (typeof item !== 'string') {
      throw mapperParsing(
        `[meta] values can only be strings, but got ${javaSimpleClass(item)}[${javaText(item)}] for field [${path}]`,
      )
    }
    if (item.length > 50) {
      throw mapperParsing(
        `[meta] values can't be longer than 50 chars, but got [${item}] for field [${path}]`,
      )
    }
  }
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}
