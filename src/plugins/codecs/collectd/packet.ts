/**
 * Packets of collectd's binary protocol: parts of type (2 bytes), length with these four bytes (2), and content, all
 * in network order but gauges. Parts hold until another of their type comes; values and notifications complete a
 * record. A signature covers what follows it, an encrypted part holds parts.
 */

import { createDecipheriv, createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { Timestamp } from '../../../event/timestamp.ts'
import { utf8Text } from '../../../event/utf8-text.ts'
import { float, integer, type Value } from '../../../event/value.ts'

export const partTypes = {
  host: 0x0000,
  time: 0x0001,
  plugin: 0x0002,
  pluginInstance: 0x0003,
  type: 0x0004,
  typeInstance: 0x0005,
  values: 0x0006,
  interval: 0x0007,
  timeHigh: 0x0008,
  intervalHigh: 0x0009,
  message: 0x0100,
  severity: 0x0101,
  signature: 0x0200,
  encryption: 0x0210,
} as const

export interface Part {
  readonly type: number
  readonly body: Buffer
  /** Everything after it in the packet. */
  readonly rest: Buffer
}

/** Throws on a part that does not fit into the packet. */
export function* readParts(packet: Buffer): Generator<Part> {
  let at = 0
  while (at < packet.length) {
    if (at + 4 > packet.length) throw new Error('a part ends within its header')
    const length = packet.readUInt16BE(at + 2)
    if (length < 4 || at + length > packet.length) throw new Error(`a part has the length ${length}`)
    const body = packet.subarray(at + 4, at + length)
    at += length
    yield { type: packet.readUInt16BE(at - length), body, rest: packet.subarray(at) }
  }
}

/** Texts end with a zero byte. */
export function textOf(body: Buffer): string {
  return utf8Text(body, 0, Math.max(0, body.length - 1))
}

export function numberOf(body: Buffer): number | bigint {
  if (body.length < 8) throw new Error('a number is too short')
  return integer(body.readBigUInt64BE(0))
}

/** Seconds, or 2^-30 seconds. */
export function timeOf(body: Buffer, isHigh: boolean): Timestamp {
  if (body.length < 8) throw new Error('a time is too short')
  const raw = body.readBigUInt64BE(0)
  const nanos = isHigh ? (raw * 1_000_000_000n) >> 30n : raw * 1_000_000_000n
  const millis = nanos / 1_000_000n
  // Later than events can say.
  if (millis > 8_640_000_000_000_000n) throw new Error('a time is out of range')
  return new Timestamp(Number(millis), Number(nanos % 1_000_000n))
}

export function highIntervalOf(body: Buffer): number | bigint {
  if (body.length < 8) throw new Error('an interval is too short')
  return integer(body.readBigUInt64BE(0) >> 30n)
}

/** A count (2 bytes), a type each (1), eight bytes each; undefined in place of a value that is not a number. */
export function valuesOf(body: Buffer): (Value | undefined)[] {
  const count = body.length < 2 ? -1 : body.readUInt16BE(0)
  if (body.length !== 2 + count * 9) throw new Error('Incorrect number of data fields for collectd record')
  return Array.from({ length: count }, (_, index) => {
    const at = 2 + count + index * 8
    switch (body[2 + index]) {
      case 1: {
        const gauge = body.readDoubleLE(at)
        return Number.isNaN(gauge) ? undefined : float(gauge)
      }
      case 2:
        return integer(body.readBigInt64BE(at))
      case 0:
      case 3:
        return integer(body.readBigUInt64BE(at))
      default:
        throw new Error(`a value has the type ${body[2 + index]}`)
    }
  })
}

type KeyOf = (user: string) => string | undefined

/** HMAC-SHA256 (32 bytes) over user and the rest of the packet, then the user. */
export function isSigned(body: Buffer, rest: Buffer, keyOf: KeyOf): boolean {
  if (body.length < 33) return false
  const key = keyOf(body.subarray(32).toString('utf8'))
  if (key === undefined) return false
  const digest = createHmac('sha256', key).update(body.subarray(32)).update(rest).digest()
  return timingSafeEqual(digest, body.subarray(0, 32))
}

/** Length of the user (2), user, IV (16), then SHA-1 (20) and parts under AES-256-OFB; undefined when it is wrong. */
export function decrypted(body: Buffer, keyOf: KeyOf): Buffer | undefined {
  if (body.length < 2) return undefined
  const start = 2 + body.readUInt16BE(0)
  if (body.length < start + 16 + 26) return undefined
  const key = keyOf(body.subarray(2, start).toString('utf8'))
  if (key === undefined) return undefined
  const secret = createHash('sha256').update(key).digest()
  const decipher = createDecipheriv('aes-256-ofb', secret, body.subarray(start, start + 16))
  const plain = Buffer.concat([decipher.update(body.subarray(start + 16)), decipher.final()])
  const parts = plain.subarray(20)
  const digest = createHash('sha1').update(parts).digest()
  return timingSafeEqual(digest, plain.subarray(0, 20)) ? parts : undefined
}
