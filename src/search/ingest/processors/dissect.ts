/**
 * dissect: takes a text apart by the delimiters between keys. Modifiers of keys: `->` skips repeated delimiters,
 * `+` appends (`/2` says in which place), `*` and `&` name a key by a value, `?` skips.
 */
import { illegalArgument } from '../../request/errors.ts'
import { SearchError } from '../../request/search-error.ts'
import type { ProcessorFactory } from '../processor.ts'

type Modifier = '' | '?' | '+' | '*' | '&'

interface Key {
  readonly name: string
  readonly modifier: Modifier
  readonly order: number
  readonly skipsPadding: boolean
}

interface Pair {
  readonly key: Key
  readonly delimiter: string
}

function patternError(pattern: string, reason: string): SearchError {
  return new SearchError('pattern_parse', `Unable to parse pattern: ${pattern} Reason: ${reason}`, {
    status: 500,
  })
}

function keyOf(text: string): Key {
  const skipsPadding = text.endsWith('->')
  const inside = skipsPadding ? text.slice(0, -2) : text
  const found = /^([+*&?]*)(.*)$/s.exec(inside)!
  const signs = found[1]!
  const [name = '', place] = signs.startsWith('+') ? found[2]!.split('/') : [found[2]!]
  if (signs.length > 1) {
    const first = signs[0] === '+' && place !== undefined ? '+' : signs
    throw patternError(inside, `multiple modifiers are not allowed [${first}]`)
  }
  const modifier = (signs === '' && name === '' ? '?' : signs) as Modifier
  return { name, modifier, order: place === undefined ? 0 : Number(place), skipsPadding }
}

function pairsOf(pattern: string): { leading: string; pairs: readonly Pair[] } {
  const leading = /^(.*?)%/.exec(pattern)?.[1] ?? ''
  const pairs = [...pattern.slice(leading.length).matchAll(/%\{([^}]*?)\}([^%]*)/gs)].map(
    ([, key = '', delimiter = '']): Pair => ({ key: keyOf(key), delimiter }),
  )
  const kept = pairs.filter(({ key }) => key.modifier !== '?')
  if (kept.length === 0) throw patternError(pattern, 'Unable to find any keys or delimiters.')
  checkReferences(pattern, pairs)
  const appended = new Set(pairs.filter(({ key }) => key.modifier === '+').map(({ key }) => key.name))
  return {
    leading,
    pairs: pairs.map((pair) =>
      pair.key.modifier === '' && appended.has(pair.key.name)
        ? { ...pair, key: { ...pair.key, modifier: '+' } }
        : pair,
    ),
  }
}

function checkReferences(pattern: string, pairs: readonly Pair[]): void {
  const counts = new Map<string, number>()
  for (const { key } of pairs)
    if (key.modifier === '*' || key.modifier === '&') counts.set(key.name, (counts.get(key.name) ?? 0) + 1)
  for (const [name, count] of counts)
    if (count !== 2)
      throw patternError(
        pattern,
        `Found invalid key/reference associations: '${Array(count).fill(name).join(',')}' Please ensure each '*<key>' is matched with a matching '&<key>`,
      )
}

/** The texts of the keys in order; undefined when a delimiter is missing. */
function valuesOf(text: string, leading: string, pairs: readonly Pair[]): string[] | undefined {
  if (text.length <= leading.length || !text.startsWith(leading)) return undefined
  const values: string[] = []
  let start = leading.length
  let at = 0
  while (at < pairs.length) {
    const { key, delimiter } = pairs[at]!
    if (delimiter === '') {
      if (at < pairs.length - 1) return undefined
      values.push(text.slice(start))
      return values
    }
    const end = text.indexOf(delimiter, start)
    if (end < 0) return undefined
    values.push(text.slice(start, end))
    start = end + delimiter.length
    at++
    // Delimiters that follow at once are empty values, or padding.
    while (text.startsWith(delimiter, start) && start < text.length) {
      if (!key.skipsPadding) {
        if (at >= pairs.length) break
        values.push('')
        at++
      }
      start += delimiter.length
    }
  }
  return values
}

function results(pairs: readonly Pair[], values: readonly string[], separator: string): Map<string, string> {
  const found = new Map<string, string>()
  const appended = new Map<string, { order: number; value: string }[]>()
  const names = new Map<string, string>()
  const referred = new Map<string, string>()
  for (const [at, { key }] of pairs.entries()) {
    const value = values[at]!
    if (key.modifier === '') found.set(key.name, value)
    else if (key.modifier === '*') names.set(key.name, value)
    else if (key.modifier === '&') referred.set(key.name, value)
    else if (key.modifier === '+') {
      const parts = appended.get(key.name) ?? []
      parts.push({ order: key.order, value })
      appended.set(key.name, parts)
    }
  }
  for (const [name, parts] of appended)
    found.set(
      name,
      parts
        .toSorted((one, other) => one.order - other.order)
        .map(({ value }) => value)
        .join(separator),
    )
  for (const [name, field] of names) found.set(field, referred.get(name) ?? '')
  return found
}

export const dissect: ProcessorFactory = (config) => {
  const field = config.text('field')
  const pattern = config.text('pattern')
  const separator = config.text('append_separator', '')
  const ignoreMissing = config.flag('ignore_missing')
  const { leading, pairs } = pairsOf(pattern)
  return (document) => {
    const text = document.get(field, 'text', ignoreMissing)
    if (text === null) {
      if (ignoreMissing) return true
      throw illegalArgument(`field [${field}] is null, cannot process it.`)
    }
    const values = valuesOf(text, leading, pairs)
    if (values === undefined || values.length !== pairs.length)
      throw new SearchError(
        'find_match',
        `Unable to find match for dissect pattern: ${pattern} against source: ${text}`,
        { status: 500 },
      )
    for (const [name, value] of results(pairs, values, separator)) document.set(name, value)
    return true
  }
}
