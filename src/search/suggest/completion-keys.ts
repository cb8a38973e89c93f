/** Matches the keys of a completion field with a prefix, a fuzzy prefix or a regular expression. */

import type { CompletionField } from '../mapping/fields/completion-field.ts'
import { completionKey } from '../mapping/values/completion-entry.ts'
import { regexpMatcher } from '../query/automata/regexp.ts'
import { autoFuzziness, editsFor, parseFuzziness } from '../query/fuzziness.ts'
import { isObject } from '../request/json-object.ts'
import { type Suggestion, SuggestOptions } from './suggest-request.ts'

/** All keys that begin with `prefix` and pass the test. */
export interface KeyTest {
  readonly prefix: string
  test(key: string): boolean
  /** A factor of the weight; 0 for none. */
  boost?(key: string): number
}

export function keyTest({ text, regex, options }: Suggestion, field: CompletionField): KeyTest {
  if (regex !== undefined) {
    const matcher = regexpMatcher(`(${regex}).*`, {})
    return { prefix: '', test: (key) => matcher.test(key) }
  }
  const analyzer = field.searchAnalyzer
  const key = completionKey(text, { analyzer, separates: field.separates })
  const fuzzy = options.get('fuzzy')
  // Nothing typed completes to nothing.
  if (key === '') return { prefix: '', test: () => false }
  if (fuzzy === undefined || fuzzy === false) return { prefix: key, test: () => true }
  const boost = (other: string) => commonPrefix(key, other)
  const json = isObject(fuzzy) ? fuzzy : {}
  const own = new SuggestOptions('fuzzy', json, [
    'fuzziness',
    'transpositions',
    'min_length',
    'prefix_length',
    'unicode_aware',
    'max_determinized_states',
  ])
  if (key.length < own.number('min_length', 3)) return { prefix: key, test: () => true, boost }
  const given = own.text('fuzziness')
  const edits = editsFor(given === undefined ? autoFuzziness : parseFuzziness(given), key)
  const prefix = key.slice(0, own.number('prefix_length', 1))
  const beginning = new FuzzyBeginning(key.slice(prefix.length), edits, own.flag('transpositions', true))
  return { prefix, test: (other) => beginning.isIn(other, prefix.length), boost }
}

/** The number of characters that two texts have in common at their beginning. */
function commonPrefix(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}

/** Tests whether some prefix of a key is within an edit distance of the typed text. */
class FuzzyBeginning {
  readonly #typed: string
  readonly #edits: number
  readonly #exchanges: boolean
  #row: Int32Array
  #above: Int32Array
  #twoAbove: Int32Array

  constructor(typed: string, edits: number, exchanges: boolean) {
    this.#typed = typed
    this.#edits = edits
    this.#exchanges = exchanges
    const width = typed.length + edits + 1
    this.#row = new Int32Array(width)
    this.#above = new Int32Array(width)
    this.#twoAbove = new Int32Array(width)
  }

  /** `from` is the offset in the key. */
  isIn(key: string, from: number): boolean {
    const typed = this.#typed
    const edits = this.#edits
    const width = Math.min(Math.max(0, key.length - from), typed.length + edits)
    for (let j = 0; j <= width; j++) this.#above[j] = j
    let minAbove = 0
    for (let i = 1; i <= typed.length; i++) {
      const least = this.#fill(i, key, from, width)
      // Every later row depends on the last two only.
      if (least > edits && minAbove > edits) return false
      minAbove = least
      const spare = this.#twoAbove
      this.#twoAbove = this.#above
      this.#above = this.#row
      this.#row = spare
    }
    return minAbove <= edits
  }

  /** Computes the row of one character; returns its minimum. */
  #fill(i: number, key: string, from: number, width: number): number {
    const row = this.#row
    const above = this.#above
    const twoAbove = this.#twoAbove
    const typed = this.#typed
    const letter = typed.charCodeAt(i - 1)
    const before = i > 1 && this.#exchanges ? typed.charCodeAt(i - 2) : -1
    row[0] = i
    let least = i
    for (let j = 1; j <= width; j++) {
      const own = key.charCodeAt(from + j - 1)
      const change = letter === own ? 0 : 1
      let edits = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + change)
      if (j > 1 && before === own && letter === key.charCodeAt(from + j - 2)) {
        edits = Math.min(edits, twoAbove[j - 2]! + change)
      }
      row[j] = edits
      if (edits < least) least = edits
    }
    return least
  }
}
