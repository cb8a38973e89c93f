/**
 * Columns as data, one a line: `name|aliases|description|kind`. The kind is `n` for a number, `b` for bytes, `t` for a
 * time, nothing for a text; a minus in front hides the column unless it is asked for.
 */
import { Bytes, type Cell, type Column, column, Millis } from '../cat-table.ts'

export interface NamedColumn extends Column {
  /** The cell of something that was counted and is zero; null for texts. */
  readonly zero: Cell
}

const zeros: ReadonlyMap<string, Cell> = new Map<string, Cell>([
  ['n', 0],
  ['b', new Bytes(0)],
  ['t', new Millis(0)],
])

export function columns(text: string): readonly NamedColumn[] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [name = '', aliases = '', doc = '', kind = ''] = line.split('|')
      const zero = zeros.get(kind.replace('-', ''))
      return {
        ...column(name, doc, {
          aliases: aliases === '' ? [] : aliases.split(','),
          right: zero !== undefined,
          hidden: kind.startsWith('-'),
        }),
        zero: zero ?? null,
      }
    })
}

/** Each line of columns, followed by the same column of the primary shards. */
export function withPrimaries(text: string): string {
  return text.replace(/^([^|]*)\|[^|]*(.*)$/gm, '$&\npri.$1|$2')
}

/** Cells by the names of their columns. */
export type NamedCells = Readonly<Record<string, Cell>>

/** A row of something that counts: columns that are not given are zero. */
export function countedRow(all: readonly NamedColumn[], cells: NamedCells): Cell[] {
  return all.map(({ name, zero }) => (Object.hasOwn(cells, name) ? cells[name]! : zero))
}

/** A row in which columns that are not given are empty. */
export function sparseRow(all: readonly NamedColumn[], cells: NamedCells): Cell[] {
  return all.map(({ name }) => cells[name] ?? null)
}
