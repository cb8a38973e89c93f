/**
 * String as bytes, and encodings: a string is UTF-8 unless `force_encoding` said otherwise; other encodings
 * are read, never written.
 */
import { rangeWithin, takeOptions, textArgument } from '../arguments.ts'
import { bytesOf, hasForeignBytes, replaceForeignBytes, textOfBytes } from '../bytes.ts'
import { argumentError, encodingError, notImplementedError, raise } from '../errors.ts'
import { toText } from '../inspect.ts'
import { indexOf } from '../number.ts'
import { defineMethods, newClass, objectClass, type RubyValue, stringClass } from '../ruby-class.ts'
import { Instance, MutableString, RubyRange, RubySymbol, textOf } from '../values.ts'
import { Enumerator } from './items.ts'
import { unpack } from './pack.ts'
import { defineTextMethods } from './text-methods.ts'

const encodingClass = newClass('Encoding', objectClass)
const undefinedConversion = newClass('UndefinedConversionError', encodingError, encodingClass)
const invalidByteSequence = newClass('InvalidByteSequenceError', encodingError, encodingClass)
newClass('CompatibilityError', encodingError, encodingClass)
newClass('ConverterNotFoundError', encodingError, encodingClass)

/** Canonical names; `latin1` and the like are how Node calls them. */
const encodings: Readonly<Record<string, string>> = {
  'UTF-8': 'UTF-8',
  UTF8: 'UTF-8',
  'ASCII-8BIT': 'ASCII-8BIT',
  BINARY: 'ASCII-8BIT',
  'US-ASCII': 'US-ASCII',
  ASCII: 'US-ASCII',
  'ISO-8859-1': 'ISO-8859-1',
  'ISO-8859-15': 'ISO-8859-15',
  'WINDOWS-1252': 'Windows-1252',
  CP1252: 'Windows-1252',
  'UTF-16LE': 'UTF-16LE',
  'UTF-16BE': 'UTF-16BE',
  'UTF-16': 'UTF-16',
  SHIFT_JIS: 'Shift_JIS',
  'EUC-JP': 'EUC-JP',
  GBK: 'GBK',
  GB18030: 'GB18030',
  BIG5: 'Big5',
}

for (const name of new Set(Object.values(encodings))) {
  encodingClass.constants.set(name.replaceAll('-', '_').toUpperCase(), new Instance(encodingClass, name))
}
encodingClass.constants.set('BINARY', new Instance(encodingClass, 'ASCII-8BIT'))
encodingClass.constants.set('ASCII', new Instance(encodingClass, 'US-ASCII'))

defineMethods<Instance<string>>(encodingClass, {
  'to_s,name': (self) => self.state,
  inspect: (self) => `#<Encoding:${self.state}>`,
  '== 1': (self, [other]) => other instanceof Instance && other.state === self.state,
})

function encodingName(value: RubyValue | undefined): string {
  const given = value instanceof Instance ? String(value.state) : textArgument(value)
  const known = encodings[given.toUpperCase()]
  if (known === undefined) raise(argumentError, `unknown encoding name - ${given}`)
  return known
}

function decodeAs(text: string, encoding: string): string {
  if (encoding === 'ISO-8859-1') return bytesOf(text).toString('latin1')
  return new TextDecoder(encoding.toLowerCase()).decode(bytesOf(text))
}

const bytesShown = (text: string): string =>
  Array.from(Buffer.from(text), (byte) => `\\x${hex(byte)}`).join('')

/** Without an order in its name, UTF-16 is big-endian behind a mark that says so. */
function utf16(text: string, encoding: string): Buffer {
  const bytes = Buffer.from(encoding === 'UTF-16' ? `\ufeff${text}` : text, 'utf16le')
  return encoding === 'UTF-16LE' ? bytes : bytes.swap16()
}

