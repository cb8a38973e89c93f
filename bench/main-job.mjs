/**
 * The main job against its parts: access lines from a file through grok into the embedded store (dynamic mapping),
 * against the same lines to `null` plus the same documents sent to the store by HTTP bulk. CPU of the whole process in
 * microseconds an event, from its start to the last document that can be found; the ratio should be at most 1.1.
 *   node bench/main-job.mjs [--rounds 3] [--events 300000] [--bin ../before/bin/millrace.js]
 */
import { createReadStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { fileSource } from './cases/file-source.mjs'
import { dataFile } from './generate/data-file.mjs'
import { measure } from './measure.mjs'
import { succeeded } from './point.mjs'
import { answers, freePorts } from './ports.mjs'
import { statistics } from './statistics.mjs'
import { sendBulk } from './store-race/bulk.mjs'
import { Connection } from './store-race/connection.mjs'
import { millrace, millraceCommand } from './subjects.mjs'
import { withWorkDirectory } from './work-directory.mjs'

const PER_BODY = 1000
const INDEX = 'lines'
const TIME_LIMIT_MS = 600_000
const POLL_MS = 100

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    events: { type: 'string', default: '300000' },
    bin: { type: 'string' },
  },
})
const events = Number(options.events)
const subject = millrace(options.bin)
if (subject.missing !== undefined) throw new Error(subject.missing)
const input = dataFile('apache', events)
const filters = 'filter { grok { match => { "message" => "%{COMBINEDAPACHELOG}" } } }\n'

/** Runs the program with a pipeline and says what an event cost. `during` ends the run; without it the input does. */
async function run(directory, output, { source, flags = [], during } = {}) {
  mkdirSync(directory)
  const [apiPort] = await freePorts(1)
  const config = join(directory, 'pipeline.conf')
  writeFileSync(config, `${source ?? fileSource({ directory, input })}${filters}output { ${output} }\n`)
  const command = millraceCommand(subject, { config, data: join(directory, 'data'), apiPort, more: flags })
  const withApi = during === undefined ? undefined : (run) => during({ ...run, apiPort })
  const { cpuUs } = succeeded(
    await measure(command, { cwd: directory, timeLimitMs: TIME_LIMIT_MS, during: withApi }),
  )
  return cpuUs / events
}

/** The store of a run, until it holds all documents. */
async function withStore(directory, output, { source, send = async () => {} } = {}) {
  const [port] = await freePorts(1)
  const connection = new Connection(port)
  try {
    return await run(directory, output, {
      source,
      flags: ['--search.enabled', 'true', '--search.http.port', String(port)],
      async during({ signal, apiPort }) {
        await answers(port, signal)
        await send(connection, apiPort, signal)
        await found(connection, signal)
      },
    })
  } finally {
    connection.close()
  }
}

/**
 * Waits until the outputs have everything. Nobody searches meanwhile, as nobody does during the bulk requests: an index
 * that is searched is refreshed every second, and what a refresh made has to be merged.
 */
async function delivered(_connection, apiPort, signal) {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${apiPort}/_node/stats/pipelines`, { signal })
    const { pipelines } = await answer.json()
    if ((pipelines.main?.events.out ?? 0) >= events) return
    await sleep(POLL_MS, undefined, { signal })
  }
}

async function found(connection, signal) {
  for (;;) {
    const { count } = await connection
      .ask({ method: 'GET', path: `/${INDEX}/_count?ignore_unavailable=true` })
      .catch(() => ({ count: 0 }))
    if (count === events) return
    if (count > events) throw new Error(`${count} documents of ${events} lines`)
    await sleep(POLL_MS, undefined, { signal })
  }
}

/** The events as the pipeline makes them, as bodies of bulk requests. */
async function bodies(directory) {
  const path = join(directory, 'events.ndjson')
  await run(join(directory, 'events'), `file { path => "${path}" codec => json_lines }`)
  const list = []
  let lines = []
  const flush = () => {
    if (lines.length > 0)
      list.push({ bytes: Buffer.from(`{"index":{}}\n${lines.join('\n{"index":{}}\n')}\n`) })
    lines = []
  }
  let rest = ''
  for await (const chunk of createReadStream(path, 'utf8')) {
    const parts = (rest + chunk).split('\n')
    rest = parts.pop()
    for (const line of parts) if (lines.push(line) === PER_BODY) flush()
  }
  flush()
  return list
}

const idle = 'input { heartbeat { interval => 3600 } }\n'
const toStore = `millrace { index => "${INDEX}" }`
const waiting = (directory) => fileSource({ directory, input }).replace('exit_after_read => true', '')

const samples = { null: [], bulk: [], store: [] }
await withWorkDirectory(async (directory) => {
  const sent = await bodies(directory)
  for (let round = 0; round < Number(options.rounds); round++) {
    const own = (name) => join(directory, `${name}-${round}`)
    samples.null.push(await run(own('null'), 'null { }'))
    const bulk = await withStore(own('bulk'), 'null { }', {
      source: idle,
      async send(connection) {
        for (const body of sent) await sendBulk(connection, INDEX, body)
      },
    })
    samples.bulk.push(bulk)
    samples.store.push(
      await withStore(own('store'), toStore, { source: waiting(own('store')), send: delivered }),
    )
    process.stderr.write(`main-job: round ${round + 1} of ${options.rounds}\n`)
  }
})
const median = Object.fromEntries(
  Object.entries(samples).map(([name, list]) => [name, statistics(list).median]),
)
const figure = (value) => value.toFixed(1).padStart(6)
const version = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8')).version
process.stdout.write(`millrace ${version}, ${events} access lines, CPU µs per event, median of ${options.rounds} rounds

file -> grok -> null          ${figure(median.null)}
the same documents by bulk    ${figure(median.bulk)}
file -> grok -> store         ${figure(median.store)}
store / (null + bulk)         ${(median.store / (median.null + median.bulk)).toFixed(2).padStart(6)}   (at most 1.1)
`)
