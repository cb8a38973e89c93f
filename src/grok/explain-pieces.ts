/**
 * Cuts a grok expression into the pieces a reader sees: references, groups with their alternatives, runs of
 * plain characters, and single items such as `[a-z]+` or `^`. The texts of the pieces put together are the
 * expression again, so a part of the list is a shorter expression. Expects an expression that compiles.
 */
import { findReference, type GrokReference } from './reference.ts'

interface Quantified {
  /** As written, quantifier included. */
  readonly text: string
  /** Without the quantifier. */
  readonly core: string
  /** How often it must occur at least. */
  readonly min: number
}

interface ReferencePiece extends Quantified {
  readonly kind: 'reference'
  readonly reference: GrokReference
}
interface GroupPiece extends Quantified {
  readonly kind: 'group'
  /** `(?:`, `(?<name>`, … */
  readonly open: string
  readonly alternatives: readonly Piece[][]
}
/** Characters that stand for themselves. */
interface LiteralPiece extends Quantified {
  readonly kind: 'literal'
  /** The characters one by one, each as written: `\[`. */
  readonly characters: readonly string[]
}
interface ItemPiece extends Quantified {
  readonly kind: 'item'
}

export type Piece = ReferencePiece | GroupPiece | LiteralPiece | ItemPiece

const quantifier = /(?:[*+?]|\{(?:\d+(?:,\d*)?|,\d+)\})[?+]?/y
const escaped =
  /\\(?:x[0-9A-Fa-f]{1,2}|u[0-9A-Fa-f]{4}|[xupP]\{[^}]*\}|[kg](?:<[^>]*>|'[^']*')|c.|[CM]-\\?.|[0-7]{1,3}|[\s\S])/y
/** Comments and flags for the rest of the group: they match nothing themselves. */
const remark = /\(\?(?:#(?:[^)\\]|\\.)*|[imxadu-]+)\)/y
const opening = /\((?:\?(?:<[=!]|<[^>]*>|'[^']*'|[:=!>~]|[imxadu-]+:))?/y
/** Bodies of these tell nothing about how far a text goes. */
const opaque = /^\(\?(?:!|<[=!]|~)/
const plainEscape = /^\\(?:[^A-Za-z0-9]|[tnr])$/
const maxGroupDepth = 200

export function splitExpression(expression: string): Piece[][] {
  return new Splitter(expression).alternatives(0)
}

class Splitter {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Up to the end of the enclosing group. */
  alternatives(depth: number): Piece[][] {
    if (depth > maxGroupDepth) throw new RangeError('too many groups inside each other')
    const found: Piece[][] = [[]]
    let run: string[] = []
    const endRun = () => {
      if (run.length > 0) found.at(-1)!.push(literalOf(run))
      run = []
    }
    while (this.#at < this.#text.length && this.#text[this.#at] !== ')') {
      if (this.#text[this.#at] === '|') {
        endRun()
        this.#at += 1
        found.push([])
        continue
      }
      const piece = this.#piece(depth)
      if (piece.kind === 'literal' && piece.text === piece.core) run.push(piece.core)
      else {
        endRun()
        found.at(-1)!.push(piece)
      }
    }
    endRun()
    return found
  }

  #piece(depth: number): Piece {
    const start = this.#at
    const made = this.#core(depth)
    const core = this.#text.slice(start, this.#at)
    const repeat = this.#take(quantifier)
    const text = core + (repeat ?? '')
    return { ...made, text, core, min: minOf(repeat) } as Piece
  }

  #core(depth: number): object {
    const reference = this.#reference()
    if (reference !== undefined) {
      this.#at = reference.end
      return { kind: 'reference', reference }
    }
    switch (this.#text[this.#at]) {
      case '(':
        return this.#take(remark) === undefined ? this.#group(depth) : { kind: 'item' }
      case '[':
        this.#class()
        return { kind: 'item' }
      case '\\': {
        const written = this.#take(escaped) ?? ''
        if (written === '') this.#at += 1
        return plainEscape.test(written) ? { kind: 'literal', characters: [written] } : { kind: 'item' }
      }
      case '.':
      case '^':
      case '$':
        this.#at += 1
        return { kind: 'item' }
      default: {
        const character = String.fromCodePoint(this.#text.codePointAt(this.#at)!)
        this.#at += character.length
        return { kind: 'literal', characters: [character] }
      }
    }
  }

  #reference(): GrokReference | undefined {
    if (!this.#text.startsWith('%{', this.#at)) return undefined
    const found = findReference(this.#text, this.#at)
    return found?.start === this.#at ? found : undefined
  }

  #group(depth: number): object {
    const open = this.#take(opening) ?? '('
    const alternatives = this.alternatives(depth + 1)
    this.#at += 1
    return opaque.test(open) ? { kind: 'item' } : { kind: 'group', open, alternatives }
  }

  /** Over `[…]` with classes inside it; a bracket that comes first is a character. */
  #class(): void {
    let depth = 0
    do {
      const character = this.#text[this.#at]
      if (character === undefined) return
      if (character === '[') {
        depth += 1
        this.#at += this.#text[this.#at + 1] === '^' ? 1 : 0
        if (this.#text[this.#at + 1] === ']') this.#at += 1
      } else if (character === ']') depth -= 1
      else if (character === '\\') this.#at += 1
      this.#at += 1
    } while (depth > 0)
  }

  #take(expression: RegExp): string | undefined {
    expression.lastIndex = this.#at
    const taken = expression.exec(this.#text)?.[0]
    this.#at += taken?.length ?? 0
    return taken
  }
}

function literalOf(characters: readonly string[]): LiteralPiece {
  const text = characters.join('')
  return { kind: 'literal', text, core: text, min: 1, characters }
}

function minOf(repeat: string | undefined): number {
  if (repeat === undefined || repeat.startsWith('+')) return 1
  return repeat.startsWith('{') ? Number.parseInt(repeat.slice(1), 10) || 0 : 0
}
