/** Analysed text: `text`, `match_only_text`, `search_as_you_type` (subfields: `as-you-type-fields.ts`). */

import { type Analyzer, defaultPositionGap } from '../../analysis/analyzer.ts'
import { TokenBuffer } from '../../analysis/token-buffer.ts'
import { asSearchError, illegalArgument } from '../../request/errors.ts'
import type { FieldSpec } from '../../segment/document.ts'
import type { DocumentFields } from '../documents/document-fields.ts'
import type { FieldSetup } from '../field-setup.ts'
import { MappedField } from '../mapped-field.ts'

const buffer = new TokenBuffer()

/** `index_options`: offsets are computed again by analysing, so they are not stored. */
const keptPerOption = new Map<string, FieldSpec['index']>([
  ['docs', 'docs'],
  ['freqs', 'freqs'],
  ['positions', 'positions'],
  ['offsets', 'positions'],
])

interface FieldAnalyzers {
  readonly index: Analyzer
  readonly search: Analyzer
  readonly quote: Analyzer
}

export function analyzersOf(setup: FieldSetup): FieldAnalyzers {
  const { analysis } = setup.settings
  const named = (parameter: string): string | undefined => {
    const name = setup.definition.values.get(parameter) as string | undefined
    if (name === undefined || analysis.hasAnalyzer(name)) return name
    throw illegalArgument(`analyzer [${name}] has not been configured in mappings`)
  }
  const index = named('analyzer')
  const ofSearch = named('search_analyzer')
  const ofQuotes = named('search_quote_analyzer')
  const search =
    ofSearch ?? (index === undefined && analysis.hasAnalyzer('default_search') ? 'default_search' : index)
  try {
    return {
      index: analysis.analyzer(index ?? 'default'),
      search: analysis.analyzer(search ?? 'default'),
      quote: analysis.analyzer(ofQuotes ?? search ?? 'default'),
    }
  } catch (error) {
    throw asSearchError(error)
  }
}

export class TextField extends MappedField {
  override readonly family = 'text'
  override readonly spec: FieldSpec
  override readonly analyzer: Analyzer
  readonly analyzerName: string
  override readonly searchAnalyzer: Analyzer
  override readonly searchQuoteAnalyzer: Analyzer
  readonly indexOptions: string
  readonly hasNorms: boolean
  readonly hasFielddata: boolean
  readonly similarity: string | undefined
  readonly positionGap: number
  /** False for `match_only_text`, whose matches all score the same. */
  readonly isScored: boolean

  constructor(setup: FieldSetup, analyzers = analyzersOf(setup)) {
    super(setup)
    this.analyzer = analyzers.index
    this.analyzerName = setup.text('analyzer') ?? 'default'
    this.searchAnalyzer = analyzers.search
    this.searchQuoteAnalyzer = analyzers.quote
    this.indexOptions = setup.text('index_options') ?? 'positions'
    this.isScored = setup.definition.type !== 'match_only_text'
    this.hasNorms = this.isScored && setup.flag('norms', true)
    this.hasFielddata = setup.flag('fielddata', false)
    this.similarity = setup.text('similarity')
    const gap = setup.number('position_increment_gap', -1)
    this.positionGap = gap >= 0 ? gap : (this.analyzer.positionGap ?? defaultPositionGap)
    this.spec = {
      index: this.isIndexed ? (keptPerOption.get(this.indexOptions) ?? 'positions') : null,
      norms: this.isIndexed && this.hasNorms,
      ordinals: false,
    }
    if (gap >= 0 && this.spec.index !== 'positions') {
      throw illegalArgument(
        `Cannot set position_increment_gap on field [${this.name}] without positions enabled`,
      )
    }
  }

  override get isAggregatable(): boolean {
    return this.hasFielddata
  }

  override add(value: unknown, into: DocumentFields): void {
    const text = typeof value === 'string' ? value : into.textOf(value, this.name)
    if (this.isIndexed) {
      const field = into.of(this.name, this.spec)
      // Fields of nested objects may be copied to their parent as soon as they are read, so they are analysed at
      // once.
      const deferredAnalysis = into.parent === undefined ? into.reading.deferredAnalysis : undefined
      if (deferredAnalysis !== undefined) {
        deferredAnalysis.add(field, text, this.analyzer, this.positionGap)
        return
      }
      this.analyzer.analyze(text, buffer)
      field.addTokens(buffer, this.positionGap)
    } else if (this.isStored) into.of(this.name, this.spec)
  }

  override requireColumn(): void {
    if (this.hasFielddata) return
    throw illegalArgument(
      'Text fields are not optimised for operations that require per-document field data like aggregations ' +
        'and sorting, so these operations are disabled by default. Please use a keyword field instead. ' +
        `Alternatively, set fielddata=true on [${this.name}] in order to load field data by uninverting the ` +
        'inverted index. Note that this can use significant memory.',
    )
  }

  override requireSearchable(): void {
    if (!this.isIndexed) {
      throw illegalArgument(`Cannot search on field [${this.name}] since it is not indexed.`)
    }
  }

  override fromSource(value: unknown): unknown {
    return value === null || value === undefined ? undefined : String(value)
  }
}
