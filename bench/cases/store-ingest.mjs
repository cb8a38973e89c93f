// What the search store takes for a document, in one process and without HTTP: to take it into the log and make it
// visible, to write it to a segment, and to merge it once; and how large the index and the memory of the merge are.
// The limit program does the least that keeps the documents: it appends them to a synced log, and compresses them.
// DuckDB, where it is installed, takes the same documents into a table.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { dataFile } from '../generate/data-file.mjs'
import { pointCase } from '../point.mjs'
import { storeBundle } from '../store/bundle.mjs'

const DOCUMENTS = 1_000_000
const run = promisify(execFile)
const programs = join(import.meta.dirname, '..', 'store')
const quantities = ['ingest µs/doc', 'all in µs/doc', 'index bytes / raw', 'merge RSS MB']

async function figures(program, args, timeLimitMs) {
  const { stdout } = await run(process.execPath, [join(programs, program), ...args], { timeout: timeLimitMs })
  const { ingest, allIn, size, mergeMB } = JSON.parse(stdout)
  return Object.fromEntries([ingest, allIn, size, mergeMB].map((value, i) => [quantities[i], value]))
}

export default pointCase({
  id: 'store-ingest',
  title: 'documents into the search store, CPU µs per document',
  quantities,
  limit: ({ events = DOCUMENTS, timeLimitMs }) =>
    figures('ingest-limit.mjs', [dataFile('store-logs', events)], timeLimitMs),
  baselines: {
    duckdb: ({ path }, { directory, events = DOCUMENTS, timeLimitMs }) =>
      figures('duckdb.mjs', [path, dataFile('store-logs', events), join(directory, 'table')], timeLimitMs),
  },
  async product(_start, { directory, checkout, events = DOCUMENTS }) {
    const engine = await storeBundle(directory, { checkout })
    return await figures('ingest.mjs', [engine, dataFile('store-logs', events), join(directory, 'store')])
  },
})
