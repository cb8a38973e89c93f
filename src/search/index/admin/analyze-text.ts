/** `_analyze`: the tokens that an analyzer, a field's analyzer or an inline chain produces. */

import type { Analysis, ComponentReference, Components } from '../../analysis/analysis.ts'
import type { Analyzer } from '../../analysis/analyzer.ts'
import { chunkEnd } from '../../analysis/text-chunks.ts'
import { TokenBuffer, TooManyTokens, tokenTypes } from '../../analysis/token-buffer.ts'
import { KeywordField } from '../../mapping/fields/keyword-field.ts'
import { TextField } from '../../mapping/fields/text-field.ts'
import type { Mapping } from '../../mapping/mapping.ts'
import { illegalArgument, validationFailed } from '../../request/errors.ts'
import { isObject, type JsonObject, own, textList } from '../../request/json-object.ts'
import { plainText } from '../../request/plain-text.ts'
import { analyzerDetail, chainDetail, type Decorate, type DetailRequest } from './analyze-detail.ts'

interface AnalyzeContext {
  readonly analysis: Analysis
  readonly mapping: Mapping | undefined
  readonly maxTokens: number
}

/**
 * Tokens before the filters, as a multiple of those that may be left: filters may drop most of them, but analysis does
 * not yield, so a text of megabytes is refused before all its tokens are made.
 */
const maxTokensFactor = 32

/** The position gap between two texts of one request. */
const textGap = 100

export function analyzeText(request: JsonObject, given: AnalyzeContext): JsonObject {
  const context = given.mapping === undefined ? given : { ...given, analysis: given.analysis.ofRequest() }
  const { analyzer, name, components, isSingle = false } = chosen(request, context)
  const texts = textList(own(request, 'text'))
  // Analyzers of no index, keywords and normalizers have no gap.
  const isNamed = name !== undefined && components === undefined
  const gap = isSingle || (isNamed && context.mapping === undefined) ? 0 : textGap
  if (own(request, 'explain') !== true) {
    return { tokens: tokensOf(analyzer, texts, context.maxTokens, gap) }
  }
  const detail: DetailRequest = {
    analysis: context.analysis,
    texts,
    attributes: new Set(textList(own(request, 'attributes') ?? [])),
    tokensOf: (chain, decorate) =>
      tokensOf(chain, texts, context.maxTokens, components === undefined ? gap : 0, decorate),
  }
  return components === undefined
    ? analyzerDetail(detail, name ?? 'default', analyzer)
    : chainDetail(detail, components)
}

function tokensOf(
  analyzer: Analyzer,
  texts: readonly string[],
  maxTokens: number,
  gap: number,
  decorate: Decorate = (token) => token,
): JsonObject[] {
  const tokens: JsonObject[] = []
  let offset = 0
  let position = 0
  const buffer = new TokenBuffer(maxTokens * maxTokensFactor)
  const tooMany = () =>
    illegalArgument(
      `The number of tokens produced by calling _analyze has exceeded the allowed maximum of [${maxTokens}]. This limit can be set by changing the [index.analyze.max_token_count] index level setting.`,
    )
  for (const text of texts) {
    // Analyses chunk by chunk, so that a text with too many tokens is refused early.
    let from = 0
    do {
      const to = chunkEnd(analyzer, text, from)
      try {
        analyzer.analyze(text.slice(from, to), buffer)
      } catch (error) {
        throw error instanceof TooManyTokens ? tooMany() : error
      }
      if (tokens.length + buffer.length > maxTokens) throw tooMany()
      for (let i = 0; i < buffer.length; i++) {
        const span = buffer.spans[i]!
        const token = {
          token: buffer.terms[i],
          start_offset: offset + from + buffer.starts[i]!,
          end_offset: offset + from + buffer.ends[i]!,
          type: tokenTypes[buffer.types[i]!],
          position: position + buffer.positions[i]!,
          ...(span > 1 && { positionLength: span }),
        }
        tokens.push(decorate(token, buffer, i))
      }
      position += buffer.endPosition
      from = to
    } while (from < text.length)
    offset += text.length + 1
    position += gap
  }
  return tokens
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
