/**
 * Decides how ignored case is written: with the `i` flag when it holds for every letter of the pattern,
 * letter by letter (`[aA]`) when it holds for a part, because this engine has no flags inside a pattern.
 */

import { type Node, some } from '../tree/tree.ts'
import type { CharSet } from './char-set.ts'

/** Whether the `i` flag says what the tree says, for ASCII texts or for all. */
export function needsCaseFlag(root: Node, ascii: boolean): boolean {
  return (
    some(root, (node) => 'fold' in node && node.fold && hasCase(node, ascii)) &&
    !some(root, (node) => 'fold' in node && (!node.fold || keepsCase(node, ascii)) && hasCase(node, ascii))
  )
}

/** Whether ignoring case makes a difference to the node. */
function hasCase(node: Node, ascii: boolean): boolean {
  switch (node.type) {
    case 'char':
      return isCased(node.code)
    case 'set':
      return setHasCase(node.set, ascii)
    default:
      return node.type === 'backreference'
  }
}

/** A part of the set is as it is under `(?i)` too; within ASCII it already holds both cases. */
function keepsCase(node: Node, ascii: boolean): boolean {
  return !ascii && node.type === 'set' && setKeepsCase(node.set)
}

function setKeepsCase(set: CharSet): boolean {
  return 'items' in set && (set.keepsCase === true || set.items.some(setKeepsCase))
}

function isCased(code: number): boolean {
  const text = String.fromCodePoint(code)
  return text.toLowerCase() !== text.toUpperCase()
}

function setHasCase(set: CharSet, ascii: boolean): boolean {
  switch (set.kind) {
    case 'range':
      if (set.to >= 0x80) return set.from !== set.to || isCased(set.from)
      return (set.from <= 0x5a && set.to >= 0x41) || (set.from <= 0x7a && set.to >= 0x61)
    case 'property':
      return true
    default:
      return !(ascii && set.keepsCase) && set.items.some((item) => setHasCase(item, ascii))
  }
}
