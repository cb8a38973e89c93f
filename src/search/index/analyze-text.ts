/** `_analyze`: which tokens an analyzer, a field's analyzer or a chain named in place makes of texts. */

import type { Analysis, ComponentReference } from '../analysis/analysis.ts'
import type { Analyzer } from '../analysis/analyzer.ts'
import { pieceEnd } from '../analysis/pieces.ts'
import { TokenBuffer, tokenTypes } from '../analysis/token-buffer.ts'
import type { Mapping } from '../mapping/mapping.ts'
import { plainText } from '../plain-text.ts'
import { illegalArgument } from './index-errors.ts'
import { isObject, type JsonObject, own, textList } from './json-object.ts'

export interface AnalyzeContext {
  readonly analysis: Analysis
  readonly mapping: Mapping | undefined
  readonly maxTokens: number
}

/** Positions between two texts of one request. */
const textGap = 100

export function analyzeText(request: JsonObject, context: AnalyzeContext): JsonObject {
  const analyzer = analyzerOf(request, context)
  const tokens: JsonObject[] = []
  let offset = 0
  let position = 0
  const buffer = new TokenBuffer()
  for (const text of textList(own(request, 'text'))) {
    // In pieces, so that a long text is refused before all of it was read.
    let from = 0
    do {
      const to = pieceEnd(analyzer, text, from)
      analyzer.analyze(text.slice(from, to), buffer)
      if (tokens.length + buffer.length > context.maxTokens)
        throw illegalArgument(
          `The number of tokens produced by calling _analyze has exceeded the allowed maximum of [${context.maxTokens}]. This limit can be set by changing the [index.analyze.max_token_count] index level setting.`,
        )
      for (let i = 0; i < buffer.length; i++) {
        const span = buffer.spans[i]!
        tokens.push({
          token: buffer.terms[i],
          start_offset: offset + from + buffer.starts[i]!,
          end_offset: offset + from + buffer.ends[i]!,
          type: tokenTypes[buffer.types[i]!],
          position: position + buffer.positions[i]!,
          ...(span > 1 && { positionLength: span }),
        })
      }
      position += buffer.endPosition
      from = to
    } while (from < text.length)
    offset += text.length + 1
    position += textGap
  }
  if (own(request, 'explain') !== true) return { tokens }
  const name = plainText(own(request, 'analyzer') ?? 'standard')
  return { detail: { custom_analyzer: own(request, 'tokenizer') !== undefined, analyzer: { name, tokens } } }
}

function references(value: unknown): ComponentReference[] {
  if (value === undefined || value === null) return []
  return (Array.isArray(value) ? value : [value]).map((one) => (isObject(one) ? one : plainText(one)))
}

function analyzerOf(request: JsonObject, { analysis, mapping }: AnalyzeContext): Analyzer {
  const named = own(request, 'analyzer')
  const field = own(request, 'field')
  const normalizer = own(request, 'normalizer')
  const tokenizer = own(request, 'tokenizer')
  const filters = references(own(request, 'filter'))
  const charFilters = references(own(request, 'char_filter'))
  if (named !== undefined) {
    if (tokenizer !== undefined)
      throw illegalArgument('Validation Failed: 1: cannot define extra components on a named analyzer;')
    return analysis.analyzer(plainText(named))
  }
  if (normalizer !== undefined) return analysis.normalizer(plainText(normalizer))
  if (tokenizer !== undefined) return analysis.custom(references(tokenizer)[0]!, filters, charFilters)
  if (filters.length + charFilters.length > 0) return analysis.custom('keyword', filters, charFilters)
  const mapped = typeof field === 'string' ? mapping?.field(field) : undefined
  if (mapped?.analyzer !== undefined) return mapped.analyzer
  if (mapped !== undefined) return analysis.analyzer('keyword')
  return analysis.analyzer('default')
}
