/** DocIdList against a plain array. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BuilderMemory } from '../encoding/builder-memory.ts'
import { DocIdList } from './doc-id-list.ts'

/** Ascending documents, most of them consecutive. */
const rising = fc
  .array(fc.oneof({ weight: 8, arbitrary: fc.constant(1) }, fc.nat(3)), { maxLength: 200 })
  .map((steps) => {
    let doc = -1
    return steps.map((step) => Math.max(0, (doc += step)))
  })

describe('DocIdList', () => {
  it('returns the documents of any range, also after the last was removed', () => {
    fc.assert(
      fc.property(rising, fc.nat(250), fc.nat(250), fc.boolean(), (list, one, other, forgets) => {
        const rows = new DocIdList(new BuilderMemory())
        for (const doc of list) rows.push(doc)
        const early = rows.cut(0, rows.length, 0)
        expect([...early]).toEqual(list)
        let left = list
        if (forgets && list.length > 0) {
          const last = list.at(-1)!
          rows.forget(last)
          left = list.filter((doc) => doc !== last)
        }
        const [from, to] = [Math.min(one, other), Math.max(one, other)]
        expect(rows.length).toBe(left.length)
        expect(rows.before(from)).toBe(left.filter((doc) => doc < from).length)
        const cut = rows.cut(rows.before(from), rows.before(to), from)
        expect([...cut]).toEqual(left.filter((doc) => doc >= from && doc < to).map((doc) => doc - from))
        rows.push(10_000)
        // Rows that are removed were never handed out.
        if (!forgets) expect([...early]).toEqual(list)
      }),
    )
  })
})
