/**
 * String: questions and new strings. Searching is in string-search.ts, character sets in string-sets.ts,
 * bytes in string-bytes.ts, changes in place in string-change.ts.
 */
import { noConversion, rangeWithin, takeOptions, textArgument } from '../arguments.ts'
import { charIndex, charLength, charSlice, charsOf, unitIndex } from '../chars.ts'
import { compareTexts, equal } from '../compare.ts'
import { argumentError, raise } from '../errors.ts'
import { inspectText } from '../inspect-text.ts'
import { indexOf, sizeOf } from '../number.ts'
import { leadingFloat, leadingInBase, leadingWhole } from '../number-text.ts'
import { RubyRegexp } from '../regexp.ts'
import { defineMethods, defineStatics, type RubyValue, stringClass } from '../ruby-class.ts'
import { isText, MutableString, RubyRange, RubySymbol, textOf } from '../values.ts'
import { format } from './format.ts'
import { Enumerator } from './items.ts'
import { successor } from './successor.ts'
import { defineTextMethods } from './text-methods.ts'

export const maxText = 200_000_000

/** `text[…]`: an index, a start and a length, a range, a text, a pattern with or without a group. */
export function textAt(text: string, first: RubyValue, second?: RubyValue): RubyValue {
  if (first instanceof RubyRegexp) {
    const match = first.search(text)
    if (match === null) return null
    if (second === undefined) return match.whole
    if (isText(second) || second instanceof RubySymbol) {
      return match.named(second instanceof RubySymbol ? second.name : textOf(second)) ?? null
    }
    const number = indexOf(second)
    return match.group(number < 0 ? number + match.groupCount + 1 : number)
  }
  if (isText(first)) return text.includes(textOf(first)) ? textOf(first) : null
  if (first instanceof RubyRange) {
    const range = rangeWithin(first, charLength(text))
    return range === undefined ? null : charSlice(text, range.start, range.length)
  }
  if (second !== undefined) return charSlice(text, indexOf(first), indexOf(second))
  const char = charSlice(text, indexOf(first), 1)
  return char === '' ? null : char
}

function repeat(text: string, times: RubyValue | undefined): string {
  const count = sizeOf(times, maxText)
  if (count < 0) raise(argumentError, 'negative argument')
  if (count * text.length > maxText) raise(argumentError, 'argument too big')
  return text.repeat(count)
}

function padding(text: string, width: RubyValue | undefined, pad: RubyValue): [left: string, right: string] {
  const fill = textArgument(pad)
  if (fill === '') raise(argumentError, 'zero width padding')
  const missing = Math.max(0, sizeOf(width, maxText) - charLength(text))
  const chars = charsOf(fill)
  const make = (size: number): string =>
    chars.length === 1
      ? fill.repeat(size)
      : Array.from({ length: size }, (_, i) => chars[i % chars.length]).join('')
  return [make(missing), make(missing)]
}

function center(text: string, width: RubyValue | undefined, pad: RubyValue): string {
  const missing = Math.max(0, sizeOf(width, maxText) - charLength(text))
  const [whole] = padding(text, width, pad)
  const left = Math.floor(missing / 2)
  return charSlice(whole, 0, left)! + text + charSlice(whole, 0, missing - left)!
}

const first = (text: string): string => (text === '' ? '' : charsOf(text)[0]!)

function capitalize(text: string): string {
  const head = first(text)
  return head.toUpperCase() + text.slice(head.length).toLowerCase()
}

const swapcase = (text: string): string =>
  Array.from(text, (char) => (char === char.toUpperCase() ? char.toLowerCase() : char.toUpperCase())).join('')

function chomp(text: string, ending: RubyValue | undefined): string {
  if (ending === null) return text
  if (ending === undefined) return text.replace(/(?:\r\n|\n|\r)$/, '')
  const suffix = textArgument(ending)
  if (suffix === '') return text.replace(/(?:\r?\n)+$/, '')
  if (suffix === '\n') return text.replace(/(?:\r\n|\n|\r)$/, '')
  return text.endsWith(suffix) ? text.slice(0, -suffix.length) : text
}

