import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FrontCoded } from './front-coded.ts'
import { packTexts, unpackTexts } from './packed-texts.ts'

function listOf(texts: readonly string[]) {
  let end = 0
  const all = texts.map((text) => Buffer.from(text))
  return { bytes: Buffer.concat(all), ends: Uint32Array.from(all, ({ length }) => (end += length)) }
}

function packedAndBack(texts: readonly string[]): string[] {
  const packed = packTexts(FrontCoded.of(listOf(texts), 0, texts.length))
  const { bytes, ends } = unpackTexts(packed).texts()
  return Array.from(ends, (end, i) => Buffer.from(bytes.subarray(ends[i - 1] ?? 0, end)).toString())
}

const hex = fc.array(fc.constantFrom(...'0123456789abcdef'), { maxLength: 40 }).map((all) => all.join(''))

describe('packed texts', () => {
  it('round-trip for any texts', () => {
    const lists = fc.oneof(
      fc.array(fc.string({ unit: 'binary', maxLength: 20 }), { minLength: 1 }),
      fc.array(hex, { minLength: 1 }),
      // Sixteen distinct characters, and one too many in some texts.
      fc.array(
        fc.tuple(hex, fc.constantFrom('', '', '', '-')).map(([a, b]) => `${a}${b}`),
        { minLength: 1 },
      ),
    )
    fc.assert(
      fc.property(lists, fc.boolean(), (texts, isSorted) => {
        // UTF-16 order may differ from byte order; only what neighbours share depends on it.
        const given = isSorted ? texts.toSorted() : texts
        expect(packedAndBack(given)).toEqual(given)
      }),
    )
  })

  it('take half a byte per character of long ids', () => {
    const ids = Array.from({ length: 999 }, (_, i) =>
      [1, 2, 3].map((k) => (Math.imul(i + k, 0x9e37_79b1) >>> 0).toString(16).padStart(8, '0')).join(''),
    )
    const lengths = 2 * 999 * 1.1
    expect(packTexts(FrontCoded.of(listOf(ids), 0, ids.length)).length).toBeLessThan(999 * 12 + lengths)
    expect(packedAndBack(ids)).toEqual(ids)
  })
})
