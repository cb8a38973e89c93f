/**
 * The reading head of the parser: one position in the text and the words of the language.
 * There is no token stream, because the language has none: what `[a]` or `5and` is depends on the rule
 * that asks. Every `take…` method either moves past what it names or leaves the position alone.
 */
import type { BarewordNode, Comment, NumberNode, Place, RegexpNode, SelectorNode, StringNode } from './ast.ts'
import { LineIndex } from './line-index.ts'
import { SyntaxFailure } from './syntax-failure.ts'

/** Far beyond any real configuration, and well within the stack of parser, failure report and printer. */
const MAX_DEPTH = 250

const TAB = 9
const LF = 10
const CR = 13
const SPACE = 32
const HASH = 35
const MINUS = 45
const DOT = 46
const COMMA = 44
const SLASH = 47
const OPEN = 91
const BACKSLASH = 92
const CLOSE = 93

/** Bits per ASCII character: 1 digit, 2 letter or `_`, 4 the minus sign. */
const KINDS = new Uint8Array(128)
for (let code = 0; code < 128; code++) {
  const char = String.fromCharCode(code)
  KINDS[code] = /[0-9]/.test(char) ? 1 : /[A-Za-z_]/.test(char) ? 2 : char === '-' ? 4 : 0
}

export class Scanner {
  readonly text: string
  readonly index: LineIndex
  readonly comments: Comment[] = []
  /** Offsets of literals that only the escape-aware rule can read. */
  readonly rescued = new Set<number>()
  at = 0
  private readonly escapeAware: boolean
  private depth = 0

  constructor(text: string, escapeAware: boolean) {
    this.text = text
    this.index = new LineIndex(text)
    this.escapeAware = escapeAware
  }

  /** The place of something that begins at `start`; `end` is filled in by `close`. */
  open(start = this.at): Place {
    const line = this.index.lineOf(start)
    return { start, end: start, line, column: this.index.columnOf(start, line) }
  }

  close(place: Place): Place {
    place.end = this.at
    return place
  }

  /** Called on the way into every construct that may contain itself. */
  enter(): void {
    if (++this.depth <= MAX_DEPTH) return
    const line = this.index.lineOf(this.at)
    const column = this.index.columnOf(this.at)
    throw new SyntaxFailure(
      `Nested more than ${MAX_DEPTH} levels deep at line ${line}, column ${column} (byte ${this.index.characterOf(this.at)})`,
      this.index,
      this.at,
    )
  }

  leave(): void {
    this.depth--
  }

  /** Blanks and comments, any number. */
  skip(): void {
    for (;;) {
      this.takeBlanks()
      if (this.text.charCodeAt(this.at) !== HASH || !this.takeComment()) return
    }
  }

  takeBlanks(): boolean {
    const start = this.at
    for (;;) {
      const code = this.text.charCodeAt(this.at)
      if (code !== SPACE && code !== LF && code !== TAB && code !== CR) return this.at > start
      this.at++
    }
  }

  /** A comment ends at a line feed or the end of the text; a lone carriage return inside makes it no comment. */
  private takeComment(): boolean {
    const start = this.at
    let end = this.text.indexOf('\n', start)
    if (end === -1) end = this.text.length
    const next = end < this.text.length ? end + 1 : end
    let last = end
    if (next > end && this.text.charCodeAt(end - 1) === CR) last--
    const text = this.text.slice(start, last)
    if (text.includes('\r')) return false
    this.at = next
    const previous = this.comments.at(-1)
    if (previous !== undefined && previous.place.start >= start) return true
    const place = this.open(start)
    place.end = last
    const lineStart = this.index.startOf(place.line)
    const trailing = /[^ \t\r]/.test(this.text.slice(lineStart, start))
    this.comments.push({ text, trailing, place })
    return true
  }

  take(word: string): boolean {
    if (!this.text.startsWith(word, this.at)) return false
    this.at += word.length
    return true
  }

  /** `[A-Za-z0-9_-]+` */
  takeWord(): string | undefined {
    const start = this.at
    while (this.isKind(this.at, 7)) this.at++
    return this.at > start ? this.text.slice(start, this.at) : undefined
  }

  /** A word or a string, as written: a quoted name keeps its quotes. */
  takeName(): string | undefined {
    const quote = this.text[this.at]
    if (quote !== '"' && quote !== "'") return this.takeWord()
    const start = this.at
    const end = this.endOfQuoted(quote)
    if (end === -1) return undefined
    this.at = end + 1
    return this.text.slice(start, this.at)
  }

  takeBareword(): BarewordNode | undefined {
    const start = this.at
    if (!this.isKind(start, 2) || !this.isKind(start + 1, 3)) return undefined
    this.at += 2
    while (this.isKind(this.at, 3)) this.at++
    return { kind: 'bareword', text: this.text.slice(start, this.at), place: this.close(this.open(start)) }
  }

  takeNumber(): NumberNode | undefined {
    const start = this.at
    let end = this.text.charCodeAt(start) === MINUS ? start + 1 : start
    if (!this.isKind(end, 1)) return undefined
    while (this.isKind(end, 1)) end++
    if (this.text.charCodeAt(end) === DOT) {
      end++
      while (this.isKind(end, 1)) end++
    }
    this.at = end
    return { kind: 'number', text: this.text.slice(start, end), place: this.close(this.open(start)) }
  }

  takeString(): StringNode | undefined {
    const quote = this.text[this.at]
    if (quote !== '"' && quote !== "'") return undefined
    const start = this.at
    const end = this.endOfQuoted(quote)
    if (end === -1) return undefined
    this.at = end + 1
    return {
      kind: 'string',
      text: this.text.slice(start + 1, end),
      quote,
      place: this.close(this.open(start)),
    }
  }

  takeRegexp(): RegexpNode | undefined {
    if (this.text.charCodeAt(this.at) !== SLASH) return undefined
    const start = this.at
    const end = this.endOfQuoted('/')
    if (end === -1) return undefined
    this.at = end + 1
    return { kind: 'regexp', text: this.text.slice(start + 1, end), place: this.close(this.open(start)) }
  }

  takeSelector(): SelectorNode | undefined {
    if (this.text.charCodeAt(this.at) !== OPEN) return undefined
    const start = this.at
    const path: string[] = []
    while (this.text.charCodeAt(this.at) === OPEN) {
      let end = this.at + 1
      let code = this.text.charCodeAt(end)
      while (end < this.text.length && code !== OPEN && code !== CLOSE && code !== COMMA) {
        code = this.text.charCodeAt(++end)
      }
      if (code !== CLOSE || end === this.at + 1) break
      path.push(this.text.slice(this.at + 1, end))
      this.at = end + 1
    }
    return path.length === 0 ? undefined : { kind: 'selector', path, place: this.close(this.open(start)) }
  }

  /**
   * Offset of the closing quote, or -1. In Logstash's rule a quote behind a backslash never closes,
   * whatever stands before that backslash; the escape-aware rule reads `\\` as one unit.
   */
  private endOfQuoted(quote: string): number {
    const from = this.at + 1
    let at = this.text.indexOf(quote, from)
    while (at !== -1) {
      let slashes = 0
      while (at - slashes > from && this.text.charCodeAt(at - slashes - 1) === BACKSLASH) slashes++
      if (slashes === 0) return at
      if (this.escapeAware && slashes % 2 === 0) {
        this.rescued.add(this.at)
        return at
      }
      at = this.text.indexOf(quote, at + 1)
    }
    return -1
  }

  private isKind(at: number, mask: number): boolean {
    const code = this.text.charCodeAt(at)
    return code < 128 && (KINDS[code]! & mask) !== 0
  }
}
