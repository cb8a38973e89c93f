/**
 * The query string of a request. Parsed from the raw text, because `?human` (true) and `?human=` (false)
 * mean different things here and URLSearchParams cannot tell them apart. Of a repeated name the last counts.
 */
import { HttpProblem } from './problem.ts'

const yes: ReadonlySet<string> = new Set(['true', 't', 'yes', 'y', '1'])
const no: ReadonlySet<string> = new Set(['false', 'f', 'no', 'n', '0', ''])

export class Query {
  readonly raw: string
  /** Null stands for a name without `=`. */
  readonly #values = new Map<string, string | null>()

  constructor(raw: string) {
    this.raw = raw
    for (const pair of raw.split('&')) {
      if (pair === '') continue
      const equals = pair.indexOf('=')
      if (equals < 0) this.#values.set(decode(pair), null)
      else this.#values.set(decode(pair.slice(0, equals)), decode(pair.slice(equals + 1)))
    }
  }

  has(name: string): boolean {
    return this.#values.has(name)
  }

  /** Empty for a name without a value. */
  text(name: string): string | undefined {
    const value = this.#values.get(name)
    return value === null ? '' : value
  }

  /** Throws a 400 for anything that is neither yes nor no. */
  flag(name: string): boolean {
    const value = this.#values.get(name)
    if (value === undefined) return false
    if (value === null) return true
    const word = value.toLowerCase()
    if (yes.has(word)) return true
    if (no.has(word)) return false
    throw new HttpProblem(400, `invalid value for Boolean: ${JSON.stringify(value)}`)
  }

  /** Is on by mere presence, off only when the value says so. */
  get pretty(): boolean {
    const value = this.#values.get('pretty')
    if (value === undefined) return false
    return value === null || value === '' || !no.has(value.toLowerCase())
  }
}

function decode(text: string): string {
  const spaced = text.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}
