/**
 * Ruby's own parser, compiled to WebAssembly. It is loaded on first use, once per thread, and synchronously:
 * plugins are created and checked in one go. The module was built for WASI but needs nothing of it while
 * parsing, so its imports are answered here instead of by `node:wasi`.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Location, Node } from '@ruby/prism/src/nodes.js'
import * as nodes from '@ruby/prism/src/nodes.js'
import { parsePrism } from '@ruby/prism/src/parsePrism.js'

/** Just what we use of the global WebAssembly object; the compiler's standard library does not know it. */
declare const WebAssembly: {
  Module: { new (bytes: Uint8Array): object; imports(module: object): { name: string }[] }
  Instance: new (module: object, imports: object) => { exports: Record<string, unknown> }
}

/** Kinds of nodes by the names under which the parser exports them: a bundler may rename the classes themselves. */
const kinds = new Map<unknown, string>(Object.entries(nodes).map(([name, type]) => [type, name]))

/** `CallNode`, `IfNode` … */
export function kindOf(node: Node): string {
  return kinds.get(node.constructor) ?? node.constructor.name
}

interface SyntaxProblem {
  readonly line: number
  readonly message: string
}

/** A parsed text: the tree and where its nodes stand. */
export class RubySource {
  readonly tree: nodes.ProgramNode
  readonly problems: readonly SyntaxProblem[]
  readonly #bytes: Buffer
  readonly #lineStarts: number[] = [0]

  constructor(text: string, locals: readonly string[]) {
    this.#bytes = Buffer.from(text, 'utf8')
    for (let at = this.#bytes.indexOf(10); at >= 0; at = this.#bytes.indexOf(10, at + 1))
      this.#lineStarts.push(at + 1)
    const { value, errors } = parsePrism(parser(), text, { scopes: [[...locals]] })
    if (!(value instanceof nodes.ProgramNode)) throw new TypeError('the parser gave no program')
    this.tree = value
    this.problems = errors.map(({ message, location }) => ({
      line: this.lineAt(location.startOffset),
      message,
    }))
  }

  lineOf(node: Node): number {
    return this.lineAt(node.location.startOffset)
  }

  lineAt(offset: number): number {
    let low = 0
    let high = this.#lineStarts.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (this.#lineStarts[middle]! <= offset) low = middle
      else high = middle
    }
    return low + 1
  }

  textAt({ startOffset, length }: Location): string {
    return this.#bytes.toString('utf8', startOffset, startOffset + length)
  }
}

let exports: Record<string, unknown> | undefined

function parser(): Record<string, unknown> {
  if (exports === undefined) {
    const path = createRequire(import.meta.url).resolve('@ruby/prism/src/prism.wasm')
    const module = new WebAssembly.Module(readFileSync(path))
    const imports: Record<string, () => number> = {}
    for (const { name } of WebAssembly.Module.imports(module)) imports[name] = () => 0
    exports = new WebAssembly.Instance(module, { wasi_snapshot_preview1: imports }).exports
    const initialize = exports['_initialize'] as (() => void) | undefined
    initialize?.()
  }
  return exports
}
