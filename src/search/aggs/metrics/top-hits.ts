/** `top_hits`: the top documents of each bucket, as hits. */

import { type InnerPage, topHits } from '../../collect/fetch/inner-hits.ts'
import type { LeafMatches } from '../../collect/paging/ranking.ts'
import type { SearchLeaf } from '../../collect/sort/sort-key.ts'
import { DocSet } from '../../query/exec/doc-set.ts'
import { illegalArgument } from '../../request/errors.ts'
import { type JsonObject, tokenKind } from '../../request/request-values.ts'
import type { Steps } from '../../scheduling/steps.ts'
import type { AggKind } from '../agg-kind.ts'
import type { AggContext, Aggregator } from '../aggregator.ts'
import type { Batch } from '../batch.ts'
import type { AggResult, UnreadHits } from '../result.ts'

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

type PageOf = ReturnType<typeof topHits>

class TopHits implements Aggregator {
  readonly #pageOf: PageOf
  /** By owner, in segment order. */
  readonly #matches: (LeafDocs[] | undefined)[] = []

  constructor(options: JsonObject, { search, node, totalAsNumber, answer }: AggContext) {
    this.#pageOf = topHits(options, search, { node, totalAsNumber, answer })
  }

  collect({ leaf, docs, owners, length }: Batch): void {
    const all = this.#matches
    for (let i = 0; i < length; i++) {
      const owner = owners[i]!
      while (all.length <= owner) all.push(undefined)
      const lists = (all[owner] ??= [])
      let last = lists.at(-1)
      if (last === undefined || last.leaf !== leaf) lists.push((last = { leaf, docs: [] }))
      last.docs.push(docs[i]!)
    }
  }

  finish(): void {}

  result(owner: number): AggResult {
    return new TopHitsResult(this.#matches[owner] ?? [], this.#pageOf)
  }
}

class TopHitsResult implements AggResult, UnreadHits {
  readonly typedName = 'top_hits'
  readonly #found: readonly LeafDocs[]
  readonly #pageOf: PageOf
  #json: JsonObject = {}

  constructor(found: readonly LeafDocs[], pageOf: PageOf) {
    this.#found = found
    this.#pageOf = pageOf
  }

  get hits(): UnreadHits {
    return this
  }

  page(): Steps<InnerPage> {
    return this.#pageOf(this.#found.map(matchesOf))
  }

  keep(json: JsonObject): void {
    this.#json = json
  }

  toJson(): JsonObject {
    return { ...this.#json }
  }
}

function matchesOf({ leaf, docs }: LeafDocs): LeafMatches {
  const list = new Uint32Array(docs)
  if (!isRising(list)) list.sort()
  return { leaf, docs: DocSet.ofSorted(leaf.reader.segment.docCount, list) }
}

/** Documents arrive in rising order unless they were deferred. */
function isRising(docs: Uint32Array): boolean {
  for (let at = 1; at < docs.length; at++) if (docs[at]! < docs[at - 1]!) return false
  return true
}
