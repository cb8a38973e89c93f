/** Documents with any of several terms, for each form of postings. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { finish } from '../scheduling/steps.ts'
import type { FieldReader } from '../segment/field-reader.ts'
import { SegmentBuilder } from '../segment/writer/segment-builder.ts'
import { bytePlan } from './documents/byte-plan.ts'
import { PlanReader } from './documents/byte-reader.ts'
import { Mapping } from './mapping.ts'

const mapping = Mapping.create({
  properties: {
    unlike: { type: 'text' },
    alike: { type: 'text' },
    plain: { type: 'text', index_options: 'docs' },
    tag: { type: 'keyword' },
  },
})
const docCount = 3000
const spread = (n: number) => Math.imul(n, 0x9e37_79b1) >>> 8

function segmentOf() {
  const builder = new SegmentBuilder('s')
  const reader = new PlanReader(bytePlan(mapping)!)
  for (let n = 0; n < docCount; n++) {
    const common = n % 2 === 0 ? 'even' : 'odd odd'
    const source = {
      ...(n % 7 !== 0 && { unlike: `${common} w${spread(n) % 500} n${n}` }),
      ...(n % 5 !== 0 && { alike: `${common} v${spread(n) % 40} ${spread(n) % 40 === 3 ? 'rare' : ''}` }),
      plain: `${common} w${spread(n) % 500} w${spread(n + 1) % 500} n${n}`,
      ...(n % 3 !== 0 && { tag: n % 11 === 0 ? [`t${n % 90}`, 'both'] : `t${spread(n) % 300}` }),
    }
    if (!builder.read(Buffer.from(JSON.stringify(source)), reader)) throw new Error('not read')
    const head = { id: `${n}`, routing: undefined, seqNo: n, version: 1, primaryTerm: 1 }
    builder.addRead(head, reader)
  }
  return builder.build()
}

const segment = segmentOf()
const kinds = { unlike: 'written', plain: 'written', alike: 'values', tag: 'derived' } as const

it.each(Object.entries(kinds))(
  'finds documents with any of several terms of %s, whose postings are %s',
  (name, kind) => {
    const field = segment.fields.get(name) as FieldReader
    expect(field.entry.postings).toBe(kind)
    const terms = field.terms!
    const ordinals = fc
      .uniqueArray(fc.nat(terms.size - 1), { maxLength: 40 })
      .map((some) => some.sort((a, b) => a - b))
    const everything = Array.from({ length: terms.size }, (_, i) => i)
    const common = ['even', 'odd', 'both'].map((term) => terms.find(term)).filter((found) => found !== -1)
    expect(common.length).toBeGreaterThan(0)
    fc.assert(
      fc.property(fc.oneof(ordinals, fc.constantFrom(everything, [], common)), (wanted) => {
        const found = finish(terms.anyOf(wanted, docCount)).toArray()
        const expected = new Set(wanted.flatMap((ordinal) => [...terms.postings(ordinal).docs]))
        expect([...found]).toEqual([...expected].sort((a, b) => a - b))
      }),
      { examples: [[everything], [[]], [common]] },
    )
  },
)
