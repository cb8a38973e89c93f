/**
 * Segments of documents indexed from bytes, on disk and merged: the result must equal an index of the live
 * documents.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { MemoryFiles } from '../../storage/memory-files.ts'
import { BitSet } from '../segment/encoding/bit-set.ts'
import { mergedSections } from '../segment/merge/merge.ts'
import { FileSections, writeSegmentFile } from '../segment/segment-file.ts'
import { memorySections, SegmentReader } from '../segment/segment-reader.ts'
import { SegmentBuilder } from '../segment/writer/segment-builder.ts'
import { bytePlan } from './documents/byte-plan.ts'
import { PlanReader } from './documents/byte-reader.ts'
import { parseDocument } from './documents/document-parser.ts'
import { Mapping } from './mapping.ts'
import { contentOf } from './test-content.ts'

const textAndKeyword = { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 256 } } }
const mapping = Mapping.create({
  properties: {
    few: textAndKeyword,
    many: textAndKeyword,
    token: textAndKeyword,
    only: { type: 'text' },
    k: { type: 'keyword' },
    n: { type: 'double' },
    l: { type: 'long' },
    ip: { type: 'ip' },
  },
})
const reader = new PlanReader(bytePlan(mapping)!)

const words = fc
  .array(fc.constantFrom('a', 'b', 'cc', 'é', 'error', 'x1'), { maxLength: 4 })
  .map((all) => all.join(' '))
const document = fc.record(
  {
    few: fc.constantFrom('a b a', 'b', 'cc é', ''),
    many: fc.oneof(words, fc.array(words, { maxLength: 3 })),
    // Most values are single tokens.
    token: fc.oneof({ weight: 60, arbitrary: fc.constantFrom('a1', 'b.c', 'x_y', '10.0.0.1', 'q') }, words),
    only: fc.constantFrom('error a', 'a', 'cc'),
    k: fc.oneof(fc.constantFrom('x', 'y'), fc.array(fc.constantFrom('x', 'y', 'z'), { maxLength: 3 })),
    n: fc.oneof(
      fc.double({ min: -1e30, max: 1e30, noNaN: true }),
      fc.nat(1000).map((n) => n / 100),
    ),
    l: fc.integer(),
    ip: fc.constantFrom('10.0.0.1', '192.168.7.255'),
    isDeleted: fc.boolean(),
  },
  { requiredKeys: ['isDeleted'] },
)

/** Documents that `isParsed` selects go through the parser. */
function build(documents: readonly { readonly isDeleted?: boolean }[], isParsed = (_doc: number) => false) {
  const builder = new SegmentBuilder('s')
  documents.forEach(({ isDeleted: _, ...fields }, seqNo) => {
    // A double that prints with an exponent is supported, too.
    const source = Buffer.from(JSON.stringify(fields))
    const head = {
      id: `id${seqNo}`,
      routing: seqNo % 3 === 0 ? 'r' : undefined,
      seqNo,
      version: 1,
      primaryTerm: 1,
    }
    if (isParsed(seqNo)) {
      const parsed = parseDocument({ id: head.id, source: fields, raw: source }, mapping)
      builder.add({ ...head, source, fields: parsed.fields, nested: parsed.nested })
      return
    }
    if (!builder.read(source, reader)) throw new Error(`not read: ${source}`)
    builder.addRead(head, reader)
  })
  return builder.build()
}

function stored(files: MemoryFiles, name: string, sections: Parameters<typeof writeSegmentFile>[2]) {
  writeSegmentFile(files, name, sections)
  return new SegmentReader(name, new FileSections(files, name))
}

const sourcesOf = (segment: SegmentReader) =>
  Array.from({ length: segment.docCount }, (_, doc) => Buffer.from(segment.source(doc)).toString())

