/**
 * Bucket keys as global ordinals: every distinct value of a field gets a small number that is the same in all
 * segments and indices. Terms are looked up once per segment ordinal, not once per document. Unlike
 * Elasticsearch's global ordinals they are assigned per request, in order of first occurrence.
 */

import { compareUtf8 } from '../../../text/utf8-order.ts'
import type { SearchLeaf } from '../../collect/sort/sort-key.ts'
import { javaDouble } from '../../request/java-text.ts'
import { JsonNumber } from '../../request/json-literals.ts'
import { finish, type Steps } from '../../scheduling/steps.ts'
import { textOf } from '../../script/values.ts'
import type { AggContext } from '../aggregator.ts'
import { type Batch, batchSize } from '../batch.ts'
import { ValueOrdinals } from '../value-ordinals.ts'
import { openNumbers, openTerms, prepareTerms, type TermColumnView } from './columns.ts'
import type { KeyFilter } from './key-filter.ts'
import { NumberSource } from './number-source.ts'
import type { GivenValues, ScriptValues } from './script-values.ts'
import { TermOrdinals } from './term-ordinals.ts'
import {
  type BoundField,
  columnNumber,
  columnTerm,
  type Formatter,
  formatterOf,
  type ValueOptions,
} from './value-field.ts'

export interface KeyBatch extends Batch {
  /** The global ordinals of the keys. */
  readonly keys: Uint32Array
}

export interface KeySource {
  readonly field: BoundField
  /** The number of keys so far. */
  readonly size: number
  /** Loads in steps what the first batch of a segment needs. */
  prepare?(leaf: SearchLeaf): Steps<void>
  /** One entry per document and distinct key. */
  read(batch: Batch): KeyBatch
  /** Adds all keys of a segment, whether or not their documents match. */
  addAll(leaf: SearchLeaf): Steps<void>
  /** True when a key occurred and is not excluded; without this method all keys below `size` are accepted. */
  accepts?(key: number): boolean
  compare(one: number, other: number): number
  /** Renders a key as `key`. */
  json(key: number): unknown
  /** Renders `key_as_string`; undefined when there is none. */
  shown(key: number): string | undefined
  /** Renders a key for paths and keyed answers. */
  text(key: number): string
  number(key: number): number
  /** The key of a value of the request, in the form of `json` or `shown`. Throws SearchError. */
  keyOf(given: unknown): number
}

export function keySource(
  field: BoundField,
  options: ValueOptions,
  context: AggContext,
  filter: KeyFilter | undefined,
): KeySource {
  if (field.type === 'string' || field.type === 'ip') {
    const missing = options.missing === undefined ? undefined : columnTerm(options.missing, field.type)
    return new TermKeys(field, missing, filter, formatterOf(field, options), context)
  }
  return new NumberKeys(field, options, context, { filter })
}

/** Growing arrays for the entries of a batch. */
class KeyBuffer {
  docs = new Uint32Array(0)
  owners = new Uint32Array(0)
  keys = new Uint32Array(0)

  reserve(size: number, kept: number): void {
    if (size <= this.keys.length) return
    const capacity = Math.max(size, this.keys.length * 2, batchSize)
    this.docs = enlarged(this.docs, capacity, kept)
    this.owners = enlarged(this.owners, capacity, kept)
    this.keys = enlarged(this.keys, capacity, kept)
  }

  made(leaf: SearchLeaf, length: number): KeyBatch {
    return { leaf, docs: this.docs, owners: this.owners, length, keys: this.keys }
  }
}

function enlarged(array: Uint32Array, capacity: number, kept: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(capacity)
  larger.set(array.subarray(0, kept))
  return larger
}

const unknown = -1
const excluded = -2
/** Fields with more terms are looked up lazily in further segments, when their documents match. */
const maxEagerTerms = 1000
/** Terms looked up per step. */
const stepTerms = 64
/** Keys added per step. */
const stepKeys = 1024

/**
 * Terms as keys. If one segment has most of the documents, its segment ordinals serve as keys, and its terms
 * are not read before the answer is printed; `#terms` has the terms that other segments add. The order of
 * keys is: terms known before that segment, its ordinals, terms added later.
 */
