/**
 * A regular expression as a nondeterministic finite automaton over code points, built by Thompson's
 * construction: every fragment has one start and one end state. Complement and intersection are computed on
 * DFAs, which are then embedded as fragments.
 */

import { intervalTree } from './decimal-interval.ts'
import { complementOf, type Dfa, determinize, intersectionOf, TooComplexError, type Work } from './dfa.ts'
import { type CharacterSet, type RegexpTree, withOtherCase } from './regexp-syntax.ts'

interface Edge {
  readonly from: number
  readonly to: number
  readonly target: number
}

/** Bounds the copies that nested repetitions such as `(a{1000}){1000}` make. */
const maxStates = 100_000

export class Nfa {
  readonly edges: Edge[][] = []
  /** ε-transitions by state. */
  readonly jumps: number[][] = []
  readonly start: number
  readonly end: number

  constructor(tree: RegexpTree, caseInsensitive: boolean, work: Work) {
    const builder = new Builder(this, caseInsensitive, work)
    this.start = builder.state()
    this.end = builder.add(tree, this.start)
  }
}

class Builder {
  readonly #nfa: Nfa
  readonly #caseInsensitive: boolean
  readonly #work: Work

  constructor(nfa: Nfa, caseInsensitive: boolean, work: Work) {
    this.#nfa = nfa
    this.#caseInsensitive = caseInsensitive
    this.#work = work
  }

  state(): number {
    const { edges, jumps } = this.#nfa
    if (edges.length >= maxStates) throw new TooComplexError()
    edges.push([])
    jumps.push([])
    return edges.length - 1
  }

  #edges(from: number, ranges: CharacterSet): number {
    const target = this.state()
    const edges = this.#nfa.edges[from]!
    for (const [low, high] of ranges) edges.push({ from: low, to: high, target })
    return target
  }

  #edge(from: number, point: number): number {
    const single: CharacterSet = [[point, point]]
    return this.#edges(from, this.#caseInsensitive ? withOtherCase(single) : single)
  }

  #jump(from: number, to: number): void {
    this.#nfa.jumps[from]!.push(to)
  }

  /** Appends the fragment of a tree after a state; returns its end state, which has no transitions yet. */
  add(tree: RegexpTree, start: number): number {
    switch (tree.type) {
      case 'set':
        return this.#edges(start, tree.ranges)
      case 'text':
        return tree.points.reduce((at, point) => this.#edge(at, point), this.#after(start))
      case 'concat':
        return tree.parts.reduce((at, part) => this.add(part, at), start)
      case 'union': {
        const end = this.state()
        for (const part of tree.parts) this.#jump(this.add(part, this.#after(start)), end)
        return end
      }
      case 'repeat':
        return this.#repeat(tree.part, tree.min, tree.max, start)
      case 'nothing':
        return this.state()
      case 'interval':
        return this.add(intervalTree(tree.min, tree.max, tree.digits), start)
      case 'complement':
        return this.#embed(complementOf(this.#dfa(tree.part)), start)
      case 'intersection': {
        const [first, ...others] = tree.parts.map((part) => this.#dfa(part))
        return this.#embed(
          others.reduce((all, dfa) => intersectionOf(all, dfa, this.#work), first!),
          start,
        )
      }
    }
  }

  #dfa(tree: RegexpTree): Dfa {
    return determinize(new Nfa(tree, this.#caseInsensitive, this.#work), this.#work)
  }

  #after(state: number): number {
    const next = this.state()
    this.#jump(state, next)
    return next
  }

  #repeat(part: RegexpTree, min: number, max: number, start: number): number {
    let at = this.#after(start)
    for (let times = 0; times < min; times++) at = this.add(part, at)
    if (max === Number.POSITIVE_INFINITY) {
      const loop = this.#after(at)
      const back = this.add(part, loop)
      this.#jump(back, loop)
      return this.#after(loop)
    }
    const end = this.state()
    for (let times = min; times < max; times++) {
      this.#jump(at, end)
      at = this.add(part, at)
    }
    this.#jump(at, end)
    return end
  }

  #embed(dfa: Dfa, start: number): number {
    const first = this.#nfa.edges.length
    for (let state = 0; state < dfa.accepting.length; state++) this.state()
    const end = this.state()
    this.#jump(start, first)
    const { classes, bounds, table, accepting } = dfa
    for (let state = 0; state < accepting.length; state++) {
      if (accepting[state] === 1) this.#jump(first + state, end)
      for (let at = 0; at < classes; ) {
        const target = table[state * classes + at]!
        let next = at + 1
        while (next < classes && table[state * classes + next] === target) next++
        if (target !== -1) {
          this.#nfa.edges[first + state]!.push({
            from: bounds[at]!,
            to: bounds[next]! - 1,
            target: first + target,
          })
        }
        at = next
      }
    }
    return end
  }
}
