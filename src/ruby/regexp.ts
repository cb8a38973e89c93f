/**
 * Regular expressions and their matches. Every search goes through the guarded patterns of `regex/`; a search
 * that sets `$~` does so here and nowhere else.
 */
import { compilePattern, type Pattern } from '../regex/pattern.ts'
import { groupText } from '../regex/ruby/ruby-replacement.ts'
import { charIndex } from './chars.ts'
import { notImplementedError, raise } from './errors.ts'
import { matchDataClass, type RubyClass, RubyObject, regexpClass } from './ruby-class.ts'
import { runtime } from './runtime.ts'

export const ignoreCase = 1
export const extended = 2
export const multiLine = 4

export class RubyRegexp extends RubyObject {
  readonly source: string
  readonly options: number
  readonly pattern: Pattern

  constructor(source: string, options = 0) {
    super()
    this.source = source
    this.options = options
    this.pattern = compilePattern(source, {
      ignoreCase: (options & ignoreCase) !== 0,
      extended: (options & extended) !== 0,
      multiline: (options & multiLine) !== 0,
    })
  }

  get rubyClass(): RubyClass {
    return regexpClass
  }

  /** The first match at or after a place (in UTF-16 units); sets `$~`. */
  search(text: string, from = 0): RubyMatch | null {
    const match = this.find(text, from)
    runtime.match = match
    return match
  }

  /** Searches without setting `$~`. */
  find(text: string, from = 0): RubyMatch | null {
    const found = from === 0 ? this.pattern.search(text) : this.pattern.searchFrom(text, from)
    return found === null ? null : new RubyMatch(this, found)
  }

  test(text: string): boolean {
    return this.pattern.test(text)
  }

  /** Every match from left to right, an empty one never directly behind the one before. */
  *matches(text: string): Generator<RubyMatch> {
    let from = 0
    while (from <= text.length) {
      const match = this.find(text, from)
      if (match === null) return
      yield match
      from = match.end
      if (match.end === match.start) from += (text.codePointAt(from) ?? 0) > 0xffff ? 2 : 1
    }
  }

  get flagText(): string {
    const { options } = this
    return `${options & multiLine ? 'm' : ''}${options & ignoreCase ? 'i' : ''}${options & extended ? 'x' : ''}`
  }

  /** `(?-mix:source)`, the form in which one pattern stands inside another. */
  get embedded(): string {
    const on = this.flagText
    const off = ['m', 'i', 'x'].filter((flag) => !on.includes(flag)).join('')
    return `(?${on}${off === '' ? '' : `-${off}`}:${this.source})`
  }
}

export class RubyMatch extends RubyObject {
  readonly regexp: RubyRegexp
  readonly text: string
  /** In UTF-16 units. */
  readonly start: number
  readonly end: number
  readonly #found: RegExpExecArray

  constructor(regexp: RubyRegexp, found: RegExpExecArray) {
    super()
    this.regexp = regexp
    this.text = found.input
    this.start = found.index
    this.end = found.index + found[0].length
    this.#found = found
  }

  get rubyClass(): RubyClass {
    return matchDataClass
  }

  get whole(): string {
    return this.#found[0]
  }

  get raw(): RegExpExecArray {
    return this.#found
  }

  get groupCount(): number {
    return this.regexp.pattern.groupCount
  }

  group(number: number): string | null {
    const { pattern } = this.regexp
    if (number === 0) return this.whole
    const places = pattern.groups[number]
    return places === undefined ? null : (groupText(this.#found, places) ?? null)
  }

  /** Undefined for a name the pattern does not have; the last of several groups that took part. */
  named(name: string): string | null | undefined {
    const numbers = this.regexp.pattern.names.get(name)
    if (numbers === undefined) return undefined
    for (let i = numbers.length - 1; i >= 0; i--) {
      const text = this.group(numbers[i]!)
      if (text !== null) return text
    }
    return null
  }

  captures(): (string | null)[] {
    return Array.from({ length: this.groupCount }, (_, i) => this.group(i + 1))
  }

  /** Start and end of a group in characters. */
  offset(number: number): [number, number] | null {
    if (number === 0) return [charIndex(this.text, this.start), charIndex(this.text, this.end)]
    if (this.group(number) === null) return null
    const places = this.regexp.pattern.offsets(this.text)
    if (places?.[0]?.[0] !== this.start)
      raise(notImplementedError, 'the place of a group of a later match is not supported')
    const place = places[number]
    return place === undefined ? null : [charIndex(this.text, place[0]), charIndex(this.text, place[1])]
  }
}
