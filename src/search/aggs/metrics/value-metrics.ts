/** Metrics over values of any type: `value_count`, `cardinality`, `string_stats`. */

import { decimalFormat } from '../../answer/decimal-format.ts'
import type { SearchLeaf } from '../../collect/sort/sort-key.ts'
import { javaDouble } from '../../request/java-text.ts'
import type { BitSet } from '../../segment/encoding/bit-set.ts'
import type { AggKind } from '../agg-kind.ts'
import type { Aggregator } from '../aggregator.ts'
import type { Batch } from '../batch.ts'
import { numbersOf } from '../buckets/histograms/date-histogram.ts'
import { anyType } from '../buckets/missing.ts'
import { keyTypes } from '../buckets/terms.ts'
import { CardinalityAccumulator } from '../numbers/cardinality.ts'
import { Counts } from '../numbers/counts.ts'
import { StringStatsAccumulator } from '../numbers/string-stats.ts'
import { hashAddress, hashBigInt, hashDouble, hashInteger, hashText } from '../numbers/value-hash.ts'
import type { AggResult } from '../result.ts'
import { openNumbers, openPoints, openRanges, openTerms, type TermColumnView } from '../values/columns.ts'
import { type KeySource, keySource } from '../values/key-source.ts'
import { LeafColumn } from '../values/leaf-column.ts'
import type { NumberSource } from '../values/number-source.ts'
import { type PairSource, pointSource } from '../values/pair-source.ts'
import { TermHashes } from '../values/term-hashes.ts'
import {
  type BoundField,
  bindField,
  columnTerm,
  formatterOf,
  readScriptableOptions,
  readValueOptions,
} from '../values/value-field.ts'

interface Presence {
  readonly starts: Uint32Array | null
  readonly present: BitSet | null
}

function presenceOf(leaf: SearchLeaf, field: BoundField): Presence | null {
  if (field.type === 'string' || field.type === 'ip') {
    const column = openTerms(leaf, field)
    if (column === null) return null
    const own = field.fields.get(leaf.index.name)
    const stored =
      own === undefined || own === 'hidden' ? undefined : leaf.reader.segment.fields.get(own.name)
    return { starts: column.starts, present: stored?.present ?? null }
  }
  if (field.type === 'geo_point') return openPoints(leaf, field)
  if (field.type === 'range') return openRanges(leaf, field)
  return openNumbers(leaf, field)
}

class ValueCount implements Aggregator {
  readonly #field: BoundField
  readonly #hasMissing: boolean
  readonly #counts = new Counts()
  readonly #column: LeafColumn<Presence>

  constructor(field: BoundField, hasMissing: boolean) {
    this.#field = field
    this.#hasMissing = hasMissing
    this.#column = new LeafColumn(field, presenceOf)
  }

  collect({ leaf, docs, owners, length }: Batch): void {
    const column = this.#column.of(leaf)
    const { script } = this.#field
    const counts = this.#counts
    const missing = this.#hasMissing ? 1 : 0
    for (let i = 0; i < length; i++) {
      const doc = docs[i]!
      let count = 0
      if (script?.changesValues === false) count = script.ofDocument(leaf, doc).length
      else if (column !== null && column.starts !== null)
        count = column.starts[doc + 1]! - column.starts[doc]!
      else if (column !== null) count = column.present === null || column.present.has(doc) ? 1 : 0
      count ||= missing
      if (count > 0) counts.add(owners[i]!, count)
    }
  }

  finish(): void {}

  result(owner: number): AggResult {
    const value = this.#counts.at(owner)
    return {
      typedName: 'value_count',
      number: (property) => (property === 'value' ? value : undefined),
      toJson: () => ({ value }),
    }
  }
}

export const valueCountKind: AggKind = {
  name: 'value_count',
  bucketing: 'none',
  parse(options) {
    const values = readScriptableOptions(options)
    options.done()
    return (context) =>
      new ValueCount(
        bindField(values, anyType, 'value_count', options.aggregation, context),
        values.missing !== undefined,
      )
  },
}

export const cardinalityKind: AggKind = {
  name: 'cardinality',
  bucketing: 'none',
  parse(options) {
    const values = readScriptableOptions(options)
    const threshold = options.number('precision_threshold')
    options.raw('rehash')
    options.text('execution_hint')
    options.done()
    if (threshold !== undefined && threshold < 0) {
      throw options.refused(
        'precision_threshold',
        `[precisionThreshold] must be greater than or equal to 0. Found [${threshold}] in [${options.aggregation}]`,
      )
    }
    return (context) => {
      const field = bindField(values, [...keyTypes, 'geo_point'], 'cardinality', options.aggregation, context)
      const accumulator = new CardinalityAccumulator(threshold)
      if (field.type === 'geo_point') return new PointCardinality(pointSource(field), accumulator)
      if (field.type !== 'string' && field.type !== 'ip') {
        return new NumberCardinality(numbersOf(field, values, context), accumulator)
      }
      if (field.script !== undefined)
        return new KeyCardinality(keySource(field, values, context, undefined), accumulator)
      const missing = values.missing === undefined ? undefined : columnTerm(values.missing, field.type)
      return new TermCardinality(field, missing, accumulator)
    }
  },
}

abstract class Cardinality implements Aggregator {
  protected readonly accumulator: CardinalityAccumulator

  constructor(accumulator: CardinalityAccumulator) {
    this.accumulator = accumulator
  }

  abstract collect(batch: Batch): void

  finish(): void {}

