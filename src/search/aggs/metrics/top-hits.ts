/** `top_hits`: the first documents of each bucket, as hits. */
import { type TopHitsContext, topHits } from '../../collect/inner-hits.ts'
import type { LeafMatches } from '../../collect/ranking.ts'
import { isObject, type JsonObject, tokenKind } from '../../collect/request-values.ts'
import type { SearchLeaf } from '../../collect/sort-key.ts'
import { noScripts } from '../../query/dsl/function-score-clause.ts'
import { DocSet } from '../../query/exec/doc-set.ts'
import type { AggKind } from '../agg-kind.ts'
import { illegalArgument } from '../agg-options.ts'
import type { AggContext, Aggregator } from '../aggregator.ts'
import type { Batch } from '../batch.ts'
import type { AggResult } from '../result.ts'

const known = new Set(
  (
    'from size sort version seq_no_primary_term explain track_scores _source stored_fields docvalue_fields ' +
    'fields script_fields highlight'
  ).split(' '),
)

export const topHitsKind: AggKind = {
  name: 'top_hits',
  bucketing: 'none',
  parse(options) {
    const from = options.int('from') ?? 0
    const size = options.int('size') ?? 3
    if (isObject(options.raw('script_fields'))) throw noScripts()
    for (const [key, value] of Object.entries(options.json)) {
      if (known.has(key)) continue
      throw options.places.error(
        `Unknown key for a ${tokenKind(value)} in [${options.aggregation}]: [${key}].`,
        options.json,
        key,
      )
    }
    return (context) => {
      for (const { limits } of context.indices) {
        if (from + size <= limits.maxInnerResultWindow) continue
        throw illegalArgument(
          `Top hits result window is too large, the top hits aggregator [${options.aggregation}]'s from + size must be less than or equal to: [${limits.maxInnerResultWindow}] but was [${from + size}]. This limit can be set by changing the [index.max_inner_result_window] index level setting.`,
        )
      }
      return new TopHits(options.json, context)
    }
  },
}

interface LeafDocs {
  readonly leaf: SearchLeaf
  readonly docs: number[]
}

class TopHits implements Aggregator {
  readonly #options: JsonObject
  readonly #context: AggContext
  /** By owner, in the order of segments. */
  readonly #matches = new Map<number, LeafDocs[]>()

  constructor(options: JsonObject, context: AggContext) {
    this.#options = options
    this.#context = context
  }

  collect({ leaf, docs, owners, length }: Batch): void {
    for (let i = 0; i < length; i++) {
      let lists = this.#matches.get(owners[i]!)
      if (lists === undefined) this.#matches.set(owners[i]!, (lists = []))
      let last = lists.at(-1)
      if (last === undefined || last.leaf !== leaf) lists.push((last = { leaf, docs: [] }))
      last.docs.push(docs[i]!)
    }
  }

  finish(): void {}

  result(owner: number): AggResult {
    const matches = (this.#matches.get(owner) ?? []).map(({ leaf, docs }): LeafMatches => {
      const sorted = Uint32Array.from(docs).sort()
      return { leaf, docs: DocSet.ofSorted(leaf.reader.segment.docCount, sorted) }
    })
    const { node, totalAsNumber, search } = this.#context
    const context: TopHitsContext = { node, totalAsNumber }
    return { typedName: 'top_hits', toJson: () => ({ ...topHits(matches, this.#options, search, context) }) }
  }
}
