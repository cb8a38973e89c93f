import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ackFrame, FrameReader, type LumberjackFrame } from './frame-reader.ts'
import { inflateFrames } from './inflate-frames.ts'
import { compressedFrame, dataFrame, jsonFrame, windowFrame } from './test-client.ts'

function readAll(bytes: Buffer, cuts: readonly number[] = []): LumberjackFrame[] {
  const reader = new FrameReader()
  const frames: LumberjackFrame[] = []
  const places = [0, ...[...cuts].sort((a, b) => a - b), bytes.length]
  for (let i = 1; i < places.length; i++) {
    reader.push(bytes.subarray(places[i - 1], places[i]))
    for (let frame = reader.next(); frame !== undefined; frame = reader.next()) frames.push(frame)
  }
  return frames
}

function numbers(head: string, ...values: number[]): Buffer {
  const bytes = Buffer.alloc(head.length + 4 * values.length)
  bytes.write(head, 'latin1')
  for (const [i, value] of values.entries()) bytes.writeUInt32BE(value, head.length + 4 * i)
  return bytes
}

const sample = Buffer.concat([
  windowFrame(3),
  jsonFrame(1, { message: 'grüße' }),
  dataFrame(2, { line: 'a', __proto__x: 'b' }),
  compressedFrame(jsonFrame(3, {})),
])

describe('frames of the Lumberjack protocol', () => {
  it('are read by their kind', () => {
    const [window, json, data, compressed, ...more] = readAll(sample)
    expect(window).toEqual({ kind: 'window', version: 2, size: 3 })
    expect(json).toMatchObject({ kind: 'json', version: 2, sequence: 1 })
    expect(json?.kind === 'json' && json.json.toString()).toBe('{"message":"grüße"}')
    expect(data).toMatchObject({ kind: 'data', version: 1, sequence: 2, fields: { line: 'a' } })
    expect(compressed?.kind).toBe('compressed')
    expect(more).toEqual([])
  })

  it('are the same however the stream is cut into chunks', () => {
    const whole = readAll(sample)
    fc.assert(
      fc.property(fc.array(fc.nat(sample.length), { maxLength: 40 }), (cuts) => {
        expect(readAll(sample, cuts)).toEqual(whole)
      }),
    )
  })

  it('keep names that objects inherit as plain names', () => {
    const fields = Object.fromEntries([['__proto__', 'x']])
    const frame = readAll(dataFrame(1, fields))[0]
    if (frame?.kind !== 'data') throw new Error('no data frame')
    expect(Object.keys(frame.fields)).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(frame.fields)).toBe(Object.prototype)
  })

  it.each([
    [Buffer.from('3W\0\0\0\x01'), 'Invalid version of beats protocol: 51'],
    [Buffer.from('2X'), 'Invalid Frame Type, received: 88'],
    [Buffer.from('GET / HTTP/1.1'), 'Invalid version of beats protocol: 71'],
    [numbers('2J', 1, 0), 'Invalid json length, received: 0'],
    [numbers('2J', 1, 0xffffffff), 'Invalid json length, received: 4294967295'],
    [numbers('2C', 0xffffffff), 'Invalid compressed length, received: 4294967295'],
    [numbers('1D', 1, 0x80000000), 'Invalid number of fields, received: 2147483648'],
    [numbers('1D', 1, 0), 'Invalid number of fields, received: 0'],
    [numbers('1D', 1, 1, 0xfffffff0), 'Invalid field length, received: 4294967280'],
  ])('%j are refused', (bytes, message) => {
    expect(() => readAll(bytes)).toThrow(message)
  })

  it('of random bytes do no harm', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 64 }),
        fc.constantFrom('', '2W', '2J', '1D', '2C'),
        (bytes, head) => {
          try {
            readAll(Buffer.concat([Buffer.from(head), bytes]))
          } catch (error) {
            expect((error as Error).message).toMatch(/^Invalid /)
          }
        },
      ),
    )
  })

  it('are acknowledged in six bytes', () => {
    expect(ackFrame(1, 258)).toEqual(Buffer.from('1A\0\0\x01\x02', 'latin1'))
  })
})

async function inflated(frame: Buffer): Promise<LumberjackFrame[]> {
  const frames: LumberjackFrame[] = []
  for await (const inner of inflateFrames(frame.subarray(6))) frames.push(...inner)
  return frames
}

describe('compressed frames', () => {
  it('hold frames', async () => {
    const frames = await inflated(compressedFrame(Buffer.concat([windowFrame(1), jsonFrame(1, { a: 1 })])))
    expect(frames.map(({ kind }) => kind)).toEqual(['window', 'json'])
  })

  it('hold no compressed frames', async () => {
    const nested = compressedFrame(compressedFrame(windowFrame(1)))
    await expect(inflated(nested)).rejects.toThrow('Compressed frame inside a compressed frame')
  })

  it('end with a frame', async () => {
    await expect(inflated(compressedFrame(Buffer.from('2W\0')))).rejects.toThrow('ends inside a frame')
  })

  it('that are no zlib are refused', async () => {
    await expect(inflated(Buffer.from('2C\0\0\0\x05hello'))).rejects.toThrow('cannot be unpacked')
  })

  it('that unpack to very much are refused', async () => {
    const event = jsonFrame(1, ' '.repeat(1e6))
    const bomb = compressedFrame(Buffer.concat(Array.from({ length: 120 }, () => event)))
    await expect(inflated(bomb)).rejects.toThrow(/unpacks to more than/)
  })
})
