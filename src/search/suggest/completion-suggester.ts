/** The `completion` suggester: documents whose input begins with the typed text, by falling weight. */

import { RawJson } from '../answer/json-text.ts'
import type { SearchIndex } from '../collect/search-index.ts'
import { foundByShards } from '../collect/shard-failures.ts'
import { CompletionField } from '../mapping/fields/completion-field.ts'
import { completionWeight, readCompletionTerm } from '../mapping/values/completion-entry.ts'
import { illegalArgument } from '../request/errors.ts'
import { sortedSteps } from '../scheduling/merge-sort.ts'
import { StepSize } from '../scheduling/step-size.ts'
import { retryWork, type Steps } from '../scheduling/steps.ts'
import type { LeafReader, TermIndex } from '../segment/segment.ts'
import { type ContextQuery, contextBoost, readContextQueries } from './completion-contexts.ts'
import { type KeyTerm, keyEntries } from './completion-entries.ts'
import { type KeyTest, keyTest } from './completion-keys.ts'
import { byScore, type Completion, distinctTexts, ShardCompletions } from './shard-completions.ts'
import type { Suggestion } from './suggest-request.ts'

export interface ShownSource {
  /** Undefined when sources are not requested. */
  show(index: SearchIndex, leaf: LeafReader, doc: number): unknown
}

const minShardSize = 5

export function* suggestCompletions(
  suggestion: Suggestion,
  indices: readonly SearchIndex[],
  sources: ShownSource,
): Steps<unknown> {
  const { text, field, options } = suggestion
  const size = options.positive('size', 5)
  // Every shard collects at least five, so that the order by document is one of more than are shown.
  const shardSize = Math.max(size, minShardSize)
  const skipsDuplicates = options.flag('skip_duplicates', false)
  const found: Completion[] = []
  let isMapped = false
  let leafNumber = 0
  for (const index of indices) {
    const mapped = index.mapping.field(field)
    if (mapped === undefined) continue
    isMapped = true
    if (!(mapped instanceof CompletionField)) {
      throw illegalArgument(`Field [${field}] is not a completion suggest field`)
    }
    const queries = readContextQueries(options.get('contexts'), mapped)
    const test = keyTest(suggestion, mapped)
    for (const { leaves } of index.shards) {
      const best = new ShardCompletions(shardSize, skipsDuplicates)
      for (const leaf of leaves) {
        best.beginLeaf()
        const runs = yield* keyRuns(leaf, mapped.name, test, queries, skipsDuplicates ? undefined : shardSize)
        yield* collect({ index, leaf, leafNumber: leafNumber++ }, runs, shardSize, best)
      }
      found.push(...best.found().slice(0, size))
    }
  }
  if (!isMapped) throw foundByShards(illegalArgument(`no mapping found for field [${field}]`))
  found.sort(byScore)
  const first = skipsDuplicates ? distinctTexts(found, size) : found.slice(0, size)
  const shown = yield* show(first, sources)
  return [{ text, offset: 0, length: text.length, options: shown }]
}

/** The entries of one key with one score. */
interface KeyRun {
  readonly score: number
  /** The terms of the key. */
  readonly from: number
  readonly to: number
}

interface KeyRuns {
  readonly terms: TermIndex
  /** Ordered by falling score, then by key. */
  readonly sorted: readonly KeyRun[]
  /** The number of key prefixes that matched; a page of completions is collected below each of them. */
  readonly beginnings: number
  /** The score of a term; undefined when its contexts are not wanted. */
  readonly score: (ordinal: number) => number | undefined
}

/** The minimum number of runs before those that cannot be shown are dropped. */
const minRuns = 4096

