/**
 * Which parts of a source are returned: patterns of full dotted paths. A pattern that names an object keeps or
 * drops all of it; `*` stands for any run of characters, dots included; what is dropped wins.
 */
import { isObject, type JsonObject, own, put, textList } from './json-object.ts'

export interface SourceFilter {
  readonly includes: readonly string[]
  readonly excludes: readonly string[]
}

/** `_source` of a body: true, false, a pattern, patterns, or an object of both lists. */
export function parseSourceFilter(json: unknown): boolean | SourceFilter {
  if (json === undefined || json === null || json === true || json === 'true') return true
  if (json === false || json === 'false') return false
  if (isObject(json))
    return {
      includes: textList(own(json, 'includes') ?? own(json, 'include')),
      excludes: textList(own(json, 'excludes') ?? own(json, 'exclude')),
    }
  return { includes: textList(json), excludes: [] }
}

const deepest = 1000

export function filterSource(source: JsonObject, { includes, excludes }: SourceFilter): JsonObject {
  return filterObject(source, '', includes.map(pattern), excludes.map(pattern), includes.length === 0, 0)
}

type Pattern = readonly string[]

function pattern(text: string): Pattern {
  return text.split('*')
}

function filterObject(
  object: JsonObject,
  path: string,
  includes: readonly Pattern[],
  excludes: readonly Pattern[],
  isIncluded: boolean,
  depth: number,
): JsonObject {
  const kept: Record<string, unknown> = {}
  if (depth > deepest) return kept
  for (const [name, value] of Object.entries(object)) {
    const full = path === '' ? name : `${path}.${name}`
    if (excludes.some((one) => matches(one, full))) continue
    const isIn = isIncluded || includes.some((one) => matches(one, full))
    const filtered = filterValue(value, full, includes, excludes, isIn, depth + 1)
    if (filtered !== undefined) put(kept, name, filtered)
  }
  return kept
}

/** Undefined when nothing of it is wanted. */
function filterValue(
  value: unknown,
  path: string,
  includes: readonly Pattern[],
  excludes: readonly Pattern[],
  isIncluded: boolean,
  depth: number,
): unknown {
  if (isObject(value) && value.constructor === Object) {
    if (!isIncluded && !includes.some((one) => mayMatchBelow(one, path))) return undefined
    const inner = filterObject(value, path, includes, excludes, isIncluded, depth)
    return isIncluded || Object.keys(inner).length > 0 ? inner : undefined
  }
  if (!Array.isArray(value)) return isIncluded ? value : undefined
  if (depth > deepest) return undefined
  const items = value
    .map((item) => filterValue(item, path, includes, excludes, isIncluded, depth + 1))
    .filter((item) => item !== undefined)
  return isIncluded || items.length > 0 ? items : undefined
}

function matches(texts: Pattern, path: string): boolean {
  if (texts.length === 1) return texts[0] === path
  const first = texts[0]!
  const last = texts.at(-1)!
  if (!path.startsWith(first) || path.length < first.length + last.length || !path.endsWith(last))
    return false
  let at = first.length
  const end = path.length - last.length
  for (let index = 1; index < texts.length - 1; index++) {
    const found = path.indexOf(texts[index]!, at)
    if (found < 0 || found + texts[index]!.length > end) return false
    at = found + texts[index]!.length
  }
  return true
}

/** Whether a longer path could match. */
function mayMatchBelow(texts: Pattern, path: string): boolean {
  const first = texts[0]!
  const start = `${path}.`
  return texts.length === 1 ? first.startsWith(start) : first.startsWith(start) || start.startsWith(first)
}
