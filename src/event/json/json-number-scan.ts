/**
 * Tells in a fraction of the time of parsing whether a JSON text may hold a number that JSON.parse would
 * spoil: `1.0` and `1e5` (floats that would read as integers), integers beyond 2^53-1, fractions so long
 * that they round to an integer, floats that Java writes with an exponent, and `-0`. Each kind leaves a trace that is quick to find; only there are
 * the characters around it looked at. A number stands after `:`, `,`, `[`, a blank or at the start; digits
 * inside a string may be mistaken for one, which costs time but is never wrong.
 */
import { nine, zero } from '../../text/ascii.ts'

export function hasInexactNumber(text: string): boolean {
  return hasIntegralFraction(text) || hasExponent(text) || hasLongNumber(text) || hasNegativeZero(text)
}

/**
 * `1.0`, `1.00`; also `1.00000…` and `0.99999…`, whose further digits may be rounded away; `12345678.5` and
 * `0.0005`, which Java writes as `1.23456785E7` and `5.0E-4`.
 */
function hasIntegralFraction(text: string): boolean {
  for (let dot = text.indexOf('.'); dot >= 0; dot = text.indexOf('.', dot + 1)) {
    const first = text.charCodeAt(dot + 1)
    if (isDigit(text.charCodeAt(dot - 8)) && isDigit(first)) {
      const start = digitsBefore(text, dot)
      if (start <= dot - 8 && beginsNumber(text, start)) return true
    }
    if (first !== zero && first !== nine) continue
    let end = dot + 2
    while (text.charCodeAt(end) === first) end++
    const mayBeIntegral =
      end - dot > 5 || (first === zero && (endsNumber(text, end) || isSmall(text, dot, end)))
    if (mayBeIntegral && beginsNumber(text, digitsBefore(text, dot))) return true
  }
  return false
}

/** `0.000…`; no time of day such as `05:00.000Z`. */
function isSmall(text: string, dot: number, end: number): boolean {
  return end - dot > 3 && text.charCodeAt(dot - 1) === zero && !isDigit(text.charCodeAt(dot - 2))
}

function hasExponent(text: string): boolean {
  const exponent = /\d[eE][-+\d]/g
  for (let match = exponent.exec(text); match !== null; match = exponent.exec(text)) {
    let start = digitsBefore(text, match.index)
    if (text.charCodeAt(start - 1) === 46) start = digitsBefore(text, start - 1)
    if (beginsNumber(text, start)) return true
  }
  return false
}

const longRun = 11

/**
 * Integers from 9e15 on may be beyond 2^53-1; behind 11 digits a fraction may be too fine for a float.
 * A run of 11 digits has one at a multiple of 11, so looking at every eleventh character finds it.
 */
function hasLongNumber(text: string): boolean {
  for (let at = longRun - 1; at < text.length; at += longRun) {
    if (!isDigit(text.charCodeAt(at))) continue
    const start = digitsBefore(text, at)
    let end = at + 1
    while (isDigit(text.charCodeAt(end))) end++
    const length = end - start
    if (length < longRun) continue
    const mayBeBig = length > 16 || (length === 16 && text.charCodeAt(start) === nine)
    if ((mayBeBig || text.charCodeAt(end) === 46) && beginsNumber(text, start)) return true
    while (at + longRun < end) at += longRun
  }
  return false
}

function hasNegativeZero(text: string): boolean {
  for (let minus = text.indexOf('-0'); minus >= 0; minus = text.indexOf('-0', minus + 2)) {
    if (endsNumber(text, minus + 2) && beginsNumber(text, minus)) return true
  }
  return false
}

function isDigit(code: number): boolean {
  return code >= zero && code <= nine
}

/** Where the digits begin that end just before `end`. */
function digitsBefore(text: string, end: number): number {
  let start = end
  while (start > 0 && isDigit(text.charCodeAt(start - 1))) start--
  return start
}

/** True if a number, without its minus, can begin at `start`. */
function beginsNumber(text: string, start: number): boolean {
  let before = start - 1
  if (text.charCodeAt(before) === 45) before--
  if (before < 0) return true
  const code = text.charCodeAt(before)
  return code === 58 || code === 44 || code === 91 || isBlank(code)
}

function endsNumber(text: string, end: number): boolean {
  if (end >= text.length) return true
  const code = text.charCodeAt(end)
  return code === 44 || code === 125 || code === 93 || isBlank(code)
}

function isBlank(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9
}
