/**
 * Records that the Kinesis Producer Library has packed into one, unpacked as the Kinesis Client Library does:
 *   4 bytes F3 89 9A C2, a Protocol Buffers message, 16 bytes MD5 of that message
 *   message AggregatedRecord { repeated string partition_key_table = 1; repeated string explicit_hash_key_table = 2;
 *                              repeated Record records = 3; }
 *   message Record { uint64 partition_key_index = 1; uint64 explicit_hash_key_index = 2; bytes data = 3; }
 */
import { createHash } from 'node:crypto'

const magic = Buffer.from([0xf3, 0x89, 0x9a, 0xc2])
const digestBytes = 16

interface UserRecord {
  readonly data: Buffer
  readonly partitionKey: string
}

/** Undefined for a record that is not packed, or not rightly: it is then one record as it is. */
export function unpackRecord(bytes: Buffer): UserRecord[] | undefined {
  if (bytes.length < magic.length + digestBytes || !bytes.subarray(0, 4).equals(magic)) return undefined
  const message = bytes.subarray(4, bytes.length - digestBytes)
  const digest = createHash('md5').update(message).digest()
  if (!digest.equals(bytes.subarray(bytes.length - digestBytes))) return undefined
  try {
    return recordsOf(message)
  } catch {
    return undefined
  }
}

function recordsOf(message: Buffer): UserRecord[] {
  const keys: string[] = []
  const packed: Buffer[] = []
  for (const [field, value] of fieldsOf(message)) {
    if (typeof value === 'number') continue
    if (field === 1) keys.push(value.toString('utf8'))
    if (field === 3) packed.push(value)
  }
  return packed.map((record) => {
    let partitionKey = ''
    let data: Buffer = Buffer.alloc(0)
    for (const [field, value] of fieldsOf(record)) {
      if (field === 1 && typeof value === 'number') partitionKey = keys[value] ?? ''
      if (field === 3 && typeof value !== 'number') data = value
    }
    return { data, partitionKey }
  })
}

/** Fields of the wire types 0, a variable number, and 2, bytes; there are no others in these messages. */
function* fieldsOf(message: Buffer): Generator<[field: number, value: number | Buffer]> {
  let at = 0
  const number = (): number => {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = message[at++]
      if (byte === undefined || scale > 2 ** 49) throw new RangeError('not a number')
      value += (byte & 0x7f) * scale
      if (byte < 0x80) return value
    }
  }
  while (at < message.length) {
    const tag = number()
    const value = number()
    if (tag % 8 === 0) yield [Math.floor(tag / 8), value]
    else if (tag % 8 === 2 && at + value <= message.length) {
      yield [Math.floor(tag / 8), message.subarray(at, at + value)]
      at += value
    } else throw new RangeError('not a field')
  }
}
