/**
 * Which characters a node can start with, and which it can be made of: 128 flags for ASCII and one for
 * everything else. Two sets that do not overlap here can never accept the same character.
 */
import { asciiMembers, type CharSet, isAscii } from '../chars/char-set.ts'
import { children, isNullable, type Node } from './tree.ts'

interface Characters {
  ascii: readonly boolean[]
  beyond: boolean
}

const everything: Characters = { ascii: Array<boolean>(128).fill(true), beyond: true }
const nothing: Characters = { ascii: Array<boolean>(128).fill(false), beyond: false }

const seen = new WeakMap<Node, Characters>()

/** Characters that can be the first one of a match (all characters when unsure). */
export function firstSet(node: Node): Characters {
  switch (node.type) {
    case 'char':
    case 'set':
      return characterSet(node)
    case 'fail':
      return nothing
    case 'sequence': {
      let result = nothing
      for (const item of node.items) {
        if (item.type === 'anchor' || item.type === 'look') continue
        result = join(result, firstSet(item))
        if (!isNullable(item)) break
      }
      return result
    }
    case 'choice':
      return node.options.map(firstSet).reduce(join, nothing)
    case 'capture':
    case 'repeat':
    case 'atomic':
      return firstSet(node.body)
    case 'anchor':
    case 'look':
      return nothing
    default:
      return everything
  }
}

/** The characters of a `char` or `set` node. */
function characterSet(node: Node & { type: 'char' | 'set' }): Characters {
  let result = seen.get(node)
  if (result !== undefined) return result
  const set: CharSet = node.type === 'char' ? { kind: 'range', from: node.code, to: node.code } : node.set
  result = { ascii: asciiMembers(set, node.fold), beyond: node.fold || !isAscii(set) }
  seen.set(node, result)
  return result
}

/** Whether the node can match some text, possibly empty, that is made of the given characters only. */
export function canMatchWithin(node: Node, allowed: Characters): boolean {
  switch (node.type) {
    case 'char':
    case 'set':
      return overlaps(characterSet(node), allowed)
    case 'sequence':
      return node.items.every((item) => canMatchWithin(item, allowed))
    case 'choice':
      return node.options.some((option) => canMatchWithin(option, allowed))
    case 'capture':
    case 'atomic':
      return canMatchWithin(node.body, allowed)
    case 'repeat':
      return node.min === 0 || canMatchWithin(node.body, allowed)
    case 'fail':
      return false
    default:
      return true
  }
}

export function overlaps(a: Characters, b: Characters): boolean {
  return (a.beyond && b.beyond) || a.ascii.some((inside, code) => inside && b.ascii[code])
}

export function meet(a: Characters, b: Characters): Characters {
  return {
    ascii: a.ascii.map((inside, code) => inside && b.ascii[code] === true),
    beyond: a.beyond && b.beyond,
  }
}

function join(a: Characters, b: Characters): Characters {
  return {
    ascii: a.ascii.map((inside, code) => inside || b.ascii[code] === true),
    beyond: a.beyond || b.beyond,
  }
}

/** Union of all characters that occur in a node. */
export function allCharacters(node: Node): Characters {
  if (node.type === 'char' || node.type === 'set') return characterSet(node)
  if (node.type === 'look' || node.type === 'anchor') return nothing
  const inner = children(node)
  if (inner.length === 0) return node.type === 'sequence' || node.type === 'fail' ? nothing : everything
  return inner.map(allCharacters).reduce(join, nothing)
}
