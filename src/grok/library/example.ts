/** Rows for tests of the library: a line and what a pattern stores of it, in one set or in both. */
import type { PatternSet } from './index.ts'

/** Set, pattern, line, what is stored: fields with their cast. */
export type Example = [set: PatternSet, pattern: string, line: string, fields: Record<string, string>]

export const bothSets = (
  pattern: string,
  line: string,
  legacyFields: Record<string, string>,
  ecsFields: Record<string, string>,
): Example[] => [
  ['legacy', pattern, line, legacyFields],
  ['ecs-v1', pattern, line, ecsFields],
]
