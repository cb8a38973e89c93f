/**
 * The jdbc output: a statement per event, in PostgreSQL, MySQL, MariaDB or SQLite. Errors that may pass are tried
 * again with growing pauses; others concern their event alone.
 */

import type { Event } from '../../event/event.ts'
import { writeJson } from '../../event/json-write.ts'
import { Timestamp } from '../../event/timestamp.ts'
import { isFields, LsFloat, type Value } from '../../event/value.ts'
import { startConcern } from '../../plugin/concern.ts'
import { defineOutput, option, withoutEffect } from '../../plugin/define.ts'
import { textOf } from '../../plugin/raw-text.ts'
import { systemZone } from '../../time/zone.ts'
import { exponentialBackOff, pause } from '../delivery/pause.ts'
import { parseConnectionString } from '../jdbc/connection-string.ts'
import { type Database, openDatabase, requireDriver } from '../jdbc/database.ts'
import { isBroken } from '../jdbc/lookup-connection.ts'
import { fillPositions } from '../jdbc/sql-text.ts'

/** SQLSTATE classes that may pass: connections, cursors, transactions, resources, operators. */
const passing = /^(08|24|25|40|53|54|55|57|58)/
/** Codes of MySQL and SQLite for locks that others hold. */
const lockCodes = /^(ER_LOCK_|SQLITE_BUSY|SQLITE_LOCKED|ERR_SQLITE_ERROR_5)/

