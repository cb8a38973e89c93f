/** The mapping and pattern_replace character filters. */
import { AnalysisError } from './analysis-error.ts'
import type { CharFilter, Expression } from './component.ts'

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  '\\': '\\',
  '"': '"',
}

function unescaped(text: string): string {
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|([\s\S])|$)/g, (whole, hex?: string, one?: string) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
    return one !== undefined && Object.hasOwn(escapes, one) ? escapes[one]! : (one ?? whole)
  })
}

/** Rules `from => to`; at each place the longest `from` wins. */
export function mappingFilter(rules: readonly string[]): CharFilter {
  const replacements = new Map<string, string>()
  for (const rule of rules) {
    const place = rule.lastIndexOf('=>')
    if (place < 0) throw new AnalysisError(`Invalid Mapping Rule : [${rule}]`)
    const from = unescaped(rule.slice(0, place).trim())
    if (from === '')
      throw new AnalysisError(`Invalid Mapping Rule : [${rule}]. Only a single mapping is allowed`)
    if (!replacements.has(from)) replacements.set(from, unescaped(rule.slice(place + 2).trim()))
  }
  /** Lengths to try, longest first, by first character. */
  const lengths = new Map<string, number[]>()
  for (const from of replacements.keys()) {
    const known = lengths.get(from[0]!) ?? []
    if (!known.includes(from.length)) known.push(from.length)
    lengths.set(
      from[0]!,
      known.sort((a, b) => b - a),
    )
  }
  return {
    apply(text, offsets) {
      let result = ''
      let copied = 0
      for (let index = 0; index < text.length; ) {
        const size = lengths
          .get(text[index]!)
          ?.find((one) => replacements.has(text.slice(index, index + one)))
        // Near the end a slice is shorter than asked for, and may be another rule's.
        const from = size === undefined ? '' : text.slice(index, index + size)
        if (from === '') {
          index++
          continue
        }
        const to = replacements.get(from)!
        result += text.slice(copied, index)
        offsets.replaced(result.length, from.length, to.length)
        result += to
        index = copied = index + from.length
      }
      return copied === 0 ? text : result + text.slice(copied)
    },
  }
}

/** Java's replacement text: `$1` groups, backslash for literal characters. */
function filled(replacement: string, groups: readonly (string | undefined)[]): string {
  return replacement.replace(
    /\\([\s\S])|\$(\d)(\d?)/g,
    (whole, literal?: string, first?: string, second = '') => {
      if (literal !== undefined) return literal
      if (first === undefined) return whole
      const two = Number(first + second)
      if (second !== '' && two < groups.length) return groups[two] ?? ''
      const one = Number(first)
      if (one >= groups.length) throw new AnalysisError(`No group ${one}`)
      return (groups[one] ?? '') + second
    },
  )
}

/** Replaces every match; `changed` hears of each. */
export function replaceMatches(
  text: string,
  expression: Expression,
  replacement: string,
  changed?: (place: number, before: number, after: number) => void,
): string {
  let result = ''
  let copied = 0
  let found = false
  for (const { index, groups } of expression.matchAll(text)) {
    const before = groups[0]?.length ?? 0
    const to = filled(replacement, groups)
    result += text.slice(copied, index)
    changed?.(result.length, before, to.length)
    result += to
    copied = index + before
    found = true
  }
  return found ? result + text.slice(copied) : text
}

export function patternReplaceFilter(expression: Expression, replacement: string): CharFilter {
  return {
    apply: (text, offsets) =>
      replaceMatches(text, expression, replacement, (place, before, after) =>
        offsets.replaced(place, before, after),
      ),
  }
}
