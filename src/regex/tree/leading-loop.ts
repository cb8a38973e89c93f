/**
 * Finds patterns that start with a greedy `.*`. When such a pattern does not match from the start of a
 * line it does not match from a later place on it either, because the loop could have run up to there.
 * Searching from line starts only makes a failing search linear instead of quadratic, as Onigmo does.
 */
import type { CharSet } from '../chars/char-set.ts'
import { type Node, some } from './tree.ts'

/** `text`: try the start of the text only. `line`: the start of each line. */
export type SearchStart = 'anywhere' | 'line' | 'text'

export function searchStart(root: Node): SearchStart {
  // A reference can make the rest depend on where the loop began.
  if (some(root, ({ type }) => type === 'backreference')) return 'anywhere'
  let first = root
  while (first.type === 'sequence' || first.type === 'capture') {
    const inner = first.type === 'capture' ? first.body : first.items[0]
    if (inner === undefined) return 'anywhere'
    first = inner
  }
  if (first.type !== 'repeat' || first.lazy || first.max !== Infinity || first.min > 1) return 'anywhere'
  return first.body.type === 'set' ? dotKind(first.body.set) : 'anywhere'
}

function dotKind(set: CharSet): SearchStart {
  if (set.kind !== 'union' || !set.negate || set.items.length > 1) return 'anywhere'
  const [left] = set.items
  if (left === undefined) return 'text'
  return left.kind === 'range' && left.from === 0x0a && left.to === 0x0a ? 'line' : 'anywhere'
}
