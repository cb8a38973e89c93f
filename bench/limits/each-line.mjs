// The floor of reading a file line by line: 64 KiB chunks cut at their last line end. A pure ASCII chunk is decoded
// at once as Latin-1 and sliced; otherwise each line is decoded alone, so that one line that is not ASCII does not
// turn its neighbours into two-byte strings.
import { isAscii } from 'node:buffer'
import { openSync, readSync } from 'node:fs'

const CHUNK = 65_536

/** `take(line, ascii)` for every complete line; `ascii` is true when the line is known to be ASCII. */
export function eachLine(path, take) {
  const input = openSync(path)
  const chunk = Buffer.allocUnsafe(CHUNK)
  let kept = 0
  for (let got; (got = readSync(input, chunk, kept, CHUNK - kept, null)) > 0; ) {
    const filled = kept + got
    const end = chunk.lastIndexOf(10, filled - 1) + 1
    if (end === 0 && filled === CHUNK) throw new Error('a line is longer than the chunk')
    const whole = chunk.subarray(0, end)
    if (isAscii(whole)) sliceLines(whole.latin1Slice(0, end), take)
    else decodeLines(whole, take)
    chunk.copyWithin(0, end, filled)
    kept = filled - end
  }
}

function sliceLines(text, take) {
  let start = 0
  for (let stop = text.indexOf('\n'); stop >= 0; stop = text.indexOf('\n', start)) {
    take(text.slice(start, stop), true)
    start = stop + 1
  }
}

function decodeLines(bytes, take) {
  let start = 0
  for (let stop = bytes.indexOf(10); stop >= 0; stop = bytes.indexOf(10, start)) {
    take(bytes.utf8Slice(start, stop), false)
    start = stop + 1
  }
}
