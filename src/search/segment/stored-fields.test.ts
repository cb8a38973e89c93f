import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { MemoryFiles } from '../../storage/memory-files.ts'
import { decodedCache } from './decoded-cache.ts'
import { BuilderMemory } from './encoding/builder-memory.ts'
import { compress } from './encoding/compression.ts'
import { sampleOf, trainedEncoder } from './records/trained-encoder.ts'
import { CorruptSegment, FileSections, SectionStream, writeSegmentFile } from './segment-file.ts'
import { StoredFieldsReader } from './stored-fields.ts'
import { storedFieldsSections } from './stored-fields-writer.ts'
import { arenaSections, SourceArena } from './writer/source-arena.ts'
import { documentOf, type SourceEntry, SourceShape } from './writer/source-shape.ts'

const texts = Array.from({ length: 3000 }, (_, i) =>
  Buffer.from(JSON.stringify({ number: i, text: `text ${(i * 7919) % 3000}`, more: 'x'.repeat(i % 90) })),
)

function written(): MemoryFiles {
  const files = new MemoryFiles()
  writeSegmentFile(
    files,
    'file',
    storedFieldsSections({ entry: (doc) => ({ bytes: texts[doc]!, shape: undefined }) }, texts.length),
  )
  return files
}

it('reads back every source', () => {
  const reader = new StoredFieldsReader(new FileSections(written(), 'file'))
  expect(reader.blockCount).toBeGreaterThan(2)
  texts.forEach((text, doc) => {
    expect(Buffer.from(reader.read(doc))).toEqual(text)
  })
})

it('reads the same ahead, whatever is cached', () => {
  const sections = new FileSections(written(), 'file')
  for (const step of [1, 37, 400]) {
    const reader = new StoredFieldsReader(sections)
    const docs = Array.from({ length: Math.ceil(texts.length / step) }, (_, i) => i * step)
    reader.read(step)
    reader.readAhead(docs)
    reader.readAhead(docs)
    for (const doc of docs) expect(Buffer.from(reader.read(doc))).toEqual(texts[doc])
  }
})

it('reads documents in any order, whether a part of their block is cached or all of it', () => {
  const reader = new StoredFieldsReader(new FileSections(written(), 'file'))
  let doc = 17
  for (let i = 0; i < 4000; i++) {
    // Steps ahead and back, short and long, and the same document twice.
    doc = (doc + [0, 1, 3, 811, 2999, 2990, 5][i % 7]!) % texts.length
    if (i % 50 === 0) reader.readAhead([doc, doc + 1, doc + 2].filter((each) => each < texts.length))
    expect(texts[doc]!.equals(reader.read(doc))).toBe(true)
  }
})

it('reads brotli blocks, as segments of format 6 have them', () => {
  const blocks = [texts.slice(0, 1200), texts.slice(1200)].map((part) => compress(Buffer.concat(part)))
  const files = new MemoryFiles()
  writeSegmentFile(files, 'file', [
    ['source', new SectionStream(blocks)],
    ['source.stored', Float64Array.of(blocks[0]!.length, blocks[0]!.length + blocks[1]!.length)],
    ['source.crcs', Uint32Array.from(blocks, (block) => crc32(block))],
    ['source.docs', Uint32Array.of(1200, texts.length)],
    ['source.lengths', Uint32Array.from(texts, ({ length }) => length)],
  ])
  const reader = new StoredFieldsReader(new FileSections(files, 'file'))
  reader.readAhead([0, 1300])
  for (let doc = 0; doc < texts.length; doc += 11) expect(Buffer.from(reader.read(doc))).toEqual(texts[doc])
})

it('builds blocks from the arena across chunks and documents without a source', () => {
  const arena = new SourceArena(new BuilderMemory())
  const collected: Buffer[] = []
  const add = (text: Buffer) => {
    arena.place(text)
    arena.keep(text.length)
    collected.push(text)
  }
  const skip = () => {
    arena.skip()
    collected.push(Buffer.alloc(0))
  }
  skip()
  for (let round = 0; round < 12; round++) {
    for (const text of texts) {
      add(text)
      if (text.length % 50 === 0) skip()
    }
    // Longer than a block and than a chunk.
    add(Buffer.from(JSON.stringify('y'.repeat(round * 200_000))))
    // A text that was placed for a document that was then refused.
    arena.place(texts[round]!)
  }
  skip()
  const files = new MemoryFiles()
  writeSegmentFile(files, 'file', arenaSections(arena.texts()))
  const reader = new StoredFieldsReader(new FileSections(files, 'file'))
  expect(collected.findIndex((text, doc) => !text.equals(reader.read(doc)))).toBe(-1)
  expect(reader.lengths(0, Infinity).length).toBe(collected.length)
})

