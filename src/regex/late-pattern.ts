/**
 * Patterns for those who may not need any. Translating Ruby's expressions is a fifth of the code a pipeline works
 * with, and many pipelines have none: it is loaded when a configuration is found to need it, before anything of
 * that configuration is compiled. Plugins that always take patterns import `pattern.ts` themselves.
 */
import type { Pattern } from './pattern.ts'

let patterns: typeof import('./pattern.ts') | undefined

export async function loadPatterns(): Promise<void> {
  patterns ??= await import('./pattern.ts')
}

/** `loadPatterns` comes first. */
export function compileLatePattern(source: string): Pattern {
  if (patterns === undefined) throw new Error('the code for regular expressions is not loaded')
  return patterns.compilePattern(source)
}
