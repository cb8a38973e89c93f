// Access lines with something wrong or foreign about them: text that is not ASCII in every n-th line, lines that were
// cut off, and, every 10,000 lines, one made to keep a backtracking expression busy for ever.
import * as apache from './apache.mjs'
import { seeded } from './random.mjs'

export const HOSTILE_EVERY = 10_000
/** Begins like the word list that a nested repetition wants, and then is none. */
export const hostileLine = `${'a'.repeat(60)}!`

const names = ['größe', 'Łódź', '東京', 'Ελένη', 'смотреть', 'naïve😀']

/** Every `every`-th line has such text in its path and in its browser; 1 means every line. */
export function notAscii(every) {
  return {
    version: 1,
    *lines(count, seed) {
      let index = 0
      for (const line of apache.lines(count, seed)) {
        const name = names[Math.floor(index / every) % names.length]
        const chosen = index++ % every === every >> 1
        yield chosen ? `${line.slice(0, -1).replace(' HTTP/', `/${name} HTTP/`)} ${name}"` : line
      }
    },
  }
}

/** Cut somewhere behind the address; the last quote is always missing, so none of them is a combined line. */
export const truncated = {
  version: 1,
  *lines(count, seed) {
    const random = seeded(seed + 1)
    for (const line of apache.lines(count, seed)) yield line.slice(0, 16 + random.below(line.length - 16))
  },
}

export const hostile = {
  version: 1,
  *lines(count, seed) {
    let index = 0
    for (const line of apache.lines(count, seed)) {
      yield index++ % HOSTILE_EVERY === HOSTILE_EVERY >> 1 ? hostileLine : line
    }
  },
}
