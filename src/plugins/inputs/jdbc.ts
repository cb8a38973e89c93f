/**
 * Reads rows from a database, once or on a schedule; each row is an event. The value at which the next run begins
 * is kept in a file after each run, once all its rows are safe.
 */
import { statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Event } from '../../event/event.ts'
import { Timestamp } from '../../event/timestamp.ts'
import { type Fields, isFields, putField, readField } from '../../event/value.ts'
import { startConcern } from '../../plugin/concern.ts'
import { defineInput, type Sink } from '../../plugin/define.ts'
import { findZone, systemZone, type Zone } from '../../time/zone.ts'
import { parseConnectionString } from '../jdbc/connection-string.ts'
import { type Database, openDatabase, requireDriver } from '../jdbc/database.ts'
import { placeholdersIn } from '../jdbc/sql-text.ts'
import { untilSafe } from '../receiving/arrivals.ts'
import { Stop } from '../receiving/stop.ts'
import { parseDuration } from '../schedule/duration.ts'
import { cronSchedule, everySchedule, runOnSchedule, type Schedule } from '../schedule/schedule.ts'
import { Deliveries } from './file/deliveries.ts'
import { forgetLastRun, type LastValue, lastValueOf, readLastRun, writeLastRun } from './jdbc/last-run.ts'
import { type JdbcOptions, jdbcOptions } from './jdbc/options.ts'
import { firstValue, runStatement } from './jdbc/statement.ts'

export default defineInput({
  name: 'jdbc',
  summary: 'Reads rows from PostgreSQL, MySQL or MariaDB, once or on a schedule.',
  description: [
    'The drivers are packages that have to be installed beside millrace: `pg` for PostgreSQL, `mysql2` for MySQL and',
    'MariaDB. `jdbc_driver_library` and `jdbc_driver_class` are accepted and not used.',
    '',
    'A run is over, and `sql_last_value` is remembered, when all its rows are safe: on stable storage where the queue of',
    'the pipeline is persisted, delivered by the outputs where it is in memory. Rows that were not safe when the pipeline',
    'ended are read again.',
  ].join('\n'),
  options: jdbcOptions,
  concerns: (options) => [
    ...startConcern('statement', () => checkOptions(options)),
    ...startConcern('jdbc_connection_string', () => parseConnectionString(options.jdbc_connection_string)),
  ],
  create({ options, compile, logger, setting, abort }) {
    const stop = new Stop()
    const setTarget = options.target === undefined ? undefined : compile.set(options.target)
    const { tracking_column, tracking_column_type, use_column_value, lowercase_column_names } = options
    /** Portions of rows, of this run and of earlier ones. */
    const deliveries = new Deliveries(() => {})
    let portions = 0
    let database: Database | undefined
    let lastValue: LastValue = firstValue(options)
    let hasWarned = false

    const path = () => lastRunPath(options, String(setting('path.data') ?? 'data'))

    const connect = async (): Promise<Database> => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await openDatabase({
            address: parseConnectionString(options.jdbc_connection_string),
            user: options.jdbc_user,
            password: await passwordOf(options),
            connectMilliseconds: Math.max(1, options.jdbc_pool_timeout * 1000),
            zone: zoneOf(options),
          })
        } catch (error) {
          if (attempt >= options.connection_retry_attempts || stop.isRequested) throw error
          logger.error('Unable to connect to database. Trying again', {
            message: (error as Error).message,
            attempt,
          })
          await stop.sleep(options.connection_retry_attempts_wait_time * 1000)
        }
      }
    }

    const eventOf = (row: Fields): Event => {
      const fields = lowercase_column_names ? lowered(row) : row
      if (use_column_value) track(fields)
      if (setTarget === undefined) return Event.from(fields)
      const event = Event.from({})
      setTarget(event, fields)
      return event
    }

    const track = (fields: Fields): void => {
      const value = readField(fields, tracking_column!)
      if (value === undefined) {
        if (!hasWarned) logger.warn('tracking_column not found in dataset.', { tracking_column })
        hasWarned = true
        return
      }
      lastValue = lastValueOf(value, tracking_column_type) ?? lastValue
    }

    /** In the form of Logstash's database library. */
    const ran = (sql: string, seconds: number): void => {
      const level = options.sql_log_level === 'fatal' ? 'error' : options.sql_log_level
      logger[level](`(${seconds.toFixed(6)}s) ${sql}`)
    }

    const readRows = async (sink: Sink): Promise<void> => {
      const { kind } = parseConnectionString(options.jdbc_connection_string)
      const statement = await statementOf(options)
      const started = Timestamp.now()
      database = await connect()
      try {
        for await (const rows of runStatement(database, statement, options, lastValue, kind, ran)) {
          const done = deliveries.track(portions++)
          const room = sink.events(rows.map(eventOf), { done })
          if (room !== undefined) await stop.during(room)
          if (stop.isRequested) return
        }
        if (!use_column_value) lastValue = started
      } finally {
        await database.close().catch(() => undefined)
        database = undefined
      }
      if (!(await untilSafe(deliveries.settled(), stop, abort))) return
      if (options.record_last_run) await writeLastRun(path(), lastValue)
    }

    const execute = async (sink: Sink): Promise<void> => {
      for (let attempt = 1; !stop.isRequested; attempt++) {
        try {
          await readRows(sink)
          return
        } catch (error) {
          if (stop.isRequested) return
          logger.warn('Exception when executing JDBC query', {
            exception: (error as Error).name,
            message: (error as Error).message,
          })
          if (attempt >= options.statement_retry_attempts) {
            logger.error(`Unable to execute statement. Tried ${options.statement_retry_attempts} times.`)
            return
          }
          logger.error('Unable to execute statement. Trying again.')
          await stop.sleep(options.statement_retry_attempts_wait_time * 1000)
        }
      }
    }

    return {
      async register() {
        checkOptions(options)
        zoneOf(options)
        scheduleFor(options)
        if (options.clean_run) await forgetLastRun(path())
        else lastValue = (await readLastRun(path())) ?? lastValue
        if (use_column_value) lastValue = lastValueOf(lastValue, tracking_column_type) ?? firstValue(options)
        else if (!(lastValue instanceof Timestamp)) lastValue = firstValue(options)
        // A driver that is missing is an error at the start, not at the first run.
        await requireDriver(parseConnectionString(options.jdbc_connection_string).kind)
      },
      async run(sink) {
        const schedule = scheduleFor(options)
        if (schedule === undefined) await execute(sink)
        else await runOnSchedule(schedule, stop, () => execute(sink))
      },
      async stop() {
        stop.request()
        await database?.close().catch(() => undefined)
      },
      async close() {
        await database?.close().catch(() => undefined)
      },
    }
  },
})

