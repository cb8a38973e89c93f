// A light search while a hundred heavy ones are under way, and a heavy one whose client hangs up. The light search asks
// for one document by a rare term; the heavy ones look at every term of a text field and sort what they find. No
// light search may wait more than 250 ms, and a search nobody waits for has to be gone within 500 ms. One of each was
// asked before, so that reading a field from the disk for the first time does not count. Beside that a question that
// takes no work is asked every few milliseconds, from a thread and over a connection of its own that is open already:
// how long it waits is how long the store's thread did not look at its connections, and how long that thread was on a
// processor meanwhile is what the store did of it: the rest it was waiting for one. It may be 50 ms, which is checked
// where other guests of the host took next to nothing. The same beside the first two searches there are, for which
// their code is loaded, and beside searches with very large answers, one at a time, each asked twice: tens of thousands
// of buckets, ten thousand hits, also over documents that were just written.
import { setMaxListeners } from 'node:events'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { lines } from '../generate/store-logs.mjs'
import { stolenSeconds } from '../machine.mjs'
import { measure } from '../measure.mjs'
import { pointCase, succeeded } from '../point.mjs'
import { answers, freePorts } from '../ports.mjs'
import { Pings } from '../store/pings.mjs'

const DOCUMENTS = 200_000
/** Not flushed. */
const FRESH = 50_000
const PER_REQUEST = 5000
const HEAVY = 100
const PAUSE_MS = 20
/** A run that needs more has failed. */
const max = { lightMs: 250, goneMs: 500, stretchMs: 50 }
/** Of the time the searches take: where other guests of the host took more, the longest of many waits is theirs. */
const MAX_STOLEN = 0.01
const TYPICAL = 'light p50 ms'
const SLOW = 'light max ms'
const STRETCH = 'longest stretch ms'
const FIRST = 'longest stretch, first searches ms'
const LARGE = 'longest stretch, large answers ms'
/** The same, as far as the store's thread was on a processor. */
const onProcessor = (stretch) => stretch.replace('stretch', 'stretch on a processor')
const GONE = 'gone after ms'
const config = 'input { heartbeat { interval => 3600 } } output { null { } }\n'
const limitProgram = join(import.meta.dirname, '..', 'limits', 'small-answers.mjs')

const shared = new Agent({ keepAlive: true, maxSockets: HEAVY + 10 })

