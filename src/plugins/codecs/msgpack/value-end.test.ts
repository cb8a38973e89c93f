import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mutations } from '../test-mutations.ts'
import { MsgpackReader } from './reader.ts'
import { ValueEnd } from './value-end.ts'
import { pack } from './writer.ts'

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')

/** Where the value ends that begins the bytes, which come in pieces of one size. */
function endOf(bytes: Buffer, piece: number): number | undefined {
  const end = new ValueEnd()
  for (let at = 0; at < bytes.length; at += piece) {
    const found = end.find(bytes.subarray(at, at + piece), 0)
    if (found !== undefined) return at + found
  }
  return undefined
}

/** One value of every form that there is, from the specification. */
const forms = [
  ...['00', '7f', 'e0', 'ff', 'c0', 'c2', 'c3', '80', '90', 'a0'],
  ...['81 a1 61 05', '92 01 02', 'a2 6162'],
  ...['c4 01 61', 'c5 0001 61', 'c6 00000001 61', 'd9 01 61', 'da 0001 61', 'db 00000001 61', 'd9 00'],
  ...['ca 00000000', 'cb 0000000000000000', 'cc 01', 'cd 0001', 'ce 00000001', 'cf 0000000000000001'],
  ...['d0 01', 'd1 0001', 'd2 00000001', 'd3 0000000000000001'],
  ...['d4 05 01', 'd5 05 0001', 'd6 05 00000001', 'd7 05 0000000000000001', `d8 05 ${'00'.repeat(16)}`],
  ...['c7 03 05 010203', 'c8 0003 05 010203', 'c9 00000003 05 010203', 'c7 00 05'],
  ...['dc 0002 01 02', 'dd 00000002 01 02', 'de 0001 01 02', 'df 00000001 01 02', 'dc 0000'],
]

describe('the end of a MessagePack value', () => {
  it.each(forms)('is found behind %s', (form) => {
    const bytes = hex(form)
    const followed = Buffer.concat([bytes, hex('93')])
    for (let piece = 1; piece <= followed.length; piece++) expect(endOf(followed, piece)).toBe(bytes.length)
    for (let cut = 0; cut < bytes.length; cut++) expect(endOf(bytes.subarray(0, cut), 1)).toBeUndefined()
  })

  it('is where a reader stops', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 20 }), (value, piece) => {
        const bytes = pack(value as never)
        expect(endOf(bytes, piece)).toBe(bytes.length)
      }),
    )
  })

  it('is where a reader stops in 10,000 mutated values, or both go without one', () => {
    let ends = 0
    for (const bytes of mutations(forms.map(hex), 10_000)) {
      const reader = new MsgpackReader(bytes)
      let read: number | undefined
      try {
        reader.read()
        read = reader.at
      } catch {}
      let found: number | undefined
      try {
        found = endOf(bytes, 3)
      } catch (error) {
        expect((error as Error).message).toBe('the byte c1 begins no value')
      }
      expect(found, bytes.toString('hex')).toBe(read)
      if (read !== undefined) ends += 1
    }
    expect(ends).toBeGreaterThan(1000)
  })
})
