/** MySQL and MariaDB through the package `mysql2`: rows are streamed, no faster than they are taken. */
import { type Fields, putField, type Value } from '../../event/value.ts'
import { type ColumnKind, columnValue } from './column-values.ts'
import type { Database, DatabaseSettings } from './database.ts'

interface Field {
  readonly type: string
  readonly length: number
  readonly name: string
  string(): string | null
  buffer(): Buffer | null
}

interface Connection {
  connect(done: (error: Error | null) => void): void
  query(options: Record<string, unknown>): {
    stream(options: { highWaterMark: number }): AsyncIterable<unknown>
  }
  query(options: Record<string, unknown>, done: (error: Error | null, rows?: unknown) => void): void
  on(event: 'error', listener: (error: Error) => void): void
  end(done: () => void): void
  destroy(): void
}

interface MysqlDriver {
  createConnection(settings: Record<string, unknown>): Connection
}

const kinds: ReadonlyMap<string, ColumnKind> = new Map([
  ['TINY', 'integer'],
  ['SHORT', 'integer'],
  ['LONG', 'integer'],
  ['LONGLONG', 'integer'],
  ['INT24', 'integer'],
  ['YEAR', 'integer'],
  ['FLOAT', 'float'],
  ['DOUBLE', 'float'],
  ['DECIMAL', 'float'],
  ['NEWDECIMAL', 'float'],
  ['TIMESTAMP', 'time'],
  ['DATETIME', 'time'],
  ['DATE', 'time'],
  ['NEWDATE', 'time'],
])

export async function openMysql(driver: unknown, settings: DatabaseSettings): Promise<Database> {
  const { address, user, password, connectMilliseconds, zone } = settings
  const { properties } = address
  const connection = (driver as MysqlDriver).createConnection({
    host: address.host,
    port: address.port,
    database: address.database === '' ? undefined : address.database,
    user: user ?? properties.get('user'),
    password: password ?? properties.get('password'),
    connectTimeout: connectMilliseconds,
    multipleStatements: properties.get('allowMultiQueries') === 'true',
    ssl: sslOf(properties),
  })
  connection.on('error', () => undefined)
  await new Promise<void>((resolve, reject) => {
    connection.connect((error) => (error === null || error === undefined ? resolve() : reject(error)))
  })
  // Times in statements are written in UTC, see `literalOf`; columns of type TIMESTAMP come the same way.
  await new Promise<void>((resolve, reject) => {
    connection.query({ sql: "SET time_zone = '+00:00'" }, (error) => (error ? reject(error) : resolve()))
  })
  const cast = (field: Field): Value => {
    if (field.type === 'BIT') return bitValue(field)
    const text = field.string()
    if (text === null) return null
    // Logstash's driver takes a TINYINT(1) as a truth value.
    if (field.type === 'TINY' && field.length === 1) return text !== '0'
    if (field.type === 'TIMESTAMP') return columnValue(`${text}+00:00`, 'time', zone)
    return columnValue(text, kinds.get(field.type) ?? 'text', zone)
  }
  return {
    async *rows(statement, portion) {
      const stream = connection
        .query({ sql: statement, typeCast: cast })
        .stream({ highWaterMark: Math.min(portion, 1000) })
      let rows: Fields[] = []
      for await (const row of stream) {
        if (isOutcome(row)) continue
        rows.push(plainRow(row as Record<string, Value>))
        if (rows.length < portion) continue
        yield rows
        rows = []
      }
      if (rows.length > 0) yield rows
    },
    run: (statement) =>
      new Promise((resolve, reject) => {
        connection.query({ sql: statement, typeCast: cast }, (error, rows) => {
          if (error) reject(error)
          else resolve(Array.isArray(rows) ? rows.filter((row) => !isOutcome(row)).map(plainRow) : [])
        })
      }),
    close: () =>
      new Promise((resolve) => {
        const giveUp = setTimeout(() => {
          connection.destroy()
          resolve()
        }, 1000)
        connection.end(() => {
          clearTimeout(giveUp)
          resolve()
        })
      }),
  }
}

function bitValue(field: Field): Value {
  const bytes = field.buffer()
  if (bytes === null) return null
  if (field.length === 1) return bytes[0] === 1
  return bytes.toString('latin1')
}

/** What a statement without rows did, which the driver sends among the rows. */
function isOutcome(row: unknown): boolean {
  const kind = Object.getPrototypeOf(row) as { constructor?: { name?: string } }
  return kind.constructor?.name === 'ResultSetHeader'
}

function plainRow(row: Record<string, Value>): Fields {
  const result: Fields = {}
  for (const name of Object.keys(row)) putField(result, name, row[name] ?? null)
  return result
}

function sslOf(properties: ReadonlyMap<string, string>): { rejectUnauthorized: boolean } | undefined {
  const mode = properties.get('sslMode') ?? (properties.get('useSSL') === 'true' ? 'REQUIRED' : 'DISABLED')
  if (/^(DISABLED|PREFERRED)$/i.test(mode)) return undefined
  return { rejectUnauthorized: /^VERIFY/i.test(mode) || properties.get('verifyServerCertificate') === 'true' }
}
