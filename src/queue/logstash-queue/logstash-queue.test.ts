/** Queues of Logstash, built byte by byte from the description of the format. */
import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { Timestamp } from '../../event/timestamp.ts'
import { LsFloat } from '../../event/value.ts'
import { SimulatedDisk } from '../../storage/simulated-disk.ts'
import { type LogstashQueueReport, readLogstashQueue } from './logstash-queue.ts'

// --------------------------------------------------------------------- an independent writer of the format

const text = (value: string) => Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
const array = (...items: Buffer[]) => Buffer.concat([head(4, items.length), ...items])
const map = (entries: Record<string, Buffer>) =>
  Buffer.concat([
    Buffer.from([0xbf]),
    ...Object.entries(entries).flatMap(([name, value]) => [text(name), value]),
    Buffer.from([0xff]),
  ])
const typed = (name: string, value: Buffer) => array(text(name), value)
const string = (value: string) => typed('org.jruby.RubyString', text(value))
const fields = (entries: Record<string, Buffer>) => typed('org.logstash.ConvertedMap', map(entries))
const list = (...items: Buffer[]) => typed('org.logstash.ConvertedList', array(...items))
const time = (value: string) => typed('org.logstash.Timestamp', text(value))
const nil = typed('org.jruby.RubyNil', Buffer.from([0xf6]))

function head(kind: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(kind << 5) | value])
  if (value < 256) return Buffer.from([(kind << 5) | 24, value])
  return Buffer.from([(kind << 5) | 25, value >> 8, value & 255])
}

function double(value: number): Buffer {
  const bytes = Buffer.alloc(9, 0xfb)
  bytes.writeDoubleBE(value, 1)
  return bytes
}

function event(data: Record<string, Buffer>, meta: Record<string, Buffer> = {}): Buffer {
  return typed('java.util.HashMap', map({ DATA: fields(data), META: fields(meta) }))
}

const numbered = (n: number) => event({ n: head(0, n), '@timestamp': time('2024-02-29T01:02:03.456Z') })

function page(
  version: number,
  elements: readonly (readonly [seq: number, payload: Buffer])[],
  size = 4096,
): Buffer {
  const parts: Buffer[] = [Buffer.from([version])]
  for (const [seq, payload] of elements) {
    const start = Buffer.alloc(12)
    start.writeBigInt64BE(BigInt(seq))
    start.writeInt32BE(payload.length, 8)
    const crc = Buffer.alloc(4)
    crc.writeUInt32BE(crc32(payload))
    parts.push(start, payload, crc)
  }
  const used = Buffer.concat(parts)
  return Buffer.concat([used, Buffer.alloc(Math.max(0, size - used.length))])
}

function checkpoint(
  number: number,
  firstPage: number,
  firstUnacked: number,
  minSeq: number,
  count: number,
): Buffer {
  const bytes = Buffer.alloc(34)
  bytes.writeInt16BE(1)
  bytes.writeInt32BE(number, 2)
  bytes.writeInt32BE(firstPage, 6)
  bytes.writeBigInt64BE(BigInt(firstUnacked), 10)
  bytes.writeBigInt64BE(BigInt(minSeq), 18)
  bytes.writeInt32BE(count, 26)
  bytes.writeUInt32BE(crc32(bytes.subarray(0, 30)), 30)
  return bytes
}

/** Pages 3 (acknowledged, still there), 4 (from 13 on), 5 (its checkpoint knows of 1 element, there are 3). */
function queue(version = 2): SimulatedDisk {
  const disk = new SimulatedDisk()
  disk.makeDirectory('q')
  const elements = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => [from + i, numbered(from + i)] as const)
  disk.write('q/page.3', [page(version, elements(1, 11))])
  disk.write('q/checkpoint.3', [checkpoint(3, 0, 11, 1, 10)])
  disk.write('q/page.4', [page(version, elements(11, 17))])
  disk.write('q/checkpoint.4', [checkpoint(4, 0, 13, 11, 6)])
  disk.write('q/page.5', [page(version, elements(17, 20))])
  disk.write('q/checkpoint.head', [checkpoint(5, 4, 17, 17, 1)])
  return disk
}

function read(disk: SimulatedDisk) {
  const report: LogstashQueueReport = { events: 0, damaged: 0, findings: [] }
  const elements = [...readLogstashQueue(disk, 'q', report)]
  return { seqs: elements.map(({ seq }) => seq), elements, report }
}

// ---------------------------------------------------------------------------------------------------- tests

