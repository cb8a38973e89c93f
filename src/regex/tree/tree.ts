/**
 * The pattern as a tree of our own, in which every option is already resolved: a node carries its own
 * `fold` (ignore case), the dot is a set, groups know their number. The emitter, the lint, the literal
 * search and the cost estimate all read this tree and nothing else.
 */
import type { CharSet } from '../chars/char-set.ts'

export type AnchorKind =
  | 'lineStart'
  | 'lineEnd'
  | 'textStart'
  | 'textEnd'
  | 'textEndOrNewline'
  | 'wordBoundary'
  | 'notWordBoundary'

interface CharNode {
  type: 'char'
  code: number
  fold: boolean
}
interface SetNode {
  type: 'set'
  set: CharSet
  fold: boolean
}
interface SequenceNode {
  type: 'sequence'
  items: Node[]
}
interface ChoiceNode {
  type: 'choice'
  options: Node[]
}
interface CaptureNode {
  type: 'capture'
  /** The user's group number, from 1. A group that is called by `\g<...>` has several capture nodes. */
  group: number
  body: Node
}
export interface RepeatNode {
  type: 'repeat'
  min: number
  max: number
  lazy: boolean
  body: Node
}
/** Once matched, the body is not tried in another way: `(?>...)` and possessive quantifiers. */
interface AtomicNode {
  type: 'atomic'
  body: Node
}
interface LookNode {
  type: 'look'
  behind: boolean
  negate: boolean
  body: Node
}
interface AnchorNode {
  type: 'anchor'
  kind: AnchorKind
}
interface BackreferenceNode {
  type: 'backreference'
  /** Candidates, the one to prefer first. */
  groups: number[]
  fold: boolean
}
/** `\R` and `\X`. */
interface NewlineNode {
  type: 'newline'
}
interface GraphemeNode {
  type: 'grapheme'
}
interface FailNode {
  type: 'fail'
}

export type Node =
  | CharNode
  | SetNode
  | SequenceNode
  | ChoiceNode
  | CaptureNode
  | RepeatNode
  | AtomicNode
  | LookNode
  | AnchorNode
  | BackreferenceNode
  | NewlineNode
  | GraphemeNode
  | FailNode

export const empty: SequenceNode = { type: 'sequence', items: [] }
export const fail: FailNode = { type: 'fail' }

export function sequence(items: Node[]): Node {
  const flat: Node[] = []
  for (const item of items) {
    if (item.type === 'sequence') flat.push(...item.items)
    else flat.push(item)
  }
  return flat.length === 1 ? flat[0]! : { type: 'sequence', items: flat }
}

export function choice(options: Node[]): Node {
  return options.length === 1 ? options[0]! : { type: 'choice', options }
}

export function children(node: Node): Node[] {
  switch (node.type) {
    case 'sequence':
      return node.items
    case 'choice':
      return node.options
    case 'capture':
    case 'repeat':
    case 'atomic':
    case 'look':
      return [node.body]
    default:
      return []
  }
}

export function some(node: Node, test: (node: Node) => boolean): boolean {
  return test(node) || children(node).some((child) => some(child, test))
}

/** Whether the node can match without consuming anything (conservative: true when unsure). */
export function isNullable(node: Node): boolean {
  switch (node.type) {
    case 'char':
    case 'set':
    case 'newline':
    case 'grapheme':
    case 'fail':
      return false
    case 'sequence':
      return node.items.every(isNullable)
    case 'choice':
      return node.options.some(isNullable)
    case 'capture':
    case 'atomic':
      return isNullable(node.body)
    case 'repeat':
      return node.min === 0 || isNullable(node.body)
    default:
      return true
  }
}

/** Whether the node can never match; `\g<n>` that calls itself without end becomes such a node. */
export function alwaysFails(node: Node): boolean {
  switch (node.type) {
    case 'fail':
      return true
    case 'sequence':
      return node.items.some(alwaysFails)
    case 'choice':
      return node.options.every(alwaysFails)
    case 'capture':
    case 'atomic':
      return alwaysFails(node.body)
    case 'repeat':
      return node.min > 0 && alwaysFails(node.body)
    default:
      return false
  }
}
