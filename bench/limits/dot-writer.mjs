// The floor of `stdout { codec => dots }`: dots are only counted, and written 64 KiB at a time.
import { writeSync } from 'node:fs'

const DOTS = Buffer.alloc(65_536, '.')

export function dotWriter() {
  let pending = 0
  const flush = () => {
    while (pending > 0) pending -= writeSync(1, DOTS, 0, Math.min(pending, DOTS.length))
  }
  return {
    add(count) {
      pending += count
      if (pending >= DOTS.length) flush()
    },
    flush,
  }
}
