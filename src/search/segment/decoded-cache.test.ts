import { describe, expect, test } from 'vitest'
import { MemoryFiles } from '../../storage/memory-files.ts'
import { DecodedCache } from './decoded-cache.ts'
import type { Section, Sections } from './encoding/sections.ts'
import type { FieldInfo } from './field-info.ts'
import { FieldReader } from './field-reader.ts'
import { PostingsCache } from './postings/postings-cache.ts'
import { FileSections, writeSegmentFile } from './segment-file.ts'
import { memorySections, SegmentReader } from './segment-reader.ts'
import { SegmentBuilder } from './writer/segment-builder.ts'

describe('the decoded cache', () => {
  test('evicts the least recently used entry', () => {
    const memory = new DecodedCache(1000)
    const [first, second] = [memory.hold({ name: 'first' }, 400), memory.hold({ name: 'second' }, 400)]
    expect(first.value).toEqual({ name: 'first' })
    const third = memory.hold({ name: 'third' }, 400)
    expect(second.value).toBe(undefined)
    expect(first.value).toEqual({ name: 'first' })
    expect(third.value).toEqual({ name: 'third' })
    expect(memory.bytes).toBe(800)
  })

  test('keeps the newest entry even when it exceeds the limit', () => {
    const memory = new DecodedCache(1000)
    const small = memory.hold({}, 10)
    const large = memory.hold({}, 5000)
    expect(small.value).toBe(undefined)
    expect(large.value).toEqual({})
    memory.hold({}, 10)
    expect(large.value).toBe(undefined)
    expect(memory.bytes).toBe(10)
  })

  test('counts bytes that are added later, and nothing that was evicted', () => {
    const memory = new DecodedCache(1000)
    const first = memory.hold({}, 100)
    const second = memory.hold({}, 100)
    memory.grow(first, 900)
    expect(second.value).toBe(undefined)
    memory.grow(second, 900)
    expect(memory.bytes).toBe(1000)
  })
})

const postings = (count: number) => ({
  docs: Uint32Array.from({ length: count }, (_, i) => i),
  freqs: null,
  positions: null,
})

describe('cached postings', () => {
  test('count long lists in the decoded cache', () => {
    const memory = new DecodedCache(250_000)
    const kept = new PostingsCache(memory)
    const first = kept.keep(0, postings(5000))
    expect(kept.get(0)).toBe(first)
    const second = kept.keep(1, postings(60_000))
    expect(kept.get(1)).toBe(second)
    expect(kept.get(0)).toBe(undefined)
    expect(memory.bytes).toBeLessThanOrEqual(250_000)
  })

  test('count positions once somebody reads them', () => {
    const memory = new DecodedCache(1_000_000)
    const kept = new PostingsCache(memory)
    const [starts, values] = [new Uint32Array(5001), new Uint32Array(7000)]
    const list = kept.keep(0, { ...postings(5000), positions: { starts, values } })
    const before = memory.bytes
    expect(before).toBeLessThan(25_000)
    expect(list.positions!.values).toBe(values)
    expect(kept.get(0)!.positions!.starts).toBe(starts)
    expect(memory.bytes - before).toBe(4 * (5001 + 7000))
  })

  test('have a limit of their own for short lists, in LRU order', () => {
    const memory = new DecodedCache(1_000_000)
    const kept = new PostingsCache(memory)
    const first = kept.keep(0, postings(3))
    for (let ordinal = 1; ordinal < 10_000; ordinal++) {
      kept.keep(ordinal, postings(3))
      expect(kept.get(0)).toBe(first)
    }
    expect(kept.get(1)).toBe(undefined)
    expect(memory.bytes).toBe(0)
  })

  test('evict each other in a field without a cache', () => {
    const kept = new PostingsCache()
    const lists = [0, 1, 2].map((ordinal) => kept.keep(ordinal, postings(2_400_000)))
    expect(kept.get(0)).toBe(undefined)
    expect(kept.get(2)).toBe(lists[2])
  })
})

test('decodes a column again after its eviction', () => {
  let reads = 0
  const sections: Sections = {
    bytes: 0,
    has: (name) => name === 'f0.numbers' || name === 'f1.numbers',
    read(): Section {
      reads += 1
      return Float64Array.of(3, 1, 2)
    },
    readOrdinals: () => new Uint8Array(0),
    readRange: () => new Uint8Array(0),
    blocks: () => () => undefined,
    textBlocks: () => () => undefined,
    randomBytes: () => ({ starts: Uint32Array.of(0), block: () => new Uint8Array(0) }),
    randomTexts: () => ({
      starts: Uint32Array.of(0),
      block: () => ({ bytes: new Uint8Array(0), ends: new Uint32Array(0) }),
    }),
    countOf: () => 3,
    identity: (name) => name,
    close() {},
  }
  const entry = { name: 'n', docCount: 3, sumDocFreq: 0, sumTotalFreq: 0 } as FieldInfo
  const memory = new DecodedCache(40)
  const [one, other] = [0, 1].map((i) => new FieldReader(entry, `f${i}`, sections, 3, memory))
  const column = one!.numbers
  expect(one!.numbers).toBe(column)
  expect(reads).toBe(1)
  expect([...other!.numbers!.values]).toEqual([3, 1, 2])
  expect([...one!.numbers!.values]).toEqual([3, 1, 2])
  expect(reads).toBe(3)
  expect([...column!.values]).toEqual([3, 1, 2])
  expect(one!.points).toBe(null)
})

test('counts a transposed column from when it is made', () => {
  const docs = 50_000
  const builder = new SegmentBuilder('_0')
  for (let doc = 0; doc < docs; doc++)
    builder.add({
      id: String(doc),
      routing: undefined,
      source: new Uint8Array(0),
      seqNo: doc,
      version: 1,
      primaryTerm: 1,
      fields: new Map([
        ['k', { spec: { index: 'docs', norms: false, ordinals: true }, terms: [`k${doc % 100}`] }],
      ]),
      nested: [],
    })
  const files = new MemoryFiles()
  writeSegmentFile(files, 'file', memorySections(builder.build()))
  const segment = new SegmentReader('_0', new FileSections(files, 'file'))
  const memory = new DecodedCache()
  const field = new FieldReader(segment.table.fields[0]!, 'f0', segment.sections, docs, memory)
  const terms = field.terms!
  expect(terms.size).toBe(100)
  // A byte a document for the ordinals, none yet for documents by term.
  expect(field.ordinals!.values.byteLength).toBe(docs)
  expect(memory.bytes).toBeGreaterThanOrEqual(docs)
  expect(memory.bytes).toBeLessThan(2 * docs)
  expect(terms.postings(7).docs.length).toBe(docs / 100)
  expect(memory.bytes).toBeGreaterThanOrEqual(5 * docs)
})
