// The monitoring API while every worker is busy: 100 calls of `/_node/stats` one after another, twenty a second. None
// may take a second, which is as long as the most impatient client waits. And what that costs the pipeline: events
// per second without anybody asking, before and after, divided by those while somebody asks.
import { get } from 'node:http'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { measure } from '../measure.mjs'
import { pointCase, succeeded } from '../point.mjs'
import { answers, freePorts } from '../ports.mjs'

const CALLS = 100
const PAUSE_MS = 50
const LONGEST_MS = 1000
const WARM_UP_MS = 3000
const QUIET_MS = 3000
const TYPICAL = 'stats p50 ms'
const SLOW = 'stats p99 ms'
const COST = 'events/s quiet ÷ polled'

const threads = availableParallelism()
const config = 'input { generator { } } filter { mutate { add_tag => ["x"] } } output { null { } }\n'
const limitProgram = join(import.meta.dirname, '..', 'limits', 'api-polling.mjs')

/** Events so far, and how long the answer took. */
function ask(port, path) {
  const began = performance.now()
  return new Promise((resolve, reject) => {
    const request = get(
      { port, host: '127.0.0.1', path, agent: false, timeout: LONGEST_MS },
      async (answer) => {
        let text = ''
        for await (const chunk of answer.setEncoding('utf8')) text += chunk
        const ms = performance.now() - began
        if (answer.statusCode !== 200) reject(new Error(`${path} was answered with ${answer.statusCode}`))
        else resolve({ ms, at: performance.now(), events: JSON.parse(text).events.out })
      },
    )
    request.on('timeout', () => request.destroy(new Error(`${path} took more than ${LONGEST_MS} ms`)))
    request.on('error', reject)
  })
}

const perSecond = (from, to) => (1000 * (to.events - from.events)) / (to.at - from.at)

async function quiet(port, signal) {
  const from = await ask(port, '/_node/stats')
  await sleep(QUIET_MS, undefined, { signal })
  return perSecond(from, await ask(port, '/_node/stats'))
}

async function polled(port, signal) {
  const answered = []
  for (let n = 0; n < CALLS; n++) {
    answered.push(await ask(port, '/_node/stats'))
    await sleep(PAUSE_MS, undefined, { signal })
  }
  if (answered.some(({ ms }) => ms > LONGEST_MS)) throw new Error(`an answer took more than ${LONGEST_MS} ms`)
  if (answered.some(({ events }, n) => n > 0 && events < answered[n - 1].events))
    throw new Error('a counter went backwards')
  return { rate: perSecond(answered[0], answered.at(-1)), times: answered.map(({ ms }) => ms) }
}

/** Quiet before and after, so that a process that gets faster or slower by itself does not count. */
async function values({ port, signal }) {
  await answers(port, signal)
  await sleep(WARM_UP_MS, undefined, { signal })
  const before = await quiet(port, signal)
  const { rate, times } = await polled(port, signal)
  const after = await quiet(port, signal)
  if (!(rate > 0)) throw new Error('no events while the API was asked')
  times.sort((a, b) => a - b)
  return {
    [TYPICAL]: times[CALLS / 2],
    [SLOW]: times[Math.ceil(CALLS * 0.99) - 1],
    [COST]: (before + after) / 2 / rate,
  }
}

export default pointCase({
  id: 'api-polling',
  title: `/_node/stats ${CALLS} times while ${threads} workers are busy`,
  quantities: [TYPICAL, SLOW, COST],
  async limit(options) {
    const [port] = await freePorts(1)
    let found
    const during = async ({ signal }) => {
      found = await values({ port, signal })
    }
    succeeded(await measure([process.execPath, limitProgram, port, threads], { ...options, during }))
    return found
  },
  async product(start) {
    let found
    const during = async ({ apiPort, signal }) => {
      found = await values({ port: apiPort, signal })
    }
    succeeded(await start(config, { flags: ['-w', String(threads)], during }))
    return found
  },
})
