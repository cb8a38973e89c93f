// DuckDB, an embedded analytical database, as a baseline of the store's cases. It comes as the package @duckdb/node-api:
// `npm install --no-save @duckdb/node-api` puts it where it is found; MILLRACE_DUCKDB names another folder with a
// package.json to look from.
import { createRequire } from 'node:module'
import { join } from 'node:path'

const PACKAGE = '@duckdb/node-api'

/** As a subject, or undefined. */
export function foundDuckdb(environment = process.env) {
  const from = environment.MILLRACE_DUCKDB ?? join(import.meta.dirname, '..', '..')
  const require = createRequire(join(from, 'package.json'))
  try {
    const path = require.resolve(PACKAGE)
    const { version } = require(`${PACKAGE}/package.json`)
    return { name: 'duckdb', kind: 'peer', peer: { cases: duckdbCases }, path, version }
  } catch {
    return undefined
  }
}

/** Which cases have a row of it. */
const duckdbCases = { 'store-ingest': true, 'store-paging': true }
