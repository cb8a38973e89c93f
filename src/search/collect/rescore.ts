/** `rescore`: the top matches of each shard get a new score from the old one and that of a second query. */
import { compileQuery } from '../query/dsl/parse-query.ts'
import { DocSet } from '../query/exec/doc-set.ts'
import type { ScoredDocs } from '../query/exec/query.ts'
import { retrySteps, type Steps } from '../scheduling/steps.ts'
import { ChangedScores, ComputedScores } from './match-scores.ts'
import { type LeafMatches, type RankedHit, Ranking } from './paging/ranking.ts'
import type { PreparedShard } from './prepared-search.ts'
import type { RescoreRequest } from './request/search-request.ts'
import { bindJson } from './search-index.ts'
import { ScoreKey } from './sort/computed-keys.ts'
import type { Scores, SearchLeaf } from './sort/sort-key.ts'

export function* rescored(
  requests: readonly RescoreRequest[],
  shards: readonly PreparedShard[],
  hits: readonly LeafMatches[],
  scores: Scores,
): Steps<Scores> {
  let current = scores
  for (const [position, request] of requests.entries()) {
    // Scores that are changed again and again would go back through all changes for each document.
    if (position > 0) current = yield* ComputedScores.steps(current, hits)
    current = yield* rescoredOnce(request, shards, hits, current)
  }
  return current
}

function* rescoredOnce(
  request: RescoreRequest,
  shards: readonly PreparedShard[],
  hits: readonly LeafMatches[],
  scores: Scores,
): Steps<Scores> {
  const changed = new Map<number, Map<number, number>>()
  for (const shard of shards) {
    const own = hits.filter(({ leaf }) => leaf.shardNumber === shard.number)
    const ranking = yield* Ranking.steps(own, [new ScoreKey(scores, true)])
    const best = docsByLeaf(yield* ranking.pageSteps(0, request.windowSize))
    yield
    const second = compileQuery(bindJson(shard.index, request.query), { leaves: shard.reader.leaves })
    for (const [leaf, docs] of best) {
      const { docCount } = leaf.reader.segment
      const seconds = yield* retrySteps(() =>
        second.scoresAmong(leaf.reader, DocSet.ofSorted(docCount, docs)),
      )
      changed.set(leaf.number, changedScores(request, leaf, docs, scores, seconds))
      yield
    }
  }
  return new ChangedScores(scores, changed, request.queryWeight)
}

function docsByLeaf(hits: readonly RankedHit[]): Map<SearchLeaf, Uint32Array> {
  const lists = new Map<SearchLeaf, number[]>()
  for (const { leaf, doc } of hits) {
    const list = lists.get(leaf)
    if (list === undefined) lists.set(leaf, [doc])
    else list.push(doc)
  }
  return new Map(Array.from(lists, ([leaf, docs]) => [leaf, Uint32Array.from(docs).sort()]))
}

function changedScores(
  request: RescoreRequest,
  leaf: SearchLeaf,
  docs: Uint32Array,
  scores: Scores,
  seconds: ScoredDocs,
): Map<number, number> {
  const changed = new Map<number, number>()
  let at = 0
  for (const doc of docs) {
    const first = Math.fround(scores.at(leaf, doc) * request.queryWeight)
    while (at < seconds.docs.length && seconds.docs[at]! < doc) at++
    if (seconds.docs[at] !== doc) changed.set(doc, first)
    else {
      const second = Math.fround(seconds.scores[at]! * request.rescoreWeight)
      changed.set(doc, combined(first, second, request.scoreMode))
    }
  }
  return changed
}

function combined(first: number, second: number, mode: RescoreRequest['scoreMode']): number {
  switch (mode) {
    case 'total':
      return Math.fround(first + second)
    case 'multiply':
      return Math.fround(first * second)
    case 'avg':
      return Math.fround((first + second) / 2)
    case 'max':
      return Math.max(first, second)
    case 'min':
      return Math.min(first, second)
  }
}
