import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MemoryFiles } from '../../storage/memory-files.ts'
import { decodeEntry, eventOf } from './entry.ts'
import { blockBytes, framed } from './segment-format.ts'
import { SegmentScan } from './segment-scan.ts'
import { letter, letterOfSize, numberOf, record } from './test-segments.ts'

function scanned(bytes: Uint8Array, position?: number) {
  const files = new MemoryFiles()
  files.write('/1.log', [bytes])
  const file = files.openRead('/1.log')
  const scan = new SegmentScan(file, position)
  const entries: Uint8Array[] = []
  for (let next = scan.next(); next !== undefined; next = scan.next()) entries.push(next.bytes)
  return { entries, numbers: entries.map(numberOf), damaged: scan.damaged, endsShort: scan.endsShort }
}

function segmentOf(entries: readonly Uint8Array[]): Buffer {
  let bytes: Buffer = Buffer.from('1')
  for (const entry of entries) bytes = Buffer.concat([bytes, framed(entry, bytes.length)])
  return bytes
}

describe('an entry', () => {
  // Five blobs after their lengths, the event as Jackson writes it.
  const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)])
  const map = Buffer.concat([Buffer.from([0x78, 25]), Buffer.from('org.logstash.ConvertedMap')])
  const event = Buffer.concat([
    Buffer.from([0x9f]),
    text('java.util.HashMap'),
    Buffer.from([0xbf]),
    text('DATA'),
    Buffer.from([0x9f]),
    map,
    Buffer.from([0xbf]),
    text('n'),
    Buffer.from('1b0000000000000007', 'hex'),
    Buffer.from([0xff, 0xff]),
    text('META'),
    Buffer.from([0x9f]),
    map,
    Buffer.from([0xbf, 0xff, 0xff, 0xff, 0xff]),
  ])
  const blobs = [
    Buffer.from('2020-01-02T03:04:05.678Z'),
    event,
    Buffer.from('elasticsearch'),
    Buffer.from('out'),
    Buffer.from('no'),
  ]
  const golden = Buffer.concat(
    blobs.flatMap((blob) => [Buffer.from([0, 0, blob.length >> 8, blob.length & 255]), blob]),
  )

  it('is read as Logstash writes it', () => {
    const entry = decodeEntry(golden)!
    expect(entry.time.toString()).toBe('2020-01-02T03:04:05.678Z')
    expect(eventOf(entry).get('n')).toBe(7)
    expect([entry.pluginType, entry.pluginId, entry.reason]).toEqual(['elasticsearch', 'out', 'no'])
  })

  it('is no entry when bytes are missing or left over', () => {
    for (let length = 0; length < golden.length; length++)
      expect(decodeEntry(golden.subarray(0, length))).toBeUndefined()
    expect(decodeEntry(Buffer.concat([golden, Buffer.of(0)]))).toBeUndefined()
  })
})

