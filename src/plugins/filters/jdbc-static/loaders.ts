/** The tables that `local_db_objects` describe, and the `loaders` that fill them from the database. */
import { type Fields, isFields, type Value } from '../../../event/value.ts'
import type { PluginLogger } from '../../../plugin/define.ts'
import { textOf } from '../../../plugin/raw-text.ts'
import { type DatabaseSettings, openDatabase } from '../../jdbc/database.ts'
import { columnValueOf, type Row, Table } from './tables.ts'

const portion = 10_000
const defaultMaxRows = 1_000_000

interface Loader {
  readonly id: string
  readonly query: string
  readonly table: string
  readonly maxRows: number
}

export function localTables(given: readonly Value[]): Map<string, Table> {
  const tables = new Map<string, Table>()
  for (const one of given) {
    const { name, columns } = isFields(one) ? one : ({} as Fields)
    if (typeof name !== 'string') throw new Error("DbObject options must include a 'name' string")
    if (!Array.isArray(columns)) throw new Error(`The columns array for '${name}' is not an array`)
    const pairs = columns.map((column): [string, string] => {
      if (!Array.isArray(column) || column.length !== 2)
        throw new Error(`The column options for '${name}' must be an array of a name and a datatype`)
      return [textOf(column[0]!), textOf(column[1]!)]
    })
    const table = new Table(name, pairs)
    const indexed = one !== null && isFields(one) ? one['index_columns'] : undefined
    for (const column of Array.isArray(indexed) ? indexed : []) {
      if (table.columnAt(textOf(column).toLowerCase()) < 0)
        throw new Error(
          `The index_columns element: '${textOf(column)}' must be a column defined in the columns array`,
        )
    }
    tables.set(table.name, table)
  }
  return tables
}

export function loadersOf(given: readonly Value[], tables: ReadonlyMap<string, Table>): Loader[] {
  return given.map((one) => {
    const options: Fields = isFields(one) ? one : {}
    const { local_table: table, query, max_rows: max } = options
    if (typeof table !== 'string') throw new Error("The options must include a 'local_table' string")
    if (typeof query !== 'string') throw new Error(`The options for '${table}' must include a 'query' string`)
    if (!tables.has(table.toLowerCase()))
      throw new Error(`The local table '${table}' is not among local_db_objects`)
    return {
      id: options['id'] === undefined ? table : textOf(options['id']),
      query,
      table: table.toLowerCase(),
      maxRows: max === undefined ? defaultMaxRows : Math.trunc(Number(textOf(max))),
    }
  })
}

/** Fills the tables anew, each as a whole when all of its rows are there; a loader that fails changes nothing. */
export async function load(
  loaders: readonly Loader[],
  tables: ReadonlyMap<string, Table>,
  settings: DatabaseSettings,
  logger: PluginLogger,
): Promise<void> {
  for (const { id, query, table: name, maxRows } of loaders) {
    const table = tables.get(name)!
    const database = await openDatabase(settings)
    try {
      const rows: Row[] = []
      for await (const fetched of database.rows(query, portion)) {
        for (const row of fetched) rows.push(rowOf(row, table))
        if (rows.length > maxRows) break
      }
      if (rows.length > maxRows) {
        const details = { lookup_id: id, query, max_rows: maxRows }
        logger.warn('Query returned more than max_rows results', details)
        continue
      }
      if (rows.length === 0) logger.warn('Query returned no results', { lookup_id: id, query })
      table.replace(rows)
    } finally {
      await database.close().catch(() => undefined)
    }
  }
}

/** Takes fields by the names of the columns, or in their order where the names are others. */
function rowOf(fetched: Fields, { columns }: Table): Row {
  const names = Object.keys(fetched)
  const byName = new Map(names.map((name) => [name.toLowerCase(), fetched[name]]))
  const isNamed = columns.every(({ name }) => byName.has(name))
  return columns.map((column, index) => {
    const value = isNamed ? byName.get(column.name) : fetched[names[index] ?? '']
    return columnValueOf(value ?? null, column)
  })
}
