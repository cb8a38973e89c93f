/**
 * Deterministic finite automata: a transition table of states by classes of code points. NFAs are
 * determinized by subset construction (Rabin and Scott 1959). That can take exponentially many states, so the
 * work is counted as Lucene's Operations.determinize counts it (the sizes of the visited subsets) and refused
 * beyond a limit.
 */
import type { Nfa } from './nfa.ts'

export class TooComplexError extends Error {}

/** The work that is left, shared by all operations of one expression. */
export interface Work {
  /** Sizes of the subsets that may still be visited. */
  left: number
  /** Transitions, ε-transitions among them, that may still be followed. */
  steps: number
}

/** What one expression may cost at most, whatever it asks for: compilation does not yield to other work. */
const maxWork = 250_000
const maxSteps = 4_000_000

export function workOf(maxDeterminizedStates: number): Work {
  return { left: Math.min(maxDeterminizedStates * 10, maxWork), steps: maxSteps }
}

export interface Dfa {
  /** Class n contains the code points from `bounds[n]` up to, not including, `bounds[n + 1]`. */
  readonly bounds: readonly number[]
  readonly classes: number
  /** Indexed by `state * classes + class`. State 0 is the start; -1 rejects. */
  readonly table: Int32Array
  readonly accepting: Uint8Array
}

const pastLast = 0x110000

function spend(work: Work, amount: number): void {
  work.left -= amount
  if (work.left < 0) throw new TooComplexError()
}

function boundsOf(starts: Set<number>): number[] {
  starts.add(0)
  starts.add(pastLast)
  return [...starts].sort((a, b) => a - b)
}

const maxCells = 4_000_000

export function determinize(nfa: Nfa, work: Work): Dfa {
  const starts = new Set<number>()
  for (const edges of nfa.edges) {
    for (const { from, to } of edges) starts.add(from).add(to + 1)
  }
  const bounds = boundsOf(starts)
  const classes = bounds.length - 1
  const classAt = new Map(bounds.map((bound, index) => [bound, index]))
  const closure = new Closure(nfa, work)
  const sets: (readonly number[])[] = []
  const numbers = new Map<string, number>()
  const rows: Int32Array[] = []
  const numberOf = (set: readonly number[]): number => {
    const key = set.join()
    const known = numbers.get(key)
    if (known !== undefined) return known
    spend(work, set.length + 1)
    numbers.set(key, sets.length)
    sets.push(set)
    return sets.length - 1
  }
  numberOf(closure.of([nfa.start]))
  for (let state = 0; state < sets.length; state++) {
    const buckets: number[][] = Array.from({ length: classes }, () => [])
    for (const member of sets[state]!) {
      for (const { from, to, target } of nfa.edges[member]!) {
        const last = classAt.get(to + 1)!
        for (let at = classAt.get(from)!; at < last; at++) {
          if (--work.steps < 0) throw new TooComplexError()
          buckets[at]!.push(target)
        }
      }
    }
    if (state * classes > maxCells) throw new TooComplexError()
    const row = new Int32Array(classes).fill(-1)
    buckets.forEach((targets, at) => {
      if (targets.length > 0) row[at] = numberOf(closure.of(targets))
    })
    rows.push(row)
  }
  const accepting = Uint8Array.from(sets, (set) => (set.includes(nfa.end) ? 1 : 0))
  return withoutDeadEnds({ bounds, classes, table: joined(rows, classes), accepting })
}

function joined(rows: readonly Int32Array[], classes: number): Int32Array {
  const table = new Int32Array(rows.length * classes)
  rows.forEach((row, index) => {
    table.set(row, index * classes)
  })
  return table
}

/** Computes ε-closures, reduced to the states with edges and the accepting state. */
class Closure {
  readonly #nfa: Nfa
  readonly #seen: Int32Array
  readonly #work: Work
  #round = 0

  constructor(nfa: Nfa, work: Work) {
    this.#nfa = nfa
    this.#work = work
    this.#seen = new Int32Array(nfa.edges.length)
  }

  of(states: readonly number[]): number[] {
    const { edges, jumps, end } = this.#nfa
    const round = ++this.#round
    const members: number[] = []
    const open: number[] = []
    const visit = (state: number): void => {
      if (--this.#work.steps < 0) throw new TooComplexError()
      if (this.#seen[state] === round) return
      this.#seen[state] = round
      open.push(state)
      if (edges[state]!.length > 0 || state === end) members.push(state)
    }
    states.forEach(visit)
    for (let state = open.pop(); state !== undefined; state = open.pop()) jumps[state]!.forEach(visit)
    return members.sort((a, b) => a - b)
  }
}

/** Removes transitions to states from which no accepting state can be reached. */
function withoutDeadEnds(dfa: Dfa): Dfa {
  const { classes, table, accepting } = dfa
  const count = accepting.length
  const before: number[][] = Array.from({ length: count }, () => [])
  table.forEach((target, at) => {
    if (target !== -1) before[target]!.push(Math.floor(at / classes))
  })
  const alive = Uint8Array.from(accepting)
  const open: number[] = []
  alive.forEach((is, state) => {
    if (is === 1) open.push(state)
  })
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    for (const previous of before[state]!) {
      if (alive[previous] === 1) continue
      alive[previous] = 1
      open.push(previous)
    }
  }
  return { ...dfa, table: table.map((target) => (target !== -1 && alive[target] === 1 ? target : -1)) }
}

export function complementOf(dfa: Dfa): Dfa {
  const { classes, table, accepting } = dfa
  const sink = accepting.length
  const whole = new Int32Array((sink + 1) * classes).fill(sink)
  table.forEach((target, at) => {
    if (target !== -1) whole[at] = target
  })
  const flipped = new Uint8Array(sink + 1).fill(1)
  accepting.forEach((is, state) => {
    flipped[state] = 1 - is
  })
  return withoutDeadEnds({ ...dfa, table: whole, accepting: flipped })
}

export function intersectionOf(one: Dfa, other: Dfa, work: Work): Dfa {
  const bounds = boundsOf(new Set([...one.bounds, ...other.bounds]))
  const classes = bounds.length - 1
  const inOne = bounds.map((bound) => classOf(one, bound))
  const inOther = bounds.map((bound) => classOf(other, bound))
  const pairs: (readonly [number, number])[] = [[0, 0]]
  const numbers = new Map([[0, 0]])
  const rows: Int32Array[] = []
  for (let state = 0; state < pairs.length; state++) {
    const [left, right] = pairs[state]!
    spend(work, 2)
    if (state * classes > maxCells) throw new TooComplexError()
    const row = new Int32Array(classes).fill(-1)
    for (let at = 0; at < classes; at++) {
      const first = one.table[left * one.classes + inOne[at]!]!
      const second = other.table[right * other.classes + inOther[at]!]!
      if (first === -1 || second === -1) continue
      const key = first * other.accepting.length + second
      let number = numbers.get(key)
      if (number === undefined) {
        number = pairs.length
        numbers.set(key, number)
        pairs.push([first, second])
      }
      row[at] = number
    }
    rows.push(row)
  }
  const accepting = Uint8Array.from(pairs, ([left, right]) => one.accepting[left]! & other.accepting[right]!)
  return withoutDeadEnds({ bounds, classes, table: joined(rows, classes), accepting })
}

export function classOf({ bounds, classes }: Dfa, point: number): number {
  let low = 0
  let high = classes
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (bounds[middle]! <= point) low = middle
    else high = middle
  }
  return low
}
