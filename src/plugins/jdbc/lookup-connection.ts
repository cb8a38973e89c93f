/**
 * One connection that is opened when it is first needed and again after it broke. Statements go one after the other.
 * A database that cannot be reached is left alone for a while, so that events do not wait for it one by one.
 */
import type { Fields } from '../../event/value.ts'
import { type Database, type DatabaseSettings, openDatabase } from './database.ts'

/** Milliseconds between two tries to connect. */
const rest = 1000

/** SQLSTATE classes and codes after which a connection is no good any more. */
const brokenCodes = /^(08|57P0|E(CONN|PIPE|TIMEDOUT|NOTFOUND|HOST|NET|ADDR)|PROTOCOL_)/

export class LookupConnection {
  readonly #settings: DatabaseSettings
  #open: Promise<Database> | undefined
  #last: Promise<unknown> = Promise.resolve()
  #restUntil = 0
  #reason: Error | undefined
  #isClosed = false

  constructor(settings: DatabaseSettings) {
    this.#settings = settings
  }

  run(statement: string): Promise<Fields[]> {
    const result = this.#last.then(() => this.#once(statement))
    this.#last = result.catch(() => undefined)
    return result
  }

  async #once(statement: string): Promise<Fields[]> {
    if (this.#isClosed) throw new Error('the connection is closed')
    if (this.#open === undefined && Date.now() < this.#restUntil) throw this.#reason
    const pending = (this.#open ??= openDatabase(this.#settings))
    let database: Database
    try {
      database = await pending
    } catch (error) {
      this.#open = undefined
      this.#restUntil = Date.now() + rest
      this.#reason = error as Error
      throw error
    }
    try {
      return await database.run(statement)
    } catch (error) {
      if (isBroken(error as Error)) {
        this.#open = undefined
        await database.close().catch(() => undefined)
      }
      throw error
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const closing = this.#open
    this.#open = undefined
    await closing?.then((database) => database.close()).catch(() => undefined)
  }
}

/** True when another connection may work. */
export function isBroken(error: Error): boolean {
  const { code } = error as NodeJS.ErrnoException
  if (code !== undefined) return brokenCodes.test(String(code))
  return /connection (terminated|was closed|ended)|not queryable|closed state/i.test(error.message)
}
