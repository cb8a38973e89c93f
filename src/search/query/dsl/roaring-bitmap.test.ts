/** Bitmaps serialized by the rules of the format, and one from OpenSearch's documentation. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { TestIndex } from '../test-index.ts'
import { readRoaringBitmap } from './roaring-bitmap.ts'

/** Array and bit containers, without runs. */
function written(numbers: readonly number[]): Buffer {
  const groups = new Map<number, number[]>()
  for (const number of numbers) {
    const key = Math.floor(number / 65_536)
    groups.set(key, [...(groups.get(key) ?? []), number % 65_536])
  }
  const u16 = (...values: number[]) => Buffer.from(Uint16Array.from(values).buffer)
  const u32 = (...values: number[]) => Buffer.from(Uint32Array.from(values).buffer)
  const entries = [...groups]
  return Buffer.concat([
    u32(12_346, entries.length),
    ...entries.map(([key, list]) => u16(key, list.length - 1)),
    u32(...entries.map(() => 0)),
    ...entries.map(([, list]) => {
      if (list.length <= 4096) return u16(...list)
      const bits = Buffer.alloc(8192)
      for (const value of list) bits[value >>> 3]! |= 1 << (value & 7)
      return bits
    }),
  ])
}

it('reads a serialized bitmap back', () => {
  const some = fc.uniqueArray(fc.integer({ min: 0, max: 300_000 }), { maxLength: 200 })
  fc.assert(
    fc.property(some, (list) => {
      const sorted = list.sort((a, b) => a - b)
      expect([...readRoaringBitmap(written(sorted))]).toEqual(sorted)
    }),
  )
  const many = Array.from({ length: 5000 }, (_, i) => i * 3)
  expect([...readRoaringBitmap(written(many))]).toEqual(many)
})

it('reads run containers', () => {
  const runs = Buffer.concat([
    Buffer.from([0x3b, 0x30, 0, 0, 1]),
    Buffer.from(Uint16Array.of(1, 4, 1, 10, 4).buffer),
  ])
  expect([...readRoaringBitmap(runs)]).toEqual([65_546, 65_547, 65_548, 65_549, 65_550])
})

it('refuses malformed bitmaps and never reads beyond their end', () => {
  expect(() => readRoaringBitmap(Buffer.from('nonsense'))).toThrow('Failed to deserialize the bitmap.')
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      const buffer = Buffer.concat([Buffer.from([0x3a, 0x30, 0, 0]), bytes])
      try {
        readRoaringBitmap(buffer)
      } catch (error) {
        expect((error as Error).message).toMatch(/bitmap/)
      }
    }),
  )
})

it('is accepted as a value of the terms query', () => {
  const index = new TestIndex({ properties: { id: { type: 'integer' }, name: { type: 'keyword' } } }).add(
    { id: 111 },
    { id: 222 },
    { id: 333 },
    { id: 444 },
  )
  const query = (field: string) => ({
    terms: { [field]: ['OjAAAAEAAAAAAAIAEAAAAG8A3gBNAQ=='], value_type: 'bitmap' },
  })
  expect(index.find(query('id'))).toEqual(['0', '1', '2'])
  expect(() => index.find(query('name'))).toThrow('does not support bitmap queries')
})
