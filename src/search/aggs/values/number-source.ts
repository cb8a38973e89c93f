/**
 * The numbers of a batch's documents, one entry per value: a document with several values has several entries
 * in a row, one without has none unless `missing` is given.
 */
import { type Batch, batchSize } from '../batch.ts'
import { type NumberColumnView, openNumbers } from './columns.ts'
import { LeafColumn } from './leaf-column.ts'
import type { GivenValues, ScriptValues } from './script-values.ts'
import type { BoundField } from './value-field.ts'

export interface NumberBatch extends Batch {
  readonly values: Float64Array
  /** Set when some values are beyond 2^53. */
  readonly exact: BigInt64Array | null
}

export class NumberSource {
  readonly field: BoundField
  readonly #missing: number | undefined
  readonly #column: LeafColumn<NumberColumnView>
  /** Unused while every document of a batch has one value. */
  #docs = new Uint32Array(0)
  #owners = new Uint32Array(0)
  #values = new Float64Array(0)
  #exact: BigInt64Array | null = null
  /** The values of the field, when a script changes them. */
  readonly #unchanged: NumberSource | undefined

  constructor(field: BoundField, missing: number | undefined) {
    this.field = field
    this.#missing = missing
    this.#column = new LeafColumn(field, openNumbers)
    if (field.script?.changesValues === true)
      this.#unchanged = new NumberSource({ ...field, script: undefined }, undefined)
  }

  read(batch: Batch): NumberBatch {
    const { script } = this.field
    return script === undefined ? this.#plain(batch) : this.#scripted(batch, script)
  }

  /** The values as scripts see them; integers have another type. */
  given(batch: Batch): GivenValues {
    const given = this.read(batch)
    const { values, exact } = given
    const isWhole = this.field.type !== 'double'
    return {
      batch: given,
      value(at) {
        const number = values[at]!
        return exact?.[at] ?? (isWhole && Number.isInteger(number) ? BigInt(number) : number)
      },
    }
  }

  #scripted(batch: Batch, script: ScriptValues): NumberBatch {
    const { leaf, docs, owners, length } = batch
    const made = script.ofBatch(batch, this.#unchanged?.given(batch))
    let count = 0
    for (let i = 0; i < length; i++) {
      const found = made[i]!.map((value) => script.number(leaf, value))
      if (found.length === 0 && this.#missing !== undefined) found.push(this.#missing)
      this.#reserve(count + found.length + length - i, count)
      for (const value of found.sort((one, other) => one - other)) {
        this.#values[count] = value
        this.#docs[count] = docs[i]!
        this.#owners[count++] = owners[i]!
      }
    }
    return this.#made(batch, count, false)
  }

  #plain(batch: Batch): NumberBatch {
    const { leaf, length } = batch
    const column = this.#column.of(leaf)
    const isFull = column === null || (column.starts === null && column.present === null)
    if (!isFull) this.#reserve(length, 0)
    else if (length > this.#values.length) this.#values = new Float64Array(Math.max(length, batchSize))
    if (column === null) return this.#allMissing(batch)
    if (column.exact !== null && (this.#exact?.length ?? 0) < this.#values.length)
      this.#exact = new BigInt64Array(this.#values.length)
    if (column.starts !== null) return this.#several(batch, column, column.starts)
    return isFull ? this.#full(batch, column) : this.#sparse(batch, column)
  }

  #full(batch: Batch, { values, exact, scale }: NumberColumnView): NumberBatch {
    const { docs, length } = batch
    const out = this.#values
    if (scale === 1) for (let i = 0; i < length; i++) out[i] = values[docs[i]!]!
    else for (let i = 0; i < length; i++) out[i] = values[docs[i]!]! * scale
    if (exact !== null) for (let i = 0; i < length; i++) this.#exact![i] = exact[docs[i]!]!
    const { leaf, owners } = batch
    return { leaf, docs, owners, length, values: out, exact: exact === null ? null : this.#exact }
  }

  #sparse(batch: Batch, { values, exact, scale, present }: NumberColumnView): NumberBatch {
    const { docs, owners, length } = batch
    const missing = this.#missing
    let count = 0
    for (let i = 0; i < length; i++) {
      const doc = docs[i]!
      if (present!.has(doc)) {
        this.#values[count] = scale === 1 ? values[doc]! : values[doc]! * scale
        if (exact !== null) this.#exact![count] = exact[doc]!
      } else if (missing !== undefined) {
        this.#values[count] = missing
        if (exact !== null) this.#exact![count] = BigInt(Math.trunc(missing))
      } else continue
      this.#docs[count] = doc
      this.#owners[count++] = owners[i]!
    }
    return this.#made(batch, count, exact !== null)
  }

  #several(batch: Batch, { values, exact, scale }: NumberColumnView, starts: Uint32Array): NumberBatch {
    const { docs, owners, length } = batch
    const missing = this.#missing
    let count = 0
    for (let i = 0; i < length; i++) {
      const doc = docs[i]!
      const from = starts[doc]!
      const to = starts[doc + 1]!
      const extent = Math.max(1, to - from)
      if (count + extent > this.#docs.length) this.#reserve(count + extent + length - i, count)
      for (let at = from; at < to; at++) {
        this.#values[count] = scale === 1 ? values[at]! : values[at]! * scale
        if (exact !== null) this.#exact![count] = exact[at]!
        this.#docs[count] = doc
        this.#owners[count++] = owners[i]!
      }
      if (from !== to || missing === undefined) continue
      this.#values[count] = missing
      if (exact !== null) this.#exact![count] = BigInt(Math.trunc(missing))
      this.#docs[count] = doc
      this.#owners[count++] = owners[i]!
    }
    return this.#made(batch, count, exact !== null)
  }

  #allMissing(batch: Batch): NumberBatch {
    if (this.#missing === undefined) return this.#made(batch, 0, false)
    this.#values.fill(this.#missing, 0, batch.length)
    const { leaf, docs, owners, length } = batch
    return { leaf, docs, owners, length, values: this.#values, exact: null }
  }

  #made({ leaf }: Batch, length: number, isExact: boolean): NumberBatch {
    return {
      leaf,
      docs: this.#docs,
      owners: this.#owners,
      length,
      values: this.#values,
      exact: isExact ? this.#exact : null,
    }
  }

  /** Preserves the first `kept` entries. */
  #reserve(size: number, kept: number): void {
    if (size <= this.#docs.length) return
    const capacity = Math.max(size, this.#docs.length * 2, batchSize)
    const docs = new Uint32Array(capacity)
    const owners = new Uint32Array(capacity)
    const values = new Float64Array(capacity)
    docs.set(this.#docs.subarray(0, kept))
    owners.set(this.#owners.subarray(0, kept))
    values.set(this.#values.subarray(0, kept))
    if (this.#exact !== null) {
      const exact = new BigInt64Array(capacity)
      exact.set(this.#exact.subarray(0, kept))
      this.#exact = exact
    }
    this.#docs = docs
    this.#owners = owners
    this.#values = values
  }
}
