// Floor of the enrich case: node enrich.mjs INPUT
// One expression, the time, a city from a table by the first byte of the address, and browsers remembered by their
// text, as any cache would; a dot for each line.
import { hostname } from 'node:os'
import { cityOf } from '../generate/geo-database.mjs'
import { combined, combinedEvent, isoTime } from './apache-line.mjs'
import { dotWriter } from './dot-writer.mjs'
import { eachLine } from './each-line.mjs'

const BATCH = 125
const [input] = process.argv.slice(2)
const host = hostname()
const dots = dotWriter()
const cities = Array.from({ length: 256 }, (_, byte) => cityOf(byte))
const browsers = new Map()
let batch = []

const browserPattern = /(Chrome|Firefox|Safari|curl|Go-http-client|bot)\/?([\d.]*)/i

function browserOf(agent) {
  let browser = browsers.get(agent)
  if (browser === undefined) {
    const [, name = 'Other', version] = browserPattern.exec(agent) ?? []
    browser = { name, version }
    browsers.set(agent, browser)
  }
  return browser
}

eachLine(input, (line) => {
  const found = combined.exec(line)
  if (found === null) throw new Error(`not a combined line: ${line}`)
  const event = combinedEvent(line, found, isoTime(found[4]), host, input)
  event.geoip = { ip: found[1], ...cities[Number.parseInt(found[1], 10)] }
  event.useragent = { ...browserOf(found[11]) }
  batch.push(event)
  dots.add(1)
  if (batch.length === BATCH) batch = []
})
dots.flush()
