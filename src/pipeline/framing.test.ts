import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CutRecords, RecordCutter } from './framing.ts'

function texts(cut: CutRecords | undefined, gap: number): string[] {
  if (cut === undefined) return []
  let start = 0
  return [...cut.ends].map((end) => {
    const text = Buffer.from(cut.bytes).toString('utf8', start, end)
    start = end + gap
    return text
  })
}

function cutAll(chunks: Uint8Array[], delimiter: string, max?: number): string[] {
  const cutter = new RecordCutter(Buffer.from(delimiter), max)
  const records = chunks.flatMap((chunk) => texts(cutter.cut(chunk), cutter.gap))
  return [...records, ...texts(cutter.rest(), cutter.gap)]
}

describe('cutting a stream into records', () => {
  it('gives the same records however the stream was cut into chunks', () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[ab\u00e9]{0,6}$/), { maxLength: 20 }),
        fc.constantFrom('\n', '\r\n', '||'),
        fc.array(fc.nat(12), { minLength: 1, maxLength: 30 }),
        (records, delimiter, sizes) => {
          const bytes = Buffer.from(records.map((record) => record + delimiter).join(''))
          const chunks: Uint8Array[] = []
          for (let at = 0, i = 0; at < bytes.length; i++) {
            const size = Math.max(1, sizes[i % sizes.length]!)
            chunks.push(Uint8Array.prototype.slice.call(bytes, at, at + size))
            at += size
          }
          expect(cutAll(chunks, delimiter)).toEqual(records)
        },
      ),
    )
  })

  it('gives the last record without a delimiter at the end', () => {
    expect(cutAll([Buffer.from('a\nb')], '\n')).toEqual(['a', 'b'])
  })

  it('cuts a record that grows beyond the limit', () => {
    const records = cutAll([Buffer.alloc(6, 'x'), Buffer.alloc(6, 'x'), Buffer.from('y\nz\n')], '\n', 10)
    expect(records).toEqual(['x'.repeat(12), 'y', 'z'])
  })
})
