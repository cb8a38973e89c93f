import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareUtf8 } from '../../../text/utf8-order.ts'
import type { FieldInput, IndexedDocument } from '../document.ts'
import type { OrdinalColumn } from '../segment.ts'
import { SegmentBuilder } from './segment-builder.ts'

const text = { index: 'positions', norms: true, ordinals: false } as const
const keyword = { index: 'docs', norms: false, ordinals: true } as const
const number = { index: null, norms: false, ordinals: false } as const

interface Plain {
  words?: string[]
  tags?: string[]
  numbers?: number[]
  nested: string[][]
}

const word = fc.oneof(
  fc.constantFrom('a', 'b', 'ab', 'é', '\ue000', '😀', ''),
  fc.string({ maxLength: 4, unit: 'binary' }),
)
const value = fc.oneof(fc.integer(), fc.integer({ min: 0, max: 300 }), fc.double({ noNaN: true }))
const plain: fc.Arbitrary<Plain> = fc.record(
  {
    words: fc.array(word, { minLength: 1, maxLength: 6 }),
    tags: fc.array(word, { minLength: 1, maxLength: 3 }),
    numbers: fc.array(value, { minLength: 1, maxLength: 3 }),
    nested: fc.array(fc.array(word, { minLength: 1, maxLength: 2 }), { maxLength: 2 }),
  },
  { requiredKeys: ['nested'] },
)

function documentOf(doc: Plain, number_: number): IndexedDocument {
  const fields = new Map<string, FieldInput>()
  if (doc.words) {
    const positions = doc.words.map((_, i) => i * 2)
    fields.set('words', { spec: text, tokens: { terms: doc.words, positions, length: doc.words.length } })
  }
  if (doc.tags) fields.set('tags', { spec: keyword, terms: doc.tags })
  if (doc.numbers) fields.set('numbers', { spec: number, numbers: doc.numbers })
  return {
    id: `id-${number_}`,
    routing: number_ % 3 === 0 ? `r${number_}` : undefined,
    source: Buffer.from(JSON.stringify(doc)),
    seqNo: number_ + 1000,
    version: 1,
    primaryTerm: 1,
    fields,
    nested: doc.nested.map((tags) => ({
      path: 'inner',
      fields: new Map([['inner.tags', { spec: keyword, terms: tags }]]),
    })),
  }
}

describe('the segment builder', () => {
  it('returns the documents that went in', () => {
    fc.assert(
      fc.property(fc.array(plain, { minLength: 1, maxLength: 40 }), (docs) => {
        const builder = new SegmentBuilder('s')
        const places = docs.map((doc, i) => builder.add(documentOf(doc, i)))
        const segment = builder.build()
        expect(segment.docCount).toBe(docs.reduce((sum, doc) => sum + 1 + doc.nested.length, 0))
        const words = segment.fields.get('words')
        const tags = segment.fields.get('tags')
        const numbers = segment.fields.get('numbers')
        const vocabulary = [...new Set(docs.flatMap((doc) => doc.words ?? []))].sort(compareUtf8)
        expect(Array.from({ length: words?.terms?.size ?? 0 }, (_, i) => words!.terms!.term(i))).toEqual(
          vocabulary,
        )
        for (const term of vocabulary) {
          const ordinal = words!.terms!.find(term)
          const { docs: found, freqs, positions } = words!.terms!.postings(ordinal)
          const expected = docs.flatMap((doc, i) => {
            const at = (doc.words ?? []).flatMap((other, k) => (other === term ? [k * 2] : []))
            return at.length === 0 ? [] : [{ doc: places[i]!, at }]
          })
          expect([...found]).toEqual(expected.map(({ doc }) => doc))
          expect(words!.terms!.docFreq(ordinal)).toBe(expected.length)
          expect(words!.terms!.totalFreq(ordinal)).toBe(expected.reduce((sum, { at }) => sum + at.length, 0))
          expected.forEach(({ at }, n) => {
            expect(freqs?.[n] ?? 1).toBe(at.length)
            expect([...positions!.values.subarray(positions!.starts[n], positions!.starts[n + 1])]).toEqual(
              at,
            )
          })
        }
        docs.forEach((doc, i) => {
          const place = places[i]!
          expect(JSON.parse(Buffer.from(segment.source(place)).toString())).toEqual(
            JSON.parse(JSON.stringify(doc)),
          )
          expect(segment.id(place)).toBe(`id-${i}`)
          expect(segment.findId(`id-${i}`)).toBe(place)
          expect(segment.routing(place)).toBe(i % 3 === 0 ? `r${i}` : undefined)
          expect(segment.seqNos[place]).toBe(i + 1000)
          expect(segment.roots?.has(place) ?? true).toBe(true)
          if (doc.words) expect(words!.norms![place]).toBe(doc.words.length)
          expect(valuesOf(tags?.ordinals, place)).toEqual(
            [...new Set(doc.tags ?? [])].sort(compareUtf8).map((tag) => tags!.terms!.find(tag) + 1),
          )
          if (doc.numbers) {
            const { starts, values } = numbers!.numbers!
            const found =
              starts === null ? [values[place]] : [...values.subarray(starts[place], starts[place + 1])]
            expect(found).toEqual([...doc.numbers].sort((a, b) => a - b))
          }
          expect(numbers?.present?.has(place) ?? numbers !== undefined).toBe(doc.numbers !== undefined)
        })
        expect(segment.findId('nobody')).toBe(-1)
      }),
    )
  })

  it('sorts numbers by value, then document', () => {
    const builder = new SegmentBuilder('s')
    const inputs = [[3, 1], [1], undefined, [2]]
    for (const [i, numbers] of inputs.entries())
      builder.add(documentOf({ ...(numbers && { numbers }), nested: [] }, i))
    const { values, docs } = builder.build().fields.get('numbers')!.numbers!.sorted()
    expect([...values]).toEqual([1, 1, 2, 3])
    expect([...docs]).toEqual([0, 1, 3, 0])
  })

  it('keeps integers beyond 2^53 exactly', () => {
    const builder = new SegmentBuilder('s')
    const exact = 2n ** 62n + 1n
    builder.add({
      ...documentOf({ nested: [] }, 0),
      fields: new Map([['n', { spec: number, numbers: [Number(exact)], exact: [exact] }]]),
    })
    expect(builder.build().fields.get('n')!.numbers!.exact![0]).toBe(exact)
  })
})

function valuesOf(column: OrdinalColumn | null | undefined, doc: number): number[] {
  if (column === null || column === undefined) return []
  if (column.starts !== null) return [...column.values.subarray(column.starts[doc], column.starts[doc + 1])]
  return column.values[doc] === 0 ? [] : [column.values[doc]!]
}
