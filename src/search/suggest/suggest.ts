/** Answers the `suggest` section of a search: one list of entries per suggestion. */

import type { SearchRequest } from '../collect/request/search-request.ts'
import type { SearchIndex } from '../collect/search-index.ts'
import { retrySteps, type Steps } from '../scheduling/steps.ts'
import { DocumentSource } from '../source/document-source.ts'
import { SourceFilter } from '../source/source-filter.ts'
import { type ShownSource, suggestCompletions, wholeSource } from './completion-suggester.ts'
import { suggestPhrases } from './phrase-suggester.ts'
import { readSuggestions, type Suggestion } from './suggest-request.ts'
import { suggestTerms } from './term-suggester.ts'

type Wanted = Pick<SearchRequest, 'source' | 'typedKeys'>

/** Throws SearchError. */
export function* suggest(json: unknown, indices: readonly SearchIndex[], request?: Wanted): Steps<unknown> {
  const sources = sourcesOf(request)
  const answers = new Map<string, unknown>()
  for (const suggestion of readSuggestions(json)) {
    const { kind, name } = suggestion
    const key = request?.typedKeys === true ? `${kind}#${name}` : name
    answers.set(key, yield* retrySteps(() => answerTo(suggestion, indices, sources)))
  }
  return answers
}

function answerTo(
  suggestion: Suggestion,
  indices: readonly SearchIndex[],
  sources: ShownSource,
): Steps<unknown> {
  switch (suggestion.kind) {
    case 'term':
      return suggestTerms(suggestion, indices)
    case 'phrase':
      return suggestPhrases(suggestion, indices)
    case 'completion':
      return suggestCompletions(suggestion, indices, sources)
  }
}

function sourcesOf(request: Wanted | undefined): ShownSource {
  const source = request?.source
  if (source === undefined) return wholeSource
  if (!source.isWanted) return { show: () => undefined }
  const filter = new SourceFilter(source.includes, source.excludes)
  if (filter.isAll) return wholeSource
  return { show: (_index, { segment }, doc) => filter.apply(new DocumentSource(segment, doc).object) }
}