describe('documents stored with a shape', () => {
  const bytes = (text: string) => new Uint8Array(Buffer.from(text))
  const shapes = Array.from(
    { length: 40 },
    (_, i) => new SourceShape([`{"name${i}":"`, `,"number of ${i}":`, '}'].map(bytes)),
  )
  const entries = Array.from({ length: 9000 }, (_, i): SourceEntry => {
    if (i % 7 === 0) return { bytes: bytes(JSON.stringify({ whole: i })), shape: undefined }
    if (i % 101 === 0) return { bytes: new Uint8Array(0), shape: undefined }
    // Some shapes are rare, and none is in every block.
    const shape = shapes[i % 50 === 1 ? Math.floor(i / 300) : Math.floor(i / 2500)]
    return { bytes: bytes(`text ${i} ${'x'.repeat(i % 40)}"${i * 31},`), shape }
  })
  const texts = entries.map((entry) => Buffer.from(documentOf(entry)).toString())
  const files = new MemoryFiles()
  writeSegmentFile(files, 'file', storedFieldsSections({ entry: (doc) => entries[doc]! }, entries.length))

  it('are restored from every block', () => {
    const reader = new StoredFieldsReader(new FileSections(files, 'file'))
    expect(reader.blockCount).toBeGreaterThan(3)
    for (let doc = entries.length - 1; doc >= 0; doc -= 7)
      expect(Buffer.from(reader.read(doc)).toString()).toBe(texts[doc])
  })

  it('have interned shapes, so that a merge can copy them as values', () => {
    const reader = new StoredFieldsReader(new FileSections(files, 'file'))
    writeSegmentFile(files, 'again', storedFieldsSections(reader, entries.length))
    const again = new StoredFieldsReader(new FileSections(files, 'again'))
    expect(again.blockCount).toBe(reader.blockCount)
    expect(again.lengths(0, Infinity)).toEqual(reader.lengths(0, Infinity))
    for (let doc = 0; doc < entries.length; doc += 13)
      expect(Buffer.from(again.read(doc)).toString()).toBe(texts[doc])
    const seen = new Set(entries.map((_, doc) => reader.entry(doc).shape))
    expect(seen.size).toBe(new Set(entries.map(({ shape }) => shape)).size)
  })

  it('can be neighbours of texts that begin like a mark', () => {
    const odd = [0, 1, 2, 3, 9, 32].map((first) => new Uint8Array([first, 1, 2, 0]))
    const read = (doc: number): SourceEntry => ({ bytes: odd[doc]!, shape: undefined })
    writeSegmentFile(files, 'odd', storedFieldsSections({ entry: read }, odd.length))
    const reader = new StoredFieldsReader(new FileSections(files, 'odd'))
    odd.forEach((text, doc) => {
      expect(new Uint8Array(reader.read(doc))).toEqual(text)
    })
  })
})

