import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sortedTexts } from './string-radix-sort.ts'

function listOf(texts: readonly Uint8Array[]) {
  const ends = new Uint32Array(texts.length)
  let length = 0
  texts.forEach((text, i) => {
    length += text.length
    ends[i] = length
  })
  return { bytes: new Uint8Array(Buffer.concat(texts)), ends }
}

const distinct = (texts: readonly Uint8Array[]) => [
  ...new Map(texts.map((text) => [Buffer.from(text).toString('latin1'), text])).values(),
]

const expectSorted = (texts: readonly Uint8Array[], isUsed?: (id: number) => boolean) => {
  const order = sortedTexts(listOf(texts), texts.length, isUsed)
  const expected = texts
    .map((text, id) => ({ text, id }))
    .filter(({ id }) => isUsed === undefined || isUsed(id))
    .sort((a, b) => Buffer.compare(a.text, b.text))
    .map(({ id }) => id)
  expect([...order]).toEqual(expected)
}

/** Few distinct bytes including zero, so that texts share prefixes and are prefixes of each other. */
const narrow = fc.uint8Array({ maxLength: 12, max: 2 })
const wide = fc.uint8Array({ maxLength: 6 })
const prefixed = fc
  .tuple(fc.constantFrom('user ', 'user 1', '/static/'), fc.nat(99_999))
  .map(([start, n]) => new Uint8Array(Buffer.from(`${start}${n}`)))

describe('sortedTexts', () => {
  it('sorts texts by their bytes', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(narrow, wide, prefixed), { maxLength: 60 }),
        fc.boolean(),
        (texts, some) => {
          expectSorted(distinct(texts), some ? (id) => id % 3 !== 1 : undefined)
        },
      ),
    )
  })

  it('sorts many texts', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(narrow, wide, prefixed), { minLength: 500, maxLength: 900, size: 'max' }),
        (texts) => expectSorted(distinct(texts)),
      ),
      { numRuns: 15 },
    )
  })

  it('sorts texts with shared prefixes longer than the recursion limit allows', () => {
    const texts = Array.from({ length: 900 }, (_, i) => new Uint8Array(900 - i))
    expectSorted(texts)
  })
})
