/**
 * Replaces one match after the other. JavaScript's own `replace` is faster, but it holds every piece of a long text at
 * once and cannot be stopped: when that is more than the heap has, the whole process ends. Here pieces are joined as they
 * come, and a result that grows too long is an error of its event.
 */
import { getHeapStatistics } from 'node:v8'
import { fillReplacement, type Part } from './ruby/ruby-replacement.ts'

/** Longer texts are not given to `replace`. */
export const maxTextAtOnce = 2 * 1024 * 1024

const piecesTogether = 8192
const maxHeapShare = 0.25

let maxLength: number | undefined

export function replaceEach(
  text: string,
  expression: RegExp,
  parts: readonly Part[],
  max = maxResultLength(),
): string {
  const joined: string[] = []
  let pieces: string[] = []
  let length = 0
  let from = 0
  for (let match = expression.exec(text); match !== null; match = expression.exec(text)) {
    const filled = fillReplacement(parts, match)
    pieces.push(text.slice(from, match.index), filled)
    length += match.index - from + filled.length
    if (length > max) throw new RangeError(`The result of a replacement has more than ${max} characters`)
    from = match.index + match[0].length
    if (match[0] === '') expression.lastIndex += (text.codePointAt(from) ?? 0) > 0xffff ? 2 : 1
    if (pieces.length < piecesTogether) continue
    joined.push(pieces.join(''))
    pieces = []
  }
  joined.push(...pieces, text.slice(from))
  return joined.join('')
}

function maxResultLength(): number {
  maxLength ??= Math.floor(getHeapStatistics().heap_size_limit * maxHeapShare)
  return maxLength
}
