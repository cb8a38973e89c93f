/**
 * A connection to a database: rows of a statement, a few at a time. The drivers are packages of their own that are
 * loaded when a configuration asks for them; whoever has not installed them is told how to.
 */
import type { Fields } from '../../event/value.ts'
import type { Zone } from '../../time/zone.ts'
import { importPeer, loadPeer } from '../packages/peer-package.ts'
import type { DatabaseAddress, DatabaseKind } from './connection-string.ts'
import { openMysql } from './mysql.ts'
import { openPostgresql } from './postgresql.ts'
import { openSqlite } from './sqlite.ts'

export interface Database {
  /** Rows in portions of at most `portion`; the names of columns are as the database gives them. */
  rows(statement: string, portion: number): AsyncGenerator<Fields[]>
  /** All rows of a statement, which may as well be one that has none. */
  run(statement: string): Promise<Fields[]>
  close(): Promise<void>
}

export interface DatabaseSettings {
  readonly address: DatabaseAddress
  readonly user: string | undefined
  readonly password: string | undefined
  readonly connectMilliseconds: number
  /** Zone of times that name none. */
  readonly zone: Zone
}

/** Loads a driver by the name of its package. */
type LoadDriver = (name: string) => Promise<unknown>

const packages: Readonly<Record<DatabaseKind, { name: string; title: string }>> = {
  postgresql: { name: 'pg', title: 'PostgreSQL' },
  mysql: { name: 'mysql2', title: 'MySQL' },
  sqlite: { name: 'node-sqlite3-wasm', title: 'SQLite' },
}

export async function openDatabase(
  settings: DatabaseSettings,
  load: LoadDriver = importPeer,
): Promise<Database> {
  const { kind } = settings.address
  const driver = await driverFor(kind, load)
  if (kind === 'sqlite') return openSqlite(driver, settings)
  return kind === 'postgresql' ? openPostgresql(driver, settings) : openMysql(driver, settings)
}

/** Throws when the driver is not installed. */
export async function requireDriver(kind: DatabaseKind): Promise<void> {
  await driverFor(kind, importPeer)
}

async function driverFor(kind: DatabaseKind, load: LoadDriver): Promise<unknown> {
  const { name, title } = packages[kind]
  if (kind === 'sqlite') {
    // Newer versions of Node have it built in.
    const builtIn = await load('node:sqlite').catch(() => undefined)
    if (builtIn !== undefined) return builtIn
  }
  return loadPeer(name, `${title} is read`, { load })
}
