/** `_analyze`: the tokens that an analyzer, a field's analyzer or an inline chain produces. */

import type { Analysis, ComponentReference, Components } from '../../analysis/analysis.ts'
import type { Analyzer } from '../../analysis/analyzer.ts'
import type { AnswerBytes } from '../../answer/answer-memory.ts'
import { KeywordField } from '../../mapping/fields/keyword-field.ts'
import { TextField } from '../../mapping/fields/text-field.ts'
import type { Mapping } from '../../mapping/mapping.ts'
import { illegalArgument, validationFailed } from '../../request/errors.ts'
import { isObject, type JsonObject, own, textList } from '../../request/json-object.ts'
import { plainText } from '../../request/plain-text.ts'
import type { Steps } from '../../scheduling/steps.ts'
import { analyzerDetail, chainDetail, type DetailRequest } from './analyze-detail.ts'
import { tokensOf } from './analyzed-tokens.ts'

interface AnalyzeContext {
  readonly analysis: Analysis
  readonly mapping: Mapping | undefined
  readonly maxTokens: number
  readonly answer: AnswerBytes
}

/** The position gap between two texts of one request. */
const textGap = 100

export function* analyzeText(request: JsonObject, given: AnalyzeContext): Steps<JsonObject> {
  const context = given.mapping === undefined ? given : { ...given, analysis: given.analysis.ofRequest() }
  const { analyzer, name, components, isSingle = false } = chosen(request, context)
  const texts = textList(own(request, 'text'))
  // Analyzers of no index, keywords and normalizers have no gap.
  const isNamed = name !== undefined && components === undefined
  const gap = isSingle || (isNamed && context.mapping === undefined) ? 0 : textGap
  const { maxTokens, answer } = context
  if (own(request, 'explain') !== true)
    return { tokens: yield* tokensOf(analyzer, texts, { maxTokens, gap, answer }) }
  const detail: DetailRequest = {
    analysis: context.analysis,
    texts,
    attributes: new Set(textList(own(request, 'attributes') ?? [])),
    shown: { maxTokens, gap: components === undefined ? gap : 0, answer },
  }
  return components === undefined
    ? yield* analyzerDetail(detail, name ?? 'default', analyzer)
    : yield* chainDetail(detail, components)
}

function references(value: unknown): ComponentReference[] {
  if (value === undefined || value === null) return []
  return (Array.isArray(value) ? value : [value]).map((one) => (isObject(one) ? one : plainText(one)))
}

interface Chosen {
  readonly analyzer: Analyzer
  /** The name of a configured analyzer. */
  readonly name?: string
  /** Components of a custom analyzer, for `explain`. */
  readonly components?: Components | undefined
  /** The text is one token. */
  readonly isSingle?: boolean
}

function chosen(request: JsonObject, { analysis, mapping }: AnalyzeContext): Chosen {
  const named = own(request, 'analyzer')
  const field = own(request, 'field')
  const normalizer = own(request, 'normalizer')
  const tokenizer = own(request, 'tokenizer')
  const filters = references(own(request, 'filter'))
  const charFilters = references(own(request, 'char_filter'))
  if (named !== undefined) {
    if (tokenizer !== undefined) throw validationFailed('cannot define extra components on a named analyzer')
    return ofName(plainText(named), analysis, mapping !== undefined)
  }
  if (normalizer !== undefined) {
    const name = plainText(normalizer)
    return {
      analyzer: analysis.normalizer(name),
      components: analysis.normalizerComponents(name),
      isSingle: true,
    }
  }
  if (tokenizer !== undefined) {
    const components = { tokenizer: references(tokenizer)[0]!, filters, charFilters }
    return { analyzer: analysis.custom(components.tokenizer, filters, charFilters), components }
  }
  if (filters.length + charFilters.length > 0) {
    const analyzer = analysis.customNormalizer(filters, charFilters)
    return { analyzer, components: { tokenizer: 'keyword', filters, charFilters }, isSingle: true }
  }
  if (typeof field === 'string' && mapping === undefined)
    throw illegalArgument('analysis based on a specific field requires an index')
  const mapped = typeof field === 'string' ? mapping?.field(field) : undefined
  if (mapped === undefined) return ofName('default', analysis, true)
  if (mapped instanceof KeywordField && mapped.normalizerName !== undefined) {
    const name = mapped.normalizerName
    return {
      analyzer: analysis.normalizer(name),
      components: analysis.normalizerComponents(name),
      isSingle: true,
    }
  }
  if (mapped instanceof TextField)
    return { ...ofName(mapped.analyzerName, analysis, true), analyzer: mapped.analyzer! }
  if (mapped.family === 'keyword') return { ...ofName('keyword', analysis, true), isSingle: true }
  throw illegalArgument(
    `Can't process field [${plainText(field)}], Analysis requests are only supported on tokenized fields`,
  )
}

function ofName(name: string, analysis: Analysis, isOfIndex: boolean): Chosen {
  if (isOfIndex && !analysis.hasAnalyzer(name)) throw illegalArgument(`failed to find analyzer [${name}]`)
  return { analyzer: analysis.analyzer(name), name, components: analysis.componentsOf(name) }
}