function ask(port, method, path, body, signal) {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' }
    const sent = request(
      { port, host: '127.0.0.1', method, path, headers, agent: shared, signal },
      async (answer) => {
        let text = ''
        for await (const chunk of answer.setEncoding('utf8')) text += chunk
        if (answer.statusCode >= 400) reject(new Error(`${path}: ${answer.statusCode} ${text.slice(0, 300)}`))
        else resolve(text === '' ? undefined : JSON.parse(text))
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

async function fill(port, index, count, seed) {
  let body = []
  for (const line of lines(count, seed)) {
    body.push(`{"index":{"_index":"${index}"}}`, line)
    if (body.length < 2 * PER_REQUEST) continue
    const { errors } = await ask(port, 'POST', '/_bulk', `${body.join('\n')}\n`)
    if (errors) throw new Error('a document was refused')
    body = []
  }
}

/** Different each time, so that nothing can be taken from an earlier answer. */
const heavy = (n) =>
  JSON.stringify({
    query: {
      bool: {
        should: [{ regexp: { message: `.*[a-m]${n % 10}?[n-z].*` } }, { wildcard: { message: `*${n}*` } }],
      },
    },
    sort: [{ 'message.keyword': n % 2 ? 'asc' : 'desc' }],
    from: 1000 * n,
    size: 10,
  })
const light = (n) => JSON.stringify({ query: { term: { message: `w${n}` } }, size: 1 })

const stretch = (name, { wait, run }) => ({ [name]: wait, [onProcessor(name)]: run })

async function values(port, signal, hasHeavy, pings) {
  const times = []
  const longest = await pings.longestBeside(async () => {
    let left = hasHeavy ? HEAVY : 1
    const under = hasHeavy
      ? Array.from({ length: HEAVY }, (_, n) =>
          ask(port, 'POST', '/logs/_search', heavy(n), signal).finally(() => {
            left -= 1
          }),
        )
      : [sleep(2000).finally(() => (left = 0))]
    const all = Promise.all(under)
    all.catch(() => {})
    for (let n = 0; left > 0; n++) {
      const began = performance.now()
      await ask(port, 'POST', '/logs/_search', light(n), signal)
      times.push(performance.now() - began)
      await sleep(PAUSE_MS)
    }
    await all
  })
  times.sort((a, b) => a - b)
  return {
    [TYPICAL]: times[times.length >> 1],
    [SLOW]: times.at(-1),
    ...stretch(STRETCH, longest),
    ...(hasHeavy && {
      ...stretch(LARGE, await besideLargeAnswers(port, pings)),
      [GONE]: await gone(port),
    }),
  }
}

const buckets = (field, size, aggs) => ({ terms: { field, size }, ...(aggs && { aggs }) })
const ids = 'trace.id.keyword'
const spans = { field: '@timestamp', fixed_interval: '50ms' }
const large = [
  { size: 10_000 },
  { size: 10_000, sort: [{ 'level.keyword': 'asc' }, { 'event.duration_ms': 'desc' }] },
  { size: 0, aggs: { all: buckets(ids, 65_000) } },
  { size: 0, aggs: { levels: buckets('level.keyword', 10, { all: buckets(ids, 10_000) }) } },
  { size: 0, aggs: { some: { filter: { match_all: {} }, aggs: { all: buckets(ids, 60_000) } } } },
  {
    size: 0,
    aggs: {
      pairs: { composite: { size: 10_000, sources: [{ ip: { terms: { field: 'client.ip.keyword' } } }] } },
    },
  },
  {
    size: 0,
    aggs: { times: { date_histogram: spans, aggs: { longest: { max: { field: 'event.duration_ms' } } } } },
  },
]

/** Reads an answer without looking at it. */
function drained(port, path, body) {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' }
    const sent = request(
      { port, host: '127.0.0.1', method: 'POST', path, headers, agent: shared },
      (answer) => {
        if (answer.statusCode >= 400) reject(new Error(`${path}: ${answer.statusCode}`))
        answer.on('error', reject)
        answer.on('end', resolve)
        answer.resume()
      },
    )
    sent.on('error', reject)
    sent.end(JSON.stringify(body))
  })
}

async function besideLargeAnswers(port, pings) {
  return await pings.longestBeside(async () => {
    for (const index of ['logs', 'fresh']) {
      for (const search of [...large, ...large]) await drained(port, `/${index}/_search`, search)
    }
  })
}

/** Of a process that was not asked for anything yet. */
async function besideFirst(port, signal, pings) {
  return await pings.longestBeside(async () => {
    for (const body of [light(0), heavy(0)]) await ask(port, 'POST', '/logs/_search', body, signal)
  })
}

async function withPings(port, pid, work) {
  const pings = await Pings.open(port, pid)
  try {
    return await work(pings)
  } finally {
    await pings.close()
  }
}

/** How long heavy searches go on after their clients have hung up. */
async function gone(port) {
  const hangUp = new AbortController()
  const asked = Array.from({ length: 10 }, (_, n) =>
    ask(port, 'POST', '/logs/_search', heavy(HEAVY + n), hangUp.signal).catch(() => undefined),
  )
  await sleep(100)
  hangUp.abort()
  const began = performance.now()
  await Promise.all(asked)
  for (;;) {
    const { nodes } = await ask(port, 'GET', '/_tasks?actions=*search*')
    const open = Object.values(nodes).flatMap(({ tasks }) => Object.keys(tasks))
    if (open.length === 0) return performance.now() - began
    await sleep(10)
  }
}

export default pointCase({
  id: 'store-fairness',
  title: `a light search among ${HEAVY} heavy ones over ${DOCUMENTS} documents`,
  quantities: [TYPICAL, SLOW, ...[STRETCH, FIRST, LARGE].flatMap((name) => [name, onProcessor(name)]), GONE],
  async limit(options) {
    const [port] = await freePorts(1)
    let found
    const during = async ({ pid, signal }) => {
      await answers(port, signal)
      found = await withPings(port, pid, (pings) => values(port, signal, false, pings))
    }
    succeeded(await measure([process.execPath, limitProgram, String(port)], { ...options, during }))
    return found
  },
  async product(start) {
    const [port] = await freePorts(1)
    let found
    const during = async ({ pid, signal }) => {
      // Each request listens to it.
      setMaxListeners(2 * HEAVY, signal)
      await answers(port, signal)
      await fill(port, 'logs', DOCUMENTS, 42)
      await ask(port, 'POST', '/logs/_flush')
      await ask(port, 'POST', '/logs/_refresh')
      await fill(port, 'fresh', FRESH, 43)
      await ask(port, 'POST', '/fresh/_refresh')
      const stolen = stolenSeconds()
      const began = performance.now()
      found = await withPings(port, pid, async (pings) => {
        const first = await besideFirst(port, signal, pings)
        return { ...(await values(port, signal, true, pings)), ...stretch(FIRST, first) }
      })
      if (found[SLOW] > max.lightMs) throw new Error(`a light search took ${found[SLOW].toFixed(0)} ms`)
      const isQuiet = (stolenSeconds() - stolen) * 1000 <= MAX_STOLEN * (performance.now() - began)
      for (const name of isQuiet ? [STRETCH, FIRST, LARGE] : []) {
        if (found[name] > max.stretchMs) throw new Error(`${name}: ${found[name].toFixed(0)}`)
      }
      if (found[GONE] > max.goneMs) throw new Error(`a search went on for ${found[GONE].toFixed(0)} ms`)
    }
    const flags = ['--search.enabled', 'true', '--search.http.port', String(port)]
    succeeded(await start(config, { during, flags }))
    return found
  },
})
