/**
 * The `phrase` suggester: a noisy-channel model with beam search. Each word has correction candidates; a text
 * scores the product of the likelihood of its corrections and its n-gram probabilities with stupid backoff.
 * Texts that score no better than the input are not shown.
 */

import { tokensOf } from '../analysis/analyzer.ts'
import type { SearchIndex } from '../collect/search-index.ts'
import { illegalArgument } from '../request/errors.ts'
import { shortestFloat } from '../request/float-text.ts'
import { isObject } from '../request/json-object.ts'
import { sortedSteps } from '../scheduling/merge-sort.ts'
import type { Steps } from '../scheduling/steps.ts'
import { readSimilarSettings, similarTerms } from './similar-terms.ts'
import { candidateOptions, type Suggestion, SuggestOptions } from './suggest-request.ts'
import { FieldTerms } from './term-statistics.ts'

interface Candidate {
  readonly term: string
  /** The likelihood that this word was meant. */
  readonly likelihood: number
  readonly isChanged: boolean
}

interface Path {
  readonly words: readonly Candidate[]
  readonly changes: number
  /** The sum of the decimal logarithms of its words; the score is e to this power, as in Lucene. */
  readonly score: number
}

/** The width of the beam. */
const beam = 200

export function* suggestPhrases(
  { text, field, options }: Suggestion,
  indices: readonly SearchIndex[],
): Steps<unknown> {
  if (options.get('collate') !== undefined)
    throw illegalArgument('[collate] needs scripts, which are not supported')
  const model = new FieldTerms(indices, field)
  const analyzer = model.analyzer(options.text('analyzer'))
  const all = analyzer === undefined ? [] : tokensOf(analyzer, text)
  const tokens = all.filter(({ type }) => type !== 'shingle').map(({ token }) => token)
  const hasGrams = all.some(({ type }) => type === 'shingle')
  const gramSize = options.positive('gram_size', hasGrams ? 2 : 1)
  const separator = options.text('separator') ?? ' '
  const realWord = options.number('real_word_error_likelihood', 0.95)
  if (realWord <= 0) throw illegalArgument('real word error likelihood must be > 0')
  const maxErrors = options.number('max_errors', 0.5)
  if (maxErrors <= 0) throw illegalArgument('max_error must be > 0.0')
  const entry = { text, offset: 0, length: text.length, options: [] as unknown[] }
  if (tokens.length === 0 || tokens.length > options.number('token_limit', 10)) return [entry]
  const generators = readGenerators(options, field).map((generator) => ({
    terms: generator.field === field ? model : new FieldTerms(indices, generator.field),
    settings: generator.settings,
  }))
  const candidates: Candidate[][] = []
  for (const word of tokens) {
    const choices: Candidate[] = [{ term: word, likelihood: realWord, isChanged: false }]
    for (const { terms, settings } of generators) {
      for (const { term, score } of yield* similarTerms(terms, word, settings))
        choices.push({ term, likelihood: score, isChanged: true })
    }
    candidates.push(choices)
  }
  const maxCorrections =
    maxErrors >= 1 ? Math.trunc(maxErrors) : Math.max(1, Math.round(maxErrors * tokens.length))
  const probability = smoothed(model, options.get('smoothing'), separator)
  const scored = yield* pathsOf(candidates, maxCorrections, (word, before) =>
    Math.log10(word.likelihood * probability(word.term, gramSize > 1 ? before?.term : undefined)),
  )
  const typed = scored.find(({ changes }) => changes === 0)
  const confidence = options.number('confidence', 1)
  const minScore = typed === undefined || confidence === 0 ? 0 : confidence * Math.exp(typed.score)
  const better = scored.filter(({ score }) => Math.exp(score) > minScore).sort(byScore)
  entry.options = better.slice(0, options.positive('size', 5)).map(({ words, score }) => ({
    text: words.map(({ term }) => term).join(separator),
    ...highlighted(words, options.get('highlight'), separator),
    score: shortestFloat(Math.fround(Math.exp(score))),
  }))
  return [entry]
}

