// What the store does with documents that come over HTTP: node bench/store/http.mjs ENGINE DATA DIRECTORY. The same
// documents in the same bodies, refreshes and flushes as bench/store/ingest.mjs, but sent by another process to the
// search API. Prints one JSON object: CPU of this process per document, without flushes, and which client sent them.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [engine, data, directory] = process.argv.slice(2)
// Flushes and merges happen here when they are asked for, not when the store's own clock says so.
globalThis.setInterval = () => ({ unref() {} })
const { openStore, serve } = await import(pathToFileURL(engine).href)

const indexOptions = { settings: { 'index.refresh_interval': '-1', 'index.number_of_replicas': 0 } }
const store = await openStore(join(directory, 'store'))
for (const name of ['warm-up', 'logs']) store.createIndex(name, indexOptions)
const api = await serve(store)
const client = fork(join(import.meta.dirname, 'http-client.mjs'), [String(api.port), data])

let spent = 0
let from
client.on('message', async ({ kind, index, docs, client: name }) => {
  const { user, system } = process.cpuUsage(from)
  if (kind === 'begin') spent = 0
  else spent += user + system
  if (kind === 'end') {
    const ingest = Number((spent / docs).toFixed(3))
    process.stdout.write(`${JSON.stringify({ docs, ingest, client: name })}\n`)
  } else if (kind === 'flush') await store.flush(index)
  client.send('go on')
  from = process.cpuUsage()
})
const [code] = await once(client, 'exit')
await api.close()
await store.close()
rmSync(directory, { recursive: true, force: true })
process.exitCode = code