describe("Logstash's queue", () => {
  it.each([1, 2])('gives everything that was not acknowledged, pages of version %i', (version) => {
    const disk = queue(version)
    const before = disk.paths().map((path) => Buffer.from(disk.read(path)).toString('hex'))
    const { seqs, elements, report } = read(disk)
    expect(seqs).toEqual([13, 14, 15, 16, 17, 18, 19])
    expect(elements.map(({ event: one }) => one.data['n'])).toEqual(seqs)
    expect(elements[0]!.event.data['@timestamp']).toEqual(
      new Timestamp(Date.parse('2024-02-29T01:02:03.456Z')),
    )
    expect(report).toEqual({ events: 7, damaged: 0, findings: [] })
    expect(disk.paths().map((path) => Buffer.from(disk.read(path)).toString('hex'))).toEqual(before)
  })

  it('gives events with all kinds of values and their metadata', () => {
    const disk = queue()
    const data = {
      '@timestamp': time('2024-02-29T01:02:03.456789Z'),
      '@version': string('1'),
      message: string('äöü 漢字 😀'),
      nested: fields({ deep: fields({ list: list(head(0, 1), string('two'), list(), fields({})) }) }),
      negative: head(1, 41),
      half: double(0.5),
      whole: double(3),
      yes: Buffer.from([0xf5]),
      no: Buffer.from([0xf4]),
      nothing: nil,
      big: Buffer.concat([Buffer.from([0xc2]), head(2, 9), Buffer.from('010000000000000000', 'hex')]),
      // BigDecimal 12.345 is 12345 × 10^-3.
      decimal: Buffer.concat([Buffer.from([0xc4]), array(head(1, 2), head(0, 12345))]),
      when: time('2020-01-01T00:00:00.000Z'),
      __proto__: string('plain'),
    }
    Object.defineProperty(data, '__proto__', { value: string('plain'), enumerable: true })
    const payload = event(data, {
      source: string('x'),
      inner: fields({ at: time('2020-01-01T00:00:00.000Z') }),
    })
    disk.write('q/page.5', [page(2, [[17, payload]])])
    const found = read(disk).elements.at(-1)!.event
    expect(found.data).toMatchObject({
      '@version': '1',
      message: 'äöü 漢字 😀',
      nested: { deep: { list: [1, 'two', [], {}] } },
      negative: -42,
      half: 0.5,
      whole: new LsFloat(3),
      yes: true,
      no: false,
      nothing: null,
      big: 2n ** 64n,
      decimal: 12.345,
      when: new Timestamp(Date.parse('2020-01-01T00:00:00.000Z')),
    })
    expect(found.data['@timestamp']).toEqual(new Timestamp(Date.parse('2024-02-29T01:02:03.456Z'), 789_000))
    expect(Object.getOwnPropertyDescriptor(found.data, '__proto__')?.value).toBe('plain')
    expect(found.meta).toEqual({
      source: 'x',
      inner: { at: new Timestamp(Date.parse('2020-01-01T00:00:00.000Z')) },
    })
  })

  it('gives what is behind a damaged element, and says which one it was', () => {
    const disk = queue()
    disk.flipBit('q/page.4', (1 + 3 * (12 + numbered(11).length + 4) + 20) * 8)
    const { seqs, report } = read(disk)
    expect(seqs).toEqual([13, 15, 16, 17, 18, 19])
    expect(report.damaged).toBe(1)
    expect(report.findings).toEqual(['element 14 of q/page.4 cannot be read: its checksum is wrong'])
  })

  it('without its checkpoints gives all elements of all pages', () => {
    const disk = queue()
    disk.flipBit('q/checkpoint.head', 40)
    disk.lose('q/checkpoint.4')
    disk.lose('q/checkpoint.3')
    const { seqs, report } = read(disk)
    expect(seqs).toEqual(Array.from({ length: 19 }, (_, i) => i + 1))
    expect(report.findings[0]).toContain('q/checkpoint.head is missing or damaged')
  })

  it('that was cut off anywhere ends there', () => {
    const size = queue().sizeOf('q/page.5')
    for (let length = 0; length < size; length += 97) {
      const disk = queue()
      disk.cutTo('q/page.5', length)
      expect(read(disk).seqs).toEqual([13, 14, 15, 16, 17, 18, 19].slice(0, read(disk).seqs.length))
      expect(read(disk).seqs.length).toBeGreaterThanOrEqual(4)
    }
  })
})
