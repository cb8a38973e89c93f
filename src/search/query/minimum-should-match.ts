/**
 * How many of the optional clauses must match: `3`, `-2` (all but two), `75%`, `-25%`, and with conditions
 * `2<75%` (up to two clauses all of them, above that 75 %), several of those from small to large.
 */
import { illegalArgument } from '../request/errors.ts'

/** Never below 0; may be more than there are clauses, and then nothing matches. */
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
  // In 32-bit floats, as Lucene computes it, then cut off.
  const share = Math.trunc(
    Math.fround(Math.fround(optional * integer(text.slice(0, -1))) * Math.fround(1 / 100)),
  )
  return share < 0 ? optional + share : share
}

function integer(text: string): number {
  if (!/^[+-]?\d{1,10}$/.test(text) || Math.abs(Number(text)) > 2_147_483_647) {
    throw illegalArgument(`For input string: "${text}"`)
  }
  return Number(text)
}
