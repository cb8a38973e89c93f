// Lines of words, numbers and punctuation, about 110 bytes, ASCII, that look like no log format at all.
import { seeded } from './random.mjs'

export const version = 1

const pieces = [
  'lorem',
  'ipsum',
  '(dolor)',
  'sit=amet',
  '42',
  '3.14',
  '--',
  '<x>',
  '[y]',
  "it's",
  'a/b',
  '"q"',
]

export function* lines(count, seed) {
  const random = seeded(seed)
  for (let index = 0; index < count; index++) {
    let line = random.hex(8)
    for (let words = 6 + random.below(25); words > 0; words--) line += ` ${random.pick(pieces)}`
    yield line
  }
}
