/**
 * Up to which length of text a search can be trusted to stay below the backtrack limit. An upper bound
 * of the ways to match is `factor * n^degree`: each loop without end adds one to the degree, options and
 * counted loops multiply the factor, and a loop around something with several ways has no such bound. Up
 * to the length found here "no match" needs no second look.
 */
import type { SearchStart } from './leading-loop.ts'
import { startsAnchored } from './required-literal.ts'
import { children, type Node } from './tree.ts'

interface Ways {
  factor: number
  degree: number
}

const one: Ways = { factor: 1, degree: 0 }

export function safeLength(
  root: Node,
  start: SearchStart,
  backtrackLimit: number,
  singleLine: boolean,
): number {
  const { factor, degree } = waysOf(root)
  const steps = factor * nodeCount(root) * 2
  const power = degree + (isTriedOnce(root, start, singleLine) ? 0 : 1)
  const length =
    power === 0 ? (steps <= backtrackLimit ? Infinity : 0) : (backtrackLimit / steps) ** (1 / power)
  return Math.floor(length)
}

/** Whether the engine tries one place of the text only. */
function isTriedOnce(root: Node, start: SearchStart, singleLine: boolean): boolean {
  return start === 'text' || (singleLine && start === 'line') || startsAnchored(root, singleLine)
}

function waysOf(node: Node): Ways {
  switch (node.type) {
    case 'sequence':
      return node.items.map(waysOf).reduce(both, one)
    case 'choice': {
      const options = node.options.map(waysOf)
      return {
        factor: options.reduce((sum, { factor }) => sum + factor, 0),
        degree: Math.max(0, ...options.map(({ degree }) => degree)),
      }
    }
    case 'capture':
    case 'atomic':
    case 'look':
      return waysOf(node.body)
    case 'repeat': {
      const body = waysOf(node.body)
      const oneWay = body.factor === 1 && body.degree === 0
      if (node.max === Infinity) return oneWay ? { factor: 1, degree: 1 } : { factor: Infinity, degree: 0 }
      const rounds = node.max - node.min + 1
      if (oneWay) return { factor: rounds, degree: 0 }
      return { factor: rounds * body.factor ** node.max, degree: body.degree * node.max }
    }
    default:
      return one
  }
}

function both(a: Ways, b: Ways): Ways {
  return { factor: a.factor * b.factor, degree: a.degree + b.degree }
}

function nodeCount(node: Node): number {
  return children(node).reduce((sum, child) => sum + nodeCount(child), 1)
}
