// The floor of writing lines: each text goes straight into one buffer, and 256 KiB of it to the file at a time.
import { openSync, writeSync } from 'node:fs'

const FLUSH_AT = 262_144
// A line of 64 KiB of control characters, each written as \u00XX, still fits behind FLUSH_AT.
const SIZE = FLUSH_AT + 65_536 * 7

export function lineWriter(path) {
  const file = openSync(path, 'w')
  const out = Buffer.allocUnsafe(SIZE)
  let used = 0
  const flush = () => {
    for (let from = 0; from < used; ) from += writeSync(file, out, from, used - from)
    used = 0
  }
  return {
    /** `ascii` promises that the text is ASCII, which is cheaper to write. */
    add(text, ascii) {
      used += ascii ? out.latin1Write(text, used) : out.utf8Write(text, used)
      out[used++] = 10
      if (used > FLUSH_AT) flush()
    },
    flush,
  }
}
