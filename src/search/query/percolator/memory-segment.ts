/** Documents of a request as a segment of their own, for queries that are stored in an index (Lucene's MemoryIndex). */
import { writeJson } from '../../answer/json-text.ts'
import { parseDocument } from '../../mapping/documents/document-parser.ts'
import type { Mapping } from '../../mapping/mapping.ts'
import type { LeafReader } from '../../segment/segment.ts'
import { SegmentBuilder } from '../../segment/writer/segment-builder.ts'

/** Fields that are new are mapped as they would be, and forgotten afterwards. Throws SearchError. */
export function memorySegment(documents: readonly unknown[], mapping: Mapping): LeafReader {
  const builder = new SegmentBuilder('_percolated')
  let current = mapping
  for (const document of documents) {
    const raw = Buffer.from(writeJson(document))
    const source: unknown = JSON.parse(raw.toString('utf8'))
    const parsed = parseDocument({ id: '_temp_id', source, raw }, current)
    current = parsed.mapping
    const { fields, nested } = parsed
    builder.add({
      id: '_temp_id',
      routing: undefined,
      source: raw,
      seqNo: 0,
      version: 1,
      primaryTerm: 1,
      fields,
      nested,
    })
  }
  return { segment: builder.build(), live: null, base: 0 }
}