it('has the same content on disk and merged with deletes', () => {
  const segments = fc.array(fc.tuple(fc.array(document, { minLength: 1, maxLength: 40 }), fc.boolean()), {
    minLength: 1,
    maxLength: 4,
  })
  fc.assert(
    fc.property(segments, fc.boolean(), (given, deletes) => {
      const files = new MemoryFiles()
      const inputs = given.map(([documents, isStored], i) => {
        const memory = build(documents)
        const onDisk = stored(files, `s${i}`, memorySections(memory))
        expect(contentOf(onDisk)).toEqual(contentOf(memory))
        expect(sourcesOf(onDisk)).toEqual(sourcesOf(memory))
        const kept = documents.flatMap(({ isDeleted }, doc) => (isDeleted ? [] : [doc]))
        const live = deletes ? BitSet.of(documents.length, kept) : null
        return { segment: isStored ? onDisk : memory, live }
      })
      const left = given.flatMap(([documents]) => documents.filter(({ isDeleted }) => !deletes || !isDeleted))
      const alone = build(left)
      const merged = stored(files, 'm', mergedSections(inputs))
      expect(merged.docCount).toBe(left.length)
      expect(contentOf(merged)).toEqual(contentOf(alone))
      expect(sourcesOf(merged)).toEqual(sourcesOf(alone))
    }),
    { numRuns: 60 },
  )
})

it('keeps a value index when one document of a segment was parsed', () => {
  const values = fc.constantFrom('a b a', 'A B a', 'cc é', '')
  const documents = fc.array(
    fc.record({ few: values, isDeleted: fc.boolean() }, { requiredKeys: ['isDeleted'] }),
    {
      minLength: 64,
      maxLength: 80,
    },
  )
  const segments = fc.tuple(documents, documents, documents)
  fc.assert(
    fc.property(segments, fc.nat(63), fc.boolean(), (given, parsed, deletes) => {
      const files = new MemoryFiles()
      const inputs = given.map((docs, i) => {
        const memory = build(docs, (doc) => i === 1 && doc === parsed)
        const kept = docs.flatMap(({ isDeleted }, doc) => (isDeleted ? [] : [doc]))
        const live = deletes ? BitSet.of(docs.length, kept) : null
        return { segment: stored(files, `s${i}`, memorySections(memory)), live }
      })
      const forms = inputs.map(({ segment }) => segment.fields.get('few')!.entry.postings)
      expect(forms[1]).toBe(given[1][parsed]!.few === undefined ? 'values' : 'written')
      const left = given.flatMap((docs) => docs.filter(({ isDeleted }) => !deletes || !isDeleted))
      const merged = stored(files, 'm', mergedSections(inputs))
      expect(contentOf(merged)).toEqual(contentOf(build(left)))
      expect(merged.fields.get('few')?.entry.postings).toBe('values')
    }),
    { numRuns: 60 },
  )
})

it('writes postings out when documents with the same keyword have different tokens', () => {
  const files = new MemoryFiles()
  const docs = Array.from({ length: 32 }, (_, i) => ({ few: i % 2 === 0 ? 'a b' : 'cc', isDeleted: false }))
  const odd = new SegmentBuilder('odd')
  docs.forEach(({ few }, seqNo) => {
    const fields = { few }
    const source = Buffer.from(JSON.stringify(fields))
    const parsed = parseDocument({ id: `odd${seqNo}`, source: fields, raw: source }, mapping)
    const text = parsed.fields.get('few')!
    if (seqNo === 2) Object.assign(text, { tokens: { terms: ['b', 'a'], positions: [0, 1], length: 2 } })
    odd.add({
      id: `odd${seqNo}`,
      routing: undefined,
      source,
      seqNo,
      version: 1,
      primaryTerm: 1,
      fields: parsed.fields,
      nested: [],
    })
  })
  const inputs = [build(docs), odd.build()].map((segment) => ({ segment, live: null }))
  const { fields } = stored(files, 'm', mergedSections(inputs))
  expect(fields.get('few')!.entry.postings).toBe('written')
  const { docs: found, positions } = fields.get('few')!.terms!.postings(0)
  expect(found).toHaveLength(32)
  expect(positions!.values[found.indexOf(34)]).toBe(1)
})
