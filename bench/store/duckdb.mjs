// The documents of the store's cases in DuckDB: node bench/store/duckdb.mjs MODULE DATA DIRECTORY [pages]. MODULE is the
// main file of @duckdb/node-api. Its own reader takes the file into one table, with one thread; it has no full text and
// no order of documents but the one they came in. Prints one JSON object in the form of ingest.mjs or paging.mjs.
import { mkdirSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { statistics } from '../statistics.mjs'

const TIMES = 10

const [module, data, directory, mode] = process.argv.slice(2)
const { DuckDBInstance } = createRequire(import.meta.url)(module)
mkdirSync(directory, { recursive: true })
const file = join(directory, 'logs.duckdb')
const instance = await DuckDBInstance.create(file, { threads: '1' })
const connection = await instance.connect()

async function cpuMicros(sql) {
  const from = process.cpuUsage()
  const rows = await (await connection.runAndReadAll(sql)).getRows()
  const { user, system } = process.cpuUsage(from)
  return { micros: user + system, rows }
}

const quoted = data.replaceAll("'", "''")
const { micros: reading } = await cpuMicros(
  `create table logs as select * from read_json('${quoted}', format = 'newline_delimited')`,
)
const { micros: writing } = await cpuMicros('checkpoint')
const docs = Number((await cpuMicros('select count(*) from logs')).rows[0][0])

async function typical(sql) {
  const times = []
  for (let i = 0; i < TIMES; i++) times.push((await cpuMicros(sql)).micros / 1000)
  return Number(statistics(times).median.toFixed(3))
}

const kinds = {
  all: ['', ''],
  filter: [`where level = 'INFO'`, ''],
  sort: ['', 'order by http.response.bytes desc'],
}

if (mode === 'pages') {
  const figures = {}
  for (const [kind, [where, order]] of Object.entries(kinds)) {
    const [[count]] = (await cpuMicros(`select count(*) from logs ${where}`)).rows
    const deep = Math.floor(Number(count) * 0.9)
    for (const [from, offset] of Object.entries({ 'from 0': 0, 'from 90 %': deep })) {
      const sql = `select * from logs ${where} ${order} limit 10 offset ${offset}`
      figures[`${kind} next page, ${from}`] = await typical(sql)
    }
  }
  process.stdout.write(`${JSON.stringify(figures)}\n`)
} else {
  const perDoc = Number(((reading + writing) / docs).toFixed(3))
  const size = Number((statSync(file).size / statSync(data).size).toFixed(4))
  const mergeMB = Math.round(process.resourceUsage().maxRSS / 1e3)
  process.stdout.write(`${JSON.stringify({ docs, ingest: perDoc, allIn: perDoc, size, mergeMB })}\n`)
}
connection.closeSync()
rmSync(directory, { recursive: true, force: true })
