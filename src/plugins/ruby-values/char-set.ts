/**
 * Sets of characters as options write them: the inside of a `[…]` of a Ruby expression, with ranges,
 * escapes and classes. Membership of ASCII is one look into a table; other characters ask the pattern once.
 */
import { compilePattern, type Pattern } from '../../regex/pattern.ts'

const maxRemembered = 1024

export class CharSet {
  /** `[…]` as an expression. */
  readonly source: string
  /** 1 for members, by code of the ASCII character. */
  readonly ascii = new Uint8Array(128)
  readonly #pattern: Pattern
  readonly #ends: Pattern
  readonly #others = new Map<number, boolean>()

  constructor(inside: string) {
    this.source = `[${inside}]`
    this.#pattern = compilePattern(this.source)
    this.#ends = compilePattern(`^${this.source}+|${this.source}+$`)
    for (let code = 0; code < 128; code++)
      if (this.#pattern.test(String.fromCharCode(code))) this.ascii[code] = 1
  }

  /** Whether the character whose first UTF-16 unit stands at `at` is a member. */
  hasAt(text: string, at: number): boolean {
    const code = text.charCodeAt(at)
    return code < 128 ? this.ascii[code] === 1 : this.#hasOther(text.codePointAt(at)!)
  }

  #hasOther(code: number): boolean {
    let member = this.#others.get(code)
    if (member === undefined) {
      member = this.#pattern.test(String.fromCodePoint(code))
      if (this.#others.size < maxRemembered) this.#others.set(code, member)
    }
    return member
  }

  /** Without members at either end; a text of several lines at either end of each, as `^` and `$` mean it. */
  trim(text: string): string {
    if (text.includes('\n')) return this.#ends.replaceAll(text, '')
    let start = 0
    let end = text.length
    while (start < end && this.hasAt(text, start)) start += widthAt(text, start)
    while (end > start) {
      const before = end - widthBefore(text, end)
      if (!this.hasAt(text, before)) break
      end = before
    }
    return start === 0 && end === text.length ? text : text.slice(start, end)
  }

  /** Without any member. */
  remove(text: string): string {
    let at = 0
    while (at < text.length && !this.hasAt(text, at)) at += widthAt(text, at)
    return at === text.length ? text : this.#pattern.replaceAll(text, '')
  }
}

function widthAt(text: string, at: number): number {
  return isHigh(text.charCodeAt(at)) && isLow(text.charCodeAt(at + 1)) ? 2 : 1
}

function widthBefore(text: string, end: number): number {
  return isLow(text.charCodeAt(end - 1)) && isHigh(text.charCodeAt(end - 2)) ? 2 : 1
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
