/**
 * Readers of the text between fields and of names. Both ignore case; of several names that fit, the
 * longest is taken, whether the pattern asks for short or for long names.
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

  firstCodes(): number[] {
    return [this.#lower[0]!, this.#upper[0]!]
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
  readonly text: CaselessText
  readonly value: number
}

export function names(slot: number, table: readonly NamedValue[]): Reader {
  const byFirst = new Map<number, Candidate[]>()
  const longestFirst = [...table].sort((a, b) => b.name.length - a.name.length)
  for (const { name, value } of longestFirst) {
    if (name === '') continue
    const candidate = { text: new CaselessText(name), value }
    for (const code of new Set(candidate.text.firstCodes())) {
      const list = byFirst.get(code)
      if (list === undefined) byFirst.set(code, [candidate])
      else list.push(candidate)
    }
  }
  return (text, at, reading) => {
    const candidates = byFirst.get(text.charCodeAt(at))
    if (candidates === undefined) return -1
    for (let i = 0; i < candidates.length; i++) {
      const candidate = candidates[i]!
      if (!candidate.text.isAt(text, at)) continue
      reading.values[slot] = candidate.value
      return at + candidate.text.length
    }
    return -1
  }
}
