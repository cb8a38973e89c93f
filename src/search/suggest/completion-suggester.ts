/** The `completion` suggester: documents whose input begins with the typed text, by falling weight. */

import { RawJson } from '../answer/json-text.ts'
import type { SearchIndex } from '../collect/search-index.ts'
import { foundByShards } from '../collect/shard-failures.ts'
import { CompletionField } from '../mapping/fields/completion-field.ts'
import { completionWeight, readCompletionTerm } from '../mapping/values/completion-entry.ts'
import { sortedSteps } from '../scheduling/merge-sort.ts'
import { StepSize } from '../scheduling/step-size.ts'
import { onceReady, type Steps } from '../scheduling/steps.ts'
import type { LeafReader } from '../segment/segment.ts'
import { BestCompletions, type Completion } from './best-completions.ts'
import { type ContextWish, contextBoost, readContextWishes } from './completion-contexts.ts'
import { type KeyTest, keyTest } from './completion-keys.ts'
import { illegal, type Suggestion } from './suggest-request.ts'

export interface ShownSource {
  /** Undefined when sources are not requested. */
  show(index: SearchIndex, leaf: LeafReader, doc: number): unknown
}

export function* suggestCompletions(
  suggestion: Suggestion,
  indices: readonly SearchIndex[],
  sources: ShownSource,
): Steps<unknown> {
  const { text, field, options } = suggestion
  const size = options.positive('size', 5)
  const best = new BestCompletions(size, options.flag('skip_duplicates', false))
  let isMapped = false
  let leafNumber = 0
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
      for (const leaf of leaves)
        yield* collect({ index, leaf, leafNumber: leafNumber++ }, mapped.name, test, wishes, best)
    }
  }
  if (!isMapped) throw foundByShards(illegal(`no mapping found for field [${field}]`))
  const shown = yield* show(yield* best.found(), sources)
  return [{ text, offset: 0, length: text.length, options: shown }]
}

type Place = Pick<Completion, 'index' | 'leaf' | 'leafNumber'>

function* collect(
  place: Place,
  field: string,
  { prefix, test, boost: keyBoost }: KeyTest,
  wishes: readonly ContextWish[] | undefined,
  best: BestCompletions,
): Steps<void> {
  const { segment, live } = place.leaf
  const terms = segment.fields.get(field)?.terms
  if (terms === undefined || terms === null) return
  const pace = new StepSize(256, 64, 4096)
  for (let ordinal = terms.lowerBound(prefix); ordinal < terms.size; ) {
    const end = Math.min(terms.size, ordinal + pace.begin())
    for (; ordinal < end; ordinal++) {
      const term = terms.term(ordinal)
      if (!term.startsWith(prefix)) return
      const keyEnd = term.indexOf('\0')
      if (!test(term.slice(0, keyEnd))) continue
      // Without contexts the weight is the score, so most terms need not be decoded further.
      const isPlain = wishes === undefined && keyBoost === undefined
      if (isPlain && !best.takes(completionWeight(term), () => readCompletionTerm(term).input)) continue
      const { input, contexts, weight } = readCompletionTerm(term)
      const boost = contextBoost(contexts, wishes)
      if (boost === undefined) continue
      const score = scoreOf(weight, boost + (keyBoost?.(term.slice(0, keyEnd)) ?? 0))
      if (!best.takes(score, () => input)) continue
      const { docs } = terms.postings(ordinal)
      for (let i = 0; i < docs.length; i++) {
        if (live !== null && !live.has(docs[i]!)) continue
        best.add({ ...place, doc: docs[i]!, input, contexts, score })
      }
    }
    pace.end()
    yield
    yield* best.cut()
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
    shown[at] = yield* onceReady(() => option(found[at]!, sources))
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
