import { expect, test } from 'vitest'
import { DecodedCache } from '../decoded-cache.ts'
import type { TextList } from '../encoding/sections.ts'
import { TermDictionary } from './term-dictionary.ts'

const listOf = (terms: readonly string[]): TextList => {
  const bytes = Buffer.from(terms.join(''))
  let end = 0
  return { bytes, ends: Uint32Array.from(terms, (term) => (end += Buffer.byteLength(term))) }
}

function dictionary(terms: readonly string[], blockSizes: readonly number[], memory: DecodedCache | null) {
  const starts = [0]
  for (const size of blockSizes) starts.push(Math.min(terms.length, starts.at(-1)! + size))
  const read: number[] = []
  const block = (number: number) => {
    read.push(number)
    return listOf(terms.slice(starts[number], starts[number + 1]))
  }
  return { terms: new TermDictionary({ starts: Uint32Array.from(starts), block }, memory), read }
}

const inByteOrder = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
const all = ['', 'a', 'aa', 'ab', 'b', 'ba', 'é', 'éa', 'ﬀ', '\u{1f600}', '\u{1f600}z'].sort(inByteOrder)
const asked = [...all, 'A', 'ac', 'az', 'bb', 'z', 'ê', '\ufffd', '\u{1f601}', '\u{10ffff}']

test.each([[[11]], [[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]], [[2, 3, 1, 5]], [[10, 1]], [[1, 10]]])(
  'finds terms as a search in the whole list does, in blocks of %j',
  (sizes) => {
    for (const memory of [null, new DecodedCache(8)]) {
      const { terms } = dictionary(all, sizes, memory)
      expect(terms.size).toBe(all.length)
      expect(all.map((_, ordinal) => terms.term(ordinal))).toEqual(all)
      for (const term of asked) {
        const place = all.findIndex((other) => inByteOrder(other, term) >= 0)
        expect(terms.lowerBound(term), JSON.stringify(term)).toBe(place === -1 ? all.length : place)
        expect(terms.find(term), JSON.stringify(term)).toBe(all.indexOf(term))
      }
    }
  },
)

test('has no terms without blocks', () => {
  const { terms } = dictionary([], [], null)
  expect([terms.size, terms.find('a'), terms.lowerBound('a')]).toEqual([0, -1, 0])
})

test('reads a few blocks for a term, and first terms only once', () => {
  const many = Array.from({ length: 64_000 }, (_, i) => `term ${String(i).padStart(6, '0')}`)
  const sizes = Array.from({ length: 64 }, () => 1000)
  const { terms, read } = dictionary(many, sizes, new DecodedCache(20_000))
  expect(terms.find('term 012345')).toBe(12_345)
  expect(read.length).toBeLessThanOrEqual(8)
  read.length = 0
  for (let i = 0; i < 1000; i++) expect(terms.find(many[12_000 + i]!)).toBe(12_000 + i)
  expect(read.length).toBeLessThanOrEqual(8)
})
