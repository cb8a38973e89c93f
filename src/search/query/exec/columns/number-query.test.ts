import { describe, expect, it } from 'vitest'
import { MemoryFiles } from '../../../../storage/memory-files.ts'
import { Mapping } from '../../../mapping/mapping.ts'
import { decodedCache } from '../../../segment/decoded-cache.ts'
import type { FieldInput } from '../../../segment/document.ts'
import { FileSections, writeSegmentFile } from '../../../segment/segment-file.ts'
import { memorySections, SegmentReader } from '../../../segment/segment-reader.ts'
import { SegmentBuilder } from '../../../segment/writer/segment-builder.ts'
import { zoneDocs } from '../../../segment/zone-map.ts'
import { mappingContext } from '../../binding/mapping-context.ts'
import { bindQuery, compileQuery, parseQuery } from '../../dsl/parse-query.ts'

/** Counts how often a section is decoded. */
class CountedSections extends FileSections {
  readonly reads: string[] = []

  override read(name: string) {
    this.reads.push(name)
    return super.read(name)
  }
}

function evictAll(): void {
  const { limit } = decodedCache
  decodedCache.limit = 0
  decodedCache.limit = limit
}

describe('a range query', () => {
  const mapping = Mapping.create({ properties: { time: { type: 'long' }, several: { type: 'long' } } })
  const size = 3 * zoneDocs
  const open = () => {
    const builder = new SegmentBuilder('_0')
    const spec = { index: null, norms: false, ordinals: false } as const
    for (let doc = 0; doc < size; doc++)
      builder.add({
        id: String(doc),
        routing: undefined,
        source: new Uint8Array(0),
        seqNo: doc,
        version: 1,
        primaryTerm: 1,
        fields: new Map<string, FieldInput>([
          ['time', { spec, numbers: [doc] }],
          ['several', { spec, numbers: doc % 7 === 0 ? [doc, doc + 1] : [doc] }],
        ]),
        nested: [],
      })
    const files = new MemoryFiles()
    writeSegmentFile(files, 'file', memorySections(builder.build()))
    const sections = new CountedSections(files, 'file')
    const leaf = { segment: new SegmentReader('_0', sections), live: null, base: 0 }
    const count = (field: string, range: object): number => {
      const query = parseQuery({ range: { [field]: range } })
      const bound = bindQuery(query, mappingContext(mapping, { index: 'test', now: 0 }))
      return compileQuery(bound, { leaves: [leaf] }).matching(leaf).count
    }
    return { sections, count }
  }

  it.each(['time', 'several'])('decodes %s once for all ranges that whole blocks decide', (field) => {
    const { sections, count } = open()
    expect(count(field, { gte: -10, lt: 0 })).toBe(0)
    const first = sections.reads.length
    expect(first).toBeGreaterThan(0)
    evictAll()
    expect(count(field, { gt: size + 1 })).toBe(0)
    expect(count(field, { gte: -1, lte: size + 1 })).toBe(size)
    expect(sections.reads.slice(first).filter((name) => /numbers$/.test(name))).toEqual([])
  })

  it.each(['time', 'several'])('reads the values of %s where a block crosses an end', (field) => {
    const { count } = open()
    const several = field === 'several'
    const expected = Array.from({ length: size }, (_, doc) =>
      several && doc % 7 === 0 ? [doc, doc + 1] : [doc],
    ).filter((values) => values.some((at) => at >= 100 && at < zoneDocs + 300)).length
    expect(count(field, { gte: 100, lt: zoneDocs + 300 })).toBe(expected)
  })
})
