import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodedView, RecordDecoder, recordMargin } from './record-decoder.ts'
import { readDictionary, storedDictionary } from './record-dictionary.ts'
import { type RecordEncoder, recordRoom } from './record-encoder.ts'
import { maxMatch, maxRecordBytes } from './symbols.ts'
import { sampleOf, trainedEncoder } from './trained-encoder.ts'

/** Values of access lines: parts that all documents have, and numbers that none has twice. */
const line = (i: number): Buffer => {
  const number = Math.imul(i + 1, 0x9e3779b1) >>> 0
  return Buffer.from(
    `2026-11-18T07:${10 + (i % 50)}:00.${100 + (i % 900)}Z"GET"/api/v1/orders/${number}"${200 + (i % 3)},` +
      `Mozilla/5.0 (X11; Linux x86_64) Firefox/${i % 80}.0"${number.toString(16)}${(number ^ 0xffff).toString(16)}"`,
  )
}
const lines = Array.from({ length: 6000 }, (_, i) => line(i))

function trained(kind: string, sources: readonly Uint8Array[]): RecordEncoder | undefined {
  const bytes = sources.reduce((sum, { length }) => sum + length, 0)
  return trainedEncoder(
    kind,
    sampleOf(sources.length, bytes, (place) => sources[place]),
  )
}

const encoder = trained('lines', lines)!
const decoder = new RecordDecoder(readDictionary(storedDictionary(encoder.dictionary)))

function recordOf(source: Uint8Array): DataView {
  const room = new DataView(new ArrayBuffer(recordRoom(source.length)))
  const end = encoder.encode(source, room, 0)
  // The bytes behind a record are those of the next.
  const record = new Uint8Array(end + recordMargin).fill(0x5a)
  record.set(new Uint8Array(room.buffer, 0, end))
  return new DataView(record.buffer)
}

function restored(record: DataView): Buffer {
  const length = decoder.decode(record, 0, record.byteLength - recordMargin)
  return Buffer.from(new Uint8Array(decodedView.buffer, 0, length))
}

it('takes less than half of the bytes of documents that are alike, each of which is readable alone', () => {
  let [plain, stored] = [0, 0]
  for (const source of lines) {
    const record = recordOf(source)
    plain += source.length
    stored += record.byteLength - recordMargin
    expect(restored(record).equals(source)).toBe(true)
  }
  expect(stored).toBeLessThan(plain * 0.4)
})

describe('any bytes come back', () => {
  const parts = fc.oneof(
    fc.constantFrom(
      '/api/v1/orders/',
      'Mozilla/5.0 (X11; Linux',
      ':00.',
      'é',
      '\\"',
      'x'.repeat(maxMatch + 9),
    ),
    fc.string({ maxLength: 20 }),
    fc.nat().map(String),
  )
  const sources = fc.oneof(
    fc.uint8Array({ maxLength: 2000 }).map((bytes) => Buffer.from(bytes)),
    fc.array(parts, { maxLength: 60 }).map((each) => Buffer.from(each.join('')).subarray(0, maxRecordBytes)),
  )

  it('whatever they are', () => {
    fc.assert(fc.property(sources, (source) => restored(recordOf(source)).equals(source)))
  })

  it.each([0, 1, 4, 5, 511, 512, maxRecordBytes])('when there are %d of them', (length) => {
    for (const text of ['ab', 'Mozilla/5.0 (X11; Linux x86_64) ', '\xff\0']) {
      const source = Buffer.alloc(length, text, 'latin1')
      expect(restored(recordOf(source)).equals(source)).toBe(true)
    }
  })
})

it('refuses a damaged record, or reads other bytes from it, and always ends', () => {
  fc.assert(
    fc.property(fc.nat(lines.length - 1), fc.nat(), (i, flipped) => {
      const record = recordOf(lines[i]!)
      const bytes = new Uint8Array(record.buffer)
      const at = flipped % ((bytes.length - recordMargin) * 8)
      bytes[at >> 3]! ^= 1 << (at & 7)
      try {
        expect(restored(record).length).toBeLessThan(maxRecordBytes + maxMatch + recordMargin)
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError)
      }
    }),
  )
})

it('keeps a dictionary while it fits, and trains another when sources change', () => {
  const later = Array.from({ length: 3000 }, (_, i) => line(i + 1_000_000))
  expect(trained('lines', later)).toBe(encoder)
  const others = Array.from({ length: 3000 }, (_, i) =>
    Buffer.from(`ERROR in pool-${i % 7}: connection ${i} was lost"`),
  )
  expect(trained('lines', others)).not.toBe(encoder)
})

it('trains none where DEFLATE does better, as for neighbours that are nearly the same', () => {
  const random = (i: number) => (Math.imul(i + 1, 0x85ebca6b) >>> 0).toString(36).repeat(3)
  const sources = Array.from({ length: 4000 }, (_, i) =>
    Buffer.from(`${random(i >> 5)}${random((i >> 5) + 1e6)}${random((i >> 5) + 2e6)}${i}"`),
  )
  expect(trained('neighbours', sources)).toBeUndefined()
})

it.each([
  ['too short', (bytes: Uint8Array) => bytes.subarray(0, 3)],
  ['not compressed', () => new Uint8Array(100)],
])('refuses a dictionary that is %s', (_title, change) => {
  expect(() => readDictionary(change(storedDictionary(encoder.dictionary)))).toThrow()
})
