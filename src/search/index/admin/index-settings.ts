/**
 * Index settings in three forms: JSON as sent (nested or dotted, with or without `index.`), flat texts as stored,
 * and nested texts as shown. Values are validated on the way in.
 */

import { similarNames } from '../../request/did-you-mean.ts'
import { illegalArgument, numberFormat } from '../../request/errors.ts'
import { isObject, type JsonObject, put } from '../../request/json-object.ts'
import { plainText } from '../../request/plain-text.ts'
import type { SearchError } from '../../request/search-error.ts'
import { parseBytes, parseFlag, parseTime } from '../../request/units/units.ts'
import type { FlatSettings } from '../index-metadata.ts'
import { definitionOf, type SettingKind, settingDefinitions } from './setting-definitions.ts'

/** Settings as sent; null resets one. */
export type SettingChanges = ReadonlyMap<string, string | readonly string[] | null>

const maxDepth = 64
/** The similarity for suggestions; setting names share so much that a lower one would suggest too many. */
const minSettingSimilarity = 0.7

/** Flattens settings; names get the prefix `index.` unless `prefix` is empty. */
export function flattenSettings(json: unknown, prefix = 'index.'): SettingChanges {
  const flat = new Map<string, string | readonly string[] | null>()
  const walk = (value: unknown, path: string, depth: number) => {
    if (depth > maxDepth) throw illegalArgument(`settings are nested deeper than ${maxDepth} levels`)
    if (isObject(value) && !('text' in value && value.constructor !== Object)) {
      for (const [name, member] of Object.entries(value))
        walk(member, path === '' ? name : `${path}.${name}`, depth + 1)
    } else if (Array.isArray(value)) {
      if (value.some(isObject)) value.forEach((item, index) => void walk(item, `${path}.${index}`, depth + 1))
      else flat.set(named(path, prefix), value.map(plainText))
    } else flat.set(named(path, prefix), value === null || value === undefined ? null : plainText(value))
  }
  walk(json ?? {}, '', 0)
  return flat
}

function named(path: string, prefix: string): string {
  return prefix === '' || path.startsWith(prefix) ? path : prefix + path
}

/** Throws for unknown settings and invalid values. */
export function checkSettings(changes: SettingChanges): void {
  for (const [name, value] of changes) {
    const definition = definitionOf(name)
    if (definition === undefined) throw unknownSetting(name)
    if (typeof value === 'string') checkValue(name, value, definition.kind)
  }
}

function unknownSetting(name: string): SearchError {
  const known = [...settingDefinitions.keys()].filter((one) => !one.endsWith('.') && one !== 'index.mode')
  const alike = similarNames(name, known, minSettingSimilarity)
  if (alike.length > 0) {
    const meant = alike.length === 1 ? `[${alike[0]}]` : `any of [${alike.join(', ')}]`
    return illegalArgument(`unknown setting [${name}] did you mean ${meant}?`)
  }
  return illegalArgument(
    `unknown setting [${name}] please check that any required plugins are installed, or check the breaking changes documentation for removed settings`,
  )
}

function checkValue(name: string, value: string, kind: SettingKind): void {
  if (kind === 'text') return
  if (kind === 'boolean') {
    if (parseFlag(value) === undefined)
      throw illegalArgument(`Failed to parse value [${value}] as only [true] or [false] are allowed.`)
  } else if (kind === 'time') parseTime(value, name)
  else if (kind === 'bytes') parseBytes(value, name)
  else if (kind === 'decimal') {
    if (Number.isNaN(Number(value)))
      throw illegalArgument(`Failed to parse value [${value}] for setting [${name}]`, numberFormat(value))
  } else if ('oneOf' in kind) {
    if (!kind.oneOf.includes(value.toUpperCase()))
      throw illegalArgument(
        `unknown value for [${name}] must be one of [${kind.oneOf.join(', ')}] but was: ${value}`,
      )
  } else {
    if (!/^[+-]?\d+$/.test(value))
      throw illegalArgument(`Failed to parse value [${value}] for setting [${name}]`, numberFormat(value))
    const number = Number(value)
    if (number < kind.min)
      throw illegalArgument(`Failed to parse value [${value}] for setting [${name}] must be >= ${kind.min}`)
    if (kind.max !== undefined && number > kind.max)
      throw illegalArgument(`Failed to parse value [${value}] for setting [${name}] must be <= ${kind.max}`)
  }
}

/** Applies changes; a pattern (`index.blocks.*`) resets all settings it matches. */
export function withChanges(settings: FlatSettings, changes: SettingChanges): FlatSettings {
  const result = new Map(Object.entries(settings))
  for (const [name, value] of changes) {
    if (value !== null) result.set(name, value)
    else if (!name.includes('*')) result.delete(name)
    else {
      const start = name.slice(0, name.indexOf('*'))
      for (const known of [...result.keys()]) if (known.startsWith(start)) result.delete(known)
    }
  }
  return Object.fromEntries([...result].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
}

/** `a.b.c` becomes `{ a: { b: { c } } }`; a name that is both a value and a group stays dotted. */
export function nestedSettings(flat: FlatSettings): JsonObject {
  const root: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(flat)) {
    const parts = name.split('.')
    let level = root
    for (let index = 0; index < parts.length; index++) {
      const part = parts[index]!
      const rest = parts.slice(index).join('.')
      if (index === parts.length - 1) {
        put(level, isObject(level[part]) ? rest : part, value)
        break
      }
      const next = Object.hasOwn(level, part) ? level[part] : undefined
      if (next !== undefined && !isObject(next)) {
        put(level, rest, value)
        break
      }
      if (next === undefined) put(level, part, {})
      level = level[part] as Record<string, unknown>
    }
  }
  return root
}

export function shownSettings(flat: FlatSettings, isFlat: boolean): JsonObject {
  return isFlat ? { ...flat } : nestedSettings(flat)
}

/** Returns the defaults of all settings that are not set. */
export function defaultSettings(set: FlatSettings): FlatSettings {
  const defaults: [string, string][] = []
  for (const [name, { standard }] of settingDefinitions) {
    if (standard !== undefined && !Object.hasOwn(set, name)) defaults.push([name, standard])
  }
  return Object.fromEntries(defaults)
}
