// The monitoring API while every worker is busy. Slices without anybody asking and slices with a call of `/_node/stats`
// every 50 ms take turns in one running process (pairs.mjs). No call may take a second, which is as long as the most
// impatient client waits. What the calls cost the pipeline is a ratio of two slices side by side: events per second,
// and events per second of CPU time, without calls and with them. Whoever asks shares the cores with the workers, so
// the client does no more than it must: it keeps its connection, as collectors do, and reads one number.
import { Agent, get } from 'node:http'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { measure } from '../measure.mjs'
import { inPairs, ratioOf } from '../pairs.mjs'
import { pointCase, succeeded } from '../point.mjs'
import { answers, freePorts } from '../ports.mjs'
import { runMicros } from '../process-tree.mjs'

const PAIRS = 24
const PAUSE_MS = 50
const SLICE_MS = 750
const MAX_MS = 1000
const WARM_UP_MS = 3000
const TYPICAL = 'stats p50 ms'
const SLOW = 'stats p99 ms'
const COST = 'events/s quiet ÷ polled'
const CPU_COST = 'events/CPU s quiet ÷ polled'
const withQuartiles = (name) => [name, `${name}, lower quartile`, `${name}, upper quartile`]

const threads = availableParallelism()
const config = 'input { generator { } } filter { mutate { add_tag => ["x"] } } output { null { } }\n'
const limitProgram = join(import.meta.dirname, '..', 'limits', 'api-polling.mjs')

const agent = new Agent({ keepAlive: true, maxSockets: 1 })
/** Of the node: its own events come before those of its pipelines. */
const eventsOut = /"events":\{[^}]*"out":(\d+)/

/** Events so far, and how long the answer took. */
function ask(port, path) {
  const began = performance.now()
  return new Promise((resolve, reject) => {
    const request = get({ port, host: '127.0.0.1', path, agent, timeout: MAX_MS }, async (answer) => {
      let text = ''
      for await (const chunk of answer.setEncoding('utf8')) text += chunk
      const ms = performance.now() - began
      if (answer.statusCode !== 200) reject(new Error(`${path} was answered with ${answer.statusCode}`))
      else resolve({ ms, at: performance.now(), events: Number(eventsOut.exec(text)?.[1]) })
    })
    request.on('timeout', () => request.destroy(new Error(`${path} took more than ${MAX_MS} ms`)))
    request.on('error', reject)
  })
}

/** A slice lasts from one reading to the next, calls or no calls. */
async function slice({ port, pid, signal }, calls) {
  const from = { ...(await ask(port, '/_node/stats')), cpu: runMicros(pid) }
  const answered = []
  while (performance.now() - from.at < SLICE_MS) {
    await sleep(calls ? PAUSE_MS : SLICE_MS - (performance.now() - from.at), undefined, { signal })
    if (calls) answered.push(await ask(port, '/_node/stats'))
  }
  const to = { ...(await ask(port, '/_node/stats')), cpu: runMicros(pid) }
  const counters = [from, ...answered, to].map(({ events }) => events)
  if (counters.some((events, n) => n > 0 && events < counters[n - 1]))
    throw new Error('a counter went backwards')
  const events = to.events - from.events
  if (!(events > 0)) throw new Error('no events in a slice')
  return {
    times: answered.map(({ ms }) => ms),
    perSecond: (1000 * events) / (to.at - from.at),
    perCpuSecond: (1e6 * events) / (to.cpu - from.cpu),
  }
}

async function values(running) {
  await answers(running.port, running.signal)
  await sleep(WARM_UP_MS, undefined, { signal: running.signal })
  const pairs = await inPairs(
    PAIRS,
    () => slice(running, false),
    () => slice(running, true),
  )
  const times = pairs.flatMap(([, polled]) => polled.times).sort((a, b) => a - b)
  const wall = ratioOf(pairs, ({ perSecond }) => perSecond)
  const cpu = ratioOf(pairs, ({ perCpuSecond }) => perCpuSecond)
  const named = (name, { median, lower, upper }) => {
    const [middle, low, high] = withQuartiles(name)
    return { [middle]: median, [low]: lower, [high]: upper }
  }
  return {
    [TYPICAL]: times[times.length >> 1],
    [SLOW]: times[Math.ceil(times.length * 0.99) - 1],
    ...named(COST, wall),
    ...named(CPU_COST, cpu),
  }
}

export default pointCase({
  id: 'api-polling',
  title: `/_node/stats every ${PAUSE_MS} ms while ${threads} workers are busy`,
  quantities: [TYPICAL, SLOW, ...withQuartiles(COST), ...withQuartiles(CPU_COST)],
  async limit(options) {
    const [port] = await freePorts(1)
    let found
    const during = async ({ pid, signal }) => {
      found = await values({ port, pid, signal })
    }
    succeeded(await measure([process.execPath, limitProgram, port, threads], { ...options, during }))
    return found
  },
  async product(start) {
    let found
    const during = async ({ apiPort, pid, signal }) => {
      found = await values({ port: apiPort, pid, signal })
    }
    succeeded(await start(config, { flags: ['-w', String(threads)], during }))
    return found
  },
})
