/**
 * MaxMind databases, read into memory once per thread and file however many filters use it. Databases may
 * not be shipped with programs; without a path the places where others put them are searched.
 */
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Reader, Response } from 'maxmind'
import { glob } from '../../../storage/glob.ts'
import { LruCache } from '../../values/lru-cache.ts'

type Database = Reader<Response>

/** Decoded records and parts of records, of one or two kB each: many addresses share theirs. */
const recordsKept = 4000

interface Shared {
  users: number
  readonly database: Promise<Database>
}

const opened = new Map<string, Shared>()

export interface OpenDatabase {
  readonly database: Database
  close(): void
}

export async function openDatabase(path: string): Promise<OpenDatabase> {
  const { mtimeMs, size } = await stat(path)
  const key = `${path}\n${mtimeMs}\n${size}`
  let shared = opened.get(key)
  if (shared === undefined) {
    shared = { users: 0, database: read(path) }
    opened.set(key, shared)
  }
  const mine = shared
  mine.users += 1
  let isOpen = true
  const close = () => {
    if (!isOpen) return
    isOpen = false
    mine.users -= 1
    if (mine.users === 0) opened.delete(key)
  }
  try {
    return { database: await mine.database, close }
  } catch (error) {
    close()
    throw error
  }
}

async function read(path: string): Promise<Database> {
  const file = await open(path)
  try {
    const bytes = await file.readFile()
    const { Reader } = await import('maxmind')
    return new Reader(bytes, { cache: new LruCache<unknown, string | number>(recordsKept) })
  } finally {
    await file.close()
  }
}

const commonFolders = [
  '/usr/share/GeoIP',
  '/var/lib/GeoIP',
  '/usr/local/share/GeoIP',
  '/opt/homebrew/var/GeoIP',
]

/** The newest database of a kind that Logstash or geoipupdate left on this machine. */
export async function findDatabase(type: 'City' | 'ASN', dataPath: unknown): Promise<string | undefined> {
  const name = `GeoLite2-${type}.mmdb`
  const patterns =
    typeof dataPath === 'string' && dataPath.startsWith('/')
      ? [
          join(dataPath, 'geoip_database_management', '*', name),
          join(dataPath, 'plugins', 'filters', 'geoip', '*', name),
        ]
      : []
  for (const pattern of patterns) {
    const [newest] = (await glob(pattern)).toReversed()
    if (newest !== undefined) return newest
  }
  for (const folder of commonFolders) {
    const path = join(folder, name)
    if ((await stat(path).catch(() => undefined))?.isFile()) return path
  }
  return undefined
}
