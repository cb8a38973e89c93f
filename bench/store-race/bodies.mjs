// The documents as bodies of bulk requests, in memory before the clock starts.
import { readFileSync } from 'node:fs'
import { dataFile } from '../generate/data-file.mjs'

const PER_BODY = 1000

export function documentLines(events) {
  const lines = readFileSync(dataFile('store-logs', events), 'utf8').split('\n')
  lines.pop()
  return lines
}

/** The index is named by the path, the id is left to the subject, as shippers of logs do. */
export function bulkBodies(lines) {
  const bodies = []
  for (let at = 0; at < lines.length; at += PER_BODY) {
    const part = lines.slice(at, at + PER_BODY)
    bodies.push({
      documents: part.length,
      bytes: Buffer.from(`{"index":{}}\n${part.join('\n{"index":{}}\n')}\n`),
    })
  }
  return bodies
}
