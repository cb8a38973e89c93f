/** Matches the keys of a completion field with a prefix, a fuzzy prefix or a regular expression. */

import type { CompletionField } from '../mapping/fields/completion-field.ts'
import { completionKey } from '../mapping/values/completion-entry.ts'
import { regexpMatcher } from '../query/automata/regexp.ts'
import { autoFuzziness, editsFor, parseFuzziness } from '../query/fuzziness.ts'
import { isObject } from '../request/json-object.ts'
import { partitionPoint } from '../segment/encoding/binary-search.ts'
import { type Suggestion, SuggestOptions } from './suggest-request.ts'

/** All keys that begin with `prefix` and pass the test. */
export interface KeyTest {
  readonly prefix: string
  /** Returns the length of the shortest beginning of a key that matches; -1 for none. */
  beginning(key: string): number
  /** A factor of the weight, by the beginning that matches; 0 for none. */
  boost?(beginning: string): number
}

export function keyTest({ text, regex, options }: Suggestion, field: CompletionField): KeyTest {
  if (regex !== undefined) {
    const matcher = regexpMatcher(`(${regex}).*`, {})
    return { prefix: '', beginning: (key) => shortest(key, (part) => matcher.test(part)) }
  }
  const analyzer = field.searchAnalyzer
  const key = completionKey(text, { analyzer, separates: field.separates })
  const fuzzy = options.get('fuzzy')
  // Nothing typed completes to nothing.
  if (key === '') return { prefix: '', beginning: () => -1 }
  const exact = { prefix: key, beginning: () => key.length }
  if (fuzzy === undefined || fuzzy === false) return exact
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
  if (key.length < own.number('min_length', 3)) return { ...exact, boost }
  const given = own.text('fuzziness')
  const edits = editsFor(given === undefined ? autoFuzziness : parseFuzziness(given), key)
  const prefix = key.slice(0, own.number('prefix_length', 1))
  const beginning = new FuzzyBeginning(key.slice(prefix.length), edits, own.flag('transpositions', true))
  return { prefix, beginning: (other) => beginning.end(other, prefix.length), boost }
}

/** The number of characters that two texts have in common at their beginning. */
function commonPrefix(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}

/** A key matches from its shortest matching prefix on, so a binary search over the prefix lengths finds that one. */
function shortest(key: string, matches: (part: string) => boolean): number {
  if (!matches(key)) return -1
  return partitionPoint(0, key.length, (length) => !matches(key.slice(0, length)))
}

/** Finds the shortest beginning of a key that is within an edit distance of the typed text. */
class FuzzyBeginning {
  readonly #typed: string
  readonly #edits: number
  readonly #exchanges: boolean
  /** The edits between the beginnings of the typed text and the key so far, and so for its last two characters less. */
  #column: Int32Array
  #before: Int32Array
  #twoBefore: Int32Array

  constructor(typed: string, edits: number, exchanges: boolean) {
    this.#typed = typed
    this.#edits = edits
    this.#exchanges = exchanges
    const height = typed.length + 1
    this.#column = new Int32Array(height)
    this.#before = new Int32Array(height)
    this.#twoBefore = new Int32Array(height)
  }

  /** `from` is where the part of the key that may differ begins. Returns where the match ends, -1 for none. */
  end(key: string, from: number): number {
    const typed = this.#typed
    const edits = this.#edits
    for (let i = 0; i <= typed.length; i++) this.#before[i] = i
    if (typed.length <= edits) return from
    let minBefore = 0
    for (let at = from; at < key.length; at++) {
      const min = this.#fill(at - from + 1, key.charCodeAt(at), at > from ? key.charCodeAt(at - 1) : -1)
      if (this.#column[typed.length]! <= edits) return at + 1
      // Every later column depends on the last two only.
      if (min > edits && minBefore > edits) return -1
      minBefore = min
      const spare = this.#twoBefore
      this.#twoBefore = this.#before
      this.#before = this.#column
      this.#column = spare
    }
    return -1
  }

  /** Computes the column of one character of the key; returns its minimum. */
  #fill(length: number, own: number, ownBefore: number): number {
    const column = this.#column
    const before = this.#before
    const typed = this.#typed
    column[0] = length
    let min = length
    for (let i = 1; i <= typed.length; i++) {
      const letter = typed.charCodeAt(i - 1)
      const change = letter === own ? 0 : 1
      let edits = Math.min(column[i - 1]! + 1, before[i]! + 1, before[i - 1]! + change)
      const isExchange = this.#exchanges && i > 1 && letter === ownBefore && typed.charCodeAt(i - 2) === own
      if (isExchange) edits = Math.min(edits, this.#twoBefore[i - 2]! + change)
      column[i] = edits
      if (edits < min) min = edits
    }
    return min
  }
}
