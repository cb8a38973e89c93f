/**
 * grok as the ingest processor of OpenSearch has it: several expressions are alternatives of one search, the texts of
 * captures may become numbers or booleans, and errors have its words.
 */
import { compilePattern, type Pattern, PatternError } from '../regex/pattern.ts'
import { expandReferences } from './expand.ts'
import { GrokError } from './grok-error.ts'
import { grokLibrary } from './library/index.ts'
import { findReference } from './reference.ts'

type Cast = (text: string) => unknown

/** A decimal number is wrapped, because it is written with a point whatever its value. */
const casts: ReadonlyMap<string, Cast> = new Map<string, Cast>([
  ['int', Number],
  ['long', Number],
  ['float', (text) => ({ decimal: Math.fround(Number(text)) })],
  ['double', (text) => ({ decimal: Number(text) })],
  ['boolean', (text) => text.toLowerCase() === 'true'],
])

interface Capture {
  readonly field: string
  readonly cast: Cast | undefined
  readonly groups: readonly number[]
}

interface Compiled {
  readonly pattern: Pattern
  readonly captures: readonly Capture[]
}

type Found = { captures: [string, unknown][]; number: number }

export function ingestGrokPatterns(): Record<string, string> {
  return Object.fromEntries(grokLibrary('legacy'))
}

/** Throws an error whose message has OpenSearch's words. */
export function compileIngestGrok(
  expressions: readonly string[],
  definitions: Readonly<Record<string, string>>,
): (text: string, allMatches: boolean) => Found | undefined {
  const library = new Map([...grokLibrary('legacy'), ...Object.entries(definitions)])
  for (const name of Object.keys(definitions)) checkCircle(name, library, [])
  const compiled = expressions.map((expression) => compileOne(expression, library))
  return (text, allMatches) => {
    // The leftmost match counts, and of those at one place the first expression.
    let best: { index: number; found: Found } | undefined
    for (const [number, { pattern, captures }] of compiled.entries()) {
      const match = pattern.exec(text)
      if (match === null || (best !== undefined && best.index <= match.index)) continue
      best = {
        index: match.index,
        found: { captures: capturesOf(captures, match.groups, allMatches), number },
      }
    }
    return best?.found
  }
}

function capturesOf(
  captures: readonly Capture[],
  texts: readonly (string | undefined)[],
  allMatches: boolean,
): [string, unknown][] {
  return captures.flatMap(({ field, cast, groups }): [string, unknown][] => {
    const values = groups
      .map((group) => texts[group])
      .filter((text) => text !== undefined)
      .map((text) => (cast === undefined ? text : cast(text)))
    if (values.length === 0) return []
    return [[field, allMatches && values.length > 1 ? values : values[0]]]
  })
}

function compileOne(expression: string, library: ReadonlyMap<string, string>): Compiled {
  const names: string[] = []
  const source = expanded(expression, library, names)
  let pattern: Pattern
  try {
    pattern = compilePattern(source, { multiline: true })
  } catch (error) {
    if (!(error instanceof PatternError)) throw error
    throw new GrokError(error.reason)
  }
  const captures = new Map<string, { cast: Cast | undefined; groups: number[] }>()
  for (const [name, groups] of pattern.names) {
    const [field = '', type = ''] = /^__g\d+$/.test(name) ? splitName(names[Number(name.slice(3))]!) : [name]
    const before = captures.get(field) ?? { cast: casts.get(type), groups: [] }
    before.groups.push(...groups)
    captures.set(field, before)
  }
  return {
    pattern,
    captures: [...captures].map(([field, { cast, groups }]) => ({ field, cast, groups })),
  }
}

/** `field:type` */
function splitName(name: string): string[] {
  return name.split(':')
}

/** References become groups `__g0`, `__g1`, …, whose fields and types are in `names`. */
function expanded(expression: string, library: ReadonlyMap<string, string>, names: string[]): string {
  return expandReferences(
    expression,
    (found) => {
      const definition = found.definition ?? library.get(found.pattern)
      if (definition === undefined)
        throw new GrokError(`Unable to find pattern [${found.pattern}] in Grok's pattern dictionary`)
      const [, field = '', type = ''] = found.name.split(':')
      if (field === '') return { group: '(?:', definition }
      names.push(type === '' ? field : `${field}:${type}`)
      return { group: `(?<__g${names.length - 1}>`, definition }
    },
    () => new GrokError('the pattern is too long'),
  )
}

/** `[B][%{A}] back to pattern [A]` */
function checkCircle(name: string, library: ReadonlyMap<string, string>, way: readonly string[]): void {
  const text = library.get(name)
  if (text === undefined) return
  for (let found = findReference(text, 0); found !== undefined; found = findReference(text, found.end)) {
    const { pattern } = found
    if (pattern === name) throw new GrokError(`circular reference in pattern [${name}][${text}]`)
    const [start, ...between] = way
    if (pattern === start) {
      const via = between.length > 0 ? ` via patterns [${between.join('=>')}]` : ''
      throw new GrokError(
        `circular reference in pattern [${name}][${text}] back to pattern [${pattern}]${via}`,
      )
    }
    if (!way.includes(pattern)) checkCircle(pattern, library, [...way, name])
  }
}
