import { expect, it } from 'vitest'
import type { SearchLeaf } from '../../collect/sort/sort-key.ts'
import { type AggContext, SubAggregators } from '../aggregator.ts'
import type { NumberBatch } from '../values/number-source.ts'
import { RangeAggregator } from './range.ts'

const leaf = { reader: { segment: { fields: new Map() } } } as unknown as SearchLeaf
const context = { budget: { add: () => {} } } as unknown as AggContext

it('looks at few of many disjoint ranges for each document', () => {
  const width = 10_000
  const docs = 1000
  const ranges = Array.from({ length: width }, (_, at) => ({
    key: () => String(at),
    from: at,
    to: at + 1,
    low: at,
    high: at + 1,
  }))
  let arrays = 0
  let reads = 0
  const counting = <T extends typeof Float64Array | typeof Int32Array>(type: T): T =>
    new Proxy(type, {
      construct(target, given) {
        arrays++
        const made = Reflect.construct(target, given)
        return new Proxy(made, {
          get(array, name) {
            if (typeof name === 'string' && /^\d+$/.test(name)) reads++
            const value = Reflect.get(array, name, array)
            return typeof value === 'function' ? value.bind(array) : value
          },
          set: (array, name, value) => Reflect.set(array, name, value, array),
        })
      },
    })
  const { Float64Array: doubles, Int32Array: integers } = globalThis
  const values = doubles.from({ length: docs }, (_, doc) => doc * 10)
  const source = {
    read: (): NumberBatch => ({
      leaf,
      docs: Uint32Array.from({ length: docs }, (_, doc) => doc),
      owners: new Uint32Array(docs),
      length: docs,
      values,
      exact: null,
    }),
  }
  globalThis.Float64Array = counting(doubles)
  globalThis.Int32Array = counting(integers)
  try {
    const none = new SubAggregators([])
    const aggregator = new RangeAggregator('range', ranges, false, undefined, source, context, none)
    ;[arrays, reads] = [0, 0]
    aggregator.collect(source.read())
    // Twice the logarithm of the ranges, and some.
    expect(reads).toBeLessThan(docs * 60)
    expect(arrays).toBeLessThan(20)
  } finally {
    globalThis.Float64Array = doubles
    globalThis.Int32Array = integers
  }
})
