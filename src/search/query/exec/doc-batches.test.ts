import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BitSet } from '../../segment/encoding/bit-set.ts'
import { DocBatches } from './doc-batches.ts'
import { DocSet } from './doc-set.ts'

const size = 200

test('batches have the documents of a set, whatever it is made of', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.nat(size - 1)),
      fc.constantFrom('bits', 'list', 'interval'),
      fc.array(fc.integer({ min: 1, max: 70 }), { minLength: 1 }),
      (members, kind, lengths) => {
        const docs = Uint32Array.from(members).sort()
        const [first = 0] = docs
        const sets = {
          bits: () => DocSet.ofBits(BitSet.of(size, docs)),
          list: () => DocSet.ofSorted(size, docs),
          interval: () => DocSet.interval(size, first, first + docs.length),
        }
        const set = sets[kind]()
        const batches = new DocBatches(set)
        const room = new Uint32Array(70)
        const found: number[] = []
        for (let i = 0; batches.left > 0; i++) {
          const max = lengths[i % lengths.length]!
          const batch = batches.next(max, room)
          expect(batch.length).toBe(Math.min(max, set.count - found.length))
          found.push(...batch)
        }
        expect(found).toEqual([...set.array()])
      },
    ),
  )
})
