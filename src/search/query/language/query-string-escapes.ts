/**
 * Escapes in query texts: `\x` is the literal character x, `\u0041` a character by its code. Positions and
 * lengths are in UTF-16 units, as in Lucene.
 */

/** The error of an invalid escape, with Lucene's text. */
export class EscapeError extends Error {}

export function resolveEscapes(text: string): string {
  if (!text.includes('\\')) return text
  let plain = ''
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== '\\') {
      plain += text[at]
      continue
    }
    at++
    if (at === text.length) throw new EscapeError('Term can not end with escape character.')
    if (text[at] !== 'u') {
      plain += text[at]
      continue
    }
    plain += String.fromCharCode(readCode(text, at + 1))
    at += 4
  }
  return plain
}

function readCode(text: string, start: number): number {
  for (let at = start; at < start + 4; at++) {
    const digit = text[at]
    if (digit === undefined) throw new EscapeError('Truncated unicode escape sequence.')
    if (!/[0-9a-fA-F]/.test(digit)) {
      throw new EscapeError(`Non-hex character in Unicode escape sequence: ${digit}`)
    }
  }
  return Number.parseInt(text.slice(start, start + 4), 16)
}

/** Escapes all operators of a text, for the `escape` option. */
export function escapeOperators(text: string): string {
  return text.replace(/[\\+\-!():^[\]"{}~*?|&/]/g, '\\$&')
}
