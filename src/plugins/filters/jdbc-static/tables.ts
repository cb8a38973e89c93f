/**
 * The tables of local lookups, in memory. A table is replaced as a whole when its loader runs; columns that lookups
 * compare with `=` get a hash index the first time, which lasts until the rows are replaced.
 */
import { Timestamp } from '../../../event/timestamp.ts'
import { float, integer, LsFloat, type Value } from '../../../event/value.ts'

export type Row = readonly Value[]

interface Column {
  readonly name: string
  readonly isNumber: boolean
}

const numberTypes = /^(?:small|big)?int|^integer|^decimal|^numeric|^real|^double|^float/i
const noRows: readonly Row[] = []

export class Table {
  readonly name: string
  readonly columns: readonly Column[]
  #rows: readonly Row[] = []
  #indexes = new Map<number, Map<string, Row[]>>()

  constructor(name: string, columns: readonly (readonly [name: string, type: string])[]) {
    this.name = name.toLowerCase()
    this.columns = columns.map(([column, type]) => ({
      name: column.toLowerCase(),
      isNumber: numberTypes.test(type.trim()),
    }))
  }

  get rows(): readonly Row[] {
    return this.#rows
  }

  replace(rows: readonly Row[]): void {
    this.#rows = rows
    this.#indexes = new Map()
  }

  columnAt(name: string): number {
    return this.columns.findIndex((column) => column.name === name)
  }

  /** Rows whose column equals the value; null equals nothing. */
  find(column: number, value: Value): readonly Row[] {
    const key = keyOf(value, this.columns[column]!.isNumber)
    if (key === undefined) return noRows
    let index = this.#indexes.get(column)
    if (index === undefined) {
      index = new Map()
      for (const row of this.#rows) {
        const own = keyOf(row[column] ?? null, this.columns[column]!.isNumber)
        if (own === undefined) continue
        const known = index.get(own)
        if (known === undefined) index.set(own, [row])
        else known.push(row)
      }
      this.#indexes.set(column, index)
    }
    return index.get(key) ?? noRows
  }
}

/** What equal values have in common; a text is a number where the column holds numbers. */
function keyOf(value: Value, isNumber: boolean): string | undefined {
  const plain = comparable(value)
  if (plain === null) return undefined
  if (isNumber && typeof plain === 'string') return plain.trim() === '' ? undefined : `n${Number(plain)}`
  return typeof plain === 'string' ? `s${plain}` : `n${Number(plain)}`
}

/** Texts, numbers and booleans as they compare; times as texts, lists and maps not at all. */
export function comparable(value: Value): string | number | bigint | null {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value instanceof LsFloat) return value.value
  if (value instanceof Timestamp) return value.toString()
  return typeof value === 'object' ? null : value
}

/** The value as its column keeps it. */
export function columnValueOf(value: Value, { isNumber }: Column): Value {
  if (!isNumber || typeof value !== 'string') return value
  if (/^[+-]?\d+$/.test(value.trim())) return integer(BigInt(value.trim()))
  return value.trim() === '' || Number.isNaN(Number(value)) ? value : float(Number(value))
}
