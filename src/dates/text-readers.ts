/**
 * Readers of the text between fields, in any case, and of names. Of several names that fit, the longest is
 * taken, whether the pattern asks for short or for long names.
 */
import type { Reader } from './reading.ts'

/** A text with both cases of each of its characters; characters that change their length have one case. */
class CaselessText {
  readonly length: number
  readonly #lower: readonly number[]
  readonly #upper: readonly number[]

  constructor(text: string) {
    const characters = text.split('')
    this.length = characters.length
    this.#lower = characters.map((character) => casesOf(character)[0])
    this.#upper = characters.map((character) => casesOf(character)[1])
  }

  isAt(text: string, at: number): boolean {
    for (let i = 0; i < this.length; i++) {
      const code = text.charCodeAt(at + i)
      if (code !== this.#lower[i] && code !== this.#upper[i]) return false
    }
    return true
  }
}

function sameLength(original: string, changed: string): number {
  return (changed.length === 1 ? changed : original).charCodeAt(0)
}

/** The lower and upper case of one character. */
export function casesOf(character: string): [lower: number, upper: number] {
  return [sameLength(character, character.toLowerCase()), sameLength(character, character.toUpperCase())]
}

export function literal(text: string): Reader {
  const expected = new CaselessText(text)
  return (given, at) => (expected.isAt(given, at) ? at + expected.length : -1)
}

export interface NamedValue {
  readonly name: string
  readonly value: number
}

interface Candidate {
  readonly text: string
  readonly value: number
}

/** A name may be written as the language has it, or all in small or all in capital letters. */
function spellings({ name, value }: NamedValue): Candidate[] {
  const texts = new Set([name, name.toLowerCase(), name.toUpperCase()])
  return [...texts].map((text) => ({ text, value }))
}

export function names(slot: number, table: readonly NamedValue[]): Reader {
  const byFirst = new Map<number, Candidate[]>()
  const byLengthDescending = table.flatMap(spellings).sort((a, b) => b.text.length - a.text.length)
  for (const candidate of byLengthDescending) {
    if (candidate.text === '') continue
    const code = candidate.text.charCodeAt(0)
    const list = byFirst.get(code)
    if (list === undefined) byFirst.set(code, [candidate])
    else list.push(candidate)
  }
  return (text, at, reading) => {
    const candidates = byFirst.get(text.charCodeAt(at))
    if (candidates === undefined) return -1
    for (let i = 0; i < candidates.length; i++) {
      const candidate = candidates[i]!
      if (!text.startsWith(candidate.text, at)) continue
      reading.values[slot] = candidate.value
      return at + candidate.text.length
    }
    return -1
  }
}
