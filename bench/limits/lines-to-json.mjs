// The floor of "lines in, JSON lines out": read a chunk, cut it at its last line end, decode it once, and per line
// do nothing but escape the message between two constant pieces of text. No event object, no queue, no counters.
// A pure ASCII chunk is decoded and written as Latin-1, which is the cheapest way Node has.
import { isAscii } from 'node:buffer'
import { readSync, writeSync } from 'node:fs'

const CHUNK = 65_536
const FLUSH_AT = 262_144
// A line of CHUNK control characters, each written as \u00XX, still fits behind FLUSH_AT.
const OUTPUT = FLUSH_AT + CHUNK * 7

/** `constants` are the fields after the message, the same for every line. */
export function linesToJson(input, output, constants) {
  const tail = `,${JSON.stringify(constants).slice(1)}\n`
  const chunk = Buffer.allocUnsafe(CHUNK)
  const out = Buffer.allocUnsafe(OUTPUT)
  let kept = 0
  let used = 0
  for (;;) {
    const got = readSync(input, chunk, kept, CHUNK - kept, null)
    if (got === 0) break
    const filled = kept + got
    const end = chunk.lastIndexOf(10, filled - 1) + 1
    if (end === 0 && filled === CHUNK) throw new Error('a line is longer than the chunk')
    const whole = chunk.subarray(0, end)
    const ascii = isAscii(whole)
    const text = ascii ? whole.latin1Slice(0, end) : whole.utf8Slice(0, end)
    const head = `{"@timestamp":"${new Date().toISOString()}","@version":"1","message":`
    let start = 0
    for (let stop = text.indexOf('\n'); stop >= 0; stop = text.indexOf('\n', start)) {
      const json = head + JSON.stringify(text.slice(start, stop)) + tail
      used += ascii ? out.latin1Write(json, used) : out.utf8Write(json, used)
      if (used > FLUSH_AT) used = flush(output, out, used)
      start = stop + 1
    }
    chunk.copyWithin(0, end, filled)
    kept = filled - end
  }
  flush(output, out, used)
}

function flush(output, out, used) {
  for (let from = 0; from < used; ) from += writeSync(output, out, from, used - from)
  return 0
}
