/**
 * Fetches the `top_hits` of all buckets together in document order, so that each compressed block of sources
 * is decompressed once.
 */
import type { InnerPage } from '../../collect/fetch/inner-hits.ts'
import type { RankedHit } from '../../collect/paging/ranking.ts'
import type { JsonObject } from '../../request/request-values.ts'
import type { Steps } from '../../scheduling/steps.ts'
import type { AggLevel, AggNode } from '../pipeline/pipeline.ts'
import { type AggResults, levelsOf, type UnreadHits } from '../result.ts'
import { sortSteps } from '../sort-steps.ts'

interface Page {
  readonly hits: UnreadHits
  readonly page: InnerPage
  /** By index on the page. */
  readonly shown: JsonObject[]
}

interface Place {
  readonly page: Page
  readonly at: number
  readonly hit: RankedHit
}

/** Pages completed per step. */
const stepPages = 256

/** Runs after pipelines have dropped buckets, and before results are printed. */
export function* fetchHits(results: AggResults, level: AggLevel): Steps<void> {
  const pages: Page[] = []
  const places: Place[] = []
  yield* gather(results, level.aggs.filter(hasTopHits), (page) => {
    pages.push(page)
    page.page.hits.forEach((hit, at) => void places.push({ page, at, hit }))
  })
  for (const place of yield* inOrderOfDocuments(places)) {
    const { page, at, hit } = places[place]!
    page.shown[at] = yield* page.page.show(hit)
    yield
  }
  for (let i = 0; i < pages.length; i++) {
    const { hits, page, shown } = pages[i]!
    hits.keep(page.answer(shown))
    if (i % stepPages === stepPages - 1) yield
  }
}

function hasTopHits({ kind, aggs }: AggNode): boolean {
  return kind === 'top_hits' || aggs.some(hasTopHits)
}

function* gather(results: AggResults, nodes: readonly AggNode[], take: (page: Page) => void): Steps<void> {
  for (const { name, aggs } of nodes) {
    const result = results.get(name)
    if (result?.hits !== undefined) {
      const page = yield* result.hits.page()
      take({ hits: result.hits, page, shown: Array(page.hits.length) })
      yield
    } else if (result !== undefined) {
      const inner = aggs.filter(hasTopHits)
      for (const bucket of levelsOf(result)) yield* gather(bucket.aggs, inner, take)
    }
  }
}

function inOrderOfDocuments(places: readonly Place[]): Steps<Uint32Array> {
  const all = new Uint32Array(places.length)
  for (let at = 0; at < all.length; at++) all[at] = at
  return sortSteps(all, (one, other) => {
    const left = places[one]!.hit
    const right = places[other]!.hit
    return left.leaf.number - right.leaf.number || left.doc - right.doc || one - other
  })
}
