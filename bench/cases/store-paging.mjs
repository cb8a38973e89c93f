// What a page of ten documents costs in the search store, in one process and without HTTP, at the beginning and nine
// tenths down: of all documents, of a filter that three fifths of them pass, and in the order of a number; and what
// the ten best of two frequent words cost. The store is built once and kept with the other data; `--events 10000000`
// asks for a larger one. The limit program unpacks ten documents, and adds up two lists of scores. DuckDB, where it is
// installed, answers the same pages from a table; it has no scores.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { dataFile } from '../generate/data-file.mjs'
import { version } from '../generate/store-logs.mjs'
import { pointCase } from '../point.mjs'
import { storeBundle } from '../store/bundle.mjs'

const DOCUMENTS = 1_000_000
const SEED = 42
const run = promisify(execFile)
const programs = join(import.meta.dirname, '..', 'store')
const pages = ['all', 'filter', 'sort'].flatMap((kind) =>
  ['from 0', 'from 90 %'].map((from) => ({ kind, from, quantity: `${kind}, ${from}, ms` })),
)
const PAIR = 'two words, ms'

async function figures(program, args) {
  const { stdout } = await run(process.execPath, [join(programs, program), ...args])
  return JSON.parse(stdout)
}

const pageValues = (found) =>
  Object.fromEntries(pages.map(({ kind, from, quantity }) => [quantity, found[`${kind} next page, ${from}`]]))

export default pointCase({
  id: 'store-paging',
  title: 'pages and scores of the search store, CPU ms',
  quantities: [...pages.map(({ quantity }) => quantity), PAIR],
  async limit({ events = DOCUMENTS }) {
    const { page, pair } = await figures('paging-limit.mjs', [String(events)])
    return { ...Object.fromEntries(pages.map(({ quantity }) => [quantity, page])), [PAIR]: pair }
  },
  baselines: {
    async duckdb({ path }, { directory, events = DOCUMENTS }) {
      const table = join(directory, 'table')
      const found = await figures('duckdb.mjs', [path, dataFile('store-logs', events), table, 'pages'])
      return pageValues(found)
    },
  },
  async product(_start, { directory, checkout, events = DOCUMENTS }) {
    const engine = await storeBundle(directory, { checkout })
    const store = join(checkout, 'bench', 'data', `store-v${version}-seed${SEED}-${events}`)
    const found = await figures('paging.mjs', [engine, store, String(events)])
    return { ...pageValues(found), [PAIR]: found['pair new search, from 0'] }
  },
})
