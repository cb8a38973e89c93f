/** Parses times, byte sizes and numbers of settings and parameters, with Elasticsearch's error texts. */

import { millisPerUnit } from './duration-units.ts'
import { illegalArgument, numberFormat } from './errors.ts'

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

/** Parses a time to milliseconds; `-1` and `0` need no unit. `name` is the setting or parameter. */
export function parseTime(text: string, name: string): number {
  const normalized = text.trim().toLowerCase()
  // A capital M is months elsewhere; here `m` is minutes and only lower case is valid.
  const [, digits, unit] =
    /^(-?[\d.]+)(nanos|micros|ms|s|m|h|d)$/.exec(text.trim().endsWith('M') ? '' : normalized) ?? []
  if (digits !== undefined && unit !== undefined) {
    const amount = Number(digits)
    if (digits.includes('.'))
      throw illegalArgument(
        `failed to parse [${text}], fractional time values are not supported`,
        numberFormat(digits),
      )
    if (Number.isNaN(amount)) throw illegalArgument(`failed to parse [${text}]`, numberFormat(digits))
    if (amount < -1 || (amount === -1 && unit !== 'ms'))
      throw illegalArgument(
        `failed to parse setting [${name}] with value [${text}] as a time value: negative durations are not supported`,
      )
    return amount * (millisPerUnit.get(unit) ?? 1)
  }
  if (/^-0*1$/.test(normalized)) return -1
  if (/^0+$/.test(normalized)) return 0
  throw illegalArgument(
    `failed to parse setting [${name}] with value [${text}] as a time value: unit is missing or unrecognized`,
  )
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
