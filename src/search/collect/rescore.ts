/** `rescore`: the best matches of each shard get a new score out of the old one and that of a second query. */
import { compileQuery } from '../query/dsl/parse-query.ts'
import type { ScoredDocs } from '../query/exec/query.ts'
import { ChangedScores, scoreIn } from './match-scores.ts'
import type { PreparedShard } from './prepared-search.ts'
import { type LeafMatches, Ranking } from './ranking.ts'
import { bindJson } from './search-index.ts'
import type { RescoreRequest } from './search-request.ts'
import type { Scores } from './sort-key.ts'
import { ScoreKey } from './special-keys.ts'

export function rescored(
  requests: readonly RescoreRequest[],
  shards: readonly PreparedShard[],
  hits: readonly LeafMatches[],
  scores: Scores,
): Scores {
  return requests.reduce((current, request) => rescoredOnce(request, shards, hits, current), scores)
}

function rescoredOnce(
  request: RescoreRequest,
  shards: readonly PreparedShard[],
  hits: readonly LeafMatches[],
  scores: Scores,
): Scores {
  const changed = new Map<number, Map<number, number>>()
  for (const shard of shards) {
    const own = hits.filter(({ leaf }) => leaf.shardNumber === shard.number)
    const best = new Ranking(own, [new ScoreKey(scores, true)]).page(0, request.windowSize)
    const second = compileQuery(bindJson(shard.index, request.query), { leaves: shard.reader.leaves })
    const seconds = new Map<number, ScoredDocs>()
    for (const { leaf, doc } of best) {
      const first = Math.fround(scores.at(leaf, doc) * request.queryWeight)
      let score = first
      if (second.matching(leaf.reader).has(doc)) {
        let scored = seconds.get(leaf.number)
        if (scored === undefined && second.constantScore === undefined) {
          scored = second.scores(leaf.reader)
          seconds.set(leaf.number, scored)
        }
        const other = scored === undefined ? second.constantScore! : scoreIn(scored, doc)
        score = combined(first, Math.fround(other * request.rescoreWeight), request.scoreMode)
      }
      let inLeaf = changed.get(leaf.number)
      if (inLeaf === undefined) {
        inLeaf = new Map()
        changed.set(leaf.number, inLeaf)
      }
      inLeaf.set(doc, score)
    }
  }
  return new ChangedScores(scores, changed, request.queryWeight)
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