export function linesOf(text: string, args: RubyValue[]): string[] {
  const options = takeOptions(args)
  const separator = args[0] === undefined ? '\n' : textArgument(args[0])
  const lines: string[] = []
  let from = 0
  while (from < text.length) {
    const at = text.indexOf(separator, from)
    const end = at < 0 ? text.length : at + separator.length
    lines.push(text.slice(from, end))
    from = end
  }
  return options.get('chomp') === true ? lines.map((line) => chomp(line, args[0])) : lines
}

const spaceAtStart = /^[\0\t\n\v\f\r ]+/

const isSpace = (code: number): boolean => code === 0 || code === 32 || (code >= 9 && code <= 13)

/** Scans from the end: a pattern would try every run of blanks. */
function rstrip(text: string): string {
  let end = text.length
  while (end > 0 && isSpace(text.charCodeAt(end - 1))) end--
  return end === text.length ? text : text.slice(0, end)
}

defineStatics(stringClass, {
  'new 0-2': (_, args) => {
    takeOptions(args)
    return new MutableString(args.length === 0 ? '' : textArgument(args[0]))
  },
})

defineTextMethods({
  'length,size': (self) => charLength(self),
  'empty?': (self) => self === '',
  'to_s,to_str,itself': (self) => self,
  inspect: (self) => inspectText(self),
  dump: (self) => inspectText(self),
  'to_i 0-1': (self, [base]) =>
    base === undefined ? leadingWhole(self) : leadingInBase(self, indexOf(base)),
  to_f: (self) => leadingFloat(self),
  hex: (self) => leadingInBase(self, 16),
  oct: (self) => leadingInBase(self, /^\s*[+-]?0[xXbBdD]/.test(self) ? 0 : 8),
  'to_sym,intern': (self) => new RubySymbol(self),
  '+ 1': (self, [other]) => {
    const text = self + textArgument(other)
    if (text.length > maxText) raise(argumentError, 'argument too big')
    return text
  },
  '* 1': (self, [times]) => repeat(self, times),
  '% 1': (self, [values]) => format(self, Array.isArray(values) ? values : [values!]),
  '==,===,eql? 1': (self, [other]) => equal(self, other!),
  '<=> 1': (self, [other]) => (isText(other) ? compareTexts(self, textOf(other)) : null),
  'casecmp 1': (self, [other]) =>
    isText(other) ? compareTexts(asciiDown(self), asciiDown(textOf(other))) : noConversion(other, 'String'),
  'casecmp? 1': (self, [other]) =>
    isText(other) ? folded(self) === folded(textOf(other)) : noConversion(other, 'String'),
  '[],slice 1-2': (self, [start, length]) => textAt(self, start!, length),
  'upcase *': (self) => self.toUpperCase(),
  'downcase *': (self) => self.toLowerCase(),
  'capitalize *': (self) => capitalize(self),
  'swapcase *': (self) => swapcase(self),
  strip: (self) => rstrip(self).replace(spaceAtStart, ''),
  lstrip: (self) => self.replace(spaceAtStart, ''),
  rstrip: (self) => rstrip(self),
  'chomp 0-1': (self, [ending]) => chomp(self, ending),
  chop: (self) => (self.endsWith('\r\n') ? self.slice(0, -2) : charsOf(self).slice(0, -1).join('')),
  chr: (self) => first(self),
  ord: (self) => (self === '' ? raise(argumentError, 'empty string') : self.codePointAt(0)!),
  reverse: (self) => charsOf(self).reverse().join(''),
  'include? 1': (self, [part]) => self.includes(textArgument(part)),
  'start_with? *': (self, args) =>
    args.some((prefix) =>
      prefix instanceof RubyRegexp ? prefix.search(self)?.start === 0 : self.startsWith(textArgument(prefix)),
    ),
  'end_with? *': (self, args) => args.some((suffix) => self.endsWith(textArgument(suffix))),
  'delete_prefix 1': (self, [prefix]) =>
    self.startsWith(textArgument(prefix)) ? self.slice(textArgument(prefix).length) : self,
  'delete_suffix 1': (self, [suffix]) => {
    const end = textArgument(suffix)
    return end !== '' && self.endsWith(end) ? self.slice(0, -end.length) : self
  },
  'ljust 1-2': (self, [width, pad = ' ']) => self + padding(self, width, pad)[1],
  'rjust 1-2': (self, [width, pad = ' ']) => padding(self, width, pad)[0] + self,
  'center 1-2': (self, [width, pad = ' ']) => center(self, width, pad),
  chars: (self) => charsOf(self),
  each_char: (self, _, block) => {
    if (block === null) return new Enumerator(self, 'each_char')
    for (const char of charsOf(self)) block.one(char)
    return self
  },
  'lines *': (self, args) => linesOf(self, args),
  'each_line *': (self, args, block) => {
    if (block === null) return new Enumerator(self, 'each_line', args)
    for (const line of linesOf(self, args)) block.one(line)
    return self
  },
  codepoints: (self) => Array.from(self, (char) => char.codePointAt(0)!),
  'succ,next': (self) => successor(self),
  'upto 1-2': (self, [last, exclusive = false], block) => {
    const range = new RubyRange(self, textArgument(last), exclusive === true)
    if (block === null) return new Enumerator(range, 'each')
    const items = new Enumerator(range, 'each')
    items.run(block)
    return self
  },
  'between? 2': (self, [low, high]) =>
    compareTexts(self, textArgument(low)) >= 0 && compareTexts(self, textArgument(high)) <= 0,
  hash: (self) => hashNumber(self),
  'unicode_normalize 0-1': (self, [form]) =>
    self.normalize((form instanceof RubySymbol ? form.name : 'nfc').toUpperCase()),
  '-@,+@': (self) => self,
  'partition 1': (self, [separator]) => {
    const found = locate(self, separator!)
    return found === null
      ? [self, '', '']
      : [self.slice(0, found.at), found.text, self.slice(found.at + found.text.length)]
  },
  'rpartition 1': (self, [separator]) => {
    const found = locateLast(self, separator!)
    return found === null
      ? ['', '', self]
      : [self.slice(0, found.at), found.text, self.slice(found.at + found.text.length)]
  },
  'index 1-2': (self, [what, start = 0]) => {
    const size = charLength(self)
    const from = indexOf(start) < 0 ? indexOf(start) + size : indexOf(start)
    if (from < 0 || from > size) return null
    const found = locate(self, what!, unitIndex(self, from))
    return found === null ? null : charIndex(self, found.at)
  },
  'rindex 1-2': (self, [what, start]) => {
    const size = charLength(self)
    const until = start === undefined ? size : indexOf(start) < 0 ? indexOf(start) + size : indexOf(start)
    if (until < 0) return null
    const found = locateLast(self, what!, unitIndex(self, Math.min(until, size)))
    return found === null ? null : charIndex(self, found.at)
  },
})

