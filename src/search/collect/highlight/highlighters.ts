/** The three highlighters over the values of one field: unified, plain and fast vector. */
import type { Analyzer } from '../../analysis/analyzer.ts'
import type { FieldTerms } from '../../query/exec/highlight-terms.ts'
import { illegalArgument } from '../../request/errors.ts'
import { wordBoundaries } from './boundaries.ts'
import { trimmed, writeFragment } from './fragments.ts'
import type { FieldHighlight } from './highlight-request.ts'
import { findMarks, findTokens } from './marks.ts'
import { bestPassages } from './passages.ts'
import { type PlainFragment, plainFragments, wholeTokens } from './plain-fragments.ts'
import {
  breakBoundary,
  characterBoundary,
  type FindBoundary,
  type Unit,
  vectorFragments,
} from './vector-fragments.ts'

interface FieldValue {
  readonly text: string
  /** The text before it was cut to what the plain highlighter analyses. */
  readonly whole: string
  /** Tokens behind this offset are not marked. */
  readonly limit: number
  /** The term of a field without an analyzer. */
  readonly keyword: string
  readonly terms: FieldTerms
  readonly analyzer: Analyzer | undefined
}

/** Stands between values while they are one content. */
const separator = '\u2029'

export function highlightUnified(values: readonly FieldValue[], settings: FieldHighlight): string[] {
  const { fragments, fragmentSize, byScore, noMatchSize, isHtml, boundaries = 'sentence' } = settings
  const isWhole = fragments === 0 || values.some(({ analyzer }) => analyzer === undefined)
  if (!isWhole && boundaries === 'chars') throw illegalArgument('Invalid boundary scanner type: chars')
  let from = 0
  const marked = values.map(({ text, limit, terms, analyzer, keyword }) => {
    const value = {
      text,
      from,
      marks: findMarks(text, terms, analyzer, keyword).filter(({ start }) => start <= limit),
    }
    from += text.length + separator.length
    return value
  })
  const breaks = isWhole ? 'whole' : boundaries === 'word' ? 'word' : 'sentence'
  const max = fragments === 0 ? Math.max(1, values.length) : fragments
  const passages = bestPassages(marked, breaks, fragmentSize, max)
  const content = values.map(({ text }) => text).join(separator)
  if (passages.length === 0) {
    const text = values.find((value) => value.text !== '')?.text
    if (noMatchSize <= 0 || text === undefined) return []
    const end = noMatchSize < text.length ? wordBoundaries(text).following(noMatchSize) : text.length
    const beginning = trimmed(writeFragment(text, { start: 0, end, marks: [] }, '', '', isHtml))
    return beginning === '' ? [] : [beginning]
  }
  if (byScore) passages.sort((one, other) => other.score - one.score)
  const [pre = ''] = settings.preTags
  const [post = ''] = settings.postTags
  return passages.map((passage) => trimmed(writeFragment(content, passage, pre, post, isHtml)))
}

export function highlightPlain(values: readonly FieldValue[], settings: FieldHighlight): string[] {
  const { fragments, fragmentSize, byScore, noMatchSize, isHtml, fragmenter } = settings
  const size = fragments === 0 ? 0 : Math.max(1, fragmentSize)
  const max = Math.max(1, fragments)
  const found: { readonly text: string; readonly fragment: PlainFragment }[] = []
  for (const { text, terms, analyzer, keyword } of values) {
    const { tokens } = findTokens(text, terms, analyzer, keyword)
    const best = plainFragments(text, tokens, size, fragmenter === 'span').slice(0, max)
    for (const fragment of best) found.push({ text, fragment })
  }
  if (byScore) found.sort((one, other) => other.fragment.score - one.fragment.score)
  const [pre = ''] = settings.preTags
  const [post = ''] = settings.postTags
  const shown = fragments === 0 ? found : found.slice(0, max)
  if (shown.length > 0) {
    return shown.map(({ text, fragment: { start, end, tokens } }) =>
      writeFragment(text, { start, end, marks: tokens }, pre, post, isHtml),
    )
  }
  const first = values[0]
  if (noMatchSize <= 0 || first === undefined) return []
  const { tokens } = findTokens(first.whole, first.terms, first.analyzer, first.keyword)
  const end = wholeTokens(tokens, noMatchSize)
  return end > 0 ? [writeFragment(first.whole, { start: 0, end, marks: [] }, '', '', isHtml)] : []
}

export function highlightVectors(values: readonly FieldValue[], settings: FieldHighlight): string[] {
  const { fragments, fragmentSize, byScore, noMatchSize, isHtml, phraseLimit } = settings
  const units: Unit[] = []
  let from = 0
  for (const { text, terms, analyzer, keyword } of values) {
    const { tokens, phrases } = findTokens(text, terms, analyzer, keyword)
    for (const phrase of phrases) units.push(joined(phrase, tokens, from))
    from += text.length + 1
  }
  units.sort((one, other) => one[0]!.start - other[0]!.start)
  const used = units.slice(0, phraseLimit)
  const text = values.map((value) => value.text).join(' ')
  const [pre = ''] = settings.preTags
  const [post = ''] = settings.postTags
  const boundary = boundaryOf(settings)
  const write = (start: number, end: number, inside: readonly Unit[]) => {
    const begin = boundary(text, start, true)
    const finish = text.length < end ? text.length : boundary(text, end, false)
    const marks = inside.flat().sort((one, other) => one.start - other.start)
    return writeFragment(text, { start: begin, end: finish, marks }, pre, post, isHtml)
  }
  if (used.length === 0) {
    if (noMatchSize <= 0 || text === '') return []
    return [write(0, noMatchSize, [])]
  }
  if (fragments === 0) return [write(0, text.length + 1, used)]
  const windows = vectorFragments(used, fragmentSize)
  if (byScore) windows.sort((one, other) => other.units.length - one.units.length)
  return windows.slice(0, fragments).map(({ start, end, units: inside }) => write(start, end, inside))
}

/** The tokens of a phrase, those that follow each other as one. */
function joined(
  phrase: readonly number[],
  tokens: readonly { readonly start: number; readonly end: number }[],
  from: number,
): Unit {
  const parts: { start: number; end: number }[] = []
  phrase.forEach((at, index) => {
    const { start, end } = tokens[at]!
    if (index > 0 && phrase[index - 1] === at - 1) parts[parts.length - 1]!.end = end + from
    else parts.push({ start: start + from, end: end + from })
  })
  return parts
}

function boundaryOf({ boundaries = 'chars', boundaryChars, boundarySteps }: FieldHighlight): FindBoundary {
  return boundaries === 'chars' ? characterBoundary(boundaryChars, boundarySteps) : breakBoundary(boundaries)
}
