/** Runs the statement of a jdbc input once: parameters filled in, page after page, rows in portions. */
import { Timestamp } from '../../../event/timestamp.ts'
import type { Fields, Value } from '../../../event/value.ts'
import type { DatabaseKind } from '../../jdbc/connection-string.ts'
import type { Database } from '../../jdbc/database.ts'
import { fillNamed, fillPositions, pageOf } from '../../jdbc/sql-text.ts'
import type { LastValue } from './last-run.ts'
import type { JdbcOptions } from './options.ts'

const usualPortion = 1000

export async function* runStatement(
  database: Database,
  statement: string,
  options: JdbcOptions,
  lastValue: LastValue,
  kind: DatabaseKind,
  ran: (sql: string, seconds: number) => void,
): AsyncGenerator<Fields[]> {
  const portion = Math.max(1, options.jdbc_fetch_size ?? usualPortion)
  const named = new Map<string, Value>([...options.parameters, ['sql_last_value', lastValue]])
  const fill = (more: Iterable<[string, Value]> = []): string => {
    if (!options.use_prepared_statements) return fillNamed(statement, new Map([...named, ...more]), kind)
    const values = options.prepared_statement_bind_values.map((value) =>
      value === ':sql_last_value' ? lastValue : value,
    )
    return fillPositions(statement, values, kind)
  }
  /** The time is that until the first rows are there. */
  const rowsOf = async function* (sql: string): AsyncGenerator<Fields[]> {
    const started = performance.now()
    let told = false
    const tell = () => {
      if (!told) ran(sql, (performance.now() - started) / 1000)
      told = true
    }
    for await (const rows of database.rows(sql, portion)) {
      tell()
      yield rows
    }
    tell()
  }
  if (!options.jdbc_paging_enabled) {
    yield* rowsOf(fill())
    return
  }
  const size = Math.max(1, Math.trunc(options.jdbc_page_size))
  const explicit = options.jdbc_paging_mode === 'explicit'
  for (let offset = 0; ; offset += size) {
    const page = explicit
      ? fill([
          ['size', size],
          ['offset', offset],
        ])
      : pageOf(fill(), size, offset)
    let count = 0
    for await (const rows of rowsOf(page)) {
      count += rows.length
      yield rows
    }
    if (count === 0 || (!explicit && count < size)) return
  }
}

/** Where the first run begins: 0, or the beginning of time. */
export function firstValue({ use_column_value, tracking_column_type }: JdbcOptions): LastValue {
  return use_column_value && tracking_column_type === 'numeric' ? 0 : new Timestamp(0)
}
