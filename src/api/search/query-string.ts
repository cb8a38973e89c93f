/** The parameters of a URL as OpenSearch decodes them: an escape that is none is refused, `%%` is a percent sign. */

import { illegalArgument } from '../../search/request/errors.ts'
import { SearchError } from '../../search/request/search-error.ts'
import { percent } from '../../text/ascii.ts'

/** The last of a repeated name counts. Throws SearchError. */
export function parametersOf(query: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>()
  for (const pair of query.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    if (equals < 0) parameters.set(decoded(pair), '')
    else parameters.set(decoded(pair.slice(0, equals)), decoded(pair.slice(equals + 1)))
  }
  return parameters
}

function decoded(text: string): string {
  const spaced = text.replaceAll('+', ' ')
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    return decodedBytes(spaced, text)
  }
}

/** Decodes a text with invalid escapes or invalid UTF-8; wrong bytes become replacement characters. */
function decodedBytes(spaced: string, text: string): string {
  const source = Buffer.from(spaced)
  const bytes: number[] = []
  for (let at = 0; at < source.length; at++) {
    const byte = source[at]!
    if (byte !== percent) {
      bytes.push(byte)
    } else if (at === source.length - 1) {
      throw refused(`unterminated escape sequence at end of string: ${text}`)
    } else if (source[at + 1] === percent) {
      bytes.push(percent)
      at++
    } else if (at === source.length - 2) {
      throw refused(`partial escape sequence at end of string: ${text}`)
    } else {
      const digits = source.toString('latin1', at + 1, at + 3)
      if (!/^[\da-fA-F]{2}$/.test(digits))
        throw refused(`invalid escape sequence \`%${digits}' at index ${at} of: ${text}`)
      bytes.push(Number.parseInt(digits, 16))
      at += 2
    }
  }
  return Buffer.from(bytes).toString('utf8')
}

function refused(reason: string): SearchError {
  const text = `java.lang.IllegalArgumentException: ${reason}`
  return new SearchError('bad_parameter_exception', text, { cause: illegalArgument(reason) })
}
