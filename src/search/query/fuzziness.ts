/**
 * The `fuzziness` option: how many edits a term of a given length may differ by. `AUTO` grows with the
 * length, `AUTO:3,6` sets its steps, and a number holds for all. Lucene allows at most two edits.
 */
import { illegalArgument } from '../request/errors.ts'
import { plainText } from '../request/plain-text.ts'

export type Fuzziness = number | { readonly low: number; readonly high: number }

export const autoFuzziness: Fuzziness = { low: 3, high: 6 }

const auto = /^AUTO(?::(.*))?$/is
const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?[df]?$/i

/** Truncates fractions and caps at two edits, so that the old `roam~0.8` still parses. */
export function parseFuzziness(value: string | number): Fuzziness {
  const text = plainText(value)
  const match = auto.exec(text)
  if (match !== null) return match[1] === undefined ? autoFuzziness : readSteps(text, match[1])
  if (!decimal.test(text)) throw illegalArgument(`fuzziness cannot be [${text}]`)
  const edits = Math.trunc(Number.parseFloat(text))
  if (edits < 0) throw illegalArgument(`Valid edit distances are [0, 1, 2] but was [${edits}].`)
  return Math.min(edits, 2)
}

function readSteps(text: string, steps: string): Fuzziness {
  const match = /^(-?\d{1,9}),(-?\d{1,9})$/.exec(steps)
  if (match === null) throw illegalArgument(`failed to parse [${text}] as a "auto:int,int"`)
  const low = Number(match[1])
  const high = Number(match[2])
  if (low < 0 || high < 0 || low > high) {
    throw illegalArgument(
      'fuzziness wrongly configured, must be: lowDistance > 0, highDistance > 0 and lowDistance <= highDistance ',
    )
  }
  return { low, high }
}

/** Lengths count code points, not UTF-16 units. */
export function editsFor(fuzziness: Fuzziness, text: string): number {
  if (typeof fuzziness === 'number') return fuzziness
  let length = 0
  for (const _ of text) if (++length >= fuzziness.high) return 2
  return length < fuzziness.low ? 0 : 1
}
