/**
 * The grammar of the classic query syntax:
 *
 *   query   (words | modifier clause) (words | conjunction modifier clause)*
 *   words   TERM TERM+           analyzed as one text; a word that an operator follows is not part of it
 *   clause  [field ':'] (term | '(' query ')' ['^' number])
 *
 * There is no precedence: AND makes the clause before it and the one after it required, and nothing else. With
 * AND as default operator, OR makes both optional.
 */
import { boolOf, boosted, type Clause, type LuceneNode, type Occur } from './lucene-node.ts'
import { type Expected, GrammarError, syntaxError, termStarts } from './query-string-errors.ts'
import { resolveEscapes } from './query-string-escapes.ts'
import { type QueryStringLeaves, rangeNode } from './query-string-leaves.ts'
import { QueryStringLexer, type Token, type TokenKind } from './query-string-lexer.ts'

type Conjunction = 'none' | 'and' | 'or'
type Modifier = 'none' | 'not' | 'required'

/** Where a term is expected, which decides what the grammar lists instead of what it met. */
type ClausePlace = 'first' | 'start' | 'modified' | 'field'

/** Limits the nesting of groups, which the recursive parser could not survive. */
const maxDepth = 1000

const startsClause = new Set<TokenKind>(['AND', 'OR', 'NOT', 'PLUS', 'MINUS', ...termStarts])

const endsWords = new Set<TokenKind>(['COLON', 'STAR', 'FUZZY_SLOP', 'CARAT', 'AND', 'OR'])

interface GrammarSettings {
  readonly andByDefault: boolean
  readonly maxClauses: number
}

export class QueryStringParser {
  readonly #lexer: QueryStringLexer
  readonly #leaves: QueryStringLeaves
  readonly #settings: GrammarSettings
  #next = 0
  #depth = 0
  /** The suffixes that could follow the last term: `^2`, `~1`. */
  #suffixes: Expected = []

  constructor(text: string, leaves: QueryStringLeaves, settings: GrammarSettings) {
    this.#lexer = new QueryStringLexer(text)
    this.#leaves = leaves
    this.#settings = settings
  }

  /** Undefined when analysis leaves no token. */
  parse(field: string | undefined): LuceneNode | undefined {
    const node = this.#query(field)
    if (this.#peek().kind !== 'EOF') throw syntaxError(this.#peek(), 'after', ['EOF', ...this.#suffixes])
    return node
  }

  #peek(ahead = 0): Token {
    return this.#lexer.token(this.#next + ahead)
  }