/** Reads the keys that match; `max` is the number of documents that are shown, undefined when all are needed. */
function* keyRuns(
  { segment, live }: LeafReader,
  field: string,
  { prefix, beginning, boost: keyBoost }: KeyTest,
  queries: readonly ContextQuery[] | undefined,
  max: number | undefined,
): Steps<KeyRuns | undefined> {
  const terms = segment.fields.get(field)?.terms
  if (terms === undefined || terms === null) return undefined
  const isPlain = queries === undefined && keyBoost === undefined
  const score = (ordinal: number): number | undefined => {
    const term = terms.term(ordinal)
    if (isPlain) return completionWeight(term)
    const { key, contexts, weight } = readCompletionTerm(term)
    const boost = contextBoost(contexts, queries)
    if (boost === undefined) return undefined
    return scoreOf(weight, boost + (keyBoost?.(key.slice(0, beginning(key))) ?? 0))
  }
  const isLive = ({ from, to, score: wanted }: KeyRun): boolean => {
    if (live === null) return true
    for (let ordinal = from; ordinal < to; ordinal++)
      if (score(ordinal) === wanted && terms.postings(ordinal).docs.some((doc) => live.has(doc))) return true
    return false
  }
  const beginnings = new Set<string>()
  let runs: KeyRun[] = []
  let threshold = Number.NEGATIVE_INFINITY
  const pace = new StepSize(256, 64, 4096)
  for (let ordinal = terms.lowerBound(prefix); ordinal < terms.size; ) {
    const amount = pace.begin()
    let isPast = false
    for (let done = 0; done < amount && ordinal < terms.size; done++) {
      const term = terms.term(ordinal)
      isPast = !term.startsWith(prefix)
      if (isPast) break
      const key = term.slice(0, term.indexOf('\0'))
      const matched = beginning(key)
      const from = ordinal
      while (++ordinal < terms.size && terms.term(ordinal).startsWith(`${key}\0`)) done++
      if (matched < 0) continue
      beginnings.add(key.slice(0, matched))
      const scores = new Set<number>()
      for (let each = from; each < ordinal; each++) {
        const own = score(each)
        if (own === undefined || own <= threshold || scores.has(own)) continue
        scores.add(own)
        runs.push({ score: own, from, to: ordinal })
      }
    }
    pace.end()
    yield
    if (isPast) break
    // Keys rise, so that of equal scores the earlier are found first. Every run that is kept shows a document.
    if (max === undefined || beginnings.size > 1 || runs.length < Math.max(minRuns, 2 * max)) continue
    runs = (yield* sortedSteps(runs, byRun)).filter(isLive).slice(0, max)
    if (runs.length === max) threshold = runs.at(-1)!.score
  }
  return { terms, sorted: yield* sortedSteps(runs, byRun), beginnings: beginnings.size, score }
}

function byRun(one: KeyRun, other: KeyRun): number {
  return other.score - one.score || one.from - other.from
}

type Place = Pick<Completion, 'index' | 'leaf' | 'leafNumber'>

/** Walks the completions as Lucene's TopNSearcher does, until it has found as many as are shown for each beginning. */
function* collect(
  place: Place,
  runs: KeyRuns | undefined,
  size: number,
  best: ShardCompletions,
): Steps<void> {
  if (runs === undefined) return
  const { terms, sorted, beginnings, score: scoreOfTerm } = runs
  const { live } = place.leaf
  const pace = new StepSize(256, 64, 4096)
  let left = size * beginnings
  let steps = pace.begin()
  for (const { score, from, to } of sorted) {
    const own: KeyTerm[] = []
    for (let ordinal = from; ordinal < to; ordinal++)
      own.push({ ordinal, weight: completionWeight(terms.term(ordinal)), docs: terms.postings(ordinal).docs })
    for (const { term, doc } of keyEntries(own)) {
      if (--steps === 0) {
        pace.end()
        yield
        steps = pace.begin()
      }
      if ((live !== null && !live.has(doc)) || scoreOfTerm(term.ordinal) !== score) continue
      const { input, contexts } = readCompletionTerm(terms.term(term.ordinal))
      if (best.skips(input)) continue
      if (!best.offer({ ...place, doc, input, contexts, score })) return
      if (--left === 0) return
    }
  }
}

function scoreOf(weight: number, boost: number): number {
  if (boost === 0) return weight
  return weight === 0 ? boost : weight * boost
}

/** Renders options in storage order, so that each block of sources is decompressed once. */
function* show(found: readonly Completion[], sources: ShownSource): Steps<unknown[]> {
  const shown: unknown[] = Array.from(found, () => undefined)
  const order = yield* sortedSteps(
    found.map((_, at) => at),
    (a, b) => found[a]!.leafNumber - found[b]!.leafNumber || found[a]!.doc - found[b]!.doc,
  )
  for (const at of order) {
    shown[at] = yield* retryWork(() => option(found[at]!, sources))
    yield
  }
  return shown
}

function option({ index, leaf, doc, input, contexts, score }: Completion, sources: ShownSource): unknown {
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
}

/** Shows the whole source. */
export const wholeSource: ShownSource = {
  show(_index, { segment }, doc) {
    const bytes = segment.source(doc)
    return bytes.length === 0 ? undefined : RawJson.of(bytes)
  },
}
