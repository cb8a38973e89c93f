import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { memoryAccount } from '../../memory/memory-account.ts'
import { type CutRecords, RecordCutter } from './framing.ts'

const megabyte = 1024 * 1024

/** Records that were cut end with an ellipsis. */
function texts(cuts: readonly CutRecords[], gap: number): string[] {
  return cuts.flatMap(({ bytes, ends, truncated }) => {
    let start = 0
    return [...ends].map((end) => {
      const text = Buffer.from(bytes).toString('utf8', start, end)
      start = end + gap
      return truncated ? `${text}…` : text
    })
  })
}

function cutAll(chunks: Uint8Array[], delimiter: string, max?: number): string[] {
  const cutter = new RecordCutter(Buffer.from(delimiter), max)
  const records = chunks.flatMap((chunk) => texts(cutter.cut(chunk), cutter.gap))
  return [...records, ...texts(cutter.rest(), cutter.gap)]
}

describe('cutting a stream into records', () => {
  it.each([
    [4096, 20],
    [410, 8.5],
    [30, 1],
  ])('bounds a record with a memory limit of %d MB at about %d MB', (limit, expected) => {
    const before = memoryAccount.limit
    memoryAccount.limit = limit * megabyte
    try {
      const cutter = new RecordCutter(Buffer.from('\n'))
      const [first] = cutter.cut(Buffer.alloc(21 * megabyte, 'x'))
      expect(first!.bytes.length / megabyte).toBeCloseTo(expected, 0)
      expect(first!.truncated).toBe(true)
    } finally {
      memoryAccount.limit = before
    }
  })

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

  it('cuts a record that grows beyond the limit and goes on after its delimiter', () => {
    const chunks = [Buffer.alloc(6, 'x'), Buffer.alloc(6, 'x'), Buffer.from('y\nz\n')]
    expect(cutAll(chunks, '\n', 10)).toEqual([`${'x'.repeat(10)}…`, 'z'])
  })

  it('hands a record that is too long over before its end has come', () => {
    const cutter = new RecordCutter(Buffer.from('\n'), 4)
    expect(texts(cutter.cut(Buffer.from('abcdef')), 1)).toEqual(['abcd…'])
    expect(cutter.cut(Buffer.alloc(1000, 'g'))).toEqual([])
    expect(cutter.rest()).toEqual([])
    expect(texts(cutter.cut(Buffer.from('h\n')), 1)).toEqual(['h'])
  })

  it('keeps no more than the limit of a stream without delimiters', () => {
    const cutter = new RecordCutter(Buffer.from('||'), 100)
    const cuts = Array.from({ length: 50 }, () => cutter.cut(Buffer.alloc(30, '|x'))).flat()
    expect(cuts.map(({ bytes, truncated }) => [bytes.length, truncated])).toEqual([[100, true]])
  })

  it('finds a delimiter that comes byte by byte where the record is cut', () => {
    const bytes = [...Buffer.from('aaaaaa#--#b#--#')].map((byte) => Buffer.of(byte))
    expect(cutAll(bytes, '#--#', 5)).toEqual(['aaaaa…', 'b'])
  })

  it('cuts exactly the records of a stream that are longer than the limit, whatever the chunks', () => {
    const max = 5
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[ab|]{0,12}$/), { maxLength: 12 }),
        fc.constantFrom('\n', '\r\n', '#--#'),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 30 }),
        (records, delimiter, sizes) => {
          const bytes = Buffer.from(records.map((record) => record + delimiter).join(''))
          const chunks: Uint8Array[] = []
          for (let at = 0, i = 0; at < bytes.length; i++) {
            chunks.push(Uint8Array.prototype.slice.call(bytes, at, at + sizes[i % sizes.length]!))
            at += sizes[i % sizes.length]!
          }
          const expected = records.map((text) => (text.length > max ? `${text.slice(0, max)}…` : text))
          expect(cutAll(chunks, delimiter, max)).toEqual(expected)
        },
      ),
    )
  })
})
