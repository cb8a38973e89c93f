/**
 * The replacement text of Ruby's `gsub`: `\1`, `\0`, `\&`, `\k<name>`, `` \` ``, `\'` and `\\`; any other
 * backslash stays. Compiled once per pattern, to JavaScript's own template where that says the same.
 */
import { PatternError } from '../pattern-error.ts'

export type Part =
  | { kind: 'text'; text: string }
  /** Candidates in the emitted source; the last that took part counts. */
  | { kind: 'group'; numbers: readonly number[] }
  | { kind: 'before' }
  | { kind: 'after' }

export interface Replacement {
  parts: Part[]
  /** For `String.prototype.replace`, or null when a part has no equal there. */
  template: string | null
}

interface ReplacementGroups {
  source: string
  names: ReadonlyMap<string, readonly number[]>
  groups: readonly (readonly number[])[]
}

const special = /\\(?:([0-9&`'\\])|k<([^>]*)(>?))/g

export function compileReplacement(replacement: string, pattern: ReplacementGroups): Replacement {
  const parts: Part[] = []
  let from = 0
  const text = (piece: string): void => {
    if (piece !== '') parts.push({ kind: 'text', text: piece })
  }
  for (const found of replacement.matchAll(special)) {
    text(replacement.slice(from, found.index))
    from = found.index + found[0].length
    const [, sign, name, closed] = found
    if (sign === '\\') text('\\')
    else if (sign === '`') parts.push({ kind: 'before' })
    else if (sign === "'") parts.push({ kind: 'after' })
    else if (sign !== undefined) {
      const number = sign === '&' ? 0 : Number(sign)
      parts.push({ kind: 'group', numbers: number === 0 ? [0] : (pattern.groups[number] ?? []) })
    } else {
      if (closed !== '>') throw new PatternError('invalid group name reference format', pattern.source)
      const numbers = pattern.names.get(name ?? '')
      if (numbers === undefined) {
        throw new PatternError(`undefined group name reference: ${name}`, pattern.source)
      }
      parts.push({ kind: 'group', numbers: numbers.flatMap((number) => pattern.groups[number] ?? []) })
    }
  }
  text(replacement.slice(from))
  return { parts, template: templateOf(parts) }
}

/** Two digits for each group, so that a digit behind it stays a digit. */
function templateOf(parts: Part[]): string | null {
  let template = ''
  for (const part of parts) {
    if (part.kind === 'text') template += part.text.replaceAll('$', '$$$$')
    else if (part.kind === 'before') template += '$`'
    else if (part.kind === 'after') template += "$'"
    else if (part.numbers.length > 1 || (part.numbers[0] ?? 0) > 99) return null
    else if (part.numbers[0] === 0) template += '$&'
    else if (part.numbers[0] !== undefined) template += `$${String(part.numbers[0]).padStart(2, '0')}`
  }
  return template
}

export function fillReplacement(parts: readonly Part[], match: RegExpExecArray): string {
  let result = ''
  for (const part of parts) {
    switch (part.kind) {
      case 'text':
        result += part.text
        break
      case 'before':
        result += match.input.slice(0, match.index)
        break
      case 'after':
        result += match.input.slice(match.index + match[0].length)
        break
      case 'group':
        result += groupText(match, part.numbers) ?? ''
    }
  }
  return result
}

/** The text of a group that the emitted source may hold in several places. */
export function groupText(match: RegExpExecArray, numbers: readonly number[]): string | undefined {
  for (let i = numbers.length - 1; i >= 0; i--) {
    const text = match[numbers[i]!]
    if (text !== undefined) return text
  }
  return undefined
}
