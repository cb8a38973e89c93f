import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { UnpacksToTooMuch, unpacked, unpackedPieces } from './unpacking.ts'

const text = Buffer.from('one line and another\n'.repeat(10_000))
const megabyte = 1024 * 1024

describe('unpacking', () => {
  it.each([
    ['gzip', gzipSync(text)],
    ['zlib', deflateSync(text)],
    ['raw', deflateRawSync(text)],
  ] as const)('gives back what was packed as %s', async (format, packed) => {
    expect((await unpacked(packed, format, megabyte)).equals(text)).toBe(true)
  })

  it('reads several parts, of which only the last one tells its size', async () => {
    const packed = Buffer.concat([gzipSync(text), gzipSync('end')])
    expect((await unpacked(packed, 'gzip', megabyte)).toString()).toBe(`${text}end`)
    const other = Buffer.concat([gzipSync('begin'), gzipSync(text)])
    expect((await unpacked(other, 'gzip', megabyte)).toString()).toBe(`begin${text}`)
  })

  it('reads what has other bytes behind it, which look like a size', async () => {
    const packed = Buffer.concat([gzipSync(text), Buffer.alloc(4), Buffer.alloc(4, 255)])
    expect((await unpacked(packed, 'gzip', megabyte)).equals(text)).toBe(true)
  })

  it('tells a size that is damaged from one that is too large', async () => {
    const packed = gzipSync(text)
    packed.fill(255, packed.length - 4)
    await expect(unpacked(packed, 'gzip', megabyte)).rejects.toThrow(/incorrect length check/)
  })

  it('gives nothing for nothing', async () => {
    expect(await unpacked(gzipSync(''), 'gzip', 10)).toHaveLength(0)
  })

  it.each([
    ['gzip', gzipSync(text)],
    ['zlib', deflateSync(text)],
    ['raw', deflateRawSync(text)],
  ] as const)('refuses %s that is larger than allowed', async (format, packed) => {
    await expect(unpacked(packed, format, text.length - 1)).rejects.toThrow(UnpacksToTooMuch)
    expect(await unpacked(packed, format, text.length)).toHaveLength(text.length)
  })

  it('refuses a bomb that lies about its size after some megabytes', async () => {
    const part = gzipSync(Buffer.alloc(40 * megabyte))
    const bomb = Buffer.concat([...Array.from({ length: 10 }, () => part), gzipSync('small')])
    let seen = 0
    const reading = async () => {
      for await (const piece of unpackedPieces(bomb, 'gzip', 300 * megabyte)) seen += piece.length
    }
    await expect(reading()).rejects.toThrow(UnpacksToTooMuch)
    expect(seen).toBeLessThan(33 * megabyte)
  })

  it('tells what is wrong with damaged bytes', async () => {
    await expect(unpacked(Buffer.from('no gzip at all'), 'gzip', megabyte)).rejects.toThrow(/header/)
    await expect(unpacked(gzipSync(text).subarray(0, 60), 'gzip', megabyte)).rejects.toThrow()
  })
})
