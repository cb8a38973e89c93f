/**
 * What literals of the language mean: numbers as Ruby's Integer() and Float() read them, and the escapes
 * that `config.support_escapes` switches on.
 */
import { float, integer, type LsFloat } from '../../event/value.ts'
import type { NumberNode } from '../../lang/ast.ts'
import { ConfigurationError } from './configuration-error.ts'

export function numberValue(node: NumberNode): number | bigint | LsFloat {
  const { text } = node
  if (text.includes('.')) {
    if (text.endsWith('.')) throw new ConfigurationError(`invalid value for Float(): "${text}"`, node.place)
    return float(Number(text))
  }
  const digits = text.startsWith('-') ? text.slice(1) : text
  const octal = digits.length > 1 && digits.startsWith('0')
  if (octal && /[89]/.test(digits)) {
    throw new ConfigurationError(`invalid value for Integer(): "${text}"`, node.place, {
      hint: 'A leading zero makes a number octal; write it without the zero or in quotes.',
    })
  }
  const magnitude = BigInt(octal ? `0o${digits}` : digits)
  return integer(text.startsWith('-') ? -magnitude : magnitude)
}

const escapes: Record<string, string> = {
  '"': '"',
  "'": "'",
  '\\': '\\',
  '/': '/',
  n: '\n',
  r: '\r',
  t: '\t',
  '0': '\0',
}

/** Escapes in both quote styles; an unknown one stays two characters. */
export function unescapeText(text: string): string {
  return text.includes('\\') ? text.replace(/\\(.)/gs, (whole, char: string) => escapes[char] ?? whole) : text
}
