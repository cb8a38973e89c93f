// A pattern with a nested repetition, and every 10,000 lines one that makes it explode. The hostile line must leave
// within its time-out and half a second, tagged, and every other line must be parsed as ever. The floor is the
// time-out itself: what the user allows, so a ratio below 1 is an engine that gave up sooner or found the answer.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { HOSTILE_EVERY, hostileLine } from '../generate/apache-variants.mjs'
import { dataFile } from '../generate/data-file.mjs'
import { pointCase, succeeded } from '../point.mjs'
import { fileSource } from './file-source.mjs'

const EVENTS = 200_000
const TIMEOUT_MS = 200
const GRACE_MS = 500
const QUANTITY = 'ms per hostile line'

const config = (place) => `${fileSource(place)}filter {
  grok {
    match => { "message" => ["^(?<words>(?:\\w+\\s?)+)$", "%{COMBINEDAPACHELOG}"] }
    timeout_millis => ${TIMEOUT_MS}
  }
}
output { file { path => "${place.output}" codec => json_lines } }
`

/** Every hostile line tagged, every other one parsed; says how many there were of each, or throws. */
export function judge(text) {
  const counts = { hostile: 0, others: 0 }
  for (const line of text.split('\n').slice(0, -1)) {
    const { message, tags, agent } = JSON.parse(line)
    if (message !== hostileLine) {
      if (agent === undefined || tags !== undefined) throw new Error(`a harmless line suffered: ${line}`)
      counts.others++
      continue
    }
    // Who can finish in time finds that the line does not match, which is just as right.
    if (!(tags?.includes('_groktimeout') || tags?.includes('_grokparsefailure'))) {
      throw new Error(`a hostile line without a tag: ${line}`)
    }
    counts.hostile++
  }
  return counts
}

export default pointCase({
  id: 'redos',
  title: `a hostile line every ${HOSTILE_EVERY} lines, time-out ${TIMEOUT_MS} ms`,
  quantities: [QUANTITY],
  limit: async () => ({ [QUANTITY]: TIMEOUT_MS }),
  async product(start, { directory, events: asked = EVENTS }) {
    const events = Math.min(asked, EVENTS)
    const runs = {}
    for (const data of ['apache', 'apache-hostile']) {
      const place = { directory, input: dataFile(data, events), output: join(directory, data) }
      const { wallMs } = succeeded(await start(config(place)))
      runs[data] = { wallMs, ...judge(readFileSync(place.output, 'utf8')) }
    }
    const { apache, 'apache-hostile': attacked } = runs
    if (apache.others !== events || attacked.others + attacked.hostile !== events) {
      throw new Error(`lost lines: ${JSON.stringify(runs)}`)
    }
    if (attacked.hostile === 0) throw new Error(`no hostile line in ${events}`)
    const each = Math.max(0.001, (attacked.wallMs - apache.wallMs) / attacked.hostile)
    if (each > TIMEOUT_MS + GRACE_MS) throw new Error(`a hostile line took ${Math.round(each)} ms`)
    return { [QUANTITY]: each }
  },
})
