/**
 * Terms similar to a word, most similar first: the candidates of the `term` and `phrase` suggesters (Lucene's
 * DirectSpellChecker).
 */

import { fuzzyMatcher } from '../query/automata/fuzzy.ts'
import { illegalArgument } from '../request/errors.ts'
import { sortedSteps } from '../scheduling/merge-sort.ts'
import type { Steps } from '../scheduling/steps.ts'
import { similarities } from './string-distance.ts'
import type { SuggestOptions } from './suggest-request.ts'
import type { FieldTerms } from './term-statistics.ts'

interface SimilarTerm {
  readonly term: string
  /** 1 means equal. */
  readonly score: number
  readonly freq: number
}

interface SimilarSettings {
  readonly size: number
  readonly mode: 'missing' | 'popular' | 'always'
  readonly maxEdits: number
  readonly prefixLength: number
  readonly minWordLength: number
  readonly minDocFreq: number
  readonly maxTermFreq: number
  readonly accuracy: number
  readonly distance: keyof typeof similarities | 'internal'
  readonly sort: 'score' | 'frequency'
}

export function readSimilarSettings(options: SuggestOptions): SimilarSettings {
  const maxEdits = options.number('max_edits', 2)
  if (maxEdits !== 1 && maxEdits !== 2) throw illegalArgument(`maxEdits must be between 1 and 2`)
  const accuracy = options.number('accuracy', 0.5)
  if (accuracy < 0 || accuracy > 1) throw illegalArgument('accuracy must be between 0 and 1')
  const length = (name: string, short: string, standard: number) =>
    options.get(name) === undefined ? options.number(short, standard) : options.number(name, standard)
  return {
    size: options.positive('size', 5),
    mode: options.choice('suggest_mode', ['missing', 'popular', 'always'], 'missing'),
    maxEdits,
    prefixLength: length('prefix_length', 'prefix_len', 1),
    minWordLength: length('min_word_length', 'min_word_len', 4),
    minDocFreq: options.number('min_doc_freq', 0),
    maxTermFreq: options.number('max_term_freq', 0.01),
    accuracy,
    distance: options.choice(
      'string_distance',
      ['internal', 'damerau_levenshtein', 'levenshtein', 'jaro_winkler', 'ngram'],
      'internal',
    ),
    sort: options.choice('sort', ['score', 'frequency'], 'score'),
  }
}

export function* similarTerms(
  terms: FieldTerms,
  word: string,
  settings: SimilarSettings,
): Steps<SimilarTerm[]> {
  const length = Array.from(word).length
  if (length < settings.minWordLength) return []
  const own = terms.docFreq(word)
  if (settings.mode === 'missing' && own > 0) return []
  const { maxTermFreq, minDocFreq } = settings
  const max = maxTermFreq >= 1 ? maxTermFreq : Math.ceil(maxTermFreq * terms.docCount)
  if (own > max && settings.mode !== 'always') return []
  let min = settings.mode === 'popular' ? own : 0
  if (minDocFreq >= 1) min = Math.max(min, Math.trunc(minDocFreq))
  else if (minDocFreq > 0) min = Math.max(min, Math.trunc(minDocFreq * terms.docCount) - 1)
  const matcher = fuzzyMatcher(word, { edits: settings.maxEdits, prefixLength: settings.prefixLength })
  const near = yield* terms.near(matcher.prefix, (term) => term !== word && matcher.distance(term) >= 0)
  const found: SimilarTerm[] = []
  for (const [term, freq] of near) {
    if (freq <= min) continue
    const edits = matcher.distance(term)
    const score =
      settings.distance === 'internal'
        ? 1 - edits / Math.min(length, Array.from(term).length)
        : similarities[settings.distance](word, term)
    if (score >= settings.accuracy) found.push({ term, score: Math.fround(score), freq })
  }
  const ordered = yield* sortedSteps(found, settings.sort === 'score' ? byScore : byFrequency)
  return ordered.slice(0, settings.size)
}

function byTerm(a: SimilarTerm, b: SimilarTerm): number {
  return a.term < b.term ? -1 : a.term > b.term ? 1 : 0
}

function byScore(a: SimilarTerm, b: SimilarTerm): number {
  return b.score - a.score || b.freq - a.freq || byTerm(a, b)
}

function byFrequency(a: SimilarTerm, b: SimilarTerm): number {
  return b.freq - a.freq || b.score - a.score || byTerm(a, b)
}
