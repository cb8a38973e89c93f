/** Values of events as memcached keeps them, in the forms and under the flags of Ruby's Dalli. */
import { createHash } from 'node:crypto'
import { inflateSync } from 'node:zlib'
import type { Value } from '../../../event/value.ts'
import { dump, load } from './ruby-marshal.ts'

const marshalled = 0x1
const compressed = 0x2
const maxKeyLength = 250
const maxValueBytes = 64 * 1024 * 1024

export function encodeValue(value: Value): { bytes: Buffer; flags: number } {
  if (typeof value === 'string') return { bytes: Buffer.from(value), flags: 0 }
  return { bytes: dump(value), flags: marshalled }
}

export function decodeValue(bytes: Buffer, flags: number): Value {
  const plain = (flags & compressed) === 0 ? bytes : inflateSync(bytes, { maxOutputLength: maxValueBytes })
  return (flags & marshalled) === 0 ? plain.toString('utf8') : load(plain)
}

/** With the namespace; keys that are too long end with a digest of the whole. */
export function keyBytes(key: string, namespace: string | undefined): Buffer {
  const prefix = namespace === undefined || namespace === '' ? '' : `${namespace}:`
  if (key === '') throw new Error('key cannot be blank')
  const bytes = Buffer.from(prefix + key)
  if (bytes.length <= maxKeyLength) return bytes
  const digest = createHash('md5').update(key).digest('hex')
  const room = maxKeyLength - prefix.length - ':md5:'.length - digest.length
  if (room < 0) throw new Error('the namespace is too long for a key')
  const head = Buffer.from(key).subarray(0, room)
  return Buffer.concat([Buffer.from(prefix), head, Buffer.from(`:md5:${digest}`)])
}
