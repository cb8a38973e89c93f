/** The `term` suggester: similar terms of the index for each word of a text. */
import { tokensOf } from '../analysis/analyzer.ts'
import type { SearchIndex } from '../collect/search-index.ts'
import { shortestFloat } from '../request/float-text.ts'
import type { Steps } from '../scheduling/steps.ts'
import { readSimilarSettings, similarTerms } from './similar-terms.ts'
import type { Suggestion } from './suggest-request.ts'
import { FieldTerms } from './term-statistics.ts'

export function* suggestTerms(
  { text, field, options }: Suggestion,
  indices: readonly SearchIndex[],
): Steps<unknown> {
  const settings = readSimilarSettings(options)
  const terms = new FieldTerms(indices, field)
  const analyzer = terms.analyzer(options.text('analyzer'))
  const words =
    analyzer === undefined
      ? [{ token: text, start_offset: 0, end_offset: text.length }]
      : tokensOf(analyzer, text)
  const entries: unknown[] = []
  for (const { token, start_offset: offset, end_offset: end } of words) {
    const similar = yield* similarTerms(terms, token, settings)
    entries.push({
      text: token,
      offset,
      length: end - offset,
      options: similar.map(({ term, score, freq }) => ({ text: term, score: shortestFloat(score), freq })),
    })
  }
  return entries
}
