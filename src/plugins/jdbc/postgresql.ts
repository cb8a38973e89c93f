/**
 * PostgreSQL through the package `pg`. Queries are read through a cursor of the server, so that a large result
 * does not have to fit into memory; other statements run as they are.
 */
import { type Fields, putField, type Value } from '../../event/value.ts'
import { type ColumnKind, columnValue } from './column-values.ts'
import type { Database, DatabaseSettings } from './database.ts'

interface Result {
  readonly rows: readonly (readonly (Value | null)[])[]
  readonly fields: readonly { readonly name: string }[]
}

interface Client {
  connect(): Promise<void>
  query(query: { text: string; rowMode: 'array' }): Promise<Result | Result[]>
  end(): Promise<void>
  on(event: 'error', listener: (error: Error) => void): void
}

interface PostgresqlDriver {
  readonly Client: new (settings: Record<string, unknown>) => Client
}

/** Types by the number PostgreSQL gives them. */
const kinds: ReadonlyMap<number, ColumnKind> = new Map([
  [16, 'boolean'],
  [20, 'integer'],
  [21, 'integer'],
  [23, 'integer'],
  [26, 'integer'],
  [700, 'float'],
  [701, 'float'],
  [1700, 'float'],
  [1082, 'time'],
  [1114, 'time'],
  [1184, 'time'],
])

/** feature_not_supported, invalid_cursor_definition */
const noCursor: ReadonlySet<string> = new Set(['0A000', '42P11'])

const isQuery = /^(?:\s|\(|--[^\n]*\n|\/\*[\s\S]*?\*\/)*(?:select|with|values|table)\b/i

export async function openPostgresql(driver: unknown, settings: DatabaseSettings): Promise<Database> {
  const { address, user, password, connectMilliseconds, zone } = settings
  const { properties } = address
  const client = new (driver as PostgresqlDriver).Client({
    host: address.host,
    port: address.port,
    database: address.database,
    user: user ?? properties.get('user'),
    password: password ?? properties.get('password'),
    connectionTimeoutMillis: connectMilliseconds,
    ssl: sslOf(properties),
    types: {
      getTypeParser: (type: number) => {
        const kind = kinds.get(type) ?? 'text'
        return (text: string) => columnValue(text, kind, zone)
      },
    },
  })
  client.on('error', () => undefined)
  await client.connect()
  const schema = properties.get('currentSchema')
  const run = async (text: string): Promise<Result> => {
    const result = await client.query({ text, rowMode: 'array' })
    return Array.isArray(result) ? result[result.length - 1]! : result
  }
  /** Opens the cursor; false for statements that cannot have one, such as a WITH that deletes. */
  const declare = async (statement: string): Promise<boolean> => {
    await run('BEGIN')
    try {
      await run(`DECLARE millrace_rows NO SCROLL CURSOR FOR ${statement.trim().replace(/;\s*$/, '')}`)
      return true
    } catch (error) {
      await run('ROLLBACK').catch(() => undefined)
      if (noCursor.has(String((error as { code?: unknown }).code))) return false
      throw error
    }
  }
  if (schema !== undefined) await run(`SET search_path TO ${schema.split(',').map(identifier).join(', ')}`)
  return {
    async *rows(statement, portion) {
      if (!isQuery.test(statement) || !(await declare(statement))) {
        const all = rowsOf(await run(statement))
        for (let at = 0; at < all.length; at += portion) yield all.slice(at, at + portion)
        return
      }
      // What functions of the query wrote stays, as it does without a cursor, unless the query failed.
      let end = 'ROLLBACK'
      try {
        for (;;) {
          const rows = rowsOf(await run(`FETCH FORWARD ${portion} FROM millrace_rows`))
          if (rows.length > 0) yield rows
          if (rows.length < portion) break
        }
        end = 'COMMIT'
      } finally {
        const ended = run(end)
        await (end === 'COMMIT' ? ended : ended.catch(() => undefined))
      }
    },
    run: async (statement) => rowsOf(await run(statement)),
    close: () => client.end(),
  }
}

function rowsOf({ rows, fields }: Result): Fields[] {
  return rows.map((row) => {
    const result: Fields = {}
    for (let i = 0; i < fields.length; i++) putField(result, fields[i]!.name, row[i] ?? null)
    return result
  })
}

function identifier(name: string): string {
  return `"${name.trim().replaceAll('"', '""')}"`
}

function sslOf(properties: ReadonlyMap<string, string>): false | { rejectUnauthorized: boolean } {
  const mode = properties.get('sslmode') ?? (properties.get('ssl') === 'true' ? 'verify-full' : 'disable')
  if (mode === 'disable' || mode === 'allow' || mode === 'prefer') return false
  return { rejectUnauthorized: mode.startsWith('verify') }
}
