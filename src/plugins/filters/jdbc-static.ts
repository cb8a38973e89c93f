/**
 * jdbc_static: tables are loaded from a database into memory, at the start and by a schedule, and events are looked
 * up there.
 */

import { startConcern } from '../../plugin/concern.ts'
import { defineFilter, option, withoutEffect } from '../../plugin/define.ts'
import { systemZone } from '../../time/zone.ts'
import { connectionOptions } from '../jdbc/connection-options.ts'
import { parseConnectionString } from '../jdbc/connection-string.ts'
import { type DatabaseSettings, requireDriver } from '../jdbc/database.ts'
import { Stop } from '../receiving/stop.ts'
import { rubyText } from '../ruby-values/text.ts'
import { cronSchedule, runOnSchedule } from '../schedule/schedule.ts'
import { load, loadersOf, localTables } from './jdbc-static/loaders.ts'
import { compileLookup, type Enhance, lookupSettings } from './jdbc-static/lookup.ts'

export default defineFilter({
  name: 'jdbc_static',
  summary: 'Looks events up in tables that are loaded from a database into memory.',
  description: [
    'Lookups are SELECT statements over the local tables: joins, conditions, `LIKE`, `IN`, `ORDER BY`, `LIMIT` and',
    '`FETCH FIRST`, aggregates over all rows. Grouping and sub-queries are for the loaders, which run in the database.',
    'A lookup without rows gives an empty list, unless there is a `default_hash`. The tables are kept per worker.',
  ].join('\n'),
  oneToOne: true,
  options: {
    loaders: option.array({
      default: [],
      doc: 'What to load: maps of `local_table`, `query`, and if wanted `id` and `max_rows`.',
    }),
    local_db_objects: option.array({
      default: [],
      doc: 'The local tables: maps of `name`, `columns` as pairs of name and type, and if wanted `index_columns`.',
    }),
    local_lookups: option.array({
      required: true,
      doc: 'What to look up: maps of `query`, `parameters` or `prepared_parameters`, `target`, `default_hash`, `id`.',
    }),
    loader_schedule: option.string({
      doc: 'When to load again, as a cron expression; only at the start unless given.',
    }),
    tag_on_failure: option.array({
      default: ['_jdbcstaticfailure'],
      doc: 'Tags for events whose lookup failed.',
    }),
    tag_on_default_use: option.array({
      default: ['_jdbcstaticdefaultsused'],
      doc: 'Tags for events that got a `default_hash`.',
    }),
    ...connectionOptions,
    staging_directory: option.string(withoutEffect('rows are not written to files.')),
  },
  concerns: (options) => startConcern('local_lookups', () => localTables(options.local_db_objects)),
  create({ options, ecs, compile, logger, abort }) {
    const tags = {
      failure: options.tag_on_failure.map(rubyText),
      defaultUse: options.tag_on_default_use.map(rubyText),
    }
    const stop = new Stop()
    const end = () => stop.request()
    let lookups: Enhance[] = []
    let scheduled: Promise<void> | undefined

    return {
      async register() {
        const address = parseConnectionString(options.jdbc_connection_string)
        const settings: DatabaseSettings = {
          address,
          user: options.jdbc_user,
          password: options.jdbc_password?.value,
          connectMilliseconds: 10_000,
          zone: systemZone(),
        }
        const tables = localTables(options.local_db_objects)
        const loaders = loadersOf(options.loaders, tables)
        const schedule =
          options.loader_schedule === undefined ? undefined : cronSchedule(options.loader_schedule)
        lookups = options.local_lookups.map((given, index) => {
          const one = lookupSettings(given, index, tags)
          if (ecs !== 'disabled' && one.target === one.id)
            logger.info(
              `The lookup ${one.id} has no target; its rows may clash with fields of the Elastic Common Schema.`,
            )
          return compileLookup(one, tables, compile, logger)
        })
        if (loaders.length > 0) {
          await requireDriver(address.kind)
          await load(loaders, tables, settings, logger)
        }
        if (schedule === undefined) return
        abort.addEventListener('abort', end, { once: true })
        scheduled = runOnSchedule(schedule, stop, async () => {
          try {
            await load(loaders, tables, settings, logger)
          } catch (error) {
            logger.error('Exception when executing a loader; the tables stay as they are', {
              exception: (error as Error).message,
            })
          }
        })
      },
      filter(event) {
        let isWhole = true
        for (const enhance of lookups) isWhole = enhance(event) && isWhole
        return isWhole
      },
      async close() {
        abort.removeEventListener('abort', end)
        stop.request()
        await scheduled
      },
    }
  },
})
