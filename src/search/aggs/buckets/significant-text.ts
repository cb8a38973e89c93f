/**
 * `significant_text`: words of a text field, found by analysing the sources of matching documents again, so
 * the field needs no fielddata. Background frequencies come from the inverted index.
 */

import { compareUtf8 } from '../../../text/utf8-order.ts'
import { TokenBuffer } from '../../analysis/token-buffer.ts'
import type { SearchLeaf } from '../../collect/sort/sort-key.ts'
import type { MappedField } from '../../mapping/mapped-field.ts'
import { sourcePaths, valuesAt } from '../../mapping/source-values.ts'
import { illegalArgument } from '../../request/errors.ts'
import { scalarText } from '../../request/request-values.ts'
import type { Steps } from '../../scheduling/steps.ts'
import type { AggKind } from '../agg-kind.ts'
import type { AggContext } from '../aggregator.ts'
import type { Batch } from '../batch.ts'
import { type KeyFilter, keyFilter, readKeySelection } from '../values/key-filter.ts'
import type { KeyBatch, KeySource } from '../values/key-source.ts'
import { TextKeySource } from '../values/text-key-source.ts'
import type { BoundField, ValueOptions } from '../values/value-field.ts'
import { readSignificantOptions, SignificantTerms } from './significant-terms.ts'
import { KeyBuckets } from './terms.ts'

export const significantTextKind: AggKind = {
  name: 'significant_text',
  bucketing: 'none',
  parse(options) {
    const name = options.aggregation
    const field = options.text('field')
    const sourceFields = options.list('source_fields')?.map((item) => scalarText(item) ?? '')
    const isFiltering = options.flag('filter_duplicate_text') ?? false
    const significant = readSignificantOptions(options)
    const selection = readKeySelection(options)
    options.done()
    if (field === undefined) throw illegalArgument('Required [field]')
    return (context, createSub) => {
      const bound = boundText(field, context)
      const values: ValueOptions = {
        field,
        script: undefined,
        missing: undefined,
        format: undefined,
        valueType: undefined,
        zone: undefined,
      }
      const filter = keyFilter(selection, bound, values, name, context)
      const source = new TextKeys(
        bound,
        sourceFields,
        isFiltering ? new DuplicateFilter() : undefined,
        filter,
      )
      return new SignificantTerms(
        'sigsterms',
        significant,
        new KeyBuckets(source, createSub(context)),
        context,
        (key) => source.docFreq(key, context),
      )
    }
  },
}

function boundText(name: string, { indices }: AggContext): BoundField {
  const fields = new Map<string, MappedField>()
  let first: MappedField | undefined
  for (const { mapping, name: index } of indices) {
    const field = mapping.field(name)
    if (field === undefined) continue
    if (field.family !== 'text' && field.family !== 'keyword') {
      throw illegalArgument(`Field [${name}] has no analyzer, but SignificantText requires an analyzed field`)
    }
    fields.set(index, field)
    first ??= field
  }
  return { name, fields, type: 'string', isMapped: first !== undefined, first, script: undefined }
}

/** The number of consecutive tokens that count as duplicate text. */
const windowLength = 6
const maxWindows = 1_000_000

/** Drops token sequences that occurred in an earlier document (`filter_duplicate_text`). */
class DuplicateFilter {
  readonly #seen = new Set<string>()

  /** Returns the tokens outside of duplicate sequences. */
  fresh(tokens: readonly string[]): string[] {
    const isOld = new Uint8Array(tokens.length)
    const windows: string[] = []
    for (let at = 0; at + windowLength <= tokens.length; at++) {
      const window = tokens.slice(at, at + windowLength).join('\0')
      if (this.#seen.has(window)) isOld.fill(1, at, at + windowLength)
      windows.push(window)
    }
    for (const window of windows) if (this.#seen.size < maxWindows) this.#seen.add(window)
    return tokens.filter((_, at) => isOld[at] === 0)
  }
}

const buffer = new TokenBuffer()
const decoder = new TextDecoder()

class TextKeys extends TextKeySource implements KeySource {
  readonly field: BoundField
  readonly #sourceFields: readonly string[] | undefined
  readonly #duplicates: DuplicateFilter | undefined
  readonly #filter: KeyFilter | undefined

  constructor(
    field: BoundField,
    sourceFields: readonly string[] | undefined,
    duplicates: DuplicateFilter | undefined,
    filter: KeyFilter | undefined,
  ) {
    super()
    this.field = field
    this.#sourceFields = sourceFields
    this.#duplicates = duplicates
    this.#filter = filter
  }

  read({ leaf, docs, owners, length }: Batch): KeyBatch {
    const out: { docs: number[]; owners: number[]; keys: number[] } = { docs: [], owners: [], keys: [] }
    const field = this.field.fields.get(leaf.index.name)
    if (field !== undefined && field !== 'hidden') {
      const paths = this.#sourceFields ?? sourcePaths(leaf.index.mapping, field)
      for (let i = 0; i < length; i++) {
        for (const term of this.#termsOf(leaf, docs[i]!, field, paths)) {
          if (this.#filter !== undefined && !this.#filter.acceptsTerm(term)) continue
          out.docs.push(docs[i]!)
          out.owners.push(owners[i]!)
          out.keys.push(this.keyOf(term))
        }
      }
    }
    return {
      leaf,
      docs: Uint32Array.from(out.docs),
      owners: Uint32Array.from(out.owners),
      keys: Uint32Array.from(out.keys),
      length: out.docs.length,
    }
  }

  #termsOf(leaf: SearchLeaf, doc: number, field: MappedField, paths: readonly string[]): Set<string> {
    const bytes = leaf.reader.segment.source(doc)
    if (bytes.length === 0) return new Set()
    const json: unknown = JSON.parse(decoder.decode(bytes))
    const tokens: string[] = []
    for (const path of paths) {
      for (const value of valuesAt(json, path).flat(20)) {
        const text = scalarText(value)
        if (text === undefined) continue
        if (field.analyzer === undefined) {
          tokens.push(text)
          continue
        }
        buffer.clear()
        field.analyzer.analyze(text, buffer)
        for (let at = 0; at < buffer.length; at++) tokens.push(buffer.terms[at]!)
      }
    }
    return new Set(this.#duplicates === undefined ? tokens : this.#duplicates.fresh(tokens))
  }

  /** The document frequency of a term over all segments. */
  docFreq(key: number, { search }: AggContext): number {
    const term = this.text(key)
    let count = 0
    for (const { index, leaves } of search.shards) {
      const field = this.field.fields.get(index.name)
      if (field === undefined || field === 'hidden') continue
      for (const { reader } of leaves) {
        const terms = reader.segment.fields.get(field.name)?.terms
        const ordinal = terms?.find(term) ?? -1
        if (ordinal !== -1) count += terms!.docFreq(ordinal)
      }
    }
    return count
  }

  *addAll(_leaf: SearchLeaf): Steps<void> {}

  compare(one: number, other: number): number {
    return compareUtf8(this.text(one), this.text(other))
  }
}