function readGenerators(options: SuggestOptions, field: string) {
  const json = options.get('direct_generator')
  if (json === undefined) {
    return [{ field, settings: readSimilarSettings(new SuggestOptions('direct_generator', {}, [])) }]
  }
  const list: readonly unknown[] = Array.isArray(json) ? json : [json]
  return list.map((item) => {
    if (!isObject(item)) throw illegalArgument('[direct_generator] must be an object')
    const own = new SuggestOptions('direct_generator', item, [
      'field',
      'size',
      'pre_filter',
      'post_filter',
      ...candidateOptions,
    ])
    return { field: own.text('field') ?? field, settings: readSimilarSettings(own) }
  })
}

/** The log probability of a word after another. */
type Likely = (word: Candidate, before: Candidate | undefined) => number

/** Returns texts within the allowed number of corrections, best first, by beam search. */
function* pathsOf(candidates: readonly (readonly Candidate[])[], max: number, likely: Likely): Steps<Path[]> {
  let paths: Path[] = [{ words: [], changes: 0, score: 0 }]
  for (const choices of candidates) {
    let next: Path[] = []
    for (const { words, changes, score } of paths) {
      for (const word of choices) {
        const total = changes + (word.isChanged ? 1 : 0)
        if (total > max) continue
        next.push({ words: [...words, word], changes: total, score: score + likely(word, words.at(-1)) })
      }
      yield
    }
    next = yield* sortedSteps(next, (a, b) => b.score - a.score)
    const typed = next.find(({ changes }) => changes === 0)
    paths = next.slice(0, beam)
    if (typed !== undefined && !paths.includes(typed)) paths.push(typed)
  }
  return paths
}

/** The best first; of equal ones the later in the alphabet. */
function byScore(one: Path, other: Path): number {
  if (one.score !== other.score) return other.score - one.score
  for (const [at, { term }] of one.words.entries()) {
    const than = other.words[at]!.term
    if (term !== than) return term < than ? 1 : -1
  }
  return 0
}

/** The probability of a word, after another one where n-grams are known. */
type Probability = (word: string, before: string | undefined) => number

/** `stupid_backoff` (the default), `laplace` or `linear_interpolation`. */
function smoothed(model: FieldTerms, json: unknown, separator: string): Probability {
  const [kind = 'stupid_backoff', given = {}] = isObject(json) ? (Object.entries(json)[0] ?? []) : []
  const number = (name: string, absent: number) => (isObject(given) ? Number(given[name] ?? absent) : absent)
  const { wordCount, termCount } = model
  const pairFreq = (before: string, word: string) => model.totalFreq(`${before}${separator}${word}`)
  const alone = (word: string) => (1 + model.totalFreq(word)) / (wordCount + termCount)
  if (kind === 'laplace') {
    const alpha = number('alpha', 0.5)
    return (word, before) =>
      before === undefined
        ? (alpha + model.totalFreq(word)) / (wordCount + alpha * termCount)
        : (alpha + pairFreq(before, word)) / (model.totalFreq(before) + alpha * termCount)
  }
  if (kind === 'linear_interpolation') {
    const [bigram, unigram] = [number('bigram_lambda', 0), number('unigram_lambda', 0)]
    return (word, before) => {
      if (before === undefined) return alone(word)
      const pair = pairFreq(before, word)
      if (pair < 1) return unigram * alone(word)
      return (bigram * pair) / (0.5 + model.totalFreq(before)) + unigram * alone(word)
    }
  }
  const discount = number('discount', 0.4)
  return (word, before) => {
    if (before === undefined) return alone(word)
    const pair = pairFreq(before, word)
    return pair < 1 ? discount * alone(word) : pair / (model.totalFreq(before) + 1e-8)
  }
}

function highlighted(
  words: readonly Candidate[],
  json: unknown,
  separator: string,
): { highlighted?: string } {
  if (!isObject(json)) return {}
  const [pre, post] = [String(json['pre_tag'] ?? ''), String(json['post_tag'] ?? '')]
  const parts: string[] = []
  words.forEach(({ term, isChanged }, index) => {
    // Adjacent changed words share one pair of tags.
    const opens = isChanged && words[index - 1]?.isChanged !== true
    const closes = isChanged && words[index + 1]?.isChanged !== true
    parts.push(`${opens ? pre : ''}${term}${closes ? post : ''}`)
  })
  return { highlighted: parts.join(separator) }
}