export default defineOutput({
  name: 'jdbc',
  summary: 'Runs a statement in a database for each event.',
  description: [
    'The first item of `statement` is the SQL text, the others are the values for its `?`: names of fields, texts with',
    '`%{…}`, or constants. Values are quoted for the database; with `unsafe_statement` texts of events become part of',
    'the statement. What cannot be stored is logged and given up.',
  ].join('\n'),
  options: {
    connection_string: option.string({
      required: true,
      doc: 'Where the database is, such as `jdbc:postgresql://host:5432/name`.',
    }),
    statement: option.array({
      required: true,
      doc: 'The statement and what to put in place of its `?`.',
    }),
    unsafe_statement: option.boolean({
      default: false,
      doc: 'Whether `%{…}` in the statement itself is replaced.',
    }),
    username: option.string({ doc: 'Name of the user.' }),
    password: option.password({ doc: 'Password of the user.' }),
    driver_class: option.string(withoutEffect('the connection string says which driver to use.')),
    driver_jar_path: option.string(
      withoutEffect('the packages `pg`, `mysql2` and `node-sqlite3-wasm` are the drivers.'),
    ),
    driver_auto_commit: option.boolean(withoutEffect('each statement is its own transaction.', true)),
    max_pool_size: option.number(withoutEffect('a worker has one connection.', 24)),
    connection_timeout: option.number({ default: 10_000, doc: 'Milliseconds to wait for a connection.' }),
    connection_test: option.boolean({ default: true, doc: 'Whether to try the connection at the start.' }),
    connection_test_query: option.string({ doc: 'Statement to run on each new connection.' }),
    flush_size: option.number({ default: 1000, doc: 'Events that are tried again together.' }),
    retry_initial_interval: option.number({
      default: 2,
      doc: 'Seconds before the first repetition; doubled with each.',
    }),
    retry_max_interval: option.number({ default: 128, doc: 'Most seconds between two tries.' }),
    retry_sql_states: option.array({ default: [], doc: 'Further SQLSTATE codes that may pass.' }),
    max_flush_exceptions: option.number({
      default: 10,
      doc: 'How often to try events that fail; without end below 1. Lost connections do not count.',
    }),
    max_repeat_exceptions: option.number({
      doc: 'Replaced by `max_flush_exceptions`.',
      obsolete: 'This has been replaced by max_flush_exceptions.',
    }),
    max_repeat_exceptions_time: option.number({
      doc: 'No longer has a meaning.',
      obsolete: 'This is no longer required.',
    }),
    idle_flush_time: option.number({ doc: 'No longer has a meaning.', obsolete: 'No longer necessary.' }),
  },
  concerns: (options) =>
    startConcern('connection_string', () => parseConnectionString(options.connection_string)),
  concurrency: 'shared',
  create({ options, compile, abort, logger, giveUp }) {
    const [sql = '', ...sources] = options.statement
    const template = options.unsafe_statement ? compile.template(textOf(sql)) : undefined
    const values = sources.map((source) => {
      if (typeof source !== 'string') return () => source
      const get = compile.get(source)
      const text = source.includes('%{') ? compile.template(source) : undefined
      return (event: Event): Value => get(event) ?? text?.(event) ?? null
    })
    const states = new Set(options.retry_sql_states.map(textOf))
    let kind: ReturnType<typeof parseConnectionString>['kind'] = 'postgresql'
    let database: Database | undefined

    const statementOf = (event: Event): string =>
      fillPositions(
        template?.(event) ?? textOf(sql),
        values.map((value) => bound(value(event))),
        kind,
      )

    async function connect(): Promise<Database> {
      const opened = await openDatabase({
        address: parseConnectionString(options.connection_string),
        user: options.username,
        password: options.password?.value,
        connectMilliseconds: Math.max(1, options.connection_timeout),
        zone: systemZone(),
      })
      if (options.connection_test_query !== undefined) await opened.run(options.connection_test_query)
      return opened
    }

    async function disconnect(): Promise<void> {
      const closing = database
      database = undefined
      await closing?.close().catch(() => undefined)
    }

    function mayPass(error: Error): boolean {
      const code = String((error as NodeJS.ErrnoException).code ?? '')
      const { sqlState = '' } = error as { sqlState?: string }
      return (
        passing.test(code) ||
        passing.test(sqlState) ||
        lockCodes.test(code) ||
        states.has(code) ||
        states.has(sqlState)
      )
    }

    const told = (error: Error, retrying: boolean, query?: string) => {
      const text = `JDBC - Exception. ${retrying ? 'Retrying' : 'Not retrying'}.`
      logger[retrying ? 'warn' : 'error'](text, { exception: error.message, statement: query })
    }

    /** Events to try again, and whether that counts as a failed try. */
    async function submit(events: readonly Event[]): Promise<{ left: Event[]; counts: boolean }> {
      try {
        database ??= await connect()
      } catch (error) {
        abort.throwIfAborted()
        told(error as Error, true)
        return { left: [...events], counts: false }
      }
      const left: Event[] = []
      for (const [index, event] of events.entries()) {
        let query: string | undefined
        try {
          query = statementOf(event)
          await database.run(query)
        } catch (error) {
          abort.throwIfAborted()
          if (isBroken(error as Error)) {
            told(error as Error, true, textOf(sql))
            await disconnect()
            return { left: [...left, ...events.slice(index)], counts: false }
          }
          const retrying = mayPass(error as Error)
          told(error as Error, retrying, textOf(sql))
          if (retrying) left.push(event)
          else giveUp(event, (error as Error).message)
        }
      }
      return { left, counts: true }
    }

    async function deliver(events: readonly Event[]): Promise<void> {
      const { max_flush_exceptions: most, retry_initial_interval: first, retry_max_interval: last } = options
      let waiting = events
      let attempts = 1
      for (let tries = 0; ; tries++) {
        const { left, counts } = await submit(waiting)
        if (left.length === 0) return
        waiting = left
        if (counts && most > 0 && ++attempts > most) {
          logger.error(
            `JDBC - max_flush_exceptions has been reached. ${left.length} events have been unable to be sent to SQL ` +
              'and are being dropped. See previously logged exceptions for details.',
          )
          for (const event of left) giveUp(event, 'max_flush_exceptions has been reached')
          return
        }
        await pause(
          exponentialBackOff(tries, Math.max(0.01, first) * 1000, Math.max(0.01, last) * 1000),
          abort,
        )
      }
    }

    return {
      async register() {
        kind = parseConnectionString(options.connection_string).kind
        await requireDriver(kind)
        if (sources.length === 0 && !options.unsafe_statement) {
          logger.error(
            "JDBC - Statement has no parameters. No events will be inserted into SQL as you're not passing any event data. Likely configuration error.",
          )
        }
        if (!options.connection_test) return
        database = await connect().catch((error: Error) => {
          logger.warn('JDBC - The database cannot be reached yet', { exception: error.message })
          return undefined
        })
      },
      async receive(events) {
        const size = Math.max(1, options.flush_size)
        for (let at = 0; at < events.length; at += size) await deliver(events.slice(at, at + size))
      },
      close: disconnect,
    }
  },
})

/** Lists and maps as JSON, times in the form every database reads. */
function bound(value: Value): Value {
  if (value instanceof Timestamp) return value.toString().replace('T', ' ').replace('Z', '')
  if (value instanceof LsFloat && !Number.isFinite(value.value)) return null
  return Array.isArray(value) || isFields(value) ? writeJson(value) : value
}
