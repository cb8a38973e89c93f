/**
 * Names the parts of a pattern that can make a search explode: loops inside loops that can share the same
 * text in many ways, alternatives of a loop that accept the same text, loops side by side over the same
 * characters. It judges by character sets and errs on the side of silence for parts that cannot fail.
 */
import { emit, numberGroups } from '../emit.ts'
import type { PatternFlags } from '../pattern-error.ts'
import { translate } from '../translate.ts'
import { allCharacters, canMatchWithin, firstSet, meet, overlaps } from './first-set.ts'
import { children, isNullable, type Node, type RepeatNode, sequence } from './tree.ts'

export interface Danger {
  kind: 'nested' | 'alternatives' | 'adjacent'
  /** Time doubles with each further character; otherwise it grows like a power of the length. */
  exponential: boolean
  /** The part in question, in JavaScript notation. */
  part: string
  explanation: string
}

/** Loops of fewer rounds than this cannot do much harm. */
const manyRounds = 10
const maxDangers = 10

export function lintPattern(source: string, flags: PatternFlags = {}): Danger[] {
  return findDangers(translate(source, flags).tree)
}

export function findDangers(root: Node): Danger[] {
  const dangers: Danger[] = []
  visit(root, true, dangers)
  return dangers
}

/** `last`: nothing behind the node can fail, so the engine never comes back to it. */
function visit(node: Node, last: boolean, dangers: Danger[]): void {
  if (dangers.length >= maxDangers) return
  switch (node.type) {
    case 'sequence':
      node.items.forEach((item, i) => {
        visit(item, last && i === node.items.length - 1, dangers)
      })
      findAdjacent(node.items, last, dangers)
      return
    case 'repeat':
      if (isLong(node) && !last) inspectLoop(node, dangers)
      visit(node.body, false, dangers)
      return
    case 'atomic':
    case 'look':
      visit(node.body, true, dangers)
      return
    default:
      for (const child of children(node)) visit(child, last, dangers)
  }
}

function isLong(node: RepeatNode): boolean {
  return node.max - node.min >= manyRounds - 1
}

function inspectLoop(loop: RepeatNode, dangers: Danger[]): void {
  const inner = innerLoops(loop.body, [])
  const shared = inner.find(({ loop: found, around }) => {
    const characters = allCharacters(found.body)
    return around.every((item) => canMatchWithin(item, characters))
  })
  if (shared !== undefined) {
    dangers.push({
      kind: 'nested',
      exponential: true,
      part: partText(loop),
      explanation: `the inner loop ${partText(shared.loop)} and the loop around it can divide the same text in very many ways`,
    })
    return
  }
  const pair = sharedAlternatives(loop.body)
  if (pair !== undefined) {
    dangers.push({
      kind: 'alternatives',
      exponential: true,
      part: partText(loop),
      explanation: `the alternatives ${partText(pair[0])} and ${partText(pair[1])} of the loop accept the same text`,
    })
  }
}

interface InnerLoop {
  loop: RepeatNode
  /** What must be matched between one run of the inner loop and the next. */
  around: Node[]
}

function innerLoops(node: Node, around: Node[]): InnerLoop[] {
  switch (node.type) {
    case 'repeat':
      if (isLong(node)) return [{ loop: node, around }, ...innerLoops(node.body, around)]
      return innerLoops(node.body, around)
    case 'sequence':
      // Most items are single characters: for those nothing is put together.
      return node.items.flatMap((item, i) =>
        hasParts(item) ? innerLoops(item, [...around, ...node.items.filter((_, j) => j !== i)]) : [],
      )
    case 'choice':
      return node.options.flatMap((option) => innerLoops(option, around))
    case 'capture':
      return innerLoops(node.body, around)
    default:
      return []
  }
}

function hasParts({ type }: Node): boolean {
  return type === 'repeat' || type === 'sequence' || type === 'choice' || type === 'capture'
}

function sharedAlternatives(node: Node): [Node, Node] | undefined {
  if (node.type === 'capture') return sharedAlternatives(node.body)
  if (node.type !== 'choice') return undefined
  for (const [i, left] of node.options.entries()) {
    for (const right of node.options.slice(i + 1)) {
      const common = meet(firstSet(left), firstSet(right))
      if (!overlaps(common, common)) continue
      if (isNullable(left) || isNullable(right)) continue
      if (canMatchWithin(left, common) && canMatchWithin(right, common)) return [left, right]
    }
  }
  return undefined
}

/** `\s+\s*`, `.*.*`: with what follows failing, every split between the two is tried. */
function findAdjacent(items: Node[], last: boolean, dangers: Danger[]): void {
  const loops = items.map((item) => (item.type === 'capture' ? item.body : item))
  for (const [i, left] of loops.entries()) {
    if (left.type !== 'repeat' || !isLong(left)) continue
    for (let j = i + 1; j < loops.length; j++) {
      const right = loops[j]!
      if (right.type === 'repeat' && isLong(right)) {
        const common = meet(allCharacters(left.body), allCharacters(right.body))
        const shared =
          overlaps(common, common) && canMatchWithin(left.body, common) && canMatchWithin(right.body, common)
        if (shared && !(last && j === loops.length - 1) && dangers.length < maxDangers) {
          dangers.push({
            kind: 'adjacent',
            exponential: false,
            part: partText(sequence(items.slice(i, j + 1))),
            explanation: `the loops ${partText(left)} and ${partText(right)} stand side by side and accept the same characters`,
          })
          break
        }
      }
      if (!isNullable(right)) break
    }
  }
}

function partText(node: Node): string {
  const groups = 1 + highestGroup(node)
  return emit(node, { ascii: true, singleLine: true }, numberGroups(node, groups), false)
}

function highestGroup(node: Node): number {
  return Math.max(node.type === 'capture' ? node.group : 0, ...children(node).map(highestGroup))
}
