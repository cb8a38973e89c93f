/**
 * jdbc_streaming: runs a statement for each event and puts its rows into a field. Rows are remembered for a while, so
 * that events alike ask the database once.
 */
import { cloneValue } from '../../event/clone.ts'
import type { Event } from '../../event/event.ts'
import { writeJson } from '../../event/json-write.ts'
import { type Fields, putField, type Value } from '../../event/value.ts'
import type { Compile } from '../../plugin/compile.ts'
import { startConcern } from '../../plugin/concern.ts'
import { defineFilter, option, withoutEffect } from '../../plugin/define.ts'
import { systemZone } from '../../time/zone.ts'
import { connectionOptions, statementOptions } from '../jdbc/connection-options.ts'
import { parseConnectionString } from '../jdbc/connection-string.ts'
import { requireDriver } from '../jdbc/database.ts'
import { LookupConnection } from '../jdbc/lookup-connection.ts'
import { fillNamed, fillPositions } from '../jdbc/sql-text.ts'
import { rubyText } from '../ruby-values/text.ts'
import { LruCache } from '../values/lru-cache.ts'
import { sideBySide } from '../values/side-by-side.ts'

interface Outcome {
  readonly rows: readonly Fields[]
  readonly isFailed: boolean
}

interface Remembered {
  readonly outcome: Promise<Outcome>
  readonly until: number
}

/** Events that wait for an answer at the same time; the statements themselves go one after the other. */
const window = 100

export default defineFilter({
  name: 'jdbc_streaming',
  summary: 'Runs a statement for each event and stores its rows.',
  description: [
    'The rows are a list of maps. Without rows, or after an error, the field is a list with `default_hash`, and the',
    'event is tagged. An error is remembered like rows are, for `cache_expiration` seconds.',
  ].join('\n'),
  oneToOne: true,
  options: {
    statement: option.string({
      required: true,
      doc: 'The statement; `:name` stands for a parameter, `?` for a bind value of a prepared statement.',
    }),
    parameters: option.hash({
      default: new Map(),
      doc: 'Parameters and the fields their values come from; a value may contain `%{…}`.',
    }),
    target: option.string({ required: true, doc: 'Field that takes the rows.' }),
    default_hash: option.hash({ default: new Map(), doc: 'What to store when there are no rows.' }),
    tag_on_failure: option.array({
      default: ['_jdbcstreamingfailure'],
      doc: 'Tags for events whose statement failed.',
    }),
    tag_on_default_use: option.array({
      default: ['_jdbcstreamingdefaultsused'],
      doc: 'Tags for events without rows.',
    }),
    use_cache: option.boolean({ default: true, doc: 'Whether to remember rows.' }),
    cache_expiration: option.number({ default: 5, doc: 'Seconds to remember rows.' }),
    cache_size: option.number({ default: 500, doc: 'For how many sets of parameters to remember rows.' }),
    use_prepared_statements: statementOptions.use_prepared_statements,
    prepared_statement_name: option.string({ default: '', doc: 'Name of the prepared statement.' }),
    prepared_statement_bind_values: option.array({
      default: [],
      doc: 'Values for `?`, in order: fields in brackets, texts with `%{…}`, or constants.',
    }),
    prepared_statement_warn_on_constant_usage: option.boolean({
      default: true,
      doc: 'Whether to warn of texts among the bind values that are taken as constants.',
    }),
    ...connectionOptions,
    jdbc_validate_connection: option.boolean(withoutEffect('a connection that broke is replaced.', false)),
    jdbc_validation_timeout: option.number(
      withoutEffect('connections are not validated, one that broke is replaced.', 3600),
    ),
    sequel_opts: statementOptions.sequel_opts,
  },
  concerns: (options) => startConcern('statement', () => checkOptions(options)),
  create({ options, compile, logger, matched, failed }) {
    const { statement, use_cache, cache_expiration } = options
    const setTarget = compile.set(options.target)
    const defaults: Fields = {}
    for (const [name, value] of options.default_hash) putField(defaults, name, value)
    const failureTags = options.tag_on_failure.map(rubyText)
    const defaultTags = options.tag_on_default_use.map(rubyText)
    const named = [...options.parameters].map(([name, given]) => ({ name, read: parameter(given, compile) }))
    const bound = options.prepared_statement_bind_values.map((given) => bindValue(given, compile))
    const cache = use_cache ? new LruCache<Remembered>(options.cache_size) : undefined
    let connection: LookupConnection | undefined
    let kind: ReturnType<typeof parseConnectionString>['kind'] = 'postgresql'

    async function ask(sql: string): Promise<Outcome> {
      try {
        return { rows: await connection!.run(sql), isFailed: false }
      } catch (error) {
        logger.warn('Exception when executing JDBC query', { statement, exception: (error as Error).message })
        return { rows: [], isFailed: true }
      }
    }

    function outcomeOf(key: string, sql: () => string): Promise<Outcome> {
      const known = cache?.get(key)
      if (known !== undefined && known.until > Date.now()) return known.outcome
      const outcome = ask(sql())
      cache?.set(key, { outcome, until: Date.now() + cache_expiration * 1000 })
      return outcome
    }

    function lookUp(event: Event): Promise<Outcome> {
      if (options.use_prepared_statements) {
        const values = bound.map((read) => read(event))
        return outcomeOf(writeJson(values), () => fillPositions(statement, values, kind))
      }
      const values = new Map(named.map(({ name, read }) => [name, read(event)]))
      return outcomeOf(writeJson([...values.values()]), () => fillNamed(statement, values, kind))
    }

    async function one(event: Event): Promise<void> {
      const { rows, isFailed } = await lookUp(event)
      if (isFailed) for (const tag of failureTags) event.tag(tag)
      if (rows.length === 0) for (const tag of defaultTags) event.tag(tag)
      setTarget(event, rows.length === 0 ? [cloneValue(defaults)] : (cloneValue([...rows]) as Value))
      matched(event)
    }

    return {
      async register() {
        checkOptions(options)
        const address = parseConnectionString(options.jdbc_connection_string)
        kind = address.kind
        await requireDriver(kind)
        if (options.use_prepared_statements && options.prepared_statement_warn_on_constant_usage)
          warnOfConstants(options.prepared_statement_bind_values, logger.warn)
        connection = new LookupConnection({
          address,
          user: options.jdbc_user,
          password: options.jdbc_password?.value,
          connectMilliseconds: 10_000,
          zone: systemZone(),
        })
      },
      filterBatch: (events) =>
        sideBySide(events, window, (event) => one(event).catch((error) => failed(event, error))),
      async close() {
        const closing = connection
        connection = undefined
        await closing?.close()
      },
    }
  },
})

