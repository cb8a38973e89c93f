/**
 * String methods that change the receiver in place. The compiler gives strings an identity in every program
 * that names one of these (see `changesStrings`).
 */
import { rangeWithin, textArgument } from '../arguments.ts'
import { charLength, charsOf } from '../chars.ts'
import { argumentError, indexError, raise } from '../errors.ts'
import { inspect, toText } from '../inspect.ts'
import { indexOf, isInteger } from '../number.ts'
import { RubyRegexp } from '../regexp.ts'
import { defineMethods, type RubyValue, stringClass } from '../ruby-class.ts'
import { isText, type MutableString, RubyRange, textOf } from '../values.ts'
import { maxText, textAt } from './string.ts'
import { change, defineBangMethods } from './text-methods.ts'

type Receiver = string | MutableString

defineBangMethods([
  'upcase',
  'downcase',
  'capitalize',
  'swapcase',
  'strip',
  'lstrip',
  'rstrip',
  'chomp',
  'chop',
  'tr',
  'tr_s',
  'delete',
  'squeeze',
  'delete_prefix',
  'delete_suffix',
])

function grow(self: Receiver, text: string): MutableString {
  if (text.length > maxText) raise(argumentError, 'argument too big')
  return change(self, text)
}

function piece(value: RubyValue): string {
  return isInteger(value) ? String.fromCodePoint(Number(value)) : textArgument(value)
}

/** `text[…] = new` */
function assign(self: Receiver, args: RubyValue[]): RubyValue {
  const text = textOf(self)
  const value = args[args.length - 1]!
  const by = textArgument(value)
  const [first, second] = args
  if (isText(first) || first instanceof RubyRegexp) {
    const found = first instanceof RubyRegexp ? first.search(text) : undefined
    const at = first instanceof RubyRegexp ? (found?.start ?? -1) : text.indexOf(textOf(first))
    if (at < 0) raise(indexError, first instanceof RubyRegexp ? 'regexp not matched' : 'string not matched')
    const length = found?.whole.length ?? textOf(first as string).length
    change(self, text.slice(0, at) + by + text.slice(at + length))
    return value
  }
  const size = charLength(text)
  const place =
    first instanceof RubyRange
      ? rangeWithin(first, size)
      : {
          start: indexOf(first) < 0 ? indexOf(first) + size : indexOf(first),
          length: args.length === 3 ? indexOf(second) : 1,
        }
  if (place === undefined) raise(indexError, `${inspect(first!)} out of range`)
  if (
    place.start < 0 ||
    place.start > size ||
    (args.length === 2 && !(first instanceof RubyRange) && place.start >= size)
  ) {
    raise(indexError, `index ${inspect(first!)} out of string`)
  }
  const chars = charsOf(text)
  chars.splice(place.start, place.length, by)
  change(self, chars.join(''))
  return value
}

defineMethods<Receiver>(stringClass, {
  '<< 1': (self, [other]) => grow(self, textOf(self) + piece(other!)),
  'concat *': (self, args) => grow(self, textOf(self) + args.map(piece).join('')),
  'prepend *': (self, args) => grow(self, args.map((arg) => textArgument(arg)).join('') + textOf(self)),
  'insert 2': (self, [index, other]) => {
    const chars = charsOf(textOf(self))
    const at = indexOf(index) < 0 ? indexOf(index) + chars.length + 1 : indexOf(index)
    if (at < 0 || at > chars.length) raise(indexError, `index ${inspect(index!)} out of string`)
    chars.splice(at, 0, textArgument(other))
    return grow(self, chars.join(''))
  },
  'replace 1': (self, [other]) => change(self, textArgument(other)),
  clear: (self) => change(self, ''),
  '[]= 2-3': (self, args) => assign(self, args),
  'slice! 1-2': (self, [first, second]) => {
    const taken = textAt(textOf(self), first!, second)
    if (taken !== null) assign(self, second === undefined ? [first!, ''] : [first!, second, ''])
    return taken
  },
  'reverse!': (self) => change(self, charsOf(textOf(self)).reverse().join('')),
  'succ!,next!': (self) =>
    change(self, toText(stringClass.methods.get('succ')!.call(textOf(self), [], null))),
  'scrub! 0-1': (self, args, block) =>
    change(self, toText(stringClass.methods.get('scrub')!.call(textOf(self), args, block))),
  'encode! *': (self, args) =>
    change(self, toText(stringClass.methods.get('encode')!.call(self, args, null))),
  'unicode_normalize! 0-1': (self, args) =>
    change(self, toText(stringClass.methods.get('unicode_normalize')!.call(textOf(self), args, null))),
})

/** Names that may change a string, whatever else they mean. */
export const stringChangers: ReadonlySet<string> = new Set([
  ...[...stringClass.methods.keys()].filter((name) => /^[a-z_]+!$/.test(name)),
  '<<',
  'concat',
  'prepend',
  'insert',
  'replace',
  'clear',
  '[]=',
  'force_encoding',
  'frozen?',
  'equal?',
  'send',
  '__send__',
  'public_send',
  'object_id',
])
