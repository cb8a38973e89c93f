/**
 * Parses `simple_query_string`: `+` and, `|` or, `-` not, `"…"`, `( )`, a trailing `*`, `~N`. No text is an
 * error: misplaced operators are ignored, and an unclosed quote or parenthesis is a plain character.
 * Operators associate to the left; a change of operator wraps the tree so far.
 */

import { tooManyClauses } from '../too-many-clauses.ts'
import {
  type Clause,
  everything,
  type LuceneNode,
  nothing,
  type Occur,
  type PhraseNode,
  type TextNode,
  withMinimum,
} from './lucene-node.ts'
import { flag } from './simple-query-flags.ts'
import type { SimpleQueryOptions } from './simple-query-options.ts'

/** The maximum nesting of parentheses; deeper ones are ignored. */
const maxDepth = 500

interface SimpleQuerySurroundings {
  /** True when analysis leaves no token of a text, which is then ignored. */
  readonly vanishes?: (leaf: TextNode | PhraseNode) => boolean
  /** `indices.query.bool.max_clause_count`, applied per level. */
  readonly maxClauses?: number
}

/** The `field` of every leaf is undefined, as the syntax cannot name fields. */
export function parseSimpleQueryString(
  options: SimpleQueryOptions,
  surroundings: SimpleQuerySurroundings = {},
): LuceneNode {
  if (options.query.trim() === '*') return everything
  const { vanishes = () => false, maxClauses = 1024 } = surroundings
  const parser = new SimpleParser(options, vanishes, maxClauses)
  const node = parser.parse(0, options.query.length, 0) ?? nothing
  return withMinimum(node, options.minimum_should_match)
}

type Operation = 'must' | 'should'

/** The tree of one pair of parentheses while it is parsed. */
class Level {
  readonly #default: Operation
  readonly #maxClauses: number
  top: LuceneNode | undefined
  /** The clauses of `top` once an operator has made it a boolean query. */
  #clauses: Clause[] = []
  #previous: Operation | undefined
  current: Operation | undefined
  negations = 0

  constructor(byDefault: Operation, maxClauses: number) {
    this.#default = byDefault
    this.#maxClauses = maxClauses
  }

