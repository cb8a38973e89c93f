/** Buffered segments: each must equal a segment of its documents alone. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BufferedSegment } from '../segment/writer/buffered-segment.ts'
import { SegmentBuilder } from '../segment/writer/segment-builder.ts'
import { bytePlan } from './documents/byte-plan.ts'
import { PlanReader } from './documents/byte-reader.ts'
import { parseDocument } from './documents/document-parser.ts'
import { Mapping } from './mapping.ts'
import { contentOf } from './test-content.ts'

const mapping = Mapping.create({
  properties: {
    text: { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 256 } } },
    k: { type: 'keyword' },
    n: { type: 'double' },
    l: { type: 'long' },
    where: { type: 'geo_point' },
    inner: { type: 'nested', properties: { tag: { type: 'keyword' } } },
  },
})
const reader = new PlanReader(bytePlan(mapping)!)

const words = fc
  .array(fc.constantFrom('a', 'b', 'cc', 'é', 'error'), { maxLength: 4 })
  .map((all) => all.join(' '))
const document = fc.record(
  {
    text: fc.oneof(words, fc.array(words, { maxLength: 3 })),
    k: fc.oneof(fc.constantFrom('x', 'y'), fc.array(fc.constantFrom('x', 'y', 'z'), { maxLength: 3 })),
    n: fc.oneof(
      fc.nat(9),
      fc.array(fc.nat(9), { maxLength: 2 }),
      fc.nat(9).map((n) => `${n}`),
    ),
    l: fc.oneof(fc.integer(), fc.constant('9007199254740993')),
    where: fc.record({ lat: fc.nat(80), lon: fc.nat(170) }),
    inner: fc.array(fc.record({ tag: fc.constantFrom('x', 'y') }), { minLength: 1, maxLength: 2 }),
    isRead: fc.boolean(),
    id: fc.nat(30),
  },
  { requiredKeys: ['isRead', 'id'] },
)
type Plain = typeof document extends fc.Arbitrary<infer T> ? T : never

/** Adds a document from its bytes or parsed, and returns its number. */
function add(builder: SegmentBuilder, { isRead, id, ...fields }: Plain, seqNo: number): number {
  const source = Buffer.from(JSON.stringify(fields))
  const routing = seqNo % 3 === 0 ? `r${seqNo}` : undefined
  const head = { id: `id${id}`, routing, seqNo, version: seqNo + 1, primaryTerm: 1 }
  if (isRead && builder.read(source, reader)) return builder.addRead(head, reader)
  const parsed = parseDocument({ id: head.id, source: fields, raw: source }, mapping)
  return builder.add({ ...head, source, fields: parsed.fields, nested: parsed.nested })
}

const gathered = (segment: BufferedSegment | ReturnType<SegmentBuilder['build']>) =>
  Array.from({ length: segment.docCount }, (_, doc) => ({
    id: segment.id(doc),
    routing: segment.routing(doc),
    source: Buffer.from(segment.source(doc)).toString(),
    seqNo: segment.seqNos[doc],
    version: segment.versions[doc],
    term: segment.primaryTerms[doc],
    path: segment.nestedPath(doc),
  }))

describe('a buffered segment', () => {
  it('equals the segment of its documents, also after more were added', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(document, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 5 }),
        fc.boolean(),
        (stretches, looksAtOnce) => {
          const builder = new SegmentBuilder('s')
          let seqNo = 0
          const live = stretches.map((documents) => {
            const from = builder.docCount
            const first = seqNo
            for (const one of documents) add(builder, one, seqNo++)
            const segment = new BufferedSegment('l', builder, { from, to: builder.docCount })
            if (looksAtOnce) contentOf(segment)
            return { segment, documents, first }
          })
          for (const { segment, documents, first } of live) {
            const alone = new SegmentBuilder('s')
            documents.forEach((one, i) => {
              add(alone, one, first + i)
            })
            const expected = alone.build()
            const content = contentOf(expected)
            // Where other ranges have nested objects, "all are roots" is a full bit set instead of null.
            const roots = content.roots ?? (segment.roots === null ? undefined : segment.roots.toArray())
            expect(contentOf(segment)).toEqual({ ...content, roots })
            expect(segment.roots?.count ?? segment.docCount).toBe(documents.length)
            expect(gathered(segment)).toEqual(gathered(expected))
            for (let id = 0; id <= 31; id++)
              expect(segment.findId(`id${id}`)).toBe(expected.findId(`id${id}`))
          }
        },
      ),
      { numRuns: 150 },
    )
  })

  it('reads the document that brought new fields again, once they are mapped', () => {
    const builder = new SegmentBuilder('s')
    const texts = Array.from({ length: 40 }, () => ({ text: 'a b', isRead: true, id: 0 }))
    add(builder, { ...texts[0]!, isRead: false }, 0)
    builder.readLastAgain(reader)
    for (const one of texts) add(builder, one, 1)
    // Preanalysed tokens of one document alone would have ruled out a value index.
    expect(builder.build().fields.get('text')!.entry.postings).toBe('values')
  })

  it('refuses plans by which fields would share columns differently', () => {
    const builder = new SegmentBuilder('s')
    const alone = new PlanReader(bytePlan(Mapping.create({ properties: { text: { type: 'text' } } }))!)
    expect(builder.fits(alone)).toBe(true)
    const source = Buffer.from('{"text":"a"}')
    expect(builder.read(source, alone)).toBe(true)
    builder.addRead({ id: '1', routing: undefined, seqNo: 0, version: 1, primaryTerm: 1 }, alone)
    expect(builder.fits(alone)).toBe(true)
    expect(builder.fits(reader)).toBe(false)
  })
})
