// Floor of the enrich case: node enrich.mjs INPUT
// One expression, the time, a city from a table by the first byte of the address, and browsers remembered by their
// text, as any cache would; a dot for each line.
import { hostname } from 'node:os'
import { cityOf } from '../generate/geo-database.mjs'
import { combined, isoTime } from './apache-line.mjs'
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
  batch.push({
    '@timestamp': isoTime(found[4]),
    '@version': '1',
    message: line,
    host,
    path: input,
    clientip: found[1],
    ident: found[2],
    auth: found[3],
    timestamp: found[4],
    verb: found[5],
    request: found[6],
    httpversion: found[7],
    response: found[8],
    bytes: found[9],
    referrer: found[10],
    agent: found[11],
    geoip: { ip: found[1], ...cities[Number.parseInt(found[1], 10)] },
    useragent: { ...browserOf(found[11]) },
  })
  dots.add(1)
  if (batch.length === BATCH) batch = []
})
dots.flush()
