import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BitSet } from './bit-set.ts'

const members = fc.tuple(fc.integer({ min: 1, max: 2000 }), fc.array(fc.nat(1999), { maxLength: 200 }))
const sets = members.map(([size, list]) => ({
  size,
  list: [...new Set(list.filter((member) => member < size))].sort((a, b) => a - b),
}))

describe('a bit set', () => {
  it('counts, ranks and selects like a sorted list', () => {
    fc.assert(
      fc.property(sets, fc.nat(2100), ({ size, list }, place) => {
        const set = BitSet.of(size, list)
        expect([...set.toArray()]).toEqual(list)
        expect(set.count).toBe(list.length)
        expect(set.rank(place)).toBe(list.filter((member) => member < place).length)
        expect(set.select(place % (list.length + 1))).toBe(list[place % (list.length + 1)] ?? -1)
        expect(set.next(place)).toBe(list.find((member) => member >= place) ?? -1)
        expect(set.previous(place)).toBe(list.findLast((member) => member <= place) ?? -1)
      }),
    )
  })

  it('has the set operations of sorted lists', () => {
    fc.assert(
      fc.property(sets, fc.array(fc.nat(1999)), ({ size, list }, more) => {
        const other = [...new Set(more.filter((member) => member < size))].sort((a, b) => a - b)
        const left = () => BitSet.of(size, list)
        const right = BitSet.of(size, other)
        expect([...left().and(right).toArray()]).toEqual(list.filter((member) => other.includes(member)))
        expect([...left().andNot(right).toArray()]).toEqual(list.filter((member) => !other.includes(member)))
        expect(left().or(right).count).toBe(new Set([...list, ...other]).size)
        expect(left().not().count).toBe(size - list.length)
      }),
    )
  })

  it('adds ranges, also within one word', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.nat(300), fc.nat(300), (size, a, b) => {
        const from = Math.min(a, b, size)
        const to = Math.min(Math.max(a, b), size)
        const set = new BitSet(size)
        set.addRange(from, to)
        expect([...set.toArray()]).toEqual(Array.from({ length: to - from }, (_, i) => from + i))
      }),
    )
  })

  it('starts full when asked to', () => {
    expect(BitSet.full(70).count).toBe(70)
    expect(BitSet.full(64).next(63)).toBe(63)
  })
})
