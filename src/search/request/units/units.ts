/** Parses times, byte sizes and numbers of settings and parameters, with Elasticsearch's error texts. */

import { illegalArgument, numberFormat } from '../errors.ts'
import type { SearchError } from '../search-error.ts'
import { millisPerUnit } from './duration-units.ts'

const byteUnits: readonly (readonly [suffix: string, bytes: number])[] = [
  ['pb', 1024 ** 5],
  ['p', 1024 ** 5],
  ['tb', 1024 ** 4],
  ['t', 1024 ** 4],
  ['gb', 1024 ** 3],
  ['g', 1024 ** 3],
  ['mb', 1024 ** 2],
  ['m', 1024 ** 2],
  ['kb', 1024],
  ['k', 1024],
  ['b', 1],
]

/** The units that times end with, in the order in which Elasticsearch tries them. */
const timeUnits = ['nanos', 'micros', 'ms', 's', 'm', 'h', 'd'] as const

/**
 * Parses a time to milliseconds; `-1` and `0` need no unit. `name` is the setting or parameter. Upper case is valid but
 * for minutes, because a capital M stands for months elsewhere.
 */
export function parseTime(text: string, name: string): number {
  const normalized = text.trim().toLowerCase()
  const unit = timeUnits.find((suffix) => (suffix === 'm' ? text : normalized).endsWith(suffix))
  if (unit !== undefined) {
    const digits = normalized.slice(0, -unit.length).trim()
    if (!/^[+-]?\d+$/.test(digits)) {
      const isFraction = digits !== '' && !Number.isNaN(Number(digits))
      throw illegalArgument(
        `failed to parse [${text}]${isFraction ? ', fractional time values are not supported' : ''}`,
        numberFormat(digits),
      )
    }
    const amount = Number(digits)
    if (amount < -1 || (amount === -1 && unit !== 'ms'))
      throw notATime(text, name, 'negative durations are not supported')
    return amount * (millisPerUnit.get(unit) ?? 1)
  }
  if (/^-0*1$/.test(normalized)) return -1
  if (/^0+$/.test(normalized)) return 0
  throw notATime(text, name, 'unit is missing or unrecognized')
}

function notATime(text: string, name: string, reason: string): SearchError {
  return illegalArgument(`failed to parse setting [${name}] with value [${text}] as a time value: ${reason}`)
}

export function parseBytes(text: string, name: string): number {
  const normalized = text.trim().toLowerCase()
  if (normalized === '-1' || normalized === '0') return Number(normalized)
  const found = byteUnits.find(([suffix]) => normalized.endsWith(suffix))
  if (found === undefined)
    throw illegalArgument(
      `failed to parse setting [${name}] with value [${text}] as a size in bytes: unit is missing or unrecognized`,
    )
  const digits = normalized.slice(0, -found[0].length).trim()
  const amount = Number(digits)
  if (digits === '' || Number.isNaN(amount))
    throw illegalArgument(`failed to parse [${text}]`, numberFormat(digits))
  return Math.floor(amount * found[1])
}

export function parseInteger(text: string): number | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined
  const value = Number(text)
  return value >= -2_147_483_648 && value <= 2_147_483_647 ? value : undefined
}

/** Returns `true`, `false`, or undefined for anything else. */
export function parseFlag(text: string): boolean | undefined {
  return text === 'true' ? true : text === 'false' ? false : undefined
}
