import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BitSet } from './encoding/bit-set.ts'
import { buildZoneMap, zoneDocs } from './zone-map.ts'

const value = fc.integer({ min: -50, max: 50 })

describe('the zone map of a number column', () => {
  it('has the bounds and the number of documents with a value of each block', () => {
    const ofDocument = fc.array(value, { maxLength: 3 })
    fc.assert(
      fc.property(fc.array(ofDocument, { minLength: 1, maxLength: 40 }), fc.boolean(), (some, isSingle) => {
        // A document of the sample is repeated, so that there are several blocks.
        const repeats = Math.ceil((2.5 * zoneDocs) / some.length)
        const docs = Array.from({ length: some.length * repeats }, (_, doc) => {
          const values = some[Math.floor(doc / repeats)]!
          return isSingle ? values.slice(0, 1) : values
        })
        const starts = Uint32Array.of(0, ...docs.map(({ length }) => length))
        for (let i = 1; i < starts.length; i++) starts[i]! += starts[i - 1]!
        const present = BitSet.of(
          docs.length,
          Uint32Array.from(docs.flatMap(({ length }, doc) => (length === 0 ? [] : [doc]))),
        )
        const column = isSingle
          ? { values: Float64Array.from(docs, (values) => values[0] ?? 1e9), starts: null }
          : { values: Float64Array.from(docs.flat()), starts }
        const zones = buildZoneMap(column, present, docs.length)
        for (let block = 0; block * zoneDocs < docs.length; block++) {
          const inside = docs.slice(block * zoneDocs, (block + 1) * zoneDocs)
          const values = inside.flat()
          expect(zones.minima[block]).toBe(Math.min(...new Set(values)))
          expect(zones.maxima[block]).toBe(Math.max(...new Set(values)))
          expect(zones.counts[block]).toBe(inside.filter(({ length }) => length > 0).length)
        }
        expect(zones.min).toBe(Math.min(...zones.minima))
        expect(zones.max).toBe(Math.max(...zones.maxima))
      }),
      { numRuns: 30 },
    )
  })
})
