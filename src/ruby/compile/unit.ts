/**
 * One text being compiled: its source, the program it belongs to, the problems found. Handlers for the kinds of
 * nodes register themselves; a kind without a handler is outside of what we support, and says so by its name.
 */
import type { Node } from '@ruby/prism/src/nodes.js'
import type { MainObject } from '../main-object.ts'
import { kindOf, type RubySource } from '../prism.ts'
import type { RubyValue } from '../ruby-class.ts'
import { adviceFor } from './advice.ts'
import type { Run, Scope } from './scope.ts'

/** What all texts of one program share. */
export interface ProgramContext {
  readonly main: MainObject
  /** Methods that some text of the program defines. */
  readonly methods: ReadonlySet<string>
  /** Constants that some text of the program sets. */
  readonly constantNames: ReadonlySet<string>
  /** Strings have an identity, because the program changes some in place. */
  readonly changesStrings: boolean
  readonly globals: Map<string, RubyValue>
  readonly classVariables: Map<string, RubyValue>
  readonly constants: Map<string, RubyValue>
}

interface Problem {
  readonly line: number
  readonly message: string
}

export class Unit {
  readonly source: RubySource
  readonly program: ProgramContext
  readonly problems: Problem[] = []
  readonly fileName: string

  constructor(source: RubySource, program: ProgramContext, fileName: string) {
    this.source = source
    this.program = program
    this.fileName = fileName
  }

  #tolerated = 0

  /** True where the program itself reckons with a method or constant that is not there. */
  get tolerates(): boolean {
    return this.#tolerated > 0
  }

  /** What is compiled inside may name what nobody has: it raises when it runs, as in Ruby. */
  tolerating<T>(does: boolean, work: () => T): T {
    if (!does) return work()
    this.#tolerated += 1
    try {
      return work()
    } finally {
      this.#tolerated -= 1
    }
  }

  /** Notes something we cannot run; compiling goes on, so that all of it is reported. */
  unsupported(node: Node, what: string): Run {
    const instead = adviceFor(what)
    const message = `${what} is not supported${instead === undefined ? '' : `; ${instead}`}`
    this.problems.push({ line: this.source.lineOf(node), message })
    return () => null
  }
}

/** `signals`: a jump may travel as a result, because only statements lie between here and its target. */
type Handler<T> = (node: T, scope: Scope, signals: boolean) => Run

type NodeType<T> = abstract new (...args: never[]) => T

const handlers = new Map<unknown, Handler<never>>()

export function on<T extends Node>(type: NodeType<T>, handler: Handler<T>): void {
  handlers.set(type, handler as Handler<never>)
}

export function compile(node: Node | null, scope: Scope, signals = false): Run {
  if (node === null) return () => null
  const handler = handlers.get(node.constructor) as Handler<Node> | undefined
  if (handler === undefined) return scope.unit.unsupported(node, `\`${constructName(node)}\``)
  return handler(node, scope, signals)
}

/** `WhileNode` is a `while`, `SingletonClassNode` a `singleton class`. */
function constructName(node: Node): string {
  return kindOf(node)
    .replace(/Node$/, '')
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
}
