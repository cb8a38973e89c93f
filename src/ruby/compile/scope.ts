/**
 * Local variables have numbered places: a frame holds those of one running method, block or program, a scope
 * knows their numbers while code is compiled. Compiled code is a function of the frame.
 */
import type { Proc } from '../proc.ts'
import type { RubyValue } from '../ruby-class.ts'
import type { Unit } from './unit.ts'

export type Run = (frame: Frame) => RubyValue

/** One call of a method, lambda or program: where `return` goes back to, and the block `yield` calls. */
export class Activation {
  readonly block: Proc | null

  constructor(block: Proc | null) {
    this.block = block
  }
}

export class Frame {
  readonly vars: RubyValue[]
  readonly parent: Frame | null
  readonly activation: Activation
  /** The proc this frame runs: `break` ends the call that was given it. */
  proc: Proc | null = null

  constructor(size: number, parent: Frame | null, activation: Activation) {
    const vars: RubyValue[] = []
    for (let i = 0; i < size; i++) vars.push(null)
    this.vars = vars
    this.parent = parent
    this.activation = activation
  }
}

type ScopeKind = 'program' | 'method' | 'block' | 'lambda'

export class Scope {
  readonly kind: ScopeKind
  readonly unit: Unit
  readonly parent: Scope | null
  readonly #places = new Map<string, number>()
  /** Nesting of `while` and `for` at the place being compiled. */
  loops = 0
  /** Within a loop that stands in an expression: a `return` cannot travel as a result. */
  throwsReturn = false
  /** What code of this scope throws to its own end; nobody else pays for catching it. */
  readonly thrown = { next: false, break: false, return: false }
  /** Jumps compiled so far that travel as results. */
  signals = 0
  methodName: string | null

  constructor(
    kind: ScopeKind,
    unit: Unit,
    parent: Scope | null,
    locals: readonly string[],
    methodName?: string,
  ) {
    this.kind = kind
    this.unit = unit
    this.parent = parent
    this.methodName = methodName ?? parent?.methodName ?? null
    for (const name of locals) this.declare(name)
  }

  get size(): number {
    return this.#places.size
  }

  declare(name: string): number {
    const known = this.#places.get(name)
    if (known !== undefined) return known
    const place = this.#places.size
    this.#places.set(name, place)
    return place
  }

  place(name: string): number {
    return this.#places.get(name) ?? this.declare(name)
  }

  has(name: string): boolean {
    return this.#places.has(name)
  }

  /** The scope of the method, lambda or program around. */
  get home(): Scope {
    return this.kind === 'block' ? this.parent!.home : this
  }

  /** The scope so many levels out. */
  outer(depth: number): Scope {
    return depth === 0 || this.parent === null ? this : this.parent.outer(depth - 1)
  }
}

export function frameAt(frame: Frame, depth: number): Frame {
  let at = frame
  for (let i = 0; i < depth; i++) at = at.parent!
  return at
}
