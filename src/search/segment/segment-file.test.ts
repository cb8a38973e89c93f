import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { MemoryFiles } from '../../storage/memory-files.ts'
import { blockValues } from './encoding/section-blocks.ts'
import type { Section } from './encoding/sections.ts'
import {
  CorruptSegment,
  FileSections,
  SectionAlias,
  SectionStream,
  UncompressedSection,
  writeSegmentFile,
} from './segment-file.ts'

const count = 100_000
const texts = (from: number, to: number) => {
  const all = Array.from({ length: to - from }, (_, i) => `text ${String(from + i).padStart(7, '0')}`)
  let end = 0
  return { bytes: Buffer.from(all.join('')), ends: Uint32Array.from(all, ({ length }) => (end += length)) }
}
const words = (from: number, to: number) => Uint32Array.from({ length: to - from }, (_, i) => (from + i) * 7)
const doubles = (from: number, to: number) =>
  Float64Array.from({ length: to - from }, (_, i) => (from + i) / 8)
const bytes = (from: number, to: number) =>
  Uint8Array.from({ length: to - from }, (_, i) => ((from + i) * 31) >>> 3)
const exact = (from: number, to: number) =>
  BigInt64Array.from({ length: to - from }, (_, i) => BigInt(from + i) * 2n ** 40n)
const makers: Record<string, (from: number, to: number) => Section> = { texts, words, doubles, bytes, exact }

function blocksIn(sections: FileSections, name: string): Section[] {
  const next = sections.blocks(name)
  const blocks: Section[] = []
  for (let block = next(); block !== undefined; block = next()) blocks.push(block)
  return blocks
}

const plain = (section: Section) =>
  'ends' in section
    ? { bytes: Buffer.from(section.bytes).toString(), ends: [...section.ends] }
    : [...(section as Uint32Array)]