  #take(): Token {
    return this.#lexer.token(this.#next++)
  }

  #takeIf(kind: TokenKind): Token | undefined {
    return this.#peek().kind === kind ? this.#take() : undefined
  }

  #expect(kind: TokenKind, expected: Expected): Token {
    if (this.#peek().kind !== kind) throw syntaxError(this.#peek(), 'only', expected)
    return this.#take()
  }

  // ------------------------------------------------------------------------------------------ queries

  #query(field: string | undefined): LuceneNode | undefined {
    if (++this.#depth > maxDepth) throw new GrammarError('nested too deeply')
    const clauses: Clause[] = []
    let lone: LuceneNode | undefined
    if (this.#areWords()) lone = this.#words(field, clauses)
    else {
      const modifier = this.#modifier()
      const node = this.#clause(field, modifier, 'first')
      this.#add(clauses, 'none', modifier, node)
      if (modifier === 'none') lone = node
    }
    while (startsClause.has(this.#peek().kind)) {
      if (this.#areWords()) {
        this.#words(field, clauses)
        continue
      }
      const conjunction = this.#conjunction()
      const modifier = this.#modifier()
      this.#add(clauses, conjunction, modifier, this.#clause(field, modifier))
    }
    this.#depth--
    if (clauses.length === 0) return undefined
    if (clauses.length > this.#settings.maxClauses) throw new GrammarError('too many boolean clauses')
    return clauses.length === 1 && lone !== undefined ? lone : boolOf(clauses)
  }

  #conjunction(): Conjunction {
    if (this.#takeIf('AND') !== undefined) return 'and'
    return this.#takeIf('OR') === undefined ? 'none' : 'or'
  }

  #modifier(): Modifier {
    if (this.#takeIf('PLUS') !== undefined) return 'required'
    return this.#takeIf('MINUS') === undefined && this.#takeIf('NOT') === undefined ? 'none' : 'not'
  }

  #add(clauses: Clause[], conjunction: Conjunction, modifier: Modifier, node: LuceneNode | undefined): void {
    const { andByDefault } = this.#settings
    const previous = clauses.at(-1)
    if (previous !== undefined && previous.occur !== 'mustNot') {
      if (conjunction === 'and') clauses[clauses.length - 1] = { ...previous, occur: 'must' }
      else if (conjunction === 'or' && andByDefault) {
        clauses[clauses.length - 1] = { ...previous, occur: 'should' }
      }
    }
    if (node === undefined) return
    const required = andByDefault ? conjunction !== 'or' : modifier === 'required' || conjunction === 'and'
    const occur: Occur = modifier === 'not' ? 'mustNot' : required ? 'must' : 'should'
    clauses.push({ occur, node, spread: false })
  }

  /** True when at least two words follow each other without an operator. */
  #areWords(): boolean {
    return this.#peek().kind === 'TERM' && this.#isFurtherWord(1)
  }

  #isFurtherWord(ahead: number): boolean {
    return this.#peek(ahead).kind === 'TERM' && !endsWords.has(this.#peek(ahead + 1).kind)
  }

  #words(field: string | undefined, clauses: Clause[]): LuceneNode | undefined {
    const images = [this.#take().image]
    while (this.#isFurtherWord(0)) images.push(this.#take().image)
    this.#suffixes = []
    const node = this.#leaves.text(field, resolveEscapes(images.join(' ')))
    if (node === undefined) return undefined
    clauses.push({
      occur: this.#settings.andByDefault ? 'must' : 'should',
      node,
      spread: node.type === 'text',
    })
    return node
  }

  // ------------------------------------------------------------------------------------------ clauses

  #clause(
    field: string | undefined,
    modifier: Modifier,
    begin: 'first' | 'start' = 'start',
  ): LuceneNode | undefined {
    let at: ClausePlace = modifier === 'none' ? begin : 'modified'
    const { kind } = this.#peek()
    if ((kind === 'TERM' || kind === 'STAR') && this.#peek(1).kind === 'COLON') {
      const name = this.#take()
      field = kind === 'STAR' ? '*' : resolveEscapes(name.image)
      this.#take()
      at = 'field'
    }
    if (this.#takeIf('LPAREN') === undefined) return this.#term(field, at)
    const node = this.#query(field)
    if (this.#takeIf('RPAREN') === undefined) {
      throw syntaxError(this.#peek(), 'after', ['RPAREN', ...this.#suffixes])
    }
    this.#suffixes = ['CARAT']
    return this.#withBoost(node, this.#boost())
  }

  #term(field: string | undefined, at: ClausePlace): LuceneNode | undefined {
    const token = this.#peek()
    switch (token.kind) {
      case 'TERM':
      case 'STAR':
      case 'PREFIXTERM':
      case 'WILDTERM':
      case 'REGEXPTERM':
      case 'NUMBER':
      case 'BAREOPER': {
        this.#take()
        const { fuzzy, boost } = this.#afterTerm()
        return this.#withBoost(this.#bareTerm(field, token, fuzzy), boost)
      }
      case 'QUOTED': {
        this.#take()
        const { fuzzy, boost } = this.#afterTerm()
        const text = resolveEscapes(token.image.slice(1, -1))
        return this.#withBoost(this.#leaves.phrase(field, text, fuzzy), boost)
      }
      case 'RANGEIN_START':
      case 'RANGEEX_START':
        return this.#range(field)
      default:
        throw syntaxError(token, at, [])
    }
  }

  #bareTerm(
    field: string | undefined,
    { kind, image }: Token,
    fuzzy: string | undefined,
  ): LuceneNode | undefined {
    if (kind === 'BAREOPER') image = image.slice(0, 1)
    const text = resolveEscapes(image)
    if (kind === 'STAR' || kind === 'WILDTERM') return this.#leaves.wildcard(field, image)
    if (kind === 'PREFIXTERM') return this.#leaves.prefix(field, resolveEscapes(image.slice(0, -1)))
    if (kind === 'REGEXPTERM') return this.#leaves.regexp(field, image.slice(1, -1))
    return fuzzy === undefined ? this.#leaves.text(field, text) : this.#leaves.fuzzy(field, text, fuzzy)
  }

  /** A boost and a fuzzy suffix, in either order. */
  #afterTerm(): { fuzzy: string | undefined; boost: number } {
    const fuzzy = this.#takeIf('FUZZY_SLOP')?.image
    this.#suffixes = fuzzy === undefined ? ['CARAT', 'FUZZY_SLOP'] : ['CARAT']
    if (this.#peek().kind !== 'CARAT') return { fuzzy, boost: 1 }
    const boost = this.#boost()
    if (fuzzy !== undefined) return { fuzzy, boost }
    this.#suffixes = ['FUZZY_SLOP']
    const late = this.#takeIf('FUZZY_SLOP')?.image
    if (late !== undefined) this.#suffixes = []
    return { fuzzy: late, boost }
  }

  #boost(): number {
    if (this.#takeIf('CARAT') === undefined) return 1
    const number = this.#expect('NUMBER', ['NUMBER'])
    this.#suffixes = []
    return Math.fround(Number(number.image))
  }

  #withBoost(node: LuceneNode | undefined, boost: number): LuceneNode | undefined {
    return node === undefined ? undefined : boosted(node, boost)
  }

  #range(field: string | undefined): LuceneNode {
    const includeFrom = this.#take().kind === 'RANGEIN_START'
    const from = this.#end()
    this.#expect('RANGE_TO', ['RANGE_TO'])
    const to = this.#end()
    const { kind } = this.#peek()
    if (kind !== 'RANGEIN_END' && kind !== 'RANGEEX_END') {
      throw syntaxError(this.#peek(), 'only', ['RANGEIN_END', 'RANGEEX_END'])
    }
    this.#take()
    this.#suffixes = ['CARAT']
    const node = rangeNode(field, from, to, includeFrom, kind === 'RANGEIN_END')
    return boosted(node, this.#boost())
  }

  /** Undefined for an open end. */
  #end(): string | undefined {
    const token = this.#peek()
    if (token.kind !== 'RANGE_GOOP' && token.kind !== 'RANGE_QUOTED' && token.kind !== 'RANGE_TO') {
      throw syntaxError(token, 'only', ['RANGE_TO', 'RANGE_QUOTED', 'RANGE_GOOP'])
    }
    this.#take()
    if (token.kind === 'RANGE_QUOTED') return resolveEscapes(token.image.slice(1, -1))
    return token.image === '*' ? undefined : resolveEscapes(token.image)
  }
}
