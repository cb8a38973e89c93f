/**
 * The uax_url_email tokenizer: the standard tokenizer, but URLs and mail addresses are single tokens. They are
 * recognised by form, not by a list of top-level domains.
 */
import type { Tokenizer } from '../component.ts'
import { TokenBuffer, tokenType } from '../token-buffer.ts'
import { standardTokens } from './standard-tokenizer.ts'

// Each part is bounded, and adjacent parts have disjoint characters, so there is hardly any backtracking.
const address =
  /(?<email>[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,64}(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,64}){0,8}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}(?![A-Za-z0-9-]))|(?<url>(?:https?|ftp|file):\/\/[^\s<>"'`\\^{|}]{1,2000})/gi

/** Punctuation at the end of a sentence is not part of a URL. */
function trimmedEnd(url: string): number {
  let end = url.length
  while (end > 0 && '.,;:!?)]'.includes(url[end - 1]!)) end--
  return end
}

export function urlEmailTokenizer(maxLength: number): Tokenizer {
  const piece = new TokenBuffer()
  return (text, out) => {
    let last = 0
    let position = 0
    const plain = (end: number): void => {
      if (end <= last) return
      piece.clear()
      const part = text.slice(last, end)
      standardTokens(part, part, piece, maxLength)
      for (let index = 0; index < piece.length; index++) {
        const start = piece.starts[index]! + last
        out.push(piece.terms[index]!, position++, start, piece.ends[index]! + last, piece.types[index]!)
      }
      last = end
    }
    for (const match of text.matchAll(address)) {
      const whole = match[0]
      const isMail = match.groups?.email !== undefined
      const length = isMail ? whole.length : trimmedEnd(whole)
      if (length > maxLength) continue
      plain(match.index)
      const end = match.index + length
      const type = isMail ? tokenType.email : tokenType.url
      out.push(whole.slice(0, length), position++, match.index, end, type)
      last = end
    }
    plain(text.length)
    out.endPosition = position
  }
}
