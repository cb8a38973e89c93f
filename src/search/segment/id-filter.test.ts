import { describe, expect, it } from 'vitest'
import { hashOfId, IdFilter } from './id-filter.ts'

function listOf(ids: readonly string[]) {
  const texts = ids.map((id) => Buffer.from(id))
  let end = 0
  return { bytes: Buffer.concat(texts), ends: Uint32Array.from(texts, (text) => (end += text.length)) }
}

function filterOf(ids: readonly string[]): IdFilter {
  const filter = IdFilter.ofSize(ids.length)
  filter.addAll(listOf(ids))
  return filter
}

describe('the Bloom filter of ids', () => {
  it('says of every id that is in the segment that it may be there', () => {
    for (const count of [0, 1, 2, 7, 100, 5000]) {
      const ids = Array.from({ length: count }, (_, i) => `é-${i * i}`)
      const filter = filterOf(ids)
      expect(ids.filter((id) => !filter.mayHave(hashOfId(id)))).toEqual([])
    }
  })

  it('rules out nearly all others, also where ids count up', () => {
    const filter = filterOf(Array.from({ length: 20_000 }, (_, i) => `node-1-${i}`))
    const others = Array.from({ length: 200_000 }, (_, i) => `node-1-${20_000 + i}`)
    const wrong = others.filter((id) => filter.mayHave(hashOfId(id))).length
    // One in 15,000 is expected, 13 of these.
    expect(wrong).toBeLessThan(40)
  })

  it('takes two and a half bytes an id', () => {
    expect(IdFilter.ofSize(1_000_000).bytes.length).toBe(2_500_000)
  })
})
