import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MemoryFiles } from '../../../storage/memory-files.ts'
import type { FieldInput, IndexedDocument } from '../document.ts'
import { BitSet } from '../encoding/bit-set.ts'
import type { Segment } from '../segment.ts'
import { FileSections, writeSegmentFile } from '../segment-file.ts'
import { SegmentReader } from '../segment-reader.ts'
import { SegmentBuilder } from '../writer/segment-builder.ts'
import { mergedSections } from './merge.ts'

const text = { index: 'positions', norms: true, ordinals: false } as const
const keyword = { index: 'docs', norms: false, ordinals: true } as const
const number = { index: null, norms: false, ordinals: false } as const
const word = fc.constantFrom('a', 'b', 'c', 'dd', 'é', '😀')

const document = fc.record(
  {
    words: fc.array(word, { minLength: 1, maxLength: 5 }),
    tags: fc.array(word, { minLength: 1, maxLength: 3 }),
    numbers: fc.array(fc.integer(), { minLength: 1, maxLength: 2 }),
    points: fc.array(fc.tuple(fc.integer({ min: -90, max: 90 }), fc.integer({ min: -180, max: 180 })), {
      minLength: 1,
      maxLength: 2,
    }),
    nested: fc.array(fc.array(word, { minLength: 1, maxLength: 2 }), { maxLength: 2 }),
    deleted: fc.boolean(),
  },
  { requiredKeys: ['nested', 'deleted'] },
)
type Plain = typeof document extends fc.Arbitrary<infer T> ? T : never

function documentOf(doc: Plain, n: number): IndexedDocument {
  const fields = new Map<string, FieldInput>()
  if (doc.words) {
    fields.set('words', {
      spec: text,
      tokens: { terms: doc.words, positions: doc.words.map((_, i) => i), length: doc.words.length },
    })
  }
  if (doc.tags) fields.set('tags', { spec: keyword, terms: doc.tags })
  if (doc.numbers) {
    fields.set('numbers', {
      spec: number,
      numbers: doc.numbers,
      exact: doc.numbers.map((value) => BigInt(value) * 2n ** 30n),
    })
  }
  if (doc.points) fields.set('points', { spec: number, points: doc.points })
  const nested = doc.nested.map((tags) => ({
    path: 'inner',
    fields: new Map([['inner.tags', { spec: keyword, terms: tags }]]),
  }))
  const source = Buffer.from(`{"n":${n}}`)
  return {
    id: `id${n}`,
    routing: n % 2 ? 'r' : undefined,
    source,
    seqNo: n,
    version: n + 1,
    primaryTerm: 1,
    fields,
    nested,
  }
}

/** Everything a segment contains, independent of its layout. */
function contentOf(segment: Segment) {
  const docs = Array.from({ length: segment.docCount }, (_, doc) => ({
    id: segment.id(doc),
    source: Buffer.from(segment.source(doc)).toString(),
    seqNo: segment.seqNos[doc],
    version: segment.versions[doc],
    routing: segment.routing(doc),
    nested: segment.nestedPath(doc),
    norm: segment.fields.get('words')?.norms?.[doc] ?? 0,
    tags: ['tags', 'inner.tags'].map((name) => ordinalTexts(segment, name, doc)),
    numbers: valuesOf(segment, doc),
    present: [...segment.fields]
      .filter(([, { present }]) => present?.has(doc) ?? true)
      .map(([name]) => name)
      .sort(),
  }))
  const terms = [...segment.fields]
    .flatMap(([name, field]) =>
      Array.from({ length: field.terms?.size ?? 0 }, (_, i) => {
        const { docs: found, freqs, positions } = field.terms!.postings(i)
        return {
          name,
          term: field.terms!.term(i),
          docs: [...found],
          freqs: freqs === null ? null : [...freqs],
          positions: positions && [...positions.values],
        }
      }),
    )
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  return { docs, terms }
}

function ordinalTexts(segment: Segment, name: string, doc: number): string[] {
  const field = segment.fields.get(name)
  const column = field?.ordinals
  if (!column) return []
  const found =
    column.starts === null
      ? [column.values[doc]!].filter((value) => value !== 0)
      : [...column.values.subarray(column.starts[doc], column.starts[doc + 1])]
  return found.map((value) => field.terms!.term(value - 1))
}

function valuesOf(segment: Segment, doc: number): unknown[] {
  const field = segment.fields.get('numbers')
  if (field?.numbers == null || !(field.present?.has(doc) ?? true)) return []
  const { starts, values, exact } = field.numbers
  const from = starts === null ? doc : starts[doc]!
  const to = starts === null ? doc + 1 : starts[doc + 1]!
  return Array.from({ length: to - from }, (_, i) => [
    values[from + i],
    exact?.[from + i] ?? BigInt(Math.trunc(values[from + i]!)),
  ])
}

describe('a merge of segments', () => {
  it('equals one segment built of the live documents', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(document, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 4 }),
        (groups) => {
          let n = 0
          const expected = new SegmentBuilder('expected')
          const inputs = groups.map((group) => {
            const builder = new SegmentBuilder('part')
            const deleted: number[] = []
            for (const doc of group) {
              const built = documentOf(doc, n++)
              const place = builder.add(built)
              if (doc.deleted) deleted.push(place)
              else expected.add(built)
            }
            const segment = builder.build()
            const live =
              deleted.length === 0
                ? null
                : BitSet.full(segment.docCount).andNot(BitSet.of(segment.docCount, deleted))
            return { segment, live }
          })
          const files = new MemoryFiles()
          writeSegmentFile(files, 'merged', mergedSections(inputs))
          const merged = new SegmentReader('merged', new FileSections(files, 'merged'))
          const { docs, terms } = contentOf(merged)
          const wanted = contentOf(expected.build())
          expect(docs).toEqual(wanted.docs)
          expect(terms).toEqual(wanted.terms)
        },
      ),
    )
  })
})
