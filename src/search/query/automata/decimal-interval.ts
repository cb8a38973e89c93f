/**
 * `<5-120>` of a regular expression: an alternation of digit ranges that matches the decimal numbers between
 * two.
 */
import type { RegexpTree } from './regexp-syntax.ts'

function digits(from: string, to: string): RegexpTree {
  return { type: 'set', ranges: [[from.charCodeAt(0), to.charCodeAt(0)]] }
}

const anyDigit = digits('0', '9')
const empty: RegexpTree = { type: 'text', points: [] }

/** With `width` 0 numbers may have any number of leading zeros, otherwise exactly that many digits. */
export function intervalTree(min: number, max: number, width: number): RegexpTree {
  if (width > 0) return between(String(min).padStart(width, '0'), String(max).padStart(width, '0'))
  const low = String(min)
  const high = String(max)
  const parts: RegexpTree[] = []
  for (let length = low.length; length <= high.length; length++) {
    const from = length === low.length ? low : `1${'0'.repeat(length - 1)}`
    const to = length === high.length ? high : '9'.repeat(length)
    parts.push(between(from, to))
  }
  const zeros: RegexpTree = { type: 'repeat', part: digits('0', '0'), min: 0, max: Number.POSITIVE_INFINITY }
  return { type: 'concat', parts: [zeros, { type: 'union', parts }] }
}

/** Both bounds must have the same length. */
function between(from: string, to: string): RegexpTree {
  const length = from.length
  if (length === 0) return empty
  if (/^0*$/.test(from) && /^9*$/.test(to))
    return { type: 'repeat', part: anyDigit, min: length, max: length }
  const first = from[0]!
  const last = to[0]!
  if (first === last) {
    return { type: 'concat', parts: [digits(first, first), between(from.slice(1), to.slice(1))] }
  }
  const rest = length - 1
  const parts: RegexpTree[] = [
    { type: 'concat', parts: [digits(first, first), between(from.slice(1), '9'.repeat(rest))] },
    { type: 'concat', parts: [digits(last, last), between('0'.repeat(rest), to.slice(1))] },
  ]
  if (Number(last) - Number(first) > 1) {
    const inner = digits(String(Number(first) + 1), String(Number(last) - 1))
    parts.push({ type: 'concat', parts: [inner, { type: 'repeat', part: anyDigit, min: rest, max: rest }] })
  }
  return { type: 'union', parts }
}
