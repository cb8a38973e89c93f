// Floor of the grok-null case: node apache-null.mjs INPUT
// Matched lines become event objects in batches that are handed on and forgotten; a line that does not match is a
// dot on standard output.
import { hostname } from 'node:os'
import { combined } from './apache-line.mjs'
import { dotWriter } from './dot-writer.mjs'
import { eachLine } from './each-line.mjs'

const BATCH = 125
const [input] = process.argv.slice(2)
const host = hostname()
const dots = dotWriter()
let batch = []

eachLine(input, (line) => {
  const found = combined.exec(line)
  if (found === null) return dots.add(1)
  batch.push({
    '@timestamp': 0,
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
  })
  if (batch.length === BATCH) batch = []
})
dots.flush()
