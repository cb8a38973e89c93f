// What pages and scores cost in the store: node bench/store/paging.mjs ENGINE DIRECTORY DOCUMENTS [KIND]. ENGINE is the bundle
// of bench/store/engine.ts. DIRECTORY is filled with that many documents unless it is there already. Every search goes
// the way of a request, from its body to the answer with ten documents. A "next page" is of a search that the store
// still has; all others are searches it has not seen, told apart by a boost. Prints one JSON object, CPU milliseconds.
import { existsSync, renameSync, rmSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { lines } from '../generate/store-logs.mjs'
import { statistics } from '../statistics.mjs'

const PER_BODY = 5000
const PER_SEGMENT = 125_000
const TIMES = 200
const WARM_UP = 200
const SEED = 42

const [engine, directory, count, only] = process.argv.slice(2)
const documents = Number(count)
// Flushes and merges happen where they are asked for, not when the store's own clock says so.
globalThis.setInterval = () => ({ unref() {} })
const { openStore } = await import(pathToFileURL(engine).href)

async function build() {
  const unfinished = `${directory}.${process.pid}.part`
  const store = await openStore(unfinished)
  store.createIndex('logs', {
    settings: { 'index.refresh_interval': '-1', 'index.number_of_replicas': 0 },
  })
  let actions = []
  let docs = 0
  const send = async () => {
    await store.write(actions, true)
    actions = []
    if (docs % PER_SEGMENT === 0) await store.flush('logs')
    // Eight segments of a size, which the store's own policy joins.
    if (docs % 1_000_000 === 0) await store.merge('logs', 2)
  }
  for (const line of lines(documents, SEED)) {
    actions.push({ kind: 'index', index: 'logs', id: undefined, source: Buffer.from(line) })
    docs += 1
    if (actions.length === PER_BODY) await send()
  }
  if (actions.length > 0) await send()
  await store.flush('logs')
  if (documents <= 1_000_000) await store.merge('logs', 1)
  await store.close()
  try {
    renameSync(unfinished, directory)
  } catch (error) {
    rmSync(unfinished, { recursive: true })
    if (!existsSync(directory)) throw error
  }
}

const info = (boost) => ({ term: { 'level.keyword': { value: 'INFO', boost } } })
const kinds = {
  all: (boost) => ({ query: { match_all: { boost } } }),
  filter: (boost) => ({ query: { bool: { filter: [info(1)], boost } } }),
  term: (boost) => ({ query: info(boost) }),
  sort: (boost) => ({ query: { match_all: { boost } }, sort: [{ 'http.response.bytes': 'desc' }] }),
  termSort: (boost) => ({ query: info(boost), sort: [{ 'http.response.bytes': 'desc' }] }),
  pair: (boost) => ({ query: { match: { message: { query: 'connection timeout', boost } } } }),
  both: (boost) => ({
    query: { match: { message: { query: 'connection timeout', operator: 'and', boost } } },
  }),
  filteredPair: (boost) => ({ query: { bool: { must: kinds.pair(boost).query, filter: info(1) } } }),
  // A frequent word of each of two kinds of message, so that hardly any document has both.
  apart: (boost) => ({ query: { match: { message: { query: 'client completed', boost } } } }),
}

let searches = 0
const unseen = () => 1 + (searches += 1) / 1e6

const store = await opened()

async function opened() {
  if (!existsSync(directory)) await build()
  return await openStore(directory)
}

async function timed(body) {
  const from = process.cpuUsage()
  const answer = await store.search('logs', body)
  const { user, system } = process.cpuUsage(from)
  if (answer.hits.hits.length !== 10)
    throw new Error(`${answer.hits.hits.length} hits: ${JSON.stringify(body)}`)
  return (user + system) / 1000
}

/** The first page and a deep one in turns, so that both find the program equally warm. */
async function typical(...bodies) {
  const times = bodies.map(() => [])
  for (let i = 0; i < WARM_UP + TIMES; i++) {
    for (const [n, body] of bodies.entries()) {
      const time = await timed(body(i))
      if (i >= WARM_UP) times[n].push(time)
    }
  }
  return times.map((all) => Number(statistics(all).median.toFixed(3)))
}

async function main() {
  const figures = { documents, segments: store.segments('logs') }
  for (const [kind, body] of Object.entries(kinds)) {
    if (only !== undefined && only !== kind) continue
    const first = { ...body(unseen()), track_total_hits: true }
    figures[`${kind} first use`] = await timed(first)
    const { total } = (await store.search('logs', first)).hits
    figures[`${kind} matches`] = total.value
    // Nine tenths down; a few further each time, so that no two pages are the same.
    const deep = Math.floor(total.value * 0.9)
    const next = await typical(
      (i) => ({ ...first, from: i }),
      (i) => ({ ...first, from: deep + i }),
    )
    const unknown = await typical(
      () => body(unseen()),
      () => ({ ...body(unseen()), from: deep }),
    )
    for (const [n, from] of ['from 0', 'from 90 %'].entries()) {
      figures[`${kind} next page, ${from}`] = next[n]
      figures[`${kind} new search, ${from}`] = unknown[n]
    }
  }
  figures['resident MB'] = Math.round(process.memoryUsage.rss() / 1e6)
  figures['most resident MB'] = Math.round(process.resourceUsage().maxRSS / 1e3)
  process.stdout.write(`${JSON.stringify(figures, null, 1)}\n`)
  await store.close()
}

await main()
