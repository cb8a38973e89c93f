/**
 * The classic tokenizer: the grammar of Lucene's old standard tokenizer, which knows hosts, companies, acronyms and
 * e-mail addresses. The longest match at a place counts, and of equal ones the first kind.
 */
import { type TokenBuffer, tokenType } from '../token-buffer.ts'

const ideographs = /[\u3040-\u318f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]/
const letter = /[\p{L}\p{M}]/u
const digit = /\p{Nd}/u
const numberMarks = '_-/.,'
/** No token is longer, so nothing is looked for further away. */
const maxWindow = 300

/** Words with the signs between them: `a.b-5`. */
interface Chain {
  readonly starts: number[]
  readonly ends: number[]
  /** The sign behind each word but the last. */
  readonly signs: string[]
  readonly withDigit: boolean[]
}

function isWordSign(text: string, at: number): boolean {
  const sign = text[at]
  if (sign === undefined || ideographs.test(sign)) return false
  return letter.test(sign) || digit.test(sign)
}

function chainAt(text: string, from: number): Chain {
  const chain: Chain = { starts: [], ends: [], signs: [], withDigit: [] }
  const limit = Math.min(text.length, from + maxWindow)
  for (let at = from; at < limit; ) {
    const start = at
    let withDigit = false
    while (at < limit && isWordSign(text, at)) withDigit = digit.test(text[at++]!) || withDigit
    if (at === start) break
    chain.starts.push(start)
    chain.ends.push(at)
    chain.withDigit.push(withDigit)
    if (!"_-/.,@&'".includes(text[at] ?? ' ') || !isWordSign(text, at + 1)) break
    chain.signs.push(text[at]!)
    at++
  }
  return chain
}

/** The end of the longest row of words whose signs are all allowed. */
function rowEnd({ ends, signs }: Chain, from: number, allowed: string): number {
  let at = from
  while (at < signs.length && allowed.includes(signs[at]!)) at++
  return at === from ? 0 : ends[at]!
}

/** Words of which every second has a digit. */
function numberEnd({ ends, signs, withDigit }: Chain): number {
  let best = 0
  for (const parity of [0, 1]) {
    let at = 0
    while (at < ends.length && (at % 2 !== parity || withDigit[at] === true)) {
      if (at > 0) best = Math.max(best, ends[at]!)
      if (at >= signs.length || !numberMarks.includes(signs[at]!)) break
      at++
    }
  }
  return best
}

function emailEnd({ ends, signs }: Chain): number {
  let at = 0
  while (at < signs.length && '._-'.includes(signs[at]!)) at++
  if (signs[at] !== '@') return 0
  const from = at + 1
  let end = from
  while (end < signs.length && '.-'.includes(signs[end]!)) end++
  return end === from ? 0 : ends[end]!
}

function companyEnd(text: string, { ends, signs }: Chain): number {
  if (signs[0] !== '&' && signs[0] !== '@') return 0
  let end = ends[0]! + 1
  while (end < ends[1]! && !digit.test(text[end]!)) end++
  return end === ends[0]! + 1 ? 0 : end
}

function apostropheEnd(chain: Chain): number {
  let at = 0
  while (
    at < chain.signs.length &&
    chain.signs[at] === "'" &&
    !chain.withDigit[at] &&
    !chain.withDigit[at + 1]
  )
    at++
  return at === 0 ? 0 : chain.ends[at]!
}

/** Single letters, each with a dot behind it. */
function acronymEnd(text: string, from: number): number {
  let at = from
  while (
    at - from < maxWindow &&
    letter.test(text[at] ?? ' ') &&
    !ideographs.test(text[at]!) &&
    text[at + 1] === '.'
  )
    at += 2
  return at - from < 4 ? 0 : at
}

export function classicTokenizer(maxLength: number) {
  return (text: string, out: TokenBuffer): void => {
    let position = 0
    for (let at = 0; at < text.length; ) {
      if (ideographs.test(text[at]!)) {
        out.push(text[at]!, position++, at, at + 1, tokenType.cjk)
        at++
        continue
      }
      const chain = chainAt(text, at)
      const first = chain.ends[0]
      if (first === undefined) {
        at++
        continue
      }
      let end = first
      let type: number = tokenType.alphanumeric
      for (const [other, kind] of [
        [apostropheEnd(chain), tokenType.apostrophe],
        [acronymEnd(text, at), tokenType.acronym],
        [companyEnd(text, chain), tokenType.company],
        [emailEnd(chain), tokenType.email],
        [rowEnd(chain, 0, '.'), tokenType.host],
        [numberEnd(chain), tokenType.number],
      ] as const)
        if (other > end) {
          end = other
          type = kind
        }
      if (end - at <= maxLength) out.push(text.slice(at, end), position, at, end, type)
      position++
      at = end
    }
    out.endPosition = position
  }
}
