/** Texts that would do harm if they ever became code, and how they are written in a configuration. */
import fc from 'fast-check'

// biome-ignore format: a table
const pieces = [
  '"', "'", '`', '\\', '\n', '\r', '\u2028', '\u2029', '\0', '${', '}', '${process.exit(1)}', '*/', '/*', '//', '-->', '<!--',
  '__proto__', 'constructor', 'prototype', '");', "');", 'process', 'globalThis', '(', ')', ';', '=>', '\\u0022', '\\x22', '\\"',
  '#', '/', 'a', ' ', '\ud800', '\udc00', '\u{1f600}', '.', '+', '%{', '%{a}', 'eval', 'import(', 'return', '0', '-1', '\ufeff',
]

const anyText = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 8 })
      .map((list) => list.join('')),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'),
  },
)

/**
 * What a quoted string can say: a variable that is not defined would be refused before any code is
 * generated, and the grammar takes a backslash before the closing quote as an escape of the quote.
 */
function sayable(text: string): string {
  const plain = text.replace(/\$\{(?=[a-zA-Z_.])/g, '${ ')
  return plain.endsWith('\\') ? `${plain}x` : plain
}

export const hostileText: fc.Arbitrary<string> = anyText.map(sayable)

/** A quoted string that means the text when `config.support_escapes` is on. */
export function quoted(text: string): string {
  return `"${text.replace(/["'\\]/g, '\\$&')}"`
}

/** A name between the brackets of a field reference: no brackets, no comma. */
export function fieldName(text: string): string {
  return sayable(text.replace(/[[\],]/g, '')) || 'x'
}

/** A regular expression that matches the text, between slashes; it never ends in a backslash. */
export function regexp(text: string): string {
  return `/${text.replace(/[\\^$.*+?()[\]{}|/\-#\s]/g, '\\$&')}x*/`
}
