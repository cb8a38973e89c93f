/** `_analyze` with `explain`: the tokens after each component of an analyzer, with their attributes. */
import type { Analysis, ComponentReference, Components } from '../../analysis/analysis.ts'
import type { Analyzer } from '../../analysis/analyzer.ts'
import { TokenBuffer } from '../../analysis/token-buffer.ts'
import { isObject, type JsonObject, own } from '../../request/json-object.ts'

/** Token filters with the keyword attribute: they mark keywords or check for the mark. */
const keywordFilters = new Set([
  'keyword_marker',
  'keyword_repeat',
  'porter_stem',
  'kstem',
  'snowball',
  'stemmer',
  'stemmer_override',
  'word_delimiter',
  'word_delimiter_graph',
  'truncate',
])
/** Analyzers that have no keyword attribute, because they do not stem. */
const unmarkedAnalyzers = new Set([
  'standard',
  'simple',
  'whitespace',
  'stop',
  'keyword',
  'pattern',
  'fingerprint',
])

export interface DetailRequest {
  readonly analysis: Analysis
  readonly texts: readonly string[]
  /** Names of the attributes to show; all when empty. */
  readonly attributes: ReadonlySet<string>
  tokensOf(analyzer: Analyzer, decorate: Decorate): JsonObject[]
}

/** Adds attributes to a token. */
export type Decorate = (token: JsonObject, buffer: TokenBuffer, index: number) => JsonObject

export function analyzerDetail(request: DetailRequest, name: string, analyzer: Analyzer): JsonObject {
  const tokens = request.tokensOf(analyzer, decorator(request, !unmarkedAnalyzers.has(name)))
  return { detail: { custom_analyzer: false, analyzer: { name, tokens } } }
}

export function chainDetail(request: DetailRequest, components: Components): JsonObject {
  const { analysis, texts } = request
  const { tokenizer, filters, charFilters } = components
  const charfilters = charFilters.map((filter, at) => {
    const chain = analysis.custom('keyword', [], charFilters.slice(0, at + 1))
    return { name: nameOf(filter), filtered_text: texts.map((text) => filtered(chain, text)) }
  })
  const after = (count: number) => {
    const isMarked = filters.slice(0, count).some((filter) => keywordFilters.has(typeOf(filter)))
    return request.tokensOf(
      analysis.custom(tokenizer, filters.slice(0, count), charFilters),
      decorator(request, isMarked),
    )
  }
  return {
    detail: {
      custom_analyzer: true,
      charfilters,
      tokenizer: { name: nameOf(tokenizer), tokens: after(0) },
      tokenfilters: filters.map((filter, at) => ({ name: nameOf(filter), tokens: after(at + 1) })),
    },
  }
}

function filtered(chain: Analyzer, text: string): string {
  const buffer = new TokenBuffer()
  chain.analyze(text, buffer)
  return buffer.length === 0 ? '' : buffer.terms[0]!
}

function typeOf(component: ComponentReference): string {
  return isObject(component) ? String(own(component, 'type')) : component
}

function nameOf(component: ComponentReference): string {
  return isObject(component) ? `__anonymous__${typeOf(component)}` : component
}

function decorator({ attributes }: DetailRequest, isMarked: boolean): Decorate {
  return (token, buffer, index) => {
    const bytes = [...Buffer.from(buffer.terms[index]!)].map((byte) => byte.toString(16)).join(' ')
    const all: [string, unknown][] = [
      ['bytes', `[${bytes}]`],
      ...(isMarked ? [['keyword', buffer.keywords[index] === 1] as [string, unknown]] : []),
      ['positionLength', buffer.spans[index]],
      ['termFrequency', 1],
    ]
    const shown = all.filter(([name]) => attributes.size === 0 || attributes.has(name))
    return { ...token, ...Object.fromEntries(shown) }
  }
}
