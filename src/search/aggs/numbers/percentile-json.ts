/** Renders the `values` of percentile aggregations, as an object or a list. */
import { javaDouble } from '../../request/java-text.ts'
import type { Format } from './accumulator.ts'

/** `99` becomes `99.0`. */
export function percentileKey(percent: number): string {
  return javaDouble(percent)
}

export function percentileValues(
  keys: readonly string[],
  points: readonly number[],
  values: readonly number[],
  isKeyed: boolean,
  format: Format | undefined,
): Record<string, unknown> {
  if (isKeyed) {
    const json: Record<string, unknown> = {}
    values.forEach((value, at) => {
      const hasValue = Number.isFinite(value)
      json[keys[at]!] = hasValue ? value : null
      if (format !== undefined && hasValue) json[`${keys[at]!}_as_string`] = format(value)
    })
    return { values: json }
  }
  return {
    values: values.map((value, at) => {
      const hasValue = Number.isFinite(value)
      const entry = { key: points[at]!, value: hasValue ? value : null }
      return format !== undefined && hasValue ? { ...entry, value_as_string: format(value) } : entry
    }),
  }
}
