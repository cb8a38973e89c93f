/**
 * Parses `minimum_should_match`: `3`, `-2` (all but two), `75%`, `-25%`, and conditions such as `2<75%` (all
 * of up to two clauses, 75 % of more), several of them in rising order.
 */
import { illegalArgument } from '../request/errors.ts'

/** Never negative; may exceed the number of clauses, and then nothing matches. */
export function minimumShouldMatch(optional: number, specification: string | number): number {
  const text = String(specification).trim()
  if (!text.includes('<')) return Math.max(0, simple(optional, text))
  let required = optional
  for (const condition of text.replace(/\s+<\s*|\s*<\s+/g, '<').split(/\s+/)) {
    const [bound = '', then = ''] = condition.split('<')
    if (optional <= integer(bound)) break
    required = minimumShouldMatch(optional, then)
  }
  return required
}

function simple(optional: number, text: string): number {
  if (!text.includes('%')) {
    const count = integer(text)
    return count < 0 ? optional + count : count
  }
  // Computed in 32-bit floats and truncated, as in Lucene.
  const share = Math.fround(Math.fround(optional * integer(text.slice(0, -1))) * Math.fround(1 / 100))
  return share < 0 ? optional + Math.trunc(share) : Math.trunc(share)
}

function integer(text: string): number {
  if (!/^[+-]?\d{1,10}$/.test(text) || Math.abs(Number(text)) > 2_147_483_647) {
    throw illegalArgument(`For input string: "${text}"`)
  }
  return Number(text)
}
