// Floor of the parity case, file to file: node apache-parity.mjs INPUT OUTPUT
// Fluent Bit's own expression for Apache lines, eight fields, nothing else; the time is read and thrown away, as
// there.
import { isoTime } from './apache-line.mjs'
import { eachLine } from './each-line.mjs'
import { lineWriter } from './line-writer.mjs'

const pattern =
  /^([^ ]*) [^ ]* ([^ ]*) \[([^\]]*)\] "(\S+)(?: +([^ ]*) +\S*)?" ([^ ]*) ([^ ]*)(?: "([^"]*)" "(.*)")?$/
const [input, output] = process.argv.slice(2)
const writer = lineWriter(output)

eachLine(input, (line, ascii) => {
  const found = pattern.exec(line)
  if (found === null || isoTime(found[3]) === undefined) throw new Error(`not an access line: ${line}`)
  const event = {
    host: found[1],
    user: found[2],
    method: found[4],
    path: found[5],
    code: found[6],
    size: found[7],
    referer: found[8],
    agent: found[9],
  }
  writer.add(JSON.stringify(event), ascii)
})
writer.flush()