  add(leaf: LuceneNode | undefined): void {
    if (leaf === undefined) return
    const branch = this.negations % 2 === 1 ? negated(leaf) : leaf
    if (this.top === undefined) this.top = branch
    else {
      const operation = this.current ?? this.#default
      if (operation !== this.#previous) this.#clauses = [clause(operation, this.top)]
      if (this.#clauses.length >= this.#maxClauses) throw tooManyClauses(this.#maxClauses)
      this.#clauses.push(clause(operation, branch))
      this.top = { type: 'bool', clauses: this.#clauses, boost: 1 }
      this.#previous = operation
    }
    this.current = undefined
  }
}

function clause(occur: Occur, node: LuceneNode): Clause {
  return { occur, node, spread: false }
}

function negated(node: LuceneNode): LuceneNode {
  return { type: 'bool', clauses: [clause('mustNot', node), clause('should', everything)], boost: 1 }
}

class SimpleParser {
  readonly #text: string
  readonly #options: SimpleQueryOptions
  readonly #vanishes: (leaf: TextNode | PhraseNode) => boolean
  readonly #maxClauses: number
  /** The position of the closing parenthesis by that of the opening one. */
  readonly #closing: ReadonlyMap<number, number>
  #at = 0
  #end = 0

  constructor(
    options: SimpleQueryOptions,
    vanishes: (leaf: TextNode | PhraseNode) => boolean,
    maxClauses: number,
  ) {
    this.#text = options.query
    this.#options = options
    this.#vanishes = vanishes
    this.#maxClauses = maxClauses
    this.#closing = this.#has(flag.precedence) ? this.#pairs() : new Map()
  }

  #has(wanted: number): boolean {
    return (this.#options.flags & wanted) !== 0
  }

  #pairs(): Map<number, number> {
    const pairs = new Map<number, number>()
    const open: number[] = []
    for (let at = 0; at < this.#text.length; at++) {
      const character = this.#text[at]
      if (character === '\\' && this.#has(flag.escape)) at++
      else if (character === '(') open.push(at)
      else if (character === ')') {
        const start = open.pop()
        if (start !== undefined) pairs.set(start, at)
      }
    }
    return pairs
  }

  parse(start: number, end: number, depth: number): LuceneNode | undefined {
    const level = new Level(this.#options.default_operator === 'and' ? 'must' : 'should', this.#maxClauses)
    this.#at = start
    this.#end = end
    while (this.#at < end) {
      const character = this.#text[this.#at]!
      if (character === '-' && this.#has(flag.not)) {
        level.negations++
        this.#at++
        continue
      }
      if (character === '(' && this.#has(flag.precedence)) this.#group(level, end, depth)
      else if (character === ')' && this.#has(flag.precedence)) this.#at++
      else if (character === '"' && this.#has(flag.phrase)) this.#phrase(level)
      else if (character === '+' && this.#has(flag.and)) this.#operator(level, 'must')
      else if (character === '|' && this.#has(flag.or)) this.#operator(level, 'should')
      else if (this.#isBlank(character)) this.#at++
      else this.#word(level)
      level.negations = 0
    }
    return level.top
  }

  #operator(level: Level, operation: Operation): void {
    if (level.current === undefined && level.top !== undefined) level.current = operation
    this.#at++
  }

  #isBlank(character: string): boolean {
    return ' \t\n\r'.includes(character) && this.#has(flag.whitespace)
  }

  #group(level: Level, end: number, depth: number): void {
    const start = this.#at + 1
    const close = this.#closing.get(this.#at)
    if (close === undefined || close >= end || depth >= maxDepth) {
      this.#at = start
      return
    }
    if (close === start) level.current = undefined
    else {
      level.add(this.parse(start, close, depth + 1))
      this.#end = end
    }
    this.#at = close + 1
  }

  #phrase(level: Level): void {
    const start = this.#at + 1
    let text = ''
    let at = start
    for (; at < this.#end && this.#text[at] !== '"'; at++) {
      if (this.#text[at] === '\\' && this.#has(flag.escape)) at++
      if (at < this.#end) text += this.#text[at]
    }
    if (at >= this.#end) {
      this.#at = start
      return
    }
    this.#at = at + 1
    if (at === start) {
      level.current = undefined
      return
    }
    const slop =
      this.#has(flag.near) && this.#text[this.#at] === '~' && this.#at < this.#end ? this.#number() : 0
    const leaf: PhraseNode = { type: 'phrase', field: undefined, text, slop, boost: 1 }
    level.add(this.#vanishes(leaf) ? undefined : leaf)
  }

  #word(level: Level): void {
    let text = ''
    let isPrefix = false
    while (this.#at < this.#end) {
      const character = this.#text[this.#at]!
      if (character === '\\' && this.#has(flag.escape)) {
        isPrefix = false
        this.#at++
        if (this.#at < this.#end) text += this.#text[this.#at++]
        continue
      }
      if (this.#endsWord(character)) break
      if (character === '~' && text !== '' && this.#has(flag.fuzzy)) {
        level.add(this.#fuzzy(text))
        return
      }
      isPrefix = character === '*' && text !== '' && this.#has(flag.prefix)
      text += character
      this.#at++
    }
    if (text === '') return
    level.add(
      isPrefix ? { type: 'prefix', field: undefined, text: text.slice(0, -1), boost: 1 } : this.#plain(text),
    )
  }

  #plain(text: string): LuceneNode | undefined {
    const leaf: TextNode = { type: 'text', field: undefined, text, boost: 1 }
    return this.#vanishes(leaf) ? undefined : leaf
  }

  #fuzzy(text: string): LuceneNode | undefined {
    const edits = Math.min(this.#number(), 2)
    if (edits === 0) return this.#plain(text)
    return {
      type: 'fuzzy',
      field: undefined,
      text,
      edits,
      prefixLength: this.#options.fuzzy_prefix_length,
      maxExpansions: this.#options.fuzzy_max_expansions,
      transpositions: this.#options.fuzzy_transpositions,
      boost: 1,
    }
  }

  #endsWord(character: string): boolean {
    switch (character) {
      case '"':
        return this.#has(flag.phrase)
      case '|':
        return this.#has(flag.or)
      case '+':
        return this.#has(flag.and)
      case '(':
      case ')':
        return this.#has(flag.precedence)
      default:
        return this.#isBlank(character)
    }
  }

  /** The number after a tilde: 2 when absent, 0 when it is no number. */
  #number(): number {
    const start = ++this.#at
    while (this.#at < this.#end && !this.#endsWord(this.#text[this.#at]!)) this.#at++
    const text = this.#text.slice(start, this.#at)
    if (text === '') return 2
    const number = /^[+-]?\d{1,10}$/.test(text) ? Number(text) : 0
    return number > 0 && number <= 2_147_483_647 ? number : 0
  }
}
