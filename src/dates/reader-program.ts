/**
 * A list of readers run as one. Most steps of a date pattern are one or two digits or one character of text;
 * these are kept as numbers and done in the loop itself, which costs a fraction of a call per step.
 */
import type { Reader, Reading } from './reading.ts'

/** What a step does; everything that is none of the first three is a call. */
const twoDigits = 0
const character = 1
const fourDigits = 2
const call = 3

export interface ReaderStep {
  readonly kind: number
  /** The slot of digits, or the character in lower case. */
  readonly a: number
  /** The character in upper case. */
  readonly b: number
  readonly reader: Reader
}

/** 1 or 2 digits into a slot; `reader` does the same. */
export function twoDigitStep(slot: number, reader: Reader): ReaderStep {
  return { kind: twoDigits, a: slot, b: 0, reader }
}

/** Mostly 4 digits and then something else; every other case is left to `reader`. */
export function fourDigitStep(slot: number, reader: Reader): ReaderStep {
  return { kind: fourDigits, a: slot, b: 0, reader }
}

export function characterStep(lower: number, upper: number, reader: Reader): ReaderStep {
  return { kind: character, a: lower, b: upper, reader }
}

export function callStep(reader: Reader): ReaderStep {
  return { kind: call, a: 0, b: 0, reader }
}

/** True when the steps read the whole text. */
type ReadAll = (text: string, reading: Reading) => boolean

export function readerProgram(steps: readonly ReaderStep[]): ReadAll {
  const kinds = Uint8Array.from(steps, ({ kind }) => kind)
  const as = Int32Array.from(steps, ({ a }) => a)
  const bs = Int32Array.from(steps, ({ b }) => b)
  const readers = steps.map(({ reader }) => reader)
  const count = steps.length
  return (text, reading) => {
    const { values } = reading
    const { length } = text
    let at = 0
    for (let i = 0; i < count; i++) {
      if (at >= length) return false
      const code = text.charCodeAt(at)
      const kind = kinds[i]!
      if (kind === character) {
        if (code !== as[i] && code !== bs[i]) return false
        at++
      } else if (kind === twoDigits) {
        const first = code - 48
        if (first < 0 || first > 9) return false
        at++
        const second = at < length ? text.charCodeAt(at) - 48 : -1
        if (second >= 0 && second <= 9) {
          values[as[i]!] = first * 10 + second
          at++
        } else {
          values[as[i]!] = first
        }
      } else if (kind === fourDigits && isFourDigits(text, at, length)) {
        values[as[i]!] =
          (code - 48) * 1000 +
          (text.charCodeAt(at + 1) - 48) * 100 +
          (text.charCodeAt(at + 2) - 48) * 10 +
          (text.charCodeAt(at + 3) - 48)
        at += 4
      } else {
        at = readers[i]!(text, at, reading)
        if (at < 0) return false
      }
    }
    return at === length
  }
}

/** Four digits that no fifth one follows. */
function isFourDigits(text: string, at: number, length: number): boolean {
  if (at + 4 > length) return false
  return (
    isDigit(text.charCodeAt(at)) &&
    isDigit(text.charCodeAt(at + 1)) &&
    isDigit(text.charCodeAt(at + 2)) &&
    isDigit(text.charCodeAt(at + 3)) &&
    !(at + 4 < length && isDigit(text.charCodeAt(at + 4)))
  )
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}
