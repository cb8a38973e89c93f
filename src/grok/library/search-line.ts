/** For tests of the library: searches a line with an expression of a set and tells what would be stored. */
import { type CompiledGrok, compileGrok } from '../compile.ts'
import { grokLibrary, type PatternSet } from './index.ts'

/** Field, cast, text. */
export type StoredText = [string, string | null, string]

const compiled = new Map<string, CompiledGrok>()

export function grokOf(set: PatternSet, expression: string): CompiledGrok {
  const key = `${set} ${expression}`
  let result = compiled.get(key)
  if (result === undefined) compiled.set(key, (result = compileGrok(expression, grokLibrary(set))))
  return result
}

/** Texts that are empty are left out, as the grok filter does. */
export function searchLine(
  set: PatternSet,
  expression: string,
  line: string,
): { match: string | null; captures: StoredText[] } {
  const { pattern, captures } = grokOf(set, expression)
  const found = pattern.search(line)
  if (found === null) return { match: null, captures: [] }
  const texts = captures.map(({ field, cast, groups }): StoredText => {
    const group = groups.findLast((number) => found[number] !== undefined)
    return [field, cast, group === undefined ? '' : found[group]!]
  })
  return { match: found[0], captures: texts.filter(([, , text]) => text !== '') }
}
