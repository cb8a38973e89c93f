import { expect, it } from 'vitest'
import { MemoryFiles } from '../../storage/memory-files.ts'
import { BadSegment, FileSections, writeSegmentFile } from './segment-file.ts'
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
