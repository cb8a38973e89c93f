import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BitSet } from '../../segment/encoding/bit-set.ts'
import { DocSet } from './doc-set.ts'

const size = 700

/** Sets in every representation: intervals, arrays, bit sets. */
const members = fc.oneof(
  fc.tuple(fc.nat(size), fc.nat(size)).map(([a, b]) => {
    const from = Math.min(a, b)
    return Array.from({ length: Math.max(a, b) - from }, (_, i) => from + i)
  }),
  fc.uniqueArray(fc.nat(size - 1), { maxLength: 8 }).map((list) => list.sort((a, b) => a - b)),
  fc
    .uniqueArray(fc.nat(size - 1), { minLength: 60, maxLength: 300 })
    .map((list) => list.sort((a, b) => a - b)),
  fc.constant([]),
  fc.constant(Array.from({ length: size }, (_, i) => i)),
)

const make = (list: readonly number[], asBits: boolean): DocSet =>
  asBits ? DocSet.ofBits(BitSet.of(size, list)) : DocSet.ofSorted(size, Uint32Array.from(list))

describe('DocSet', () => {
  it('gives the same members as interval, array and bit set', () => {
    const sets = fc.tuple(members, fc.boolean())
    fc.assert(
      fc.property(sets, sets, sets, ([a, aBits], [b, bBits], [c, cBits]) => {
        const one = make(a, aBits)
        const other = make(b, bBits)
        const third = make(c, cBits)
        const inB = new Set(b)
        expect([...one.array()]).toEqual(a)
        expect([...one.bits().toArray()]).toEqual(a)
        expect(one.count).toBe(a.length)
        expect([...one.and(other).array()]).toEqual(a.filter((doc) => inB.has(doc)))
        expect([...one.andNot(other).array()]).toEqual(a.filter((doc) => !inB.has(doc)))
        expect([...other.filter(Uint32Array.from(a))]).toEqual(a.filter((doc) => inB.has(doc)))
        const all = [...new Set([...a, ...b, ...c])].sort((x, y) => x - y)
        expect([...DocSet.union(size, [one, other, third]).array()]).toEqual(all)
        const inA = new Set(a)
        for (const doc of [0, 1, 31, 32, 350, size - 1]) expect(one.has(doc)).toBe(inA.has(doc))
        expect(one.complement().count).toBe(size - a.length)
        // Operands are unchanged.
        expect([...one.array()]).toEqual(a)
        expect([...other.array()]).toEqual(b)
      }),
      { numRuns: 300 },
    )
  })
})
