import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LineFrames } from './line-frames.ts'

function cut(chunks: readonly Buffer[]): string[] {
  const frames = new LineFrames()
  return [...chunks.flatMap((chunk) => frames.push(chunk)), ...frames.end()].map(String)
}

function pieces(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = []
  let at = 0
  for (const size of sizes) {
    if (at < bytes.length) chunks.push(bytes.subarray(at, (at += size)))
  }
  return at < bytes.length ? [...chunks, bytes.subarray(at)] : chunks
}

const sizes = fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 30 })
const text = fc.string({ maxLength: 20, unit: fc.constantFrom('a', ' ', '<', '9', 'é', '\n') })

describe('LineFrames', () => {
  it('cuts lines with their ends, however the bytes arrive', () => {
    fc.assert(
      fc.property(fc.array(text.map((line) => `<1>${line.replaceAll('\n', '')}\n`)), sizes, (lines, cuts) => {
        expect(cut(pieces(Buffer.from(lines.join('')), cuts))).toEqual(lines)
      }),
    )
  })

  it('cuts counted messages, which may hold line ends, however the bytes arrive', () => {
    fc.assert(
      fc.property(fc.array(text.map((line) => `<1>${line}`)), sizes, (messages, cuts) => {
        const bytes = Buffer.from(messages.map((one) => `${Buffer.byteLength(one)} ${one}`).join(''))
        expect(cut(pieces(bytes, cuts))).toEqual(messages)
      }),
    )
  })

  it('takes line ends between counted messages', () => {
    expect(cut([Buffer.from('5 <1>ab\n6 <1>abc\n')])).toEqual(['<1>ab', '<1>abc'])
  })

  it('takes numbers that begin a line as text', () => {
    expect(cut([Buffer.from('12'), Buffer.from(' apples\n13 <1>pears\n')])).toEqual([
      '12 apples\n',
      '13 <1>pears\n',
    ])
    expect(cut([Buffer.from('12')])).toEqual(['12'])
  })

  it('refuses counted messages without bound, and those that lost their count', () => {
    expect(() => cut([Buffer.from('9999999 <1>')])).toThrow('9999999 octets is too long')
    expect(() => cut([Buffer.from('5 <1>ab<1>ab')])).toThrow('without its length')
  })
})
