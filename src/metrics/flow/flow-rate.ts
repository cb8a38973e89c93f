/**
 * Rates over windows of time: how much a numerator grew per growth of a denominator between the baseline of
 * each window and now, rounded to four significant digits.
 */
import type { Capture, CaptureHistory } from './capture-history.ts'

/** `lifetime`, `current` and the windows that are full; an infinite rate is a text, as JSON has no such number. */
export type FlowWindows = Readonly<Record<string, number | 'Infinity' | '-Infinity'>>

/** A number read from a capture. */
export type Reading = (capture: Capture) => number

export const seconds: Reading = ({ at }) => at / 1000
export const milliseconds: Reading = ({ at }) => at

export function flowWindowsOf(
  history: CaptureHistory,
  now: Capture,
  numerator: Reading,
  denominator: Reading,
): FlowWindows {
  const windows: Record<string, number | 'Infinity' | '-Infinity'> = {}
  for (const [name, before] of history.baselines(now.at)) {
    const value = rate(numerator(now) - numerator(before), denominator(now) - denominator(before))
    if (value !== undefined) windows[name] = value
  }
  return windows
}

/** Undefined when nothing was divided by nothing. */
export function rate(numerator: number, denominator: number): number | 'Infinity' | '-Infinity' | undefined {
  if (denominator !== 0) return fourDigits(numerator / denominator)
  if (numerator === 0) return undefined
  return numerator > 0 ? 'Infinity' : '-Infinity'
}

/** Half up, which for a negative number is towards zero. */
function fourDigits(value: number): number {
  if (value === 0) return 0
  return Number(value.toPrecision(4))
}