function checkOptions(options: JdbcOptions): void {
  if ((options.statement === undefined) === (options.statement_filepath === undefined)) {
    throw new Error('Must set either :statement or :statement_filepath. Only one may be set at a time.')
  }
  if (options.use_column_value && options.tracking_column === undefined) {
    throw new Error('Must set :tracking_column if :use_column_value is true.')
  }
  if (options.jdbc_password !== undefined && options.jdbc_password_filepath !== undefined) {
    throw new Error('Only one of :jdbc_password, :jdbc_password_filepath may be set at a time.')
  }
  if (options.use_prepared_statements) checkPrepared(options)
}

/** The placeholders of a statement in a file are counted when it is run. */
function checkPrepared({
  statement,
  prepared_statement_name,
  prepared_statement_bind_values: values,
  jdbc_paging_enabled,
}: JdbcOptions): void {
  const problems: string[] = []
  if (prepared_statement_name === '')
    problems.push('must provide a name for the Prepared Statement, it must be unique for the db session')
  if (statement !== undefined && placeholdersIn(statement) !== values.length) {
    problems.push(
      'there is a mismatch between the number of statement `?` placeholders and :prepared_statement_bind_values array ' +
        'setting elements',
    )
  }
  if (jdbc_paging_enabled) problems.push('JDBC pagination cannot be used at this time')
  if (problems.length > 0)
    throw new Error(`Prepared Statement Mode validation errors: ${problems.join(', ')}`)
}

async function statementOf({ statement, statement_filepath }: JdbcOptions): Promise<string> {
  return statement ?? readFile(statement_filepath!, 'utf8')
}

async function passwordOf({
  jdbc_password,
  jdbc_password_filepath,
}: JdbcOptions): Promise<string | undefined> {
  if (jdbc_password_filepath === undefined) return jdbc_password?.value
  return (await readFile(jdbc_password_filepath, 'utf8')).trim()
}

function zoneOf({ jdbc_default_timezone }: JdbcOptions): Zone {
  if (jdbc_default_timezone === undefined) return systemZone()
  const name = jdbc_default_timezone.replace(/\[.*\]$/, '')
  const zone = findZone(name)
  if (zone === undefined) throw new Error(`Unknown time zone in jdbc_default_timezone: ${name}`)
  return zone
}

function scheduleFor({ schedule, period, interval }: JdbcOptions): Schedule | undefined {
  const every = period ?? interval
  if (schedule !== undefined) return cronSchedule(schedule)
  if (every === undefined) return undefined
  const milliseconds = parseDuration(every)
  if (milliseconds === undefined || milliseconds <= 0)
    throw new Error(`invalid duration ${JSON.stringify(every)}`)
  return everySchedule(milliseconds)
}

const lastRunFile = 'logstash_jdbc_last_run'

/** A folder gets a file in it. */
function lastRunPath({ last_run_metadata_path }: JdbcOptions, data: string): string {
  if (last_run_metadata_path === undefined) return join(data, 'plugins', 'inputs', 'jdbc', lastRunFile)
  const isFolder = statSync(last_run_metadata_path, { throwIfNoEntry: false })?.isDirectory() === true
  return isFolder ? join(last_run_metadata_path, lastRunFile) : last_run_metadata_path
}

function lowered(row: Fields): Fields {
  const fields: Fields = {}
  for (const name of Object.keys(row)) {
    const value = row[name]
    putField(fields, name.toLowerCase(), isFields(value) ? { ...value } : value)
  }
  return fields
}
