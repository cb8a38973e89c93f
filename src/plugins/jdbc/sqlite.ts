/**
 * SQLite: through `node:sqlite` where Node has it, else through the package `node-sqlite3-wasm`, which is WebAssembly
 * and needs no compiler. Both answer at once, so a long statement holds up its thread.
 */
import { type Fields, float, integer, putField, type Value } from '../../event/value.ts'
import type { Database, DatabaseSettings } from './database.ts'

type Row = Readonly<Record<string, unknown>>

/** What the two have in common, as far as it is used. */
interface Handle {
  all(sql: string): Row[]
  exec(sql: string): void
  close(): void
}

interface BuiltIn {
  readonly DatabaseSync: new (
    path: string,
  ) => {
    prepare(sql: string): { all(): Row[]; setReadBigInts(on: boolean): void }
    exec(sql: string): void
    close(): void
  }
}

interface WasmPackage {
  readonly Database: new (path: string) => { all(sql: string): Row[]; exec(sql: string): void; close(): void }
}

const busyMilliseconds = 5000

function openHandle(driver: unknown, path: string): Handle {
  const { DatabaseSync } = driver as Partial<BuiltIn>
  if (DatabaseSync === undefined) return new (driver as WasmPackage).Database(path)
  const database = new DatabaseSync(path)
  return {
    all(sql) {
      const statement = database.prepare(sql)
      statement.setReadBigInts(true)
      return statement.all()
    },
    exec: (sql) => database.exec(sql),
    close: () => database.close(),
  }
}

export async function openSqlite(driver: unknown, { address }: DatabaseSettings): Promise<Database> {
  const handle = openHandle(driver, address.database === '' ? ':memory:' : address.database)
  handle.exec(`PRAGMA busy_timeout = ${busyMilliseconds}`)
  let isOpen = true
  const run = async (statement: string): Promise<Fields[]> => handle.all(statement).map(fieldsOf)
  return {
    async *rows(statement, portion) {
      const all = await run(statement)
      for (let at = 0; at < all.length; at += portion) yield all.slice(at, at + portion)
    },
    run,
    async close() {
      if (isOpen) handle.close()
      isOpen = false
    },
  }
}

function fieldsOf(row: Row): Fields {
  const fields: Fields = {}
  for (const name of Object.keys(row)) putField(fields, name, columnOf(row[name]))
  return fields
}

/** Where integers are big integers, plain numbers are floats. */
function columnOf(value: unknown): Value {
  if (typeof value === 'bigint') return integer(value)
  if (typeof value === 'number') return Number.isInteger(value) ? value : float(value)
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1')
  return typeof value === 'string' || typeof value === 'boolean' ? value : null
}
