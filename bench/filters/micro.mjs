// A single filter, in memory: events on standard input, 50 copies of the filter, no output but two events. Those end
// the warm-up and the measured part, and after each the pipeline is idle. The CPU time of all threads between the two,
// less that of the same without any copy, divided by copies and events, is the filter's cost: start, warm-up, stop
// and the event itself fall out. A printed event must equal what the plain JavaScript beside the configuration makes.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { canonicalLine } from '../digest.mjs'
import { pointCase, succeeded } from '../point.mjs'
import { runMicros } from '../process-tree.mjs'
import { COPIES, expectedEvent, messageOf } from './sample-event.mjs'

const EVENTS = 20_000
/** Events before the measured ones, in which the code gets compiled. */
const WARM_UP = 10_000
const BLOCK = 50
const MIN_US = 0.001
const limitProgram = join(import.meta.dirname, '..', 'limits', 'filters.mjs')
const run = promisify(execFile)

/**
 * `filters`: for each name `fields`, what the event has; `config(n)`, the n-th copy as configuration text;
 * `bare(n)`, the same as a JavaScript statement about `event`; and `known`, what else that statement names.
 */
export function microCase(group, title, filters) {
  const quantities = Object.keys(filters)
  return pointCase({
    id: `filters-${group}`,
    title,
    quantities,
    async limit({ events = EVENTS, timeLimitMs }) {
      const { stdout } = await run(process.execPath, [limitProgram, group, String(events)], {
        timeout: timeLimitMs,
      })
      return JSON.parse(stdout)
    },
    async product(start, { events = EVENTS }) {
      const values = {}
      const empty = new Map()
      for (const name of quantities) {
        const filter = filters[name]
        const message = messageOf(filter.fields)
        try {
          if (!empty.has(message)) {
            empty.set(message, await microsBetweenMarks(start, events, { ...filter, ...nothing }))
          }
          const used = await microsBetweenMarks(start, events, filter)
          values[name] = Math.max(MIN_US, (used - empty.get(message)) / (events * COPIES))
        } catch (error) {
          throw Object.assign(error, { message: `${name}: ${error.message}` })
        }
      }
      return values
    },
  })
}

const nothing = { config: () => '', bare: () => '' }

const pipeline = (config) => `input { stdin { } }
filter {
  json { source => "message" remove_field => ["message"] }
${Array.from({ length: COPIES }, (_, n) => `  ${config(n)}\n`).join('')}}
output { if [mark] { stdout { codec => json_lines } } }
`

async function microsBetweenMarks(start, events, filter) {
  const marked = { ...filter, fields: { ...filter.fields, mark: true } }
  let micros
  const during = async ({ pid, stdin, stdout, signal }) => {
    stdin.on('error', () => {}) // a process that ended is reported as such
    const lines = createInterface({ input: stdout })
    const pass = async (count) => {
      const printed = once(lines, 'line', { signal })
      await Promise.all([printed, feed(stdin, filter, marked, count, signal)])
      compare((await printed)[0], expectedEvent(marked))
      return runMicros(pid)
    }
    const warm = await pass(WARM_UP)
    micros = (await pass(events)) - warm
  }
  succeeded(await start(pipeline(filter.config), { stdin: 'pipe', stdout: 'pipe', during }))
  return micros
}

async function feed(stdin, filter, marked, count, signal) {
  const block = Buffer.from(`${messageOf(filter.fields)}\n`.repeat(BLOCK))
  for (let sent = 0; sent < count; sent += BLOCK) {
    if (!stdin.write(block)) await once(stdin, 'drain', { signal })
  }
  stdin.write(`${messageOf(marked.fields)}\n`)
}

function compare(line, event) {
  const [given, expected] = [line, JSON.stringify(event)].map((text) => canonicalLine(text, []))
  if (given !== expected) throw new Error(`wrong event: no speed (${given}, expected ${expected})`)
}
