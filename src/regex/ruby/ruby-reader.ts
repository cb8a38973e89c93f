/**
 * The place in a Ruby pattern while it is rewritten: what is read, what is written, which groups are open.
 * The functions that know one construct each (`ruby-group`, `ruby-class`, `ruby-symbol`) share it.
 */
import { PatternError, type PatternFlags } from '../pattern-error.ts'

/** `d`: `\w \d \s` are ASCII, `\b` and POSIX brackets Unicode. `a`: all ASCII. `u`: all Unicode. */
export type CharacterMode = 'd' | 'a' | 'u'

export interface Frame {
  /** What closes this group, with the groups opened by `(?i)` inside it. */
  close: string
  extended: boolean
  mode: CharacterMode
}

export class RubyReader {
  readonly source: string
  readonly flags: PatternFlags
  at = 0
  out = ''
  frame: Frame
  readonly frames: Frame[] = []
  /** Whether a repeat operator may stand here. */
  repeatable = false
  /** The user's group names; `names[3]` is written as `g3`. */
  readonly names: string[] = []
  readonly defined = new Set<string>()
  /** Where each name was called first; a call may stand before its group. */
  readonly called = new Map<string, number>()

  constructor(source: string, flags: PatternFlags) {
    this.source = source
    this.flags = flags
    this.frame = { close: '', extended: flags.extended === true, mode: 'd' }
  }

  fail = (reason: string, position = this.at): never => {
    throw new PatternError(reason, this.source, this.flags, position)
  }

  peek(offset = 0): string | undefined {
    return this.source[this.at + offset]
  }

  /** Tries a sticky expression at the place of reading. */
  match(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.at
    return expression.exec(this.source)
  }

  write(text: string, length: number): void {
    this.out += text
    this.at += length
  }

  atom(text: string, length: number): void {
    this.write(text, length)
    this.repeatable = true
  }

  /** Zero-width items: the parser refuses to repeat them, Ruby does not. */
  anchor(text: string, length: number): void {
    let next = this.at + length
    while (this.frame.extended && isSpace(this.source[next])) next++
    this.atom('*+?{'.includes(this.source[next] ?? ' ') ? `(?:${text})` : text, length)
  }

  open(text: string, length: number, close = ')', changes: Partial<Frame> = {}): void {
    this.frames.push(this.frame)
    this.frame = { ...this.frame, ...changes, close }
    this.write(text, length)
    this.repeatable = false
  }

  safeName(name: string): string {
    const known = this.names.indexOf(name)
    return `g${known === -1 ? this.names.push(name) - 1 : known}`
  }
}

export function isSpace(char: string | undefined): boolean {
  return char !== undefined && /[ \t\r\n\f\v]/.test(char)
}

export function hexText(codes: number[]): string {
  return codes.map((code) => `\\x{${code.toString(16)}}`).join('')
}

/** The character classes `\w`, `\d` and `\s` under their POSIX names. */
export const posixOfLetter: Readonly<Record<string, string>> = { w: 'word', d: 'digit', s: 'space' }
