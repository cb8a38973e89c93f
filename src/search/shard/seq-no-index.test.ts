import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SegmentBuilder } from '../segment/writer/segment-builder.ts'
import { SeqNoIndex } from './seq-no-index.ts'
import { shardSegment } from './shard-segment.ts'

/** Builds a segment of documents with these sequence numbers, each behind so many nested documents. */
function partOf(documents: readonly { readonly seqNo: number; readonly nested: number }[]) {
  const builder = new SegmentBuilder('s')
  for (const { seqNo, nested } of documents) {
    builder.add({
      id: `${seqNo}`,
      routing: undefined,
      source: new Uint8Array(Buffer.from('{}')),
      seqNo,
      version: 1,
      primaryTerm: 1,
      fields: new Map(),
      nested: Array.from({ length: nested }, () => ({ path: 'n', fields: new Map() })),
    })
  }
  return shardSegment(builder.build())
}

describe('SeqNoIndex', () => {
  it('finds documents whatever the order of segments and runs', () => {
    const runs = fc.array(
      fc.uniqueArray(fc.nat(60), { minLength: 1, maxLength: 8 }).map((run) => run.sort((a, b) => a - b)),
      { minLength: 1, maxLength: 6 },
    )
    fc.assert(
      fc.property(runs, fc.nat(2), fc.integer({ min: 1, max: 3 }), (given, nested, perPart) => {
        const seen = new Set<number>()
        const unique = given.map((run) => run.filter((seqNo) => !seen.has(seqNo) && seen.add(seqNo)))
        const parts = []
        for (let i = 0; i < unique.length; i += perPart) {
          const documents = unique.slice(i, i + perPart).flat()
          parts.push(partOf(documents.map((seqNo) => ({ seqNo, nested: seqNo % (nested + 1) }))))
        }
        const places = new SeqNoIndex(parts)
        for (let seqNo = 0; seqNo <= 61; seqNo++) {
          const found = places.find(seqNo)
          expect(found !== undefined).toBe(seen.has(seqNo))
          if (found === undefined) continue
          expect(found.part.segment.id(found.doc)).toBe(`${seqNo}`)
          expect(found.part.segment.roots?.has(found.doc) ?? true).toBe(true)
          expect(found.part.segment.seqNos[found.doc]).toBe(seqNo)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('finds nothing without segments', () => {
    expect(new SeqNoIndex([]).find(0)).toBeUndefined()
    expect(new SeqNoIndex([partOf([])]).find(0)).toBeUndefined()
  })
})
