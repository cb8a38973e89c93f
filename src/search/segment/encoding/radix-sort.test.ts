import { expect, it } from 'vitest'
import { sortPermutation } from './radix-sort.ts'

const spread = (i: number) => Math.imul(i, 0x9e37_79b1)
const lengths = [2, 1024, 1025, 32_767, 32_768, 40_000]
const kinds = {
  'of both signs': (i: number) => spread(i) / 1000,
  'mostly alike': (i: number) => spread(i) % 3,
  'with zeros of both signs': (i: number) => [0, -0, 1e-300, -1e-300][(spread(i) >>> 8) % 4]!,
  'with the largest there are': (i: number) =>
    [Infinity, -Infinity, Number.MAX_VALUE, spread(i)][(spread(i) >>> 8) % 4]!,
}
const cases = Object.entries(kinds).flatMap(([name, numberAt]) =>
  lengths.map((length) => [length, name, numberAt] as const),
)

function expected(values: Float64Array | Float32Array): number[] {
  const compare = (one: number, other: number) =>
    values[one] === values[other] ? one - other : values[one]! < values[other]! ? -1 : 1
  return Array.from(values, (_, i) => i).sort(compare)
}

it.each(cases)('sorts %i numbers %s stably', (length, _, numberAt) => {
  for (const values of [
    Float64Array.from({ length }, (_, i) => numberAt(i)),
    Float32Array.from({ length }, (_, i) => numberAt(i)),
  ]) {
    const order = sortPermutation(values)
    expect(order === null ? Array.from(values, (_, i) => i) : [...order]).toEqual(expected(values))
  }
})

it('returns null for sorted input', () => {
  expect(sortPermutation(Float64Array.of(-1, -0, 0, 0, 7))).toBeNull()
})
