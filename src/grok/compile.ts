/** A grok expression ready to run: the pattern behind it and what its groups store. */
import { compilePattern, type Pattern } from '../regex/pattern.ts'
import { capturesOf, type GrokCapture } from './capture.ts'
import { type ExpandOptions, expandGrok } from './expand.ts'

export interface CompiledGrok {
  /** The expression as the user wrote it. */
  readonly expression: string
  readonly pattern: Pattern
  readonly captures: readonly GrokCapture[]
}

interface CompileOptions extends ExpandOptions {
  /** Milliseconds one search may take; 0 for no limit. */
  timeout?: number
}

/** Throws a `GrokError` for names without a definition, a `PatternError` for a bad expression. */
export function compileGrok(
  expression: string,
  definitions: ReadonlyMap<string, string>,
  options: CompileOptions = {},
): CompiledGrok {
  const source = expandGrok(expression, definitions, options)
  // Grok lets the dot match newlines.
  const pattern = compilePattern(source, {
    multiline: true,
    ...(options.timeout !== undefined && { timeout: options.timeout }),
  })
  return { expression, pattern, captures: capturesOf(pattern) }
}