export class TermKeys implements KeySource {
  readonly field: BoundField
  readonly #missing: string | undefined
  readonly #filter: KeyFilter | undefined
  readonly #format: Formatter | undefined
  readonly #context: AggContext
  readonly #terms: string[] = []
  readonly #ids = new TermOrdinals()
  readonly #out = new KeyBuffer()
  #main:
    | {
        readonly leaf: SearchLeaf
        readonly column: TermColumnView
        readonly find: (term: string) => number
        readonly ofOrdinal: Int32Array<ArrayBuffer>
      }
    | undefined
  /** The keys of the main segment's ordinals. */
  #from = 0
  #to = 0
  /** The number of segments with single-valued and multi-valued documents. */
  readonly segments = { single: 0, several: 0 }
  #leaf: SearchLeaf | undefined
  #column: TermColumnView | null = null
  /** The key of each segment ordinal, and of the missing value at the end. */
  #ofOrdinal = new Int32Array(0)
  /** The terms of the field, when a script changes them. */
  readonly #unchanged: TermKeys | undefined

  constructor(
    field: BoundField,
    missing: string | undefined,
    filter: KeyFilter | undefined,
    format: Formatter | undefined,
    context: AggContext,
  ) {
    this.field = field
    this.#missing = missing
    this.#filter = filter
    this.#format = format
    this.#context = context
    if (field.script?.changesValues === true)
      this.#unchanged = new TermKeys(
        { ...field, script: undefined },
        undefined,
        undefined,
        undefined,
        context,
      )
  }

  get size(): number {
    return this.#terms.length + this.#to - this.#from
  }

  *prepare(leaf: SearchLeaf): Steps<void> {
    if (this.#unchanged !== undefined) yield* this.#unchanged.prepare(leaf)
    if (this.#leaf === leaf || this.field.script !== undefined) return
    yield* prepareTerms(leaf, this.field)
    yield* this.#opening(leaf)
  }

  #open(leaf: SearchLeaf): void {
    if (this.#leaf !== leaf) finish(this.#opening(leaf))
  }

  *#opening(leaf: SearchLeaf): Steps<void> {
    const isMain = this.#main?.leaf === leaf
    const column = isMain ? this.#main!.column : openTerms(leaf, this.field)
    const ofOrdinal = isMain ? this.#main!.ofOrdinal : new Int32Array((column?.size ?? 0) + 1).fill(unknown)
    const isNewMain =
      this.#main === undefined &&
      column?.find !== undefined &&
      this.#terms.length <= maxEagerTerms &&
      hasMost(leaf, this.#context)
    if (isNewMain) {
      for (let id = 0; id < this.#terms.length; id++) {
        const ordinal = column.find!(this.#terms[id]!)
        if (ordinal !== -1) ofOrdinal[ordinal + 1] = id
        if (id % stepTerms === stepTerms - 1) yield
      }
      this.#from = this.#terms.length
      this.#to = this.#from + column.size
      this.#main = { leaf, column, find: column.find!, ofOrdinal }
    }
    this.#leaf = leaf
    this.#column = column
    this.#ofOrdinal = ofOrdinal
    if (column !== null) this.segments[column.starts === null ? 'single' : 'several'] += 1
  }

  #idOf(term: string): number {
    if (this.#filter !== undefined && !this.#filter.acceptsTerm(term)) return excluded
    let id = this.#ids.get(term)
    if (id !== undefined) return id
    const main = this.#main
    const ordinal = main === undefined ? -1 : main.find(term)
    if (ordinal !== -1) {
      if (main!.ofOrdinal[ordinal + 1] === unknown) main!.ofOrdinal[ordinal + 1] = this.#from + ordinal
      return main!.ofOrdinal[ordinal + 1]!
    }
    id = this.size
    this.#terms.push(term)
    this.#ids.set(term, id)
    return id
  }

  #keyOf(ordinalPlusOne: number): number {
    const known = this.#ofOrdinal[ordinalPlusOne]!
    if (known !== unknown) return known
    const id =
      ordinalPlusOne > 0 && this.#filter === undefined && this.#main?.leaf === this.#leaf
        ? this.#from + ordinalPlusOne - 1
        : this.#idOf(ordinalPlusOne === 0 ? this.#missing! : this.#column!.term(ordinalPlusOne - 1))
    this.#ofOrdinal[ordinalPlusOne] = id
    return id
  }

  read(batch: Batch): KeyBatch {
    const { script } = this.field
    if (script !== undefined) return this.#scripted(batch, script)
    const { leaf, docs, owners, length } = batch
    this.#open(leaf)
    const out = this.#out
    out.reserve(length, 0)
    const column = this.#column
    const hasMissing = this.#missing !== undefined
    if (column === null && !hasMissing) return out.made(leaf, 0)
    let count = 0
    if (column === null || column.starts === null) {
      const values = column?.values
      for (let i = 0; i < length; i++) {
        const doc = docs[i]!
        const place = values === undefined ? 0 : values[doc]!
        if (place === 0 && !hasMissing) continue
        const key = this.#keyOf(place)
        if (key < 0) continue
        out.docs[count] = doc
        out.owners[count] = owners[i]!
        out.keys[count++] = key
      }
      return out.made(leaf, count)
    }
    const { starts, values } = column
    for (let i = 0; i < length; i++) {
      const doc = docs[i]!
      const from = starts[doc]!
      const to = starts[doc + 1]!
      if (count + to - from + 1 > out.keys.length) out.reserve(count + to - from + 1 + length - i, count)
      for (let at = from; at < to; at++) {
        const key = this.#keyOf(values[at]!)
        if (key < 0) continue
        out.docs[count] = doc
        out.owners[count] = owners[i]!
        out.keys[count++] = key
      }
      if (from !== to || !hasMissing) continue
      const key = this.#keyOf(0)
      if (key < 0) continue
      out.docs[count] = doc
      out.owners[count] = owners[i]!
      out.keys[count++] = key
    }
    return out.made(leaf, count)
  }

  /** The values that a script of this field sees. */
  given(batch: Batch): GivenValues {
    const given = this.read(batch)
    return { batch: given, value: (at) => this.term(given.keys[at]!) }
  }

  /** The terms that a script returns, each once per document. */
  #scripted(batch: Batch, script: ScriptValues): KeyBatch {
    const { leaf, docs, owners, length } = batch
    const made = script.ofBatch(batch, this.#unchanged?.given(batch))
    const out = this.#out
    let count = 0
    for (let i = 0; i < length; i++) {
      const doc = docs[i]!
      const terms = new Set(made[i]!.filter((value) => value !== null).map((value) => textOf(value)))
      if (terms.size === 0 && this.#missing !== undefined) terms.add(this.#missing)
      out.reserve(count + terms.size + length - i, count)
      for (const term of terms) {
        const key = this.#idOf(term)
        if (key < 0) continue
        out.docs[count] = doc
        out.owners[count] = owners[i]!
        out.keys[count++] = key
      }
    }
    return out.made(leaf, count)
  }

  *addAll(leaf: SearchLeaf): Steps<void> {
    if (this.field.script !== undefined) return
    yield* this.prepare(leaf)
    for (let ordinal = 1; ordinal < this.#ofOrdinal.length; ordinal++) {
      if (ordinal % stepKeys === 0) yield
      this.#keyOf(ordinal)
    }
  }

  accepts(key: number): boolean {
    if (key < this.#from || key >= this.#to) return true
    return this.#main!.ofOrdinal[key - this.#from + 1] === key
  }

  compare(one: number, other: number): number {
    const from = this.#from
    const to = this.#to
    if (one >= from && one < to && other >= from && other < to) return one - other
    return compareUtf8(this.term(one), this.term(other))
  }

  json(key: number): unknown {
    return this.text(key)
  }

  shown(): undefined {
    return undefined
  }

  text(key: number): string {
    const term = this.term(key)
    return this.#format === undefined ? term : this.#format(term)
  }

  keyOf(given: unknown): number {
    return Math.max(this.#idOf(columnTerm(given, this.field.type)), -1)
  }

  /** The term as stored. */
  term(key: number): string {
    if (key < this.#from) return this.#terms[key]!
    return key < this.#to
      ? this.#main!.column.term(key - this.#from)
      : this.#terms[key - this.#to + this.#from]!
  }

  number(): number {
    return Number.NaN
  }
}

/** True when a segment has at least three quarters of all searched documents. */
function hasMost(leaf: SearchLeaf, { search }: AggContext): boolean {
  let all = 0
  for (const shard of search.shards) for (const { reader } of shard.leaves) all += reader.segment.docCount
  return leaf.reader.segment.docCount * 4 >= all * 3
}

const maxSafe = BigInt(Number.MAX_SAFE_INTEGER)

interface NumberKeyOptions {
  readonly filter?: KeyFilter | undefined
  /** Maps a value to its key. */
  readonly change?: (value: number) => number
  /** Replaces the field's format; null for none. */
  readonly format?: Formatter | null
  /** A document is counted once for each of its values, even where they have one key. */
  readonly repeats?: boolean
}

export class NumberKeys implements KeySource {
  readonly field: BoundField
  readonly #options: ValueOptions
  readonly #context: AggContext
  readonly #source: NumberSource
  readonly #change: ((value: number) => number) | undefined
  readonly #filter: KeyFilter | undefined
  readonly #format: Formatter | undefined
  readonly #repeats: boolean
  readonly #ids = new ValueOrdinals()
  /**
   * Keys beyond the precision of doubles, in both directions; each also has an ordinal under a placeholder
   * double.
   */
  readonly #exactIds = new Map<bigint, number>()
  readonly #exact = new Map<number, bigint>()
  readonly #out = new KeyBuffer()
  #accepted = new Int8Array(64)
  /** The next placeholder: negative and huge, so that no value equals one. */
  #stand = -1e300

  constructor(
    field: BoundField,
    options: ValueOptions,
    context: AggContext,
    { filter, change, format, repeats = false }: NumberKeyOptions = {},
  ) {
    this.#repeats = repeats
    this.field = field
    this.#options = options
    this.#context = context
    this.#source = new NumberSource(field, columnNumber(options.missing, field, options, context.now))
    this.#filter = filter
    this.#change = change
    this.#format = format === undefined ? formatterOf(field, options) : (format ?? undefined)
  }

  get size(): number {
    return this.#ids.size
  }

  keyOf(given: unknown): number {
    if (given instanceof JsonNumber && given.isInteger) return this.#exactKeyOf(BigInt(given.text))
    return this.#keyOf(columnNumber(given, this.field, this.#options, this.#context.now)!)
  }

  /** -2 for excluded keys. */
  #keyOf(value: number): number {
    if (this.#filter === undefined) return this.#ids.id(value)
    // Excluded keys get ordinals too, so that the filter tests each only once.
    const id = this.#ids.id(value)
    return this.#isAccepted(id, value) ? id : excluded
  }

  #isAccepted(id: number, value: number | bigint): boolean {
    if (this.#filter === undefined) return true
    if (id >= this.#accepted.length) {
      const larger = new Int8Array(Math.max(id + 1, this.#accepted.length * 2))
      larger.set(this.#accepted)
      this.#accepted = larger
    }
    if (this.#accepted[id] === 0) this.#accepted[id] = this.#filter.acceptsNumber(value) ? 1 : -1
    return this.#accepted[id] === 1
  }

  #exactKeyOf(value: bigint): number {
    const isUnsigned = this.field.type === 'unsigned_long'
    const number = isUnsigned ? BigInt.asUintN(64, value) : value
    if (number <= maxSafe && number >= -maxSafe) return this.#keyOf(Number(number))
    let id = this.#exactIds.get(number)
    if (id === undefined) {
      this.#stand *= 1 + 1e-9
      id = this.#ids.id(this.#stand)
      this.#exactIds.set(number, id)
      this.#exact.set(id, number)
    }
    return this.#isAccepted(id, number) ? id : excluded
  }

  read(batch: Batch): KeyBatch {
    const { leaf, docs, owners, length, values, exact } = this.#source.read(batch)
    const out = this.#out
    out.reserve(length, 0)
    let count = 0
    let lastDoc = -1
    let lastOwner = -1
    let lastKey = -1
    const change = this.#change
    for (let i = 0; i < length; i++) {
      let key: number
      if (change !== undefined) key = this.#keyOf(change(values[i]!))
      else key = exact === null ? this.#keyOf(values[i]!) : this.#exactKeyOf(exact[i]!)
      if (key < 0) continue
      const doc = docs[i]!
      const owner = owners[i]!
      // Values of a document are sorted, so duplicates are adjacent.
      if (!this.#repeats && key === lastKey && doc === lastDoc && owner === lastOwner) continue
      lastDoc = doc
      lastOwner = owner
      lastKey = key
      out.docs[count] = doc
      out.owners[count] = owner
      out.keys[count++] = key
    }
    return out.made(leaf, count)
  }

  *addAll(leaf: SearchLeaf): Steps<void> {
    const column = openNumbers(leaf, this.field)
    if (column === null || this.field.script !== undefined) return
    const { values, exact, starts, present, scale } = column
    const end = starts === null ? leaf.reader.segment.docCount : values.length
    for (let i = 0; i < end; i++) {
      if (i % stepKeys === stepKeys - 1) yield
      if (starts === null && present !== null && !present.has(i)) continue
      if (exact !== null) this.#exactKeyOf(exact[i]!)
      else this.#keyOf(values[i]! * scale)
    }
  }

  accepts(key: number): boolean {
    return this.#filter === undefined || (key < this.#accepted.length && this.#accepted[key] === 1)
  }

  compare(one: number, other: number): number {
    const left = this.value(one)
    const right = this.value(other)
    return left < right ? -1 : left > right ? 1 : 0
  }

  value(key: number): number | bigint {
    return this.#exact.get(key) ?? this.#ids.value(key)
  }

  json(key: number): unknown {
    return this.value(key)
  }

  shown(key: number): string | undefined {
    return this.#format?.(this.value(key))
  }

  text(key: number): string {
    const value = this.value(key)
    if (this.#format !== undefined) return this.#format(value)
    return this.field.type === 'double' ? javaDouble(Number(value)) : String(value)
  }

  number(key: number): number {
    return Number(this.value(key))
  }
}
