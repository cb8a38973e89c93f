// A small seeded source of numbers (mulberry32), so that every machine generates the same bytes.
export function seeded(seed) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    chance: (share) => next() < share,
    below: (limit) => Math.floor(next() * limit),
    pick: (list) => list[Math.floor(next() * list.length)],
    hex: (digits) => {
      let text = ''
      while (text.length < digits) text += Math.floor(next() * 16).toString(16)
      return text
    },
  }
}
