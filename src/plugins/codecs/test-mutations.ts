/** Inputs for fuzz tests: random bytes and samples with changed, cut, doubled and swapped bytes, all from one seed. */
export function* mutations(samples: readonly Buffer[], count: number, seed = 1): Generator<Buffer> {
  let state = seed >>> 0 || 1
  const next = (bound: number): number => {
    state ^= state << 13
    state >>>= 0
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state % bound
  }
  for (let i = 0; i < count; i++) {
    const sample = samples[next(samples.length)]!
    if (i % 5 === 0) {
      yield Buffer.from(Array.from({ length: next(80) }, () => next(256)))
      continue
    }
    let bytes = Buffer.from(sample)
    for (let changes = 1 + next(4); changes > 0 && bytes.length > 0; changes--) {
      const at = next(bytes.length)
      switch (next(5)) {
        case 0:
          bytes = bytes.subarray(0, at)
          break
        case 1:
          bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(Math.max(0, at - next(9)))])
          break
        case 2:
          bytes[at] = [0, 0x7f, 0x80, 0xff][next(4)]!
          break
        case 3:
          bytes[at] = sample[next(sample.length)]!
          break
        default:
          bytes[at] = next(256)
      }
    }
    yield bytes
  }
}
