import { expect, it } from 'vitest'
import { MemoryFiles } from '../../storage/memory-files.ts'
import { BadSegment, FileSections, writeSegmentFile } from './segment-file.ts'
import { arenaSections, SourceArena } from './source-arena.ts'
import { SourceReader, sourceSections } from './source-blocks.ts'

const texts = Array.from({ length: 3000 }, (_, i) =>
  Buffer.from(JSON.stringify({ number: i, text: `text ${(i * 7919) % 3000}`, more: 'x'.repeat(i % 90) })),
)

function written(): MemoryFiles {
  const files = new MemoryFiles()
  writeSegmentFile(files, 'file', sourceSections({ read: (doc) => texts[doc]! }, texts.length))
  return files
}

it('gives every text back', () => {
  const reader = new SourceReader(new FileSections(written(), 'file'))
  expect(reader.blockCount).toBeGreaterThan(2)
  texts.forEach((text, doc) => {
    expect(Buffer.from(reader.read(doc))).toEqual(text)
  })
})

it('makes blocks of collected texts where they lie, over the ends of chunks and documents without a text', () => {
  const arena = new SourceArena()
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
    // More than a block, and more than a chunk.
    add(Buffer.from(JSON.stringify('y'.repeat(round * 200_000))))
    // A text that was placed for a document that was then refused.
    arena.place(texts[round]!)
  }
  skip()
  const files = new MemoryFiles()
  writeSegmentFile(files, 'file', arenaSections(arena.texts()))
  const reader = new SourceReader(new FileSections(files, 'file'))
  expect(collected.findIndex((text, doc) => !text.equals(reader.read(doc)))).toBe(-1)
  expect(reader.lengths(0, Infinity).length).toBe(collected.length)
})

it('has no blocks of documents without a text', () => {
  const arena = new SourceArena()
  arena.skip()
  const files = new MemoryFiles()
  writeSegmentFile(files, 'file', arenaSections(arena.texts()))
  const reader = new SourceReader(new FileSections(files, 'file'))
  expect(reader.blockCount).toBe(0)
  expect(reader.read(0).length).toBe(0)
})

it('gives no text of a block that is damaged, and those of the others', () => {
  const files = written()
  const bytes = files.read('file').slice()
  // Texts come first in the file.
  bytes[10]! ^= 1
  files.write('file', [bytes])
  const reader = new SourceReader(new FileSections(files, 'file'))
  const second = reader.firstDoc(1)
  expect(() => reader.read(0)).toThrow(BadSegment)
  expect(() => reader.read(second - 1)).toThrow(BadSegment)
  expect(Buffer.from(reader.read(second))).toEqual(texts[second])
})