describe('documents stored as records', () => {
  const bytes = (text: string) => new Uint8Array(Buffer.from(text))
  const shapes = Array.from(
    { length: 1100 },
    (_, i) => new SourceShape([`{"name${i}":"`, `","number of ${i}":`, '}'].map(bytes)),
  )
  const random = (i: number) => createHash('sha256').update(String(i)).digest('hex')
  const entries = Array.from({ length: 6000 }, (_, i): SourceEntry => {
    if (i % 101 === 0) return { bytes: new Uint8Array(0), shape: undefined }
    if (i % 7 === 0) return { bytes: bytes(JSON.stringify({ whole: random(i) })), shape: undefined }
    if (i % 997 === 0)
      return { bytes: bytes(JSON.stringify({ long: random(i).repeat(900) })), shape: undefined }
    if (i % 991 === 0)
      return { bytes: bytes(JSON.stringify({ odd: 'é\u0000ÿ'.repeat(i % 500) })), shape: undefined }
    // More shapes than a list has.
    const shape = shapes[i % 10 === 1 ? i % 1100 : i % 3]
    return {
      bytes: bytes(`connection ${random(i)} of the pool was lost"${i * 31},`),
      shape,
    }
  })
  const texts = entries.map((entry) => Buffer.from(documentOf(entry)).toString())
  const total = entries.reduce((sum, entry) => sum + entry.bytes.length, 0)
  const encoder = trainedEncoder(
    'test',
    sampleOf(entries.length, total, (place) => entries[place]!.bytes),
  )
  const files = new MemoryFiles()
  writeSegmentFile(
    files,
    'file',
    storedFieldsSections({ entry: (doc) => entries[doc]! }, entries.length, encoder),
  )
  const open = () => new StoredFieldsReader(new FileSections(files, 'file'))

  it('are read in any order', () => {
    const reader = open()
    const isWrong = (doc: number) => Buffer.from(reader.read(doc)).toString() !== texts[doc]
    expect(entries.findIndex((_, i) => isWrong((i * 7919) % entries.length))).toBe(-1)
    expect(entries.findIndex((_, doc) => isWrong(doc))).toBe(-1)
  })

  it('are the same as texts, whether they were read lately or not', () => {
    const reader = open()
    const isWrong = (doc: number) => reader.text(doc) !== texts[doc]
    // Alone, then twice in a row, then in windows that overlap as the pages of a search do.
    expect(entries.findIndex((_, i) => isWrong((i * 7919) % entries.length))).toBe(-1)
    expect(entries.findIndex((_, doc) => isWrong(doc) || isWrong(doc))).toBe(-1)
    const windows = entries.flatMap((_, i) => [i, i + 1, i + 2, (i + 3000) % entries.length, i + 512])
    expect(windows.find((doc) => doc < entries.length && isWrong(doc))).toBe(undefined)
  })

  it('are not taken for those of another segment', () => {
    const reversed = entries.toReversed()
    writeSegmentFile(
      files,
      'reversed',
      storedFieldsSections({ entry: (doc) => reversed[doc]! }, entries.length, encoder),
    )
    const [one, other] = [open(), new StoredFieldsReader(new FileSections(files, 'reversed'))]
    for (const doc of [1, 2, 3, 1, 2, 3, 513, 1]) {
      expect(one.text(doc)).toBe(texts[doc])
      expect(other.text(doc)).toBe(texts[entries.length - 1 - doc])
    }
  })

  it('are read from the file again when memory is short', () => {
    const reader = open()
    expect(reader.text(1)).toBe(texts[1])
    const before = decodedCache.bytes
    decodedCache.evict()
    expect(decodedCache.bytes).toBeLessThan(before)
    expect(reader.text(1)).toBe(texts[1])
    expect(decodedCache.bytes).toBe(before)
  })

  it('lie in blocks beside those of documents that are too long', () => {
    const reader = open()
    const groups = Array.from({ length: reader.blockCount }, (_, block) => reader.groupOf(block))
    expect(new Set(groups)).toEqual(new Set([-1, 0]))
    const rewritable = groups.filter((_, block) => reader.isRewritable(block))
    expect(rewritable).toEqual([])
  })

  it('stay as they are when another document is read', () => {
    const reader = open()
    const [one, other] = [reader.entry(1), reader.entry(2)]
    expect(Buffer.from(documentOf(one)).toString()).toBe(texts[1])
    expect(Buffer.from(documentOf(other)).toString()).toBe(texts[2])
    expect(reader.entry(4).shape).toBe(one.shape)
  })

  it('are refused with their block when it is damaged', () => {
    const damaged = new MemoryFiles()
    const changed = files.read('file').slice()
    changed[10]! ^= 1
    damaged.write('file', [changed])
    const reader = new StoredFieldsReader(new FileSections(damaged, 'file'))
    const second = reader.firstDoc(1)
    expect(() => reader.read(1)).toThrow(CorruptSegment)
    expect(() => reader.read(second - 1)).toThrow(CorruptSegment)
    expect(Buffer.from(reader.read(second + 1)).toString()).toBe(texts[second + 1])
    expect(() => reader.read(1)).toThrow(CorruptSegment)
  })
})

it('has no blocks for documents without a source', () => {
  const arena = new SourceArena(new BuilderMemory())
  arena.skip()
  const files = new MemoryFiles()
  writeSegmentFile(files, 'file', arenaSections(arena.texts()))
  const reader = new StoredFieldsReader(new FileSections(files, 'file'))
  expect(reader.blockCount).toBe(0)
  expect(reader.read(0).length).toBe(0)
})

it('refuses a damaged block, and reads the others', () => {
  const files = written()
  const bytes = files.read('file').slice()
  // The sources come first in the file.
  bytes[10]! ^= 1
  files.write('file', [bytes])
  const reader = new StoredFieldsReader(new FileSections(files, 'file'))
  const second = reader.firstDoc(1)
  expect(() => reader.read(0)).toThrow(CorruptSegment)
  expect(() => reader.read(second - 1)).toThrow(CorruptSegment)
  expect(Buffer.from(reader.read(second))).toEqual(texts[second])
})
