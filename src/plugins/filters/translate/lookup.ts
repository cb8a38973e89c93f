/**
 * The three ways to look a text up: the whole text is a key; the first key that matches as an expression;
 * every key that occurs in the text is replaced by its value. Undefined means that nothing was found.
 */
import type { Value } from '../../../event/value.ts'
import { compilePattern } from '../../../regex/pattern.ts'
import { rubyText } from '../../ruby-values/text.ts'
import type { Dictionary } from './dictionary-file.ts'

export type Lookup = (text: string) => Value | undefined

export function compileLookup(dictionary: Dictionary, exact: boolean, regex: boolean): Lookup {
  if (!exact) return replacing(dictionary)
  return regex ? matching(dictionary) : (text) => dictionary.get(text)
}

function matching(dictionary: Dictionary): Lookup {
  const entries = [...dictionary].map(([key, value]) => ({ pattern: compilePattern(key), value }))
  return (text) => entries.find(({ pattern }) => pattern.test(text))?.value
}

function replacing(dictionary: Dictionary): Lookup {
  // Keys by their first character, in their order: the first that fits at a place is taken.
  const byStart = new Map<number, { key: string; text: string }[]>()
  for (const [key, value] of dictionary) {
    if (key === '') continue
    const start = key.charCodeAt(0)
    const keys = byStart.get(start) ?? []
    keys.push({ key, text: rubyText(value) })
    byStart.set(start, keys)
  }
  return (text) => {
    let result = ''
    let from = 0
    for (let at = 0; at < text.length; ) {
      const found = byStart.get(text.charCodeAt(at))?.find(({ key }) => text.startsWith(key, at))
      if (found === undefined) {
        at += 1
        continue
      }
      result += text.slice(from, at) + found.text
      at += found.key.length
      from = at
    }
    result += text.slice(from)
    return result === text ? undefined : result
  }
}