describe('a segment', () => {
  it('has a version, and a record per entry that fits into its block', () => {
    const [a, b] = [letter(1), letter(2)]
    const expected = Buffer.concat([Buffer.from('1'), record('c', a), record('c', b)])
    expect(segmentOf([a, b]).toString('hex')).toBe(expected.toString('hex'))
  })

  it('splits an entry over blocks, and only the first part says how long it is', () => {
    const entry = letterOfSize(1, 80_000)
    const room = blockBytes - 13
    const expected = Buffer.concat([
      Buffer.from('1'),
      record('s', entry.subarray(0, room), 80_000),
      record('m', entry.subarray(room, 2 * room)),
      record('e', entry.subarray(2 * room)),
    ])
    expect(segmentOf([entry]).equals(expected)).toBe(true)
    expect(scanned(expected).entries.map((one) => entry.equals(one))).toEqual([true])
  })

  it('gives an entry that ends with its block no end record', () => {
    const entry = letterOfSize(1, blockBytes - 13)
    const expected = Buffer.concat([Buffer.from('1'), record('s', entry, entry.length)])
    expect(segmentOf([entry]).equals(expected)).toBe(true)
    expect(scanned(Buffer.concat([expected, record('c', letter(2))])).numbers).toEqual([1, 2])
  })

  it.each([1, 12, 13])('pads a block of which %i bytes are left with zeros', (left) => {
    const first = letterOfSize(1, blockBytes - 13 - left)
    const second = letter(2)
    const expected = Buffer.concat([
      Buffer.from('1'),
      record('c', first),
      Buffer.alloc(left),
      record('c', second),
    ])
    expect(segmentOf([first, second]).equals(expected)).toBe(true)
    expect(scanned(expected)).toMatchObject({ numbers: [1, 2], damaged: 0, endsShort: false })
  })

  it('goes on in a block of which 14 bytes are left', () => {
    const first = letterOfSize(1, blockBytes - 13 - 14)
    const second = letter(2)
    const expected = Buffer.concat([
      Buffer.from('1'),
      record('c', first),
      record('s', second.subarray(0, 1), second.length),
      record('e', second.subarray(1)),
    ])
    expect(segmentOf([first, second]).equals(expected)).toBe(true)
  })

  it('may have more padding, also inside of an entry, because Logstash counts its own padding as used', () => {
    const first = letterOfSize(1, 20_000)
    const second = letterOfSize(2, 20_000)
    const half = blockBytes - 13 - 20_000 - 13 - 40
    const bytes = Buffer.concat([
      Buffer.from('1'),
      record('c', first),
      record('s', second.subarray(0, half), second.length),
      Buffer.alloc(40),
      record('e', second.subarray(half)),
    ])
    expect((bytes.length - 1 - (13 + 20_000 - half)) % blockBytes).toBe(0)
    expect(scanned(bytes)).toMatchObject({ numbers: [1, 2], damaged: 0 })
  })

  it('is read from the beginning of any block, without the rest of the entry before', () => {
    const entries = [1, 2, 3, 4, 5, 6].map((number) => letterOfSize(number, 20_000))
    const bytes = segmentOf(entries)
    expect(scanned(bytes, 1 + blockBytes)).toMatchObject({ numbers: [3, 4, 5, 6], damaged: 0 })
    expect(scanned(bytes, 1 + 2 * blockBytes)).toMatchObject({ numbers: [5, 6], damaged: 0 })
  })

  it('gives back what was written, whatever the sizes', () => {
    const size = fc.oneof(
      fc.integer({ min: 400, max: 3000 }),
      fc.integer({ min: blockBytes - 60, max: blockBytes + 60 }),
      fc.integer({ min: 70_500, max: 150_000 }),
    )
    fc.assert(
      fc.property(fc.array(size, { maxLength: 12 }), (sizes) => {
        const entries = sizes.map((bytes, number) => letterOfSize(number, bytes))
        const found = scanned(segmentOf(entries))
        expect(found.entries.map((one) => Buffer.compare(one, entries[numberOf(one)]!))).toEqual(
          entries.map(() => 0),
        )
        expect(found).toMatchObject({ damaged: 0, endsShort: false })
      }),
      { numRuns: 60 },
    )
  })
})

describe('a damaged segment', () => {
  const sizes = [600, 31_000, 900, 40_000, 700, 33_000, 500, 500]
  const entries = sizes.map((bytes, number) => letterOfSize(number, bytes))
  const whole = segmentOf(entries)

  it('gives only entries that were written, in order, and says when one is missing', () => {
    const step = 101
    for (let at = 0; at < whole.length; at += at < 700 ? 1 : step) {
      const damaged = Buffer.from(whole)
      damaged[at]! ^= 1 << (at % 8)
      const found = scanned(damaged)
      const expected = entries.filter((_, number) => found.numbers.includes(number))
      expect(found.entries.length).toBe(expected.length)
      expect(found.entries.every((one, i) => expected[i]!.equals(one))).toBe(true)
      if (found.entries.length < entries.length) expect(found.damaged > 0 || found.endsShort).toBe(true)
    }
  })

  it('loses one entry to a flipped bit in its bytes', () => {
    const damaged = Buffer.from(whole)
    damaged[200]! ^= 1
    expect(scanned(damaged)).toMatchObject({ numbers: [1, 2, 3, 4, 5, 6, 7], damaged: 1 })
  })

  it('loses at most the rest of a block to a flipped bit in a header', () => {
    for (let at = 1; at < 14; at++) {
      const damaged = Buffer.from(whole)
      damaged[at]! ^= 0x40
      const found = scanned(damaged)
      expect(found.damaged).toBeGreaterThan(0)
      // The first block holds the entries 0, 1 and 2 and the beginning of 3.
      expect(found.numbers.slice(-4)).toEqual([4, 5, 6, 7])
    }
  })

  it('gives the entries before the place where it was cut off', () => {
    const ends: number[] = []
    for (let i = 0; i <= entries.length; i++) ends.push(segmentOf(entries.slice(0, i)).length)
    for (let length = 0; length < whole.length; length += length < 700 ? 1 : 101) {
      const found = scanned(whole.subarray(0, length))
      const complete = ends.filter((end) => end <= length).length - 1
      expect(found.numbers).toEqual(entries.slice(0, Math.max(0, complete)).map((_, number) => number))
      expect(found.damaged).toBe(0)
      if (length > 1) expect(found.endsShort).toBe(!ends.includes(length))
    }
  })

  it('is read in linear time when it is nothing but noise', () => {
    const noise = Buffer.alloc(2_000_000)
    for (let i = 0; i < noise.length; i++) noise[i] = [0x63, 0x73, 0x6d, 0x65, 0, 0, 255][(i * 7919) % 7]!
    expect(scanned(noise).entries).toEqual([])
  })
})
