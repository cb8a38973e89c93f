/**
 * Regexp and MatchData methods.
 */
import { nameArgument, textArgument } from '../arguments.ts'
import { charIndex, unitIndex } from '../chars.ts'
import { equal } from '../compare.ts'
import { indexError, raise } from '../errors.ts'
import { RubyHash } from '../hash.ts'
import { inspect, toText } from '../inspect.ts'
import { indexOf } from '../number.ts'
import { extended, ignoreCase, multiLine, type RubyMatch, RubyRegexp } from '../regexp.ts'
import { defineMethods, defineStatics, matchDataClass, type RubyValue, regexpClass } from '../ruby-class.ts'
import { runtime } from '../runtime.ts'
import { isText, RubyRange, RubySymbol, textOf } from '../values.ts'
import { sliceOf } from './array.ts'
import { escapePattern } from './string-search.ts'

regexpClass.constants.set('IGNORECASE', ignoreCase)
regexpClass.constants.set('EXTENDED', extended)
regexpClass.constants.set('MULTILINE', multiLine)

function optionBits(value: RubyValue | undefined): number {
  if (value === undefined || value === null || value === false) return 0
  if (typeof value === 'number') return value
  if (isText(value)) {
    const letters = textOf(value)
    return (
      (letters.includes('i') ? ignoreCase : 0) |
      (letters.includes('x') ? extended : 0) |
      (letters.includes('m') ? multiLine : 0)
    )
  }
  return ignoreCase
}

/** The text that a search looks at; nil has none. */
function subject(value: RubyValue | undefined): string | null {
  if (value === null) return null
  return value instanceof RubySymbol ? value.name : textArgument(value)
}

defineStatics(regexpClass, {
  'new,compile 1-3': (_, [source, options]) =>
    source instanceof RubyRegexp ? source : new RubyRegexp(textArgument(source), optionBits(options)),
  'escape,quote 1': (_, [text]) => escapePattern(toText(text!)),
  'union *': (_, args) => {
    const items = args.length === 1 && Array.isArray(args[0]) ? args[0] : args
    if (items.length === 0) return new RubyRegexp('(?!)')
    if (items.length === 1 && items[0] instanceof RubyRegexp) return items[0]
    return new RubyRegexp(
      items
        .map((item) => (item instanceof RubyRegexp ? item.embedded : escapePattern(textArgument(item))))
        .join('|'),
    )
  },
  'last_match 0-1': (_, [group]) => {
    const { match } = runtime
    return group === undefined || match === null ? match : groupOf(match, group)
  },
})

defineMethods<RubyRegexp>(regexpClass, {
  '=~ 1': (self, [text]) => {
    const of = subject(text)
    const match = of === null ? null : self.search(of)
    if (match === null) runtime.match = null
    return match === null ? null : charIndex(match.text, match.start)
  },
  '=== 1': (self, [text]) =>
    (isText(text) || text instanceof RubySymbol) && self.search(subject(text)!) !== null,
  'match 1-2': (self, [text, start = 0], block) => {
    const of = subject(text)
    if (of === null) {
      runtime.match = null
      return null
    }
    const match = self.search(of, unitIndex(of, indexOf(start)))
    return match !== null && block !== null ? block.one(match) : match
  },
  'match? 1-2': (self, [text, start = 0]) => {
    const of = subject(text)
    if (of === null) return false
    return indexOf(start) === 0 ? self.test(of) : self.find(of, unitIndex(of, indexOf(start))) !== null
  },
  source: (self) => self.source,
  to_s: (self) => self.embedded,
  inspect: (self) =>
    `/${self.source.replace(/\\.|\//gs, (sign) => (sign === '/' ? '\\/' : sign))}/${self.flagText}`,
  options: (self) => self.options,
  'casefold?': (self) => (self.options & ignoreCase) !== 0,
  names: (self) => [...self.pattern.groupNames],
  named_captures: (self) =>
    RubyHash.from([...self.pattern.names].map(([name, numbers]) => [name, [...numbers]])),
  '==,eql? 1': (self, [other]) => equal(self, other!),
})

function groupOf(match: RubyMatch, key: RubyValue): RubyValue {
  if (isText(key) || key instanceof RubySymbol) {
    const found = match.named(nameArgument(key))
    if (found === undefined) raise(indexError, `undefined group name reference: ${nameArgument(key)}`)
    return found
  }
  const number = indexOf(key)
  const group = number < 0 ? number + match.groupCount + 1 : number
  return group < 0 ? null : match.group(group)
}

function groupNumber(match: RubyMatch, key: RubyValue): number {
  if (typeof key === 'number') {
    if (key < 0 || key > match.groupCount) raise(indexError, `index ${key} out of matches`)
    return key
  }
  const numbers = match.regexp.pattern.names.get(nameArgument(key))
  return (
    numbers?.[numbers.length - 1] ?? raise(indexError, `undefined group name reference: ${nameArgument(key)}`)
  )
}

defineMethods<RubyMatch>(matchDataClass, {
  '[] 1-2': (self, [first, second]) =>
    second !== undefined || first instanceof RubyRange
      ? sliceOf([self.whole, ...self.captures()], first!, second)
      : groupOf(self, first!),
  captures: (self) => self.captures(),
  to_a: (self) => [self.whole, ...self.captures()],
  'named_captures *': (self) =>
    RubyHash.from(self.regexp.pattern.groupNames.map((name) => [name, self.named(name) ?? null])),
  names: (self) => [...self.regexp.pattern.groupNames],
  pre_match: (self) => self.text.slice(0, self.start),
  post_match: (self) => self.text.slice(self.end),
  to_s: (self) => self.whole,
  string: (self) => self.text,
  regexp: (self) => self.regexp,
  'length,size': (self) => self.groupCount + 1,
  'begin 1': (self, [group]) => self.offset(groupNumber(self, group!))?.[0] ?? null,
  'end 1': (self, [group]) => self.offset(groupNumber(self, group!))?.[1] ?? null,
  'offset 1': (self, [group]) => self.offset(groupNumber(self, group!)) ?? [null, null],
  'values_at *': (self, args) => args.map((key) => groupOf(self, key)),
  'deconstruct_keys 1': (self) =>
    RubyHash.from(
      self.regexp.pattern.groupNames.map((name) => [new RubySymbol(name), self.named(name) ?? null]),
    ),
  deconstruct: (self) => self.captures(),
  inspect: (self) => {
    const names = self.regexp.pattern.groupNames
    const groups = self.captures().map((text, i) => ` ${names[i] ?? i + 1}:${inspect(text)}`)
    return `#<MatchData ${inspect(self.whole)}${groups.join('')}>`
  },
  '== 1': (self, [other]) => self === other,
})