  result(owner: number): AggResult {
    return { typedName: 'cardinality', ...this.accumulator.result(owner) }
  }
}

/** Cardinality of values that a source reads. */
abstract class SourceCardinality<Source> extends Cardinality {
  protected readonly source: Source

  constructor(source: Source, accumulator: CardinalityAccumulator) {
    super(accumulator)
    this.source = source
  }
}

class NumberCardinality extends SourceCardinality<NumberSource> {
  collect(batch: Batch): void {
    const { owners, values, exact, length } = this.source.read(batch)
    const { accumulator } = this
    const { type } = this.source.field
    // Unsigned numbers of 64 bits are doubles to OpenSearch too.
    if (type === 'double' || type === 'unsigned_long') {
      for (let i = 0; i < length; i++) accumulator.add(owners[i]!, hashDouble(values[i]!))
      return
    }
    for (let i = 0; i < length; i++) {
      const value = values[i]!
      // A value has the same hash in exact and inexact columns.
      const isExact = exact !== null && !Number.isSafeInteger(value)
      accumulator.add(owners[i]!, isExact ? hashBigInt(exact[i]!) : hashInteger(value))
    }
  }
}

class TermCardinality extends Cardinality {
  readonly #field: BoundField
  readonly #missing: number | undefined
  readonly #hashOf: (term: string) => number
  #leaf: SearchLeaf | undefined
  #column: TermColumnView | null = null
  #hashes: TermHashes | undefined

  constructor(field: BoundField, missing: string | undefined, accumulator: CardinalityAccumulator) {
    super(accumulator)
    this.#field = field
    this.#hashOf = field.type === 'ip' ? hashAddress : hashText
    this.#missing = missing === undefined ? undefined : this.#hashOf(missing)
  }

  collect({ leaf, docs, owners, length }: Batch): void {
    if (this.#leaf !== leaf) {
      this.#leaf = leaf
      this.#column = openTerms(leaf, this.#field)
      this.#hashes = this.#column === null ? undefined : new TermHashes(this.#column, this.#hashOf)
    }
    const column = this.#column
    const hashes = this.#hashes!
    const missing = this.#missing
    const { accumulator } = this
    if (column === null && missing === undefined) return
    for (let i = 0; i < length; i++) {
      const doc = docs[i]!
      const owner = owners[i]!
      let isEmpty = true
      if (column !== null && column.starts !== null) {
        for (let at = column.starts[doc]!; at < column.starts[doc + 1]!; at++) {
          accumulator.add(owner, hashes.hash(column.values[at]! - 1))
          isEmpty = false
        }
      } else if (column !== null && column.values[doc] !== 0) {
        accumulator.add(owner, hashes.hash(column.values[doc]! - 1))
        isEmpty = false
      }
      if (isEmpty && missing !== undefined) accumulator.add(owner, missing)
    }
  }
}

/** Cardinality of terms that arrive as keys. */
class KeyCardinality extends SourceCardinality<KeySource> {
  collect(batch: Batch): void {
    const { owners, keys, length } = this.source.read(batch)
    for (let i = 0; i < length; i++) this.accumulator.add(owners[i]!, hashText(this.source.text(keys[i]!)))
  }
}

class PointCardinality extends SourceCardinality<PairSource> {
  collect(batch: Batch): void {
    this.source.read(batch, (_doc, owner, latitude, longitude) => {
      this.accumulator.add(owner, hashText(`${javaDouble(latitude)}, ${javaDouble(longitude)}`))
    })
  }
}

export const stringStatsKind: AggKind = {
  name: 'string_stats',
  bucketing: 'none',
  parse(options) {
    const values = readValueOptions(options)
    const showDistribution = options.flag('show_distribution') ?? false
    options.done()
    return (context) => {
      const field = bindField(values, ['string', 'ip'], 'string_stats', options.aggregation, context)
      const format = values.format === undefined ? undefined : decimalFormat(values.format)
      const missing = values.missing === undefined ? undefined : columnTerm(values.missing, field.type)
      const print = formatterOf(field, { format: undefined, zone: undefined })
      return new StringStats(
        field,
        missing,
        print ?? String,
        new StringStatsAccumulator(format, showDistribution),
      )
    }
  },
}

class StringStats implements Aggregator {
  readonly #column: LeafColumn<TermColumnView>
  readonly #missing: string | undefined
  readonly #print: (term: string) => string
  readonly #accumulator: StringStatsAccumulator

  constructor(
    field: BoundField,
    missing: string | undefined,
    print: (term: string) => string,
    accumulator: StringStatsAccumulator,
  ) {
    this.#column = new LeafColumn(field, openTerms)
    this.#missing = missing
    this.#print = print
    this.#accumulator = accumulator
  }

  collect({ leaf, docs, owners, length }: Batch): void {
    const column = this.#column.of(leaf)
    for (let i = 0; i < length; i++) {
      const doc = docs[i]!
      const isList = column !== null && column.starts !== null
      const from = isList ? column.starts![doc]! : doc
      const to = isList
        ? column.starts![doc + 1]!
        : column === null || column.values[doc] === 0
          ? doc
          : doc + 1
      for (let at = from; at < to; at++) {
        this.#accumulator.add(owners[i]!, this.#print(column!.term(column!.values[at]! - 1)))
      }
      if (from === to && this.#missing !== undefined) this.#accumulator.add(owners[i]!, this.#missing)
    }
  }

  finish(): void {}

  result(owner: number): AggResult {
    return { typedName: 'string_stats', ...this.#accumulator.result(owner) }
  }
}
