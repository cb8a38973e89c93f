/**
 * Texts that every match must contain, in order: `/\[(\d+)\] "GET (.*)"/` needs `[`, then `] "GET `, then
 * `"`. Looking for them with `indexOf` settles most lines that do not match, far faster than the engine.
 */
import { type Node, some } from './tree.ts'

const maxRun = 16
const maxLiterals = 3

export interface RequiredLiterals {
  /** The pattern is this text and nothing else. */
  whole: string | null
  /** The literals worth looking for, in order; empty when a search would not pay. */
  chain: readonly string[]
}

export function requiredLiterals(root: Node): RequiredLiterals {
  const items = root.type === 'sequence' ? root.items : [root]
  if (items.length > 0 && items.every(isPlain)) {
    return { whole: items.map((item) => literalOf(item)).join(''), chain: [] }
  }
  return { whole: null, chain: worthSearching(literalChain(root), root) }
}

/** Whether the literals occur in the text one behind the other. */
export function containsInOrder(text: string, chain: readonly string[]): boolean {
  let from = 0
  for (const literal of chain) {
    const at = text.indexOf(literal, from)
    if (at === -1) return false
    from = at + literal.length
  }
  return true
}

export function literalChain(root: Node): string[] {
  const chain: string[] = []
  let run = ''
  const cut = (): void => {
    if (run !== '') chain.push(run)
    run = ''
  }
  const visit = (node: Node): void => {
    switch (node.type) {
      case 'char':
        if (isPlain(node)) run += literalOf(node)
        else cut()
        return
      case 'sequence':
        for (const item of node.items) visit(item)
        return
      case 'capture':
      case 'atomic':
        visit(node.body)
        return
      case 'repeat':
        if (node.min === node.max && node.min > 0 && node.min <= maxRun && isPlain(node.body)) {
          run += literalOf(node.body).repeat(node.min)
          return
        }
        cut()
        if (node.min > 0) {
          visit(node.body)
          cut()
        }
        return
      case 'look':
      case 'anchor':
        return // zero width: what stands before and behind it stays together
      default:
        cut()
    }
  }
  visit(root)
  cut()
  return chain
}

function worthSearching(chain: string[], root: Node): string[] {
  if (!some(root, ({ type }) => type === 'repeat' || type === 'choice')) return []
  // The engine itself finds out at once that an anchored literal is not there.
  const candidates = startsAnchored(root, true) && startsWithLiteral(root) ? chain.slice(1) : chain
  const long = candidates.filter((literal) => literal.length > 1)
  const kept = long.length > 0 ? long : candidates.filter((literal) => /[^0-9A-Za-z\s]/.test(literal))
  if (kept.length <= maxLiterals) return kept
  const longest = [...kept].sort((a, b) => b.length - a.length).slice(0, maxLiterals)
  const min = longest.at(-1)!.length
  return kept.filter((literal) => literal.length >= min).slice(0, maxLiterals)
}

/** Whether a match can start at the beginning of the text only, or of a line where `lines` allows it. */
export function startsAnchored(node: Node, lines: boolean): boolean {
  switch (node.type) {
    case 'anchor':
      return node.kind === 'textStart' || (lines && node.kind === 'lineStart')
    case 'sequence':
      return node.items.length > 0 && startsAnchored(node.items[0]!, lines)
    case 'choice':
      return node.options.every((option) => startsAnchored(option, lines))
    case 'capture':
    case 'atomic':
      return startsAnchored(node.body, lines)
    default:
      return false
  }
}

function startsWithLiteral(root: Node): boolean {
  if (root.type !== 'sequence') return false
  const first = root.items.find(({ type }) => type !== 'anchor')
  return first !== undefined && isPlain(first)
}

function isPlain(node: Node): boolean {
  if (node.type !== 'char') return false
  if (!node.fold) return true
  const text = String.fromCodePoint(node.code)
  return node.code < 0x80 && text.toLowerCase() === text.toUpperCase()
}

function literalOf(node: Node): string {
  return node.type === 'char' ? String.fromCodePoint(node.code) : ''
}