describe('a segment file', () => {
  const files = new MemoryFiles()
  // The blocks of two sections interleave, as in a merge.
  writeSegmentFile(
    files,
    'file',
    (function* () {
      for (let from = 0; from < count; from += 30_000) {
        for (const [name, make] of Object.entries(makers))
          yield [name, make(from, Math.min(count, from + 30_000))] as const
      }
      yield ['same', new SectionAlias('words')] as const
      yield ['empty', new Uint32Array(0)] as const
      yield ['stream', new SectionStream([Uint8Array.of(1, 2), Uint8Array.of(3)])] as const
    })(),
  )
  const sections = new FileSections(files, 'file')

  it.each(Object.entries(makers))('reads back %s that were not compressed', (name, make) => {
    const expected = make(0, count)
    writeSegmentFile(files, 'small', [[name, expected]])
    writeSegmentFile(files, 'passing', [[name, new UncompressedSection(expected)]])
    const passing = new FileSections(files, 'passing')
    expect(passing.countOf(name)).toBe(count)
    expect(plain(passing.read(name))).toEqual(plain(expected))
    expect(files.read('passing').length).toBeGreaterThan(files.read('small').length)
  })

  it.each(Object.entries(makers))('reads back %s, whole and block by block', (name, make) => {
    const expected = make(0, count)
    expect(sections.countOf(name)).toBe(count)
    expect(plain(sections.read(name))).toEqual(plain(expected))
    const blocks = blocksIn(sections, name)
    expect(blocks.length).toBeGreaterThan(3)
    let from = 0
    for (const block of blocks) {
      const to = from + ('ends' in block ? block.ends.length : block.length)
      expect(plain(block)).toEqual(plain(make(from, to)))
      from = to
    }
    expect(from).toBe(count)
  })

  it.each([
    [1, Uint8Array],
    [255, Uint8Array],
    [256, Uint16Array],
    [65_535, Uint16Array],
    [65_536, Uint32Array],
  ])('reads words up to %i into the narrowest array', (max, array) => {
    const ordinals = Uint32Array.from({ length: 3 * blockValues - 7 }, (_, i) => (i * 7919) % (max + 1))
    writeSegmentFile(files, 'ordinals', [
      ['all', ordinals],
      ['few', ordinals.subarray(0, 3)],
    ])
    const read = new FileSections(files, 'ordinals')
    const all = read.readOrdinals('all', max)
    expect(all).toBeInstanceOf(array)
    expect(Uint32Array.from(all)).toEqual(ordinals)
    expect([...read.readOrdinals('few', max)]).toEqual([...ordinals.subarray(0, 3)])
    expect(() => sections.readOrdinals('texts', max)).toThrow('is of another kind: section texts')
  })

  it('reads blocks of bytes in any order', () => {
    const { starts, block } = sections.randomBytes('bytes')
    expect(starts.at(-1)).toBe(count)
    expect(starts.length).toBeGreaterThan(3)
    for (let number = starts.length - 2; number >= 0; number--)
      expect([...block(number)]).toEqual([...bytes(starts[number]!, starts[number + 1]!)])
    expect(() => sections.randomBytes('words')).toThrow('is of another kind: section words')
  })

  it('reads blocks of texts in any order', () => {
    const { starts, block } = sections.randomTexts('texts')
    expect(starts.at(-1)).toBe(count)
    for (let number = starts.length - 2; number >= 0; number--)
      expect(plain(block(number))).toEqual(plain(texts(starts[number]!, starts[number + 1]!)))
  })

  it('detects damage of a block that comes after the section was opened', () => {
    const file = files.openRead('file')
    let isDamaged = false
    const read = (from: number, to: number) => {
      const given = file.read(from, to).slice()
      if (isDamaged) given[given.length >>> 1]! ^= 4
      return given
    }
    const disk = Object.assign(new MemoryFiles(), { openRead: () => ({ ...file, size: file.size, read }) })
    const { block } = new FileSections(disk, 'file').randomBytes('bytes')
    const second = [...block(1)]
    isDamaged = true
    expect(() => block(1)).toThrow('is damaged: section bytes')
    expect(second).toEqual([...bytes(30_000, 60_000)])
  })

  it('stores equal sections once', () => {
    expect(plain(sections.read('same'))).toEqual(plain(words(0, count)))
    expect(sections.identity('same')).toBe(sections.identity('words'))
    expect(sections.identity('same')).not.toBe(sections.identity('doubles'))
  })

  it('has empty sections, and streams that are read in ranges', () => {
    expect(sections.read('empty')).toEqual(new Uint32Array(0))
    expect([...sections.readRange('stream', 1, 3)]).toEqual([2, 3])
  })

  it.each(Object.keys(makers))('detects damage in %s', (name) => {
    const damaged = new MemoryFiles()
    const written = files.read('file').slice()
    // One bit in each hundred bytes damages every section.
    for (let at = 0; at < written.length - 4096; at += 100) written[at]! ^= 4
    damaged.write('file', [written])
    const opened = new FileSections(damaged, 'file')
    expect(() => opened.read(name)).toThrow(CorruptSegment)
    expect(() => blocksIn(opened, name)).toThrow(CorruptSegment)
    expect(() => opened.randomBytes(name)).toThrow(CorruptSegment)
  })

  it('is refused when a newer version or one no longer read wrote it', () => {
    const written = (version: number) => {
      const given = Buffer.from(files.read('file'))
      given.writeUInt32LE(version, given.length - 16)
      given.writeUInt32LE(crc32(given.subarray(given.length - 32, given.length - 12)), given.length - 12)
      files.write(`version ${version}`, [given])
      return () => new FileSections(files, `version ${version}`)
    }
    for (const version of [6, 7, 8])
      expect(plain(written(version)().read('words'))).toEqual(plain(words(0, count)))
    expect(written(5)).toThrow('version 5 has format 5, which this version no longer reads')
    expect(written(9)).toThrow('was written by a newer version of the program')
  })

  it('is refused when any bit of its footer is flipped', () => {
    const written = files.read('file')
    for (let bit = (written.length - 32) * 8; bit < written.length * 8; bit++) {
      const flipped = new Uint8Array(written)
      flipped[bit >>> 3]! ^= 1 << (bit & 7)
      files.write('flipped', [flipped])
      expect(() => new FileSections(files, 'flipped'), `bit ${bit}`).toThrow('flipped is damaged')
    }
  })
})
