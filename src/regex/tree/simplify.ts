/**
 * Rewrites of the tree that keep every match and every capture as they are and take work off the engine:
 *   `(?:X+)+` and its kin become `X*` or `X+` (else exponential),
 *   `(?>X)` becomes `X` where there is only one way to match X, or where giving a character back could
 *   not help because the next item does not accept it.
 */
import { firstSet, overlaps } from './first-set.ts'
import { choice, isNullable, type Node, type RepeatNode, sequence } from './tree.ts'

export function simplify(node: Node): Node {
  switch (node.type) {
    case 'sequence':
      return simplifySequence(node.items.map(simplify))
    case 'choice':
      return choice(node.options.map(simplify))
    case 'capture':
      return { ...node, body: simplify(node.body) }
    case 'look':
      return { ...node, body: simplify(node.body) }
    case 'repeat':
      return mergeLoops({ ...node, body: simplify(node.body) })
    case 'atomic': {
      const body = simplify(node.body)
      return hasOneWay(body) ? body : { type: 'atomic', body }
    }
    default:
      return node
  }
}

function simplifySequence(items: Node[]): Node {
  const kept = items.map((item, i) => {
    const next = items[i + 1]
    if (item.type !== 'atomic' || item.body.type !== 'repeat' || next === undefined) return item
    const loop = item.body
    if (!isOneCharacter(loop.body) || loop.lazy || isNullable(next)) return item
    return overlaps(firstSet(loop.body), firstSet(next)) ? item : loop
  })
  return sequence(kept)
}

/** A greedy loop around a greedy loop over one character accepts what the inner loop accepts. */
function mergeLoops(outer: RepeatNode): Node {
  const inner = outer.body
  if (inner.type !== 'repeat' || outer.lazy || inner.lazy || !isOneCharacter(inner.body)) return outer
  if (outer.min > 1 || inner.min > 1 || inner.max !== Infinity || outer.max < 1) return outer
  return { ...inner, min: outer.min * inner.min }
}

function isOneCharacter(node: Node): boolean {
  return node.type === 'char' || node.type === 'set'
}

/** Whether the engine, having matched the node at a place, could not match it there in another way. */
function hasOneWay(node: Node): boolean {
  switch (node.type) {
    case 'char':
    case 'set':
    case 'anchor':
    case 'look':
    case 'newline':
    case 'fail':
    case 'atomic':
      return true
    case 'sequence':
      return node.items.every(hasOneWay)
    case 'capture':
      return hasOneWay(node.body)
    case 'repeat':
      return node.min === node.max && hasOneWay(node.body) && !isNullable(node.body)
    case 'choice': {
      if (!node.options.every((option) => hasOneWay(option) && !isNullable(option))) return false
      const sets = node.options.map(firstSet)
      return sets.every((set, i) => sets.every((other, j) => j <= i || !overlaps(set, other)))
    }
    default:
      return false
  }
}
