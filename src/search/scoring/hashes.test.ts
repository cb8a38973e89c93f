/** Hashes beyond the goldens: both ways to the same hash, forms of stored ids, the rule of routing slots. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { murmur3, murmur3Text } from '../../text/murmur3.ts'
import { defaultRoutingShards, partitionedShardOf, shardOf } from '../routing/routing.ts'
import { sliceHashOfNumber, sliceOf, storedId } from '../routing/slice-hash.ts'

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

describe('murmur3', () => {
  it('agrees with published values', () => {
    const hash = (text: string, seed: number): number => murmur3(Buffer.from(text), seed) >>> 0
    expect(hash('', 0)).toBe(0)
    expect(hash('', 1)).toBe(0x514e28b7)
    expect(hash('test', 0)).toBe(0xba6bd213)
    expect(hash('Hello, world!', 0)).toBe(0xc0363e43)
    expect(hash('The quick brown fox jumps over the lazy dog', 0)).toBe(0x2e4ff723)
  })

  it('hashes a text like its UTF-16 bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(murmur3Text(text)).toBe(murmur3(Buffer.from(text, 'utf16le'), 0))
      }),
    )
  })
})

describe('routing', () => {
  it('leaves slots for splitting', () => {
    expect([1, 2, 3, 5, 600, 1024].map(defaultRoutingShards)).toEqual([1024, 1024, 768, 640, 1200, 2048])
  })

  it('stays within the number of shards', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.integer({ min: 1, max: 1024 }), (routing, id, shards) => {
        expect(shardOf(routing, 1)).toBe(0)
        expect(shardOf(routing, shards)).toBeLessThan(shards)
        expect(partitionedShardOf(routing, id, 1, shards)).toBe(shardOf(routing, shards))
      }),
    )
  })
})

describe('slices', () => {
  it('encode ids by their form', () => {
    expect(hex(storedId('1'))).toBe('fe1f')
    expect(hex(storedId('042'))).toBe('fe042f')
    expect(hex(storedId('42'))).toBe('fe42')
    expect(hex(storedId('abcd'))).toBe('69b71d')
    expect(hex(storedId('__79'))).toBe('fdfffefd')
    expect(hex(storedId('ab'))).toBe('ff6162')
    expect(hex(storedId('a b'))).toBe('ff612062')
    expect(hex(storedId('é'))).toBe('ffc3a9')
  })

  it('assign every number to one slice', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
        fc.integer({ min: 1, max: 9 }),
        (bits, parts) => {
          const part = sliceOf(sliceHashOfNumber(bits), parts)
          expect(part).toBeGreaterThanOrEqual(0)
          expect(part).toBeLessThan(parts)
        },
      ),
    )
    expect(sliceHashOfNumber(0n)).toBe(0n)
  })
})
