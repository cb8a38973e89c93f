import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { filterSource } from './source-request.ts'

describe('source filters', () => {
  const source = { a: 1, o: { x: 1, y: { z: 2 } }, l: [{ x: 1, y: 2 }, 3] }

  it('keep what is named with its parents', () => {
    expect(filterSource(source, { includes: ['o.y'], excludes: [] })).toEqual({ o: { y: { z: 2 } } })
    expect(filterSource(source, { includes: ['*.x'], excludes: [] })).toEqual({ o: { x: 1 }, l: [{ x: 1 }] })
    expect(filterSource(source, { includes: ['o*'], excludes: ['o.y.*'] })).toEqual({ o: { x: 1, y: {} } })
    expect(filterSource(source, { includes: [], excludes: ['o', 'l.x'] })).toEqual({ a: 1, l: [{ y: 2 }, 3] })
  })

  it('keep everything or nothing for any document', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (document) => {
        expect(filterSource(document, { includes: [], excludes: [] })).toEqual(document)
        expect(filterSource(document, { includes: ['*'], excludes: [] })).toEqual(document)
        expect(filterSource(document, { includes: [], excludes: ['*'] })).toEqual({})
      }),
      { numRuns: 100 },
    )
  })
})
