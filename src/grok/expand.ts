/**
 * Turns a grok expression into one Ruby regular expression: each reference becomes a group with the text
 * of its definition, named after the reference (`(?<IP:client>…)`) when it stores a field. Works through a
 * stack of texts instead of rewriting one ever longer text, with the same limit on the number of steps.
 */
import { GrokError } from './grok-error.ts'
import { findReference, type GrokReference } from './reference.ts'

export interface ExpandOptions {
  /** References without a field make no capture. Default true. */
  namedCapturesOnly?: boolean
}

const maxSteps = 10_000
/** Far above any pattern in use; a definition that doubles itself stops here. */
const maxSourceLength = 1_000_000

interface Expansion {
  /** How the group of a reference opens, such as `(?:`. */
  readonly group: string
  /** The text the group holds, which may have references itself. */
  readonly definition: string
}

export function expandGrok(
  expression: string,
  definitions: ReadonlyMap<string, string>,
  { namedCapturesOnly = true }: ExpandOptions = {},
): string {
  // Definitions inside references count from there on, for this expression only.
  let inline: Map<string, string> | undefined
  return expandReferences(
    expression,
    (found) => {
      if (found.definition !== undefined) {
        inline ??= new Map()
        inline.set(found.pattern, found.definition)
      }
      const definition = inline?.get(found.pattern) ?? definitions.get(found.pattern)
      if (definition === undefined) throw new GrokError(`pattern ${found.text} not defined`)
      const group = namedCapturesOnly && !found.name.includes(':') ? '(?:' : `(?<${found.name}>`
      return { group, definition }
    },
    () => new GrokError(`Deep recursion pattern compilation of ${JSON.stringify(expression)}`),
  )
}

/** Replaces references, also those in definitions, by groups. Throws `tooLong()` for what does not come to an end. */
export function expandReferences(
  expression: string,
  resolve: (found: GrokReference) => Expansion,
  tooLong: () => Error,
): string {
  let source = ''
  let steps = 0
  const open: { text: string; at: number }[] = [{ text: expression, at: 0 }]
  while (open.length > 0) {
    const top = open[open.length - 1]!
    const found = findReference(top.text, top.at)
    if (found === undefined) {
      source += top.text.slice(top.at)
      open.pop()
      if (open.length > 0) source += ')'
      continue
    }
    steps += 1
    if (steps > maxSteps || source.length > maxSourceLength) throw tooLong()
    const { group, definition } = resolve(found)
    source += top.text.slice(top.at, found.start) + group
    top.at = found.end
    open.push({ text: definition, at: 0 })
  }
  return source
}
