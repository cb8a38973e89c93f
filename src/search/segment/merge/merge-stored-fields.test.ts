import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { MemoryFiles } from '../../../storage/memory-files.ts'
import { minTrainedBytes, sampleOf, trainedEncoder } from '../records/trained-encoder.ts'
import { FileSections, writeSegmentFile } from '../segment-file.ts'
import type { SegmentReader } from '../segment-reader.ts'
import { StoredFieldsReader } from '../stored-fields.ts'
import { storedFieldsSections } from '../stored-fields-writer.ts'
import { documentOf, type SourceEntry, SourceShape } from '../writer/source-shape.ts'
import { dropped, type MergePart } from './merge-part.ts'
import { mergedStoredFields } from './merge-stored-fields.ts'

const bytes = (text: string) => new Uint8Array(Buffer.from(text))
const shape = () => new SourceShape(['{"name":"', ',"number":', '}'].map(bytes))
const random = (i: number) => createHash('sha256').update(String(i)).digest('hex')

/** Documents of a shape; some have no source, and some are too long for a record. */
function entriesFrom(first: number, count: number): SourceEntry[] {
  const own = shape()
  return Array.from({ length: count }, (_, i): SourceEntry => {
    const n = first + i
    if (n % 97 === 5) return { bytes: new Uint8Array(0), shape: undefined }
    if (n % 997 === 0) return { bytes: bytes(JSON.stringify(random(n).repeat(400))), shape: undefined }
    return { bytes: bytes(`connection ${random(n)} of the pool was lost"${n * 31},`), shape: own }
  })
}

/** A segment of these documents, as records or not; one without records is too small for them by itself. */
function part(entries: readonly SourceEntry[], hasRecords: boolean, isDropped?: (doc: number) => boolean) {
  const total = entries.reduce((sum, entry) => sum + entry.bytes.length, 0)
  const sample = sampleOf(entries.length, total, (place) => entries[place]!.bytes)
  const files = new MemoryFiles()
  const encoder = hasRecords ? trainedEncoder('test', sample) : undefined
  writeSegmentFile(
    files,
    'file',
    storedFieldsSections({ entry: (doc) => entries[doc]! }, entries.length, encoder),
  )
  const sections = new FileSections(files, 'file')
  const docMap = isDropped && Uint32Array.from(entries, (_, doc) => (isDropped(doc) ? dropped : 0))
  // Nothing else of a segment is asked for.
  const fresh = () => ({ sections, storedFields: new StoredFieldsReader(sections), docCount: entries.length })
  const merged: MergePart = {
    segment: { fresh } as unknown as SegmentReader,
    base: 0,
    docMap: docMap ?? null,
  }
  const kept = entries
    .filter((_, doc) => !isDropped?.(doc))
    .map((entry) => Buffer.from(documentOf(entry)).toString())
  return { merged, kept }
}

function merge(parts: readonly ReturnType<typeof part>[]) {
  const files = new MemoryFiles()
  writeSegmentFile(files, 'file', mergedStoredFields(parts.map(({ merged }) => merged)))
  const reader = new StoredFieldsReader(new FileSections(files, 'file'))
  const expected = parts.flatMap(({ kept }) => kept)
  expect(expected.findIndex((text, doc) => Buffer.from(reader.read(doc)).toString() !== text)).toBe(-1)
  expect(reader.lengths(0, Infinity).length).toBe(expected.length)
  return { reader, groups: new Set(Array.from({ length: reader.blockCount }, (_, i) => reader.groupOf(i))) }
}

describe('merged stored fields', () => {
  const third = (doc: number) => doc % 3 === 0 || (doc > 500 && doc < 1000)

  it('have the records of all parts, without those of deleted documents', () => {
    const { groups } = merge([
      part(entriesFrom(0, 3000), true),
      part(entriesFrom(3000, 3000), true, third),
      part(entriesFrom(6000, 100), true, () => true),
      part(entriesFrom(7000, 2000), true),
    ])
    // One dictionary fitted all of them.
    expect(groups).toEqual(new Set([-1, 0]))
  })

  it('keep small segments as they are beside records', () => {
    const { groups, reader } = merge([
      part(entriesFrom(0, 500), false),
      part(entriesFrom(500, 500), false, third),
      part(entriesFrom(2000, 2000), true),
    ])
    expect(groups).toEqual(new Set([-1, 0]))
    expect(reader.isRewritable(1)).toBe(true)
  })

  it('turn small segments to records once they are large enough together', () => {
    const each = entriesFrom(0, 3000)
    const size = each.reduce((sum, entry) => sum + entry.bytes.length, 0)
    const count = Math.ceil(minTrainedBytes / size) + 1
    const parts = Array.from({ length: count }, (_, i) =>
      part(entriesFrom(i * 3000, 3000), false, i === 1 ? third : undefined),
    )
    const { reader } = merge([...parts, part(entriesFrom(1e6, 2000), true)])
    const left = Array.from({ length: reader.blockCount }, (_, i) => i).filter((i) => reader.isRewritable(i))
    expect(left).toEqual([])
  })
})
