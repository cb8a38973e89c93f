// Floor of the grok-null case: node apache-null.mjs INPUT
// Matched lines become event objects in batches that are handed on and forgotten; a line that does not match is a
// dot on standard output.
import { hostname } from 'node:os'
import { combined, combinedEvent } from './apache-line.mjs'
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
  batch.push(combinedEvent(line, found, 0, host, input))
  if (batch.length === BATCH) batch = []
})
dots.flush()