function encode(self: string | MutableString, args: RubyValue[]): string {
  const options = takeOptions(args)
  const text = textOf(self)
  const target = args[0] === undefined ? 'UTF-8' : encodingName(args[0])
  const source =
    args[1] === undefined
      ? ((self instanceof MutableString ? self.encoding : null) ?? 'UTF-8')
      : encodingName(args[1])
  const replaces = (name: string): boolean => {
    const value = options.get(name)
    return value instanceof RubySymbol && value.name === 'replace'
  }
  const given = options.get('replace')
  let result = text
  if (source === 'UTF-8' || source === 'ASCII-8BIT' || source === 'US-ASCII') {
    if (source === 'UTF-8' ? hasForeignBytes(text) : /[^\0-\x7f]/.test(text)) {
      const by = given === undefined ? (target === 'UTF-8' ? '\ufffd' : '?') : toText(given)
      if (source === 'UTF-8') {
        if (target === 'UTF-8' && args[1] === undefined && options.size === 0) return text
        result = replaceForeignBytes(text, (byte) =>
          replaces('invalid') ? by : raise(invalidByteSequence, `"\\x${hex(byte)}" on UTF-8`),
        )
      } else {
        if (!replaces('undef') && !replaces('invalid')) {
          const byte = bytesOf(text).find((one) => one > 0x7f)!
          raise(undefinedConversion, `"\\x${hex(byte)}" from ${source} to UTF-8`)
        }
        result = Array.from(bytesOf(text), (byte) => (byte > 0x7f ? by : String.fromCharCode(byte))).join('')
      }
    }
  } else result = decodeAs(text, source)
  if (target === 'UTF-8') return result
  if (target === 'US-ASCII' || target === 'ASCII-8BIT') {
    const by = given === undefined ? '?' : toText(given)
    return result.replace(/[^\0-\x7f]/gu, (char) => {
      if (replaces('undef')) return by
      return raise(undefinedConversion, `"${bytesShown(char)}" from UTF-8 to ${target}`)
    })
  }
  if (target.startsWith('UTF-16')) return textOfBytes(utf16(result, target))
  if (/^[\0-\x7f]*$/.test(result)) return result
  return raise(notImplementedError, `texts in ${target} are not supported`)
}

const hex = (code: number, digits = 2): string => code.toString(16).toUpperCase().padStart(digits, '0')

function byteSlice(text: string, first: RubyValue, second: RubyValue | undefined): RubyValue {
  const bytes = bytesOf(text)
  if (first instanceof RubyRange) {
    const range = rangeWithin(first, bytes.length)
    return range === undefined ? null : textOfBytes(bytes.subarray(range.start, range.start + range.length))
  }
  const start = indexOf(first) < 0 ? indexOf(first) + bytes.length : indexOf(first)
  const length = second === undefined ? 1 : indexOf(second)
  if (start < 0 || start > bytes.length || length < 0 || (second === undefined && start === bytes.length))
    return null
  return textOfBytes(bytes.subarray(start, start + length))
}

defineTextMethods({
  bytes: (self) => [...bytesOf(self)],
  bytesize: (self) => bytesOf(self).length,
  'byteslice 1-2': (self, [first, second]) => byteSlice(self, first!, second),
  'getbyte 1': (self, [index]) => bytesOf(self).at(indexOf(index)) ?? null,
  each_byte: (self, _, block) => {
    if (block === null) return new Enumerator(self, 'each_byte')
    for (const byte of bytesOf(self)) block.one(byte)
    return self
  },
  'ascii_only?': (self) => /^[\0-\x7f]*$/.test(self),
  'valid_encoding?': (self) => !hasForeignBytes(self),
  'scrub 0-1': (self, [by = null], block) =>
    hasForeignBytes(self)
      ? replaceForeignBytes(self, (byte) =>
          block !== null
            ? toText(block.one(textOfBytes(Uint8Array.of(byte))))
            : by === null
              ? '\ufffd'
              : textArgument(by),
        )
      : self,
  b: (self) => self,
  'unpack 1': (self, [template]) => unpack(self, textArgument(template)),
  'unpack1 1': (self, [template]) => unpack(self, textArgument(template))[0] ?? null,
  'sum 0-1': (self, [bits = 16]) =>
    bytesOf(self).reduce((total, byte) => total + byte, 0) % 2 ** indexOf(bits),
})

defineMethods<string | MutableString>(stringClass, {
  'encode *': (self, args) => encode(self, args),
  'force_encoding 1': (self, [encoding]) => {
    const name = encodingName(encoding)
    const text = textOf(self)
    // Single bytes that were put together may be characters now.
    const joined = name === 'UTF-8' && hasForeignBytes(text) ? textOfBytes(bytesOf(text)) : text
    if (!(self instanceof MutableString)) return joined
    self.encoding = name === 'UTF-8' ? null : name
    self.text = joined
    return self
  },
  encoding: (self) => {
    const name = (self instanceof MutableString ? self.encoding : null) ?? 'UTF-8'
    return (
      encodingClass.constants.get(name.replaceAll('-', '_').toUpperCase()) ??
      new Instance(encodingClass, name)
    )
  },
})
