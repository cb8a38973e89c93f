// What the store does with documents, in one process: node bench/store/ingest.mjs ENGINE DATA DIRECTORY. ENGINE is the
// bundle of bench/store/engine.ts, DATA a file of documents, one a line. Bulk bodies of 5,000 documents go through
// the write path of the cluster, each committed; then a flush, then a merge to one segment. Prints one JSON object.
import { closeSync, openSync, readdirSync, readSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const PER_BODY = 5000
const READ = 16 * 1024 * 1024
const WARM_UP = 50_000
const newline = 10

const [engine, data, directory] = process.argv.slice(2)
// Flushes and merges happen here when they are measured, not when the store's own clock says so.
globalThis.setInterval = () => ({ unref() {} })
const { openStore } = await import(pathToFileURL(engine).href)

/** Lists of documents, each a view of one buffer as a request body would be. */
function* bodies() {
  const file = openSync(data, 'r')
  let rest = Buffer.alloc(0)
  let sources = []
  for (;;) {
    const bytes = Buffer.allocUnsafe(READ)
    const got = readSync(file, bytes)
    if (got === 0) break
    const all = Buffer.concat([rest, bytes.subarray(0, got)])
    let at = 0
    for (let end = all.indexOf(newline); end >= 0; end = all.indexOf(newline, at)) {
      sources.push(all.subarray(at, end))
      at = end + 1
      if (sources.length === PER_BODY) {
        yield sources
        sources = []
      }
    }
    rest = all.subarray(at)
  }
  if (sources.length > 0) yield sources
  closeSync(file)
}

/** CPU time of all threads that a part took, without what reading the data costs. */
class Meter {
  micros = 0
  #from

  start() {
    this.#from = process.cpuUsage()
  }

  stop() {
    const { user, system } = process.cpuUsage(this.#from)
    this.micros += user + system
  }
}

let mostResident = 0
const watch = () => {
  mostResident = Math.max(mostResident, process.memoryUsage.rss())
}

const indexOptions = { settings: { 'index.refresh_interval': '-1', 'index.number_of_replicas': 0 } }
const actionOf = (source) => ({ kind: 'index', index: 'logs', id: undefined, source })

async function warmUp() {
  const path = join(directory, 'warm-up')
  const store = await openStore(path)
  store.createIndex('logs', indexOptions)
  let docs = 0
  for (const sources of bodies()) {
    await store.write(sources.map(actionOf), false)
    docs += sources.length
    if (docs >= WARM_UP) break
    if (docs % (PER_BODY * 4) === 0) await store.flush('logs')
  }
  await store.flush('logs')
  await store.merge('logs')
  await store.close()
  rmSync(path, { recursive: true })
}

async function main() {
  if (process.env.NO_WARM_UP === undefined) await warmUp()
  const path = join(directory, 'store')
  const store = await openStore(path)
  store.createIndex('logs', indexOptions)
  const ingest = new Meter()
  const flush = new Meter()
  const merge = new Meter()
  let docs = 0
  let raw = 0
  for (const sources of bodies()) {
    for (const source of sources) raw += source.length
    const actions = sources.map(actionOf)
    docs += sources.length
    // Every 10,000 documents become visible, as they would within a second or two.
    ingest.start()
    await store.write(actions, docs % 10_000 === 0)
    ingest.stop()
    if (docs % 125_000 === 0) {
      flush.start()
      await store.flush('logs')
      flush.stop()
    }
    watch()
  }
  flush.start()
  await store.flush('logs')
  flush.stop()
  const ingestResident = mostResident
  const segments = store.segments('logs')
  const before = bytesBelow(path)
  globalThis.gc?.()
  mostResident = 0
  watch()
  const idleResident = mostResident
  merge.start()
  await store.merge('logs')
  merge.stop()
  watch()
  const perDoc = (meter) => Number((meter.micros / docs).toFixed(3))
  const figures = {
    docs,
    rawPerDoc: Math.round(raw / docs),
    ingest: perDoc(ingest),
    flush: perDoc(flush),
    merge: perDoc(merge),
    allIn: Number((perDoc(ingest) + perDoc(flush) + perDoc(merge)).toFixed(3)),
    sizeBefore: Number((before / raw).toFixed(4)),
    size: Number((bytesBelow(path) / raw).toFixed(4)),
    segments,
    ingestMB: Math.round(ingestResident / 1e6),
    idleMB: Math.round(idleResident / 1e6),
    mergeMB: Math.round(mostResident / 1e6),
    maxMB: Math.round(process.resourceUsage().maxRSS / 1e3),
  }
  process.stdout.write(`${JSON.stringify(figures)}\n`)
  await store.close()
  rmSync(directory, { recursive: true })
}

function bytesBelow(path) {
  let bytes = 0
  for (const entry of readdirSync(path, { withFileTypes: true, recursive: true }))
    if (entry.isFile()) bytes += statSync(join(entry.parentPath ?? entry.path, entry.name)).size
  return bytes
}

await main()
