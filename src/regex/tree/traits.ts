/**
 * What decides which form of a pattern a text needs: characters beyond ASCII and newlines. The answer for
 * the last text is kept, because one value is usually tried against several patterns in a row.
 */
import { asciiMembers, isAscii } from '../chars/char-set.ts'
import { isNullable, type Node, some } from './tree.ts'

export const beyondAscii = 1
export const multipleLines = 2

let lastForAscii = ''
let lastIsAscii = true
let lastForLines = ''
let lastIsSingle = true

/** The traits out of `mask` that the text has; only those are looked for. */
export function textTraits(text: string, mask: number): number {
  let traits = 0
  if ((mask & beyondAscii) !== 0) {
    if (text !== lastForAscii) {
      lastForAscii = text
      lastIsAscii = Buffer.byteLength(text) === text.length
    }
    if (!lastIsAscii) traits = beyondAscii
  }
  if ((mask & multipleLines) !== 0) {
    if (text !== lastForLines) {
      lastForLines = text
      lastIsSingle = !text.includes('\n')
    }
    if (!lastIsSingle) traits |= multipleLines
  }
  return traits
}

/** The traits of a text that matter to a pattern: for the others every form gives the same answer. */
export function sensitivity(root: Node): number {
  let mask = 0
  // An empty match must not fall between the two halves of a character.
  if (isNullable(root) || some(root, caresForCharacters)) mask |= beyondAscii
  if (some(root, caresForLines)) mask |= multipleLines
  return mask
}

function caresForLines(node: Node): boolean {
  return (
    node.type === 'anchor' &&
    (node.kind === 'lineStart' || node.kind === 'lineEnd' || node.kind === 'textEndOrNewline')
  )
}

function caresForCharacters(node: Node): boolean {
  switch (node.type) {
    case 'char':
      return node.code >= 0x80 || (node.fold && foldsBeyondAscii(node.code))
    case 'set': {
      if (!isAscii(node.set)) return true
      return (
        node.fold && asciiMembers(node.set, true).some((inside, code) => inside && foldsBeyondAscii(code))
      )
    }
    case 'anchor':
      return node.kind === 'wordBoundary' || node.kind === 'notWordBoundary'
    case 'backreference':
      return node.fold
    case 'newline':
    case 'grapheme':
      return true
    default:
      return false
  }
}

/** `k` has the Kelvin sign, `s` the long s. */
function foldsBeyondAscii(code: number): boolean {
  return 'kKsS'.includes(String.fromCharCode(code))
}
