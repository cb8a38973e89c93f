/** For tests: segments built by hand from the format's description, and entries that are easy to tell apart. */
import { crc32 } from 'node:zlib'
import { Event } from '../../event/event.ts'
import { Timestamp } from '../../event/timestamp.ts'
import type { Files } from '../../storage/files.ts'
import { decodeEntry, encodeEntry, eventOf } from './entry.ts'
import { listSegments } from './segment-files.ts'
import { SegmentScan } from './segment-scan.ts'

export function record(type: string, payload: Uint8Array, total = -1): Buffer {
  const head = Buffer.alloc(13)
  head.write(type, 0, 'latin1')
  head.writeInt32BE(payload.length, 1)
  head.writeInt32BE(total, 5)
  head.writeUInt32BE(crc32(payload), 9)
  return Buffer.concat([head, payload])
}

export function letter(number: number, extra = '', millis = 1_600_000_000_000 + number): Buffer {
  const event = new Event({ '@timestamp': new Timestamp(0), '@version': '1', number })
  return encodeEntry(
    { event, pluginType: 'elasticsearch', pluginId: 'out', reason: `number ${number}${extra}` },
    new Timestamp(millis),
  )
}

/** An entry of exactly so many bytes. */
export function letterOfSize(number: number, size: number, millis?: number): Buffer {
  return letter(number, 'x'.repeat(size - letter(number, '', millis).length), millis)
}

export function numberOf(entry: Uint8Array): number {
  return eventOf(decodeEntry(entry)!).get('number') as number
}

/** Numbers of the entries of a queue, in order, and how much was skipped. */
export function contents(files: Files, directory: string): { numbers: number[]; damaged: number } {
  const numbers: number[] = []
  let damaged = 0
  for (const { path } of listSegments(files, directory)) {
    const file = files.openRead(path)
    const scan = new SegmentScan(file)
    for (let next = scan.next(); next !== undefined; next = scan.next()) numbers.push(numberOf(next.bytes))
    damaged += scan.damaged
    file.close()
  }
  return { numbers, damaged }
}
