// What the store does with documents, in one process: node bench/store/ingest.mjs ENGINE DATA DIRECTORY. ENGINE is the
// bundle of bench/store/engine.ts, DATA a file of documents, one a line. Bulk bodies of 5,000 documents go through
// the write path of the cluster, each committed; then a flush, then a merge to one segment. Prints one JSON object.
import { spawnSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const PER_BODY = 5000
const READ = 16 * 1024 * 1024
const WARM_UP = 50_000
const newline = 10

const [engine, data, directory] = process.argv.slice(2)
// Flushes and merges happen here when they are measured, not when the store's own clock says so.
globalThis.setInterval = () => ({ unref() {} })
const { openStore, bodyMemory } = await import(pathToFileURL(engine).href)

/** Lists of documents, each a view of one buffer as a request body would be, and in memory of such bodies. */
function* bodies() {
  const file = openSync(data, 'r')
  // One for all, because what is read and thrown away here would be cleared away while the store is measured.
  const bytes = Buffer.alloc(READ)
  let filled = 0
  for (;;) {
    const got = readSync(file, bytes, filled, READ - filled)
    filled += got
    let from = 0
    for (let body = bodyAt(bytes, from, filled, got === 0); body !== undefined; ) {
      yield body.sources
      bodyMemory.giveBack(body.memory)
      from = body.end
      body = bodyAt(bytes, from, filled, got === 0)
    }
    if (got === 0) break
    bytes.copyWithin(0, from, filled)
    filled -= from
  }
  closeSync(file)
}

/** The next body, whole, or at the end of the file what is left; undefined when there is none. */
function bodyAt(bytes, from, filled, isEnd) {
  const ends = []
  const read = bytes.subarray(0, filled)
  for (let at = from; ends.length < PER_BODY; ) {
    const end = read.indexOf(newline, at)
    if (end < 0) break
    ends.push(end)
    at = end + 1
  }
  if (ends.length === 0 || (ends.length < PER_BODY && !isEnd)) return undefined
  const end = ends[ends.length - 1] + 1
  const body = bodyMemory.take(end - from)
  bytes.copy(body, 0, from, end)
  let start = 0
  const sources = ends.map((lineEnd) => {
    const source = body.subarray(start, lineEnd - from)
    start = lineEnd - from + 1
    return source
  })
  return { sources, end, memory: body }
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
  }
  flush.start()
  await store.flush('logs')
  flush.stop()
  const before = bytesBelow(path)
  const segments = store.segments('logs')
  await store.close()
  const merge = mergedElsewhere(path)
  const perDoc = (micros) => Number((micros / docs).toFixed(3))
  const figures = {
    docs,
    rawPerDoc: Math.round(raw / docs),
    ingest: perDoc(ingest.micros),
    flush: perDoc(flush.micros),
    merge: perDoc(merge.micros),
    allIn: perDoc(ingest.micros + flush.micros + merge.micros),
    sizeBefore: Number((before / raw).toFixed(4)),
    size: Number((bytesBelow(path) / raw).toFixed(4)),
    segments,
    ingestMB: mostResident(),
    mergeMB: merge.megabytes,
  }
  process.stdout.write(`${JSON.stringify(figures)}\n`)
  rmSync(directory, { recursive: true })
}

/** In a process of its own, whose memory is that of the merge alone. */
function mergedElsewhere(path) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [
    import.meta.filename,
    engine,
    '--merge',
    path,
  ])
  if (status !== 0) throw new Error(`the merge failed: ${stderr}`)
  return JSON.parse(stdout)
}

async function mergeAlone(path) {
  const store = await openStore(path)
  const merge = new Meter()
  merge.start()
  await store.merge('logs')
  merge.stop()
  await store.close()
  process.stdout.write(JSON.stringify({ micros: merge.micros, megabytes: mostResident() }))
}

/** Megabytes. What `resourceUsage` says of a process includes its parent, up to the moment it was started. */
function mostResident() {
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : ''
  const kilobytes = /^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? process.resourceUsage().maxRSS
  return Math.round((Number(kilobytes) * 1024) / 1e6)
}

function bytesBelow(path) {
  let bytes = 0
  for (const entry of readdirSync(path, { withFileTypes: true, recursive: true }))
    if (entry.isFile()) bytes += statSync(join(entry.parentPath ?? entry.path, entry.name)).size
  return bytes
}

await (data === '--merge' ? mergeAlone(directory) : main())