/** Own identity for what code may want to change; texts without one are frozen by nature. */
defineMethods<string | MutableString>(stringClass, {
  'dup,clone,+@ *': (self) => (typeof self === 'string' ? self : new MutableString(self.text)),
  freeze: (self) => {
    if (self instanceof MutableString) self.frozen = true
    return self
  },
  '-@': (self) => textOf(self),
  'frozen?': (self) => self instanceof MutableString && self.frozen,
})

/** Full case folding: `ß` is `ss`. */
function folded(text: string): string {
  return text.toUpperCase().toLowerCase()
}

function asciiDown(text: string): string {
  return text.replace(/[A-Z]+/g, (run) => run.toLowerCase())
}

/** Any number will do that is the same for the same text. */
function hashNumber(text: string): number {
  let hash = 7
  for (let i = 0; i < text.length; i++) hash = (hash * 31 + text.charCodeAt(i)) | 0
  return hash
}

interface Found {
  at: number
  text: string
}

function locate(text: string, what: RubyValue, from = 0): Found | null {
  if (what instanceof RubyRegexp) {
    const match = what.search(text, from)
    return match === null ? null : { at: match.start, text: match.whole }
  }
  const part = textArgument(what)
  const at = text.indexOf(part, from)
  return at < 0 ? null : { at, text: part }
}

function locateLast(text: string, what: RubyValue, until = text.length): Found | null {
  if (what instanceof RubyRegexp) {
    // The last place at which a match can start, going backwards.
    for (let at = until; at >= 0; at--) {
      const match = what.search(text, at)
      if (match !== null && match.start === at) return { at, text: match.whole }
    }
    return null
  }
  const part = textArgument(what)
  const at = text.lastIndexOf(part, until)
  return at < 0 ? null : { at, text: part }
}
