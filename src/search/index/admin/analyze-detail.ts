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
    const chain = (length: number) => analysis.custom(tokenizer, filters.slice(0, length), charFilters)
    const paid = filters.slice(0, count).findIndex((filter) => typeOf(filter) === 'delimited_payload')
    const payloads = paid === -1 ? undefined : payloadsOf(request, chain(paid), filters[paid]!)
    return request.tokensOf(chain(count), decorator(request, isMarked, payloads))
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

type Payloads = ReadonlyMap<string, string>

/** A token is found again behind other filters by where it stands. */
function placeOf(token: JsonObject): string {
  return `${token['position']} ${token['start_offset']} ${token['end_offset']}`
}

/** Returns the payloads that `delimited_payload` takes off the tokens of the chain before it. */
function payloadsOf(request: DetailRequest, before: Analyzer, filter: ComponentReference): Payloads {
  const option = (name: string, standard: string) =>
    String((isObject(filter) ? own(filter, name) : undefined) ?? standard)
  const encoding = option('encoding', 'float')
  const payloads = new Map<string, string>()
  request.tokensOf(before, (token, buffer, index) => {
    const term = buffer.terms[index]!
    const at = term.lastIndexOf(option('delimiter', '|'))
    if (at >= 0) payloads.set(placeOf(token), hexOf(payloadBytes(term.slice(at + 1), encoding)))
    return token
  })
  return payloads
}

function payloadBytes(text: string, encoding: string): Buffer {
  if (encoding === 'identity') return Buffer.from(text)
  const bytes = Buffer.alloc(4)
  if (encoding === 'int') bytes.writeInt32BE(Number(text) | 0)
  else bytes.writeFloatBE(Number(text))
  return bytes
}

function hexOf(bytes: Uint8Array): string {
  return `[${Array.from(bytes, (byte) => byte.toString(16)).join(' ')}]`
}

function decorator({ attributes }: DetailRequest, isMarked: boolean, payloads?: Payloads): Decorate {
  return (token, buffer, index) => {
    const all: [string, unknown][] = [
      ['bytes', hexOf(Buffer.from(buffer.terms[index]!))],
      ...(isMarked ? [['keyword', buffer.keywords[index] === 1] as [string, unknown]] : []),
      ...(payloads === undefined
        ? []
        : [['payload', payloads.get(placeOf(token)) ?? null] as [string, unknown]]),
      ['positionLength', buffer.spans[index]],
      ['termFrequency', 1],
    ]
    const shown = all.filter(([name]) => attributes.size === 0 || attributes.has(name))
    return { ...token, ...Object.fromEntries(shown) }
  }
}
