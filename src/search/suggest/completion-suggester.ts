/** The `completion` suggester: documents whose input begins with what was typed, the heaviest first. */
import type { SearchIndex } from '../collect/search-index.ts'
import { RawJson } from '../json-text.ts'
import { type CompletionEntry, completionKey, readCompletionTerm } from '../mapping/completion-entry.ts'
import { CompletionField } from '../mapping/fields/completion-field.ts'
import { regexpMatcher } from '../query/automata/regexp.ts'
import { autoFuzziness, editsFor, parseFuzziness } from '../query/fuzziness.ts'
import type { LeafReader } from '../segment/segment.ts'
import { type ContextWish, contextBoost, readContextWishes } from './completion-contexts.ts'
import { illegal, isObject, type Suggestion, SuggestOptions } from './suggest-request.ts'

interface Found {
  readonly index: SearchIndex
  readonly leaf: LeafReader
  readonly doc: number
  readonly entry: CompletionEntry
  readonly score: number
}

/** Which keys of the index are taken: all that begin with `prefix` and pass the test. */
interface KeyTest {
  readonly prefix: string
  test(key: string): boolean
}

export interface ShownSource {
  /** Undefined when sources are not wanted. */
  show(index: SearchIndex, leaf: LeafReader, doc: number): unknown
}

export function suggestCompletions(
  suggestion: Suggestion,
  indices: readonly SearchIndex[],
  sources: ShownSource,
): unknown {
  const { text, field, options } = suggestion
  const size = options.positive('size', 5)
  const found: Found[] = []
  let isMapped = false
  for (const index of indices) {
    const mapped = index.mapping.field(field)
    if (mapped === undefined) continue
    isMapped = true
    if (!(mapped instanceof CompletionField)) {
      throw illegal(`Field [${field}] is not a completion suggest field`)
    }
    const wishes = readContextWishes(options.get('contexts'), mapped)
    const test = keyTest(suggestion, mapped)
    for (const { leaves } of index.shards) {
      for (const leaf of leaves) collect(index, leaf, mapped.name, test, wishes, found)
    }
  }
  if (!isMapped) throw illegal(`no mapping found for field [${field}]`)
  found.sort((a, b) => b.score - a.score || compare(a.entry.input, b.entry.input))
  const shown = distinct(found, options.flag('skip_duplicates', false)).slice(0, size)
  const entry = {
    text,
    offset: 0,
    length: text.length,
    options: shown.map(({ index, leaf, doc, entry: { input, contexts }, score }) => {
      const source = sources.show(index, leaf, doc)
      const routing = leaf.segment.routing(doc)
      return {
        text: input,
        _index: index.name,
        _id: leaf.segment.id(doc),
        _score: score,
        ...(routing !== undefined && { _routing: routing }),
        ...(source !== undefined && { _source: source }),
        ...(Object.keys(contexts).length > 0 && { contexts }),
      }
    }),
  }
  return [entry]
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function collect(
  index: SearchIndex,
  leaf: LeafReader,
  field: string,
  { prefix, test }: KeyTest,
  wishes: readonly ContextWish[] | undefined,
  found: Found[],
): void {
  const { segment, live } = leaf
  const terms = segment.fields.get(field)?.terms
  if (terms === undefined || terms === null) return
  for (let ordinal = terms.lowerBound(prefix); ordinal < terms.size; ordinal++) {
    const term = terms.term(ordinal)
    if (!term.startsWith(prefix)) return
    if (!test(term.slice(0, term.indexOf('\0')))) continue
    const entry = readCompletionTerm(term)
    const boost = contextBoost(entry.contexts, wishes)
    if (boost === undefined) continue
    for (const doc of terms.postings(ordinal).docs) {
      if (live !== null && !live.has(doc)) continue
      found.push({ index, leaf, doc, entry, score: scoreOf(entry.weight, boost) })
    }
  }
}

function scoreOf(weight: number, boost: number): number {
  if (boost === 0) return weight
  return weight === 0 ? boost : weight * boost
}

/** A document is shown once, with its best input; a text once too, when asked. */
function distinct(found: readonly Found[], byText: boolean): Found[] {
  const docs = new Map<LeafReader, Set<number>>()
  const texts = new Set<string>()
  return found.filter(({ leaf, doc, entry }) => {
    let known = docs.get(leaf)
    if (known === undefined) {
      known = new Set()
      docs.set(leaf, known)
    }
    if (known.has(doc) || (byText && texts.has(entry.input))) return false
    known.add(doc)
    texts.add(entry.input)
    return true
  })
}

function keyTest({ text, regex, options }: Suggestion, field: CompletionField): KeyTest {
  if (regex !== undefined) {
    const matcher = regexpMatcher(`(${regex}).*`, {})
    return { prefix: '', test: (key) => matcher.test(key) }
  }
  const analyzer = field.searchAnalyzer
  const key = completionKey(text, { analyzer, separates: field.separates })
  const fuzzy = options.get('fuzzy')
  if (fuzzy === undefined || fuzzy === false) return { prefix: key, test: () => true }
  const json = isObject(fuzzy) ? fuzzy : {}
  const own = new SuggestOptions('fuzzy', json, [
    'fuzziness',
    'transpositions',
    'min_length',
    'prefix_length',
    'unicode_aware',
    'max_determinized_states',
  ])
  if (key.length < own.number('min_length', 3)) return { prefix: key, test: () => true }
  const given = own.text('fuzziness')
  const edits = editsFor(given === undefined ? autoFuzziness : parseFuzziness(given), key)
  const prefix = key.slice(0, own.number('prefix_length', 1))
  const rest = key.slice(prefix.length)
  const exchanges = own.flag('transpositions', true)
  return { prefix, test: (other) => beginsLike(other.slice(prefix.length), rest, edits, exchanges) }
}

/** Whether some beginning of a key is within so many edits of what was typed. */
function beginsLike(key: string, typed: string, edits: number, exchanges: boolean): boolean {
  const width = Math.min(key.length, typed.length + edits)
  let twoAbove = new Int32Array(width + 1)
  let above = Int32Array.from({ length: width + 1 }, (_, at) => at)
  for (let i = 1; i <= typed.length; i++) {
    const row = new Int32Array(width + 1)
    row[0] = i
    for (let j = 1; j <= width; j++) {
      const change = typed[i - 1] === key[j - 1] ? 0 : 1
      row[j] = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + change)
      if (exchanges && i > 1 && j > 1 && typed[i - 1] === key[j - 2] && typed[i - 2] === key[j - 1]) {
        row[j] = Math.min(row[j]!, twoAbove[j - 2]! + change)
      }
    }
    twoAbove = above
    above = row
  }
  return above.some((distance) => distance <= edits)
}

/** The source as it was sent. */
export const wholeSource: ShownSource = {
  show(_index, { segment }, doc) {
    const bytes = segment.source(doc)
    return bytes.length === 0 ? undefined : RawJson.of(bytes)
  },
}
