/** Durations of decay functions in `function_score`. */

import { illegalArgument } from '../errors.ts'
import { plainText } from '../plain-text.ts'
import { millisPerUnit } from './duration-units.ts'

/** Parses `10d` or `36h` to milliseconds. */
export function readDuration(value: unknown): number {
  const text = plainText(value).trim()
  if (text === '0') return 0
  const match = /^([+-]?\d+(?:\.\d+)?)\s*([a-zA-Z]+)$/.exec(text)
  const unit = match === null ? undefined : millisPerUnit.get(match[2]!.toLowerCase())
  if (match === null || unit === undefined) {
    throw illegalArgument(
      `failed to parse setting [DecayFunctionParser.scale] with value [${text}] as a time value: unit is missing or unrecognized`,
    )
  }
  return Number(match[1]) * unit
}