type Read = (event: Event) => Value

const isTemplate = (text: string) => /%\{[^}]*\}/.test(text)
const isReference = (text: string) => /^\s*\[.+\]\s*$/.test(text)

/** Fields by name, texts with `%{…}`; anything else than a text stands for itself. */
function parameter(given: Value, compile: Compile): Read {
  if (typeof given !== 'string') return () => given
  if (isTemplate(given)) return compile.template(given)
  const get = compile.get(given)
  return (event) => get(event) ?? null
}

/** Here a field has brackets; other texts are constants. */
function bindValue(given: Value, compile: Compile): Read {
  if (typeof given !== 'string' || (!isTemplate(given) && !isReference(given))) return () => given
  return parameter(given.trim(), compile)
}

function warnOfConstants(values: readonly Value[], warn: (message: string, fields: Fields) => void): void {
  const constants = values.filter(
    (value) => typeof value === 'string' && !isTemplate(value) && !isReference(value),
  )
  if (constants.length === 0) return
  warn(
    'Some of `prepared_statement_bind_values` are taken as constants; write a field in brackets, as in `[field]`',
    { constants },
  )
}

function checkOptions(options: {
  statement: string
  use_prepared_statements: boolean
  prepared_statement_name: string
  prepared_statement_bind_values: readonly Value[]
}): void {
  if (!options.use_prepared_statements) return
  const errors: string[] = []
  if (options.prepared_statement_name === '')
    errors.push('must provide a name for the Prepared Statement, it must be unique for the db session')
  if (options.statement.split('?').length - 1 !== options.prepared_statement_bind_values.length)
    errors.push(
      'there is a mismatch between the number of statement `?` placeholders and :prepared_statement_bind_values array setting elements',
    )
  if (errors.length > 0) throw new Error(`Prepared Statement Mode validation errors: ${errors.join(', ')}`)
}
