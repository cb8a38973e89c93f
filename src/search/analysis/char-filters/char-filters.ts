/** The mapping and pattern_replace character filters. */
import { AnalysisError } from '../analysis-error.ts'
import type { CharFilter, Expression } from '../component.ts'
import { GrowthBudget } from '../term-budget.ts'

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

/** Rules `from => to`, in a trie; at each offset the longest `from` wins. */
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
  const root = trieOf(replacements)
  const growth = new GrowthBudget('mapping')
  return {
    apply(text, offsets) {
      growth.begin(text)
      let result = ''
      let copied = 0
      for (let index = 0; index < text.length; ) {
        const found = longestRule(root, text, index)
        if (found === undefined) {
          index++
          continue
        }
        result += text.slice(copied, index)
        growth.check(result.length + found.to.length)
        offsets.replaced(result.length, found.length, found.to.length)
        result += found.to
        index = copied = index + found.length
      }
      return copied === 0 ? text : result + text.slice(copied)
    },
  }
}

/** A trie of the rules. */
interface TrieNode {
  readonly next: Map<number, TrieNode>
  rule: Rule | undefined
}

interface Rule {
  /** The number of characters replaced. */
  readonly length: number
  readonly to: string
}

function trieOf(replacements: ReadonlyMap<string, string>): TrieNode {
  const root: TrieNode = { next: new Map(), rule: undefined }
  for (const [from, to] of replacements) {
    let node = root
    for (let at = 0; at < from.length; at++) {
      const code = from.charCodeAt(at)
      let next = node.next.get(code)
      if (next === undefined) node.next.set(code, (next = { next: new Map(), rule: undefined }))
      node = next
    }
    node.rule = { length: from.length, to }
  }
  return root
}

function longestRule(root: TrieNode, text: string, from: number): Rule | undefined {
  let node = root.next.get(text.charCodeAt(from))
  let found = node?.rule
  for (let at = from + 1; node !== undefined && at < text.length; at++) {
    node = node.next.get(text.charCodeAt(at))
    found = node?.rule ?? found
  }
  return found
}

/** Expands Java's replacement syntax: `$1` groups, backslash for literal characters. */
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

/** Replaces every match and reports each to `changed`. */
export function replaceMatches(
  text: string,
  expression: Expression,
  replacement: string,
  changed?: (place: number, before: number, after: number) => void,
): string {
  const growth = new GrowthBudget('pattern_replace')
  growth.begin(text)
  let result = ''
  let copied = 0
  let found = false
  for (const { index, groups } of expression.matchAll(text)) {
    const before = groups[0]?.length ?? 0
    const to = filled(replacement, groups)
    result += text.slice(copied, index)
    growth.check(result.length + to.length)
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
