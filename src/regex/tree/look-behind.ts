/**
 * Ruby accepts in a look-behind only what has a known length: alternatives of different length on the top
 * level, no groups that capture inside a negative one, no look-ahead, no backreference.
 */
import { children, type Node } from './tree.ts'

/** Whether Ruby refuses a look-behind somewhere in the tree. */
export function hasInvalidLookBehind(node: Node): boolean {
  if (node.type === 'look' && node.behind && !isValid(node.body, node.negate)) return true
  return children(node).some(hasInvalidLookBehind)
}

function isValid(body: Node, negate: boolean): boolean {
  if (!isAllowed(body, negate)) return false
  const options = body.type === 'choice' ? body.options : [body]
  return options.every((option) => fixedLength(option) !== null)
}

function isAllowed(node: Node, negate: boolean): boolean {
  if (node.type === 'backreference' || node.type === 'newline' || node.type === 'grapheme') return false
  if (node.type === 'atomic' || (node.type === 'look' && !node.behind)) return false
  if (node.type === 'capture' && negate) return false
  return children(node).every((child) => isAllowed(child, negate))
}

function fixedLength(node: Node): number | null {
  switch (node.type) {
    case 'char':
    case 'set':
      return 1
    case 'sequence': {
      let total = 0
      for (const item of node.items) {
        const length = fixedLength(item)
        if (length === null) return null
        total += length
      }
      return total
    }
    case 'choice': {
      const lengths = node.options.map(fixedLength)
      if (isLigature(node.options)) return lengths[0] ?? null
      return lengths.every((length) => length === lengths[0]) ? (lengths[0] ?? 0) : null
    }
    case 'capture':
    case 'atomic':
      return fixedLength(node.body)
    case 'repeat': {
      const length = node.min === node.max ? fixedLength(node.body) : null
      return length === null ? null : length * node.min
    }
    case 'newline':
    case 'grapheme':
    case 'backreference':
      return null
    default:
      return 0
  }
}

/** `ss` beside `ß` is our own writing of ignored case and of no concern to this rule. */
function isLigature(options: Node[]): boolean {
  return options.some((option) => option.type === 'char' && option.fold && option.code >= 0x80)
}
