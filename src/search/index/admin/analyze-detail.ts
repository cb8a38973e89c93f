/** `_analyze` with `explain`: the tokens after each component of an analyzer, with their attributes. */
import type { Analysis, ComponentReference, Components } from '../../analysis/analysis.ts'
import type { Analyzer, ChainAnalyzer } from '../../analysis/analyzer.ts'
import { isObject, type JsonObject, own } from '../../request/json-object.ts'
import type { Steps } from '../../scheduling/steps.ts'
import { type Decorate, type ShownTokens, tokensInStages, tokensOf } from './analyzed-tokens.ts'

/** Token filters with the keyword attribute: they mark keywords or check for the mark. */
const keywordFilters = new Set([
  'keyword_marker',
  'keyword_repeat',
  'porter_stem',
  'arabic_stem',
  'bengali_normalization',
  'brazilian_stem',
  'czech_stem',
  'dutch_stem',
  'french_stem',
  'german_stem',
  'hindi_normalization',
  'persian_stem',
  'russian_stem',
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

const openBracket = 0x5b
const closeBracket = 0x5d
const blank = 0x20

export interface DetailRequest {
  readonly analysis: Analysis
  readonly texts: readonly string[]
  /** Names of the attributes to show; all when empty. */
  readonly attributes: ReadonlySet<string>
  readonly shown: ShownTokens
}

export function* analyzerDetail(request: DetailRequest, name: string, analyzer: Analyzer): Steps<JsonObject> {
  const decorate = decorator(request, !unmarkedAnalyzers.has(name))
  const tokens = yield* tokensOf(analyzer, request.texts, request.shown, decorate)
  return { detail: { custom_analyzer: false, analyzer: { name, tokens } } }
}

export function* chainDetail(request: DetailRequest, components: Components): Steps<JsonObject> {
  const { tokenizer, filters, charFilters } = components
  const chain = request.analysis.custom(tokenizer, filters, charFilters)
  const changed = yield* changedTexts(request, chain, charFilters.length)
  const stages = yield* tokensInStages(chain, request.texts, request.shown, decorators(request, filters))
  return {
    detail: {
      custom_analyzer: true,
      charfilters: charFilters.map((filter, at) => ({ name: nameOf(filter), filtered_text: changed[at] })),
      tokenizer: { name: nameOf(tokenizer), tokens: stages[0] },
      tokenfilters: filters.map((filter, at) => ({ name: nameOf(filter), tokens: stages[at + 1] })),
    },
  }
}

/** The texts behind each character filter. */
function* changedTexts(
  { texts, shown }: DetailRequest,
  chain: ChainAnalyzer,
  filters: number,
): Steps<readonly (readonly string[])[]> {
  const changed = Array.from({ length: filters }, (): string[] => [])
  for (const text of texts) {
    const stages = chain.filterInStages(text)
    for (const list of changed) {
      const { value = '' } = stages.next()
      shown.answer.add(value.length)
      list.push(value)
      yield
    }
  }
  return changed
}

/** What is added to the tokens behind the tokenizer, and behind each filter. */
function decorators(request: DetailRequest, filters: readonly ComponentReference[]): Decorate[] {
  const marking = filters.findIndex((filter) => keywordFilters.has(typeOf(filter)))
  const paid = filters.findIndex((filter) => typeOf(filter) === 'delimited_payload')
  const payloads: Payloads = new Map()
  return Array.from({ length: filters.length + 1 }, (_, count) => {
    const isMarked = marking >= 0 && marking < count
    const decorate = decorator(request, isMarked, paid >= 0 && paid < count ? payloads : undefined)
    return count === paid ? notingPayloads(decorate, payloads, filters[paid]!) : decorate
  })
}

function typeOf(component: ComponentReference): string {
  return isObject(component) ? String(own(component, 'type')) : component
}

function nameOf(component: ComponentReference): string {
  return isObject(component) ? `__anonymous__${typeOf(component)}` : component
}

type Payloads = Map<string, string>

/** A token is found again behind other filters by where it stands. */
function placeOf(token: JsonObject): string {
  return `${token['position']} ${token['start_offset']} ${token['end_offset']}`
}

/** Notes the payloads that `delimited_payload` will take off the tokens. */
function notingPayloads(decorate: Decorate, payloads: Payloads, filter: ComponentReference): Decorate {
  const option = (name: string, standard: string) =>
    String((isObject(filter) ? own(filter, name) : undefined) ?? standard)
  const encoding = option('encoding', 'float')
  const delimiter = option('delimiter', '|')
  return (token, buffer, index) => {
    const term = buffer.terms[index]!
    const at = term.lastIndexOf(delimiter)
    if (at >= 0) payloads.set(placeOf(token), hexOf(payloadBytes(term.slice(at + 1), encoding)))
    return decorate(token, buffer, index)
  }
}

function payloadBytes(text: string, encoding: string): Buffer {
  if (encoding === 'identity') return Buffer.from(text)
  const bytes = Buffer.alloc(4)
  if (encoding === 'int') bytes.writeInt32BE(Number(text) | 0)
  else bytes.writeFloatBE(Number(text))
  return bytes
}

const hexDigits = Buffer.from('0123456789abcdef')

/** The bytes in hexadecimal without leading zeros, with blanks between them, as Lucene prints them. */
function hexOf(bytes: Uint8Array): string {
  const text = Buffer.allocUnsafe(bytes.length * 3 + 2)
  text[0] = openBracket
  let at = 1
  for (const byte of bytes) {
    if (at > 1) text[at++] = blank
    if (byte >= 16) text[at++] = hexDigits[byte >> 4]!
    text[at++] = hexDigits[byte & 15]!
  }
  text[at++] = closeBracket
  return text.toString('latin1', 0, at)
}

function decorator({ attributes, shown }: DetailRequest, isMarked: boolean, payloads?: Payloads): Decorate {
  const isShown = (name: string) => attributes.size === 0 || attributes.has(name)
  return (token, buffer, index) => {
    const term = buffer.terms[index]!
    const added: Record<string, unknown> = {}
    if (isShown('bytes')) {
      shown.answer.expect(term.length * 3)
      added['bytes'] = hexOf(Buffer.from(term))
    }
    if (isMarked && isShown('keyword')) added['keyword'] = buffer.keywords[index] === 1
    if (payloads !== undefined && isShown('payload')) added['payload'] = payloads.get(placeOf(token)) ?? null
    if (isShown('positionLength')) added['positionLength'] = buffer.spans[index]
    if (isShown('termFrequency')) added['termFrequency'] = 1
    return { ...token, ...added }
  }
}
