import { expect, it } from 'vitest'
import { OffsetMap } from './offset-map.ts'

/** As Lucene corrects offsets: characters in their order, surplus ones stand where the last of the replaced text stood. */
function naive(pieces: readonly (readonly [before: number, after: number])[]): number[] {
  const origins: number[] = []
  let at = 0
  for (const [before, after] of pieces) {
    for (let i = 0; i < after; i++) origins.push(Math.min(at + i, at + before - 1))
    at += before
  }
  return [...origins, at]
}

it('gives each character of the filtered text the place it came from, for any lengths and numbers of pieces', () => {
  let state = 3
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const map = new OffsetMap()
  for (const count of [0, 1, 2, 17, 100, 30_000, 5]) {
    map.clear()
    const pieces = Array.from({ length: count }, () => [1 + random(4), random(6)] as const)
    let place = 0
    for (const [before, after] of pieces) {
      if (before !== after) map.replaced(place, before, after)
      place += after
    }
    const expected = naive(pieces)
    const wrong = expected.findIndex((origin, offset) => map.original(offset) !== origin)
    expect(wrong, `piece ${wrong} of ${count}`).toBe(-1)
  }
})
