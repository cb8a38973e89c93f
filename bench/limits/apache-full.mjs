// Floor of the apache-full cases, file to file: node apache-full.mjs INPUT OUTPUT
// Per line: one expression, the time, one object literal, JSON.stringify. A field that is not there is undefined,
// which JSON.stringify leaves out.
import { hostname } from 'node:os'
import { combined, isoTime } from './apache-line.mjs'
import { eachLine } from './each-line.mjs'
import { lineWriter } from './line-writer.mjs'

const [input, output] = process.argv.slice(2)
const host = hostname()
const writer = lineWriter(output)

eachLine(input, (line, ascii) => {
  const found = combined.exec(line)
  if (found === null) throw new Error(`not a combined line: ${line}`)
  const response = Number(found[8])
  const event = {
    '@timestamp': isoTime(found[4]),
    '@version': '1',
    message: line,
    host,
    path: input,
    clientip: found[1],
    ident: found[2],
    auth: found[3],
    verb: found[5],
    request: found[6],
    httpversion: found[7],
    response,
    bytes: found[9] === undefined ? undefined : Number(found[9]),
    referrer: found[10],
    agent: found[11],
    tags: response >= 500 ? ['error'] : undefined,
  }
  writer.add(JSON.stringify(event), ascii)
})
writer.flush()
