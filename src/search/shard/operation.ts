/** One change of a shard, as the log keeps it. */
import type { ByteWriter } from '../segment/byte-writer.ts'

export interface Operation {
  readonly kind: 'index' | 'delete'
  readonly id: string
  readonly routing: string | undefined
  readonly seqNo: number
  readonly primaryTerm: number
  readonly version: number
  /** JSON text; empty for a deletion. */
  readonly source: Uint8Array
}

const kinds = ['index', 'delete'] as const
const decoder = new TextDecoder()

/** kind, seqNo, primaryTerm, version as variable numbers; id, routing and source with their lengths in front. */
export function writeOperation(writer: ByteWriter, operation: Operation): void {
  writer.varint(operation.kind === 'index' ? 0 : 1)
  writer.varint(operation.seqNo)
  writer.varint(operation.primaryTerm)
  writer.varint(operation.version)
  writer.countedText(operation.id)
  // One more than the length, so that none and empty differ.
  if (operation.routing === undefined) writer.varint(0)
  else writer.countedText(operation.routing, 1)
  writeBytes(writer, operation.source)
}

function writeBytes(writer: ByteWriter, bytes: Uint8Array): void {
  writer.varint(bytes.length)
  writer.bytes(bytes)
}

export function readOperations(bytes: Uint8Array): Operation[] {
  let at = 0
  const varint = (): number => {
    let value = 0
    for (let factor = 1; ; factor *= 0x80) {
      const byte = bytes[at++]
      if (byte === undefined) throw new RangeError('an operation ends too early')
      value += (byte & 0x7f) * factor
      if (byte < 0x80) return value
    }
  }
  const take = (length: number): Uint8Array => {
    if (at + length > bytes.length) throw new RangeError('an operation ends too early')
    at += length
    return bytes.subarray(at - length, at)
  }
  const operations: Operation[] = []
  while (at < bytes.length) {
    const kind = kinds[varint()]
    if (kind === undefined) throw new RangeError('an operation of an unknown kind')
    const seqNo = varint()
    const primaryTerm = varint()
    const version = varint()
    const id = decoder.decode(take(varint()))
    const routingLength = varint()
    const routing = routingLength === 0 ? undefined : decoder.decode(take(routingLength - 1))
    operations.push({ kind, seqNo, primaryTerm, version, id, routing, source: take(varint()) })
  }
  return operations
}
