/** One change of a shard, as the log keeps it. */
import type { ByteWriter } from '../segment/byte-writer.ts'
import { SourceShape, type SourceValues } from '../segment/source-shape.ts'

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

/** As it comes out of the log. */
export interface LoggedOperation extends Omit<Operation, 'source'> {
  /** The whole JSON text, or its values. */
  readonly source: Uint8Array | SourceValues
  /** No document had the id when this was written; false where the log does not say. */
  readonly isFresh: boolean
}

/** The shapes of the operations in one frame: their numbers there, or `seenOnce` until there is another such document. */
export type FrameShapes = Map<SourceShape, number>

const indexing = 0
const deleting = 1
/** Of a document along a shape that is defined here. */
const indexingShape = 2
/** Of a document along one of the shapes before. */
const indexingAlong = 3
/** Added to the kind of an operation before which no document had the id. */
const fresh = 4
const seenOnce = -1

/**
 * kind, seqNo, primaryTerm, version as variable numbers; id, routing and source with their lengths in front. The kind
 * tells as well whether any document had the id, so that a replay need not look for it in the segments. Where a
 * frame has several documents of one shape, all but the first are written as their values (`source-shape.ts`), behind
 * the definition of the shape or the number it has among those in front.
 */
export function writeOperation(
  writer: ByteWriter,
  shapes: FrameShapes,
  operation: Operation,
  isFresh: boolean,
  values?: SourceValues,
): void {
  const extra = isFresh ? fresh : 0
  const number = values && shapes.get(values.shape)
  if (values === undefined || number === undefined) {
    if (values !== undefined) shapes.set(values.shape, seenOnce)
    writeHead(writer, (operation.kind === 'index' ? indexing : deleting) + extra, operation)
    writer.varint(operation.source.length)
    writer.bytes(operation.source)
    return
  }
  if (number === seenOnce) {
    shapes.set(values.shape, definedIn(shapes))
    writeHead(writer, indexingShape + extra, operation)
    writer.bytes(values.shape.definition)
  } else {
    writeHead(writer, indexingAlong + extra, operation)
    writer.varint(number)
  }
  writer.varint(values.length)
  writer.copy(values.view, values.start, values.start + values.length)
}

function definedIn(shapes: FrameShapes): number {
  let count = 0
  for (const number of shapes.values()) if (number !== seenOnce) count++
  return count
}

function writeHead(writer: ByteWriter, kind: number, operation: Operation): void {
  writer.varint(kind)
  writer.varint(operation.seqNo)
  writer.varint(operation.primaryTerm)
  writer.varint(operation.version)
  writer.countedText(operation.id)
  // One more than the length, so that none and empty differ.
  if (operation.routing === undefined) writer.varint(0)
  else writer.countedText(operation.routing, 1)
}

export function readOperations(bytes: Uint8Array): LoggedOperation[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
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
  /** Goes on behind so many bytes, and says where they begin. */
  const skip = (length: number): number => {
    if (at + length > bytes.length) throw new RangeError('an operation ends too early')
    at += length
    return at - length
  }
  const text = (length: number): string => {
    const start = skip(length)
    return buffer.toString('utf8', start, at)
  }
  const shapes: SourceShape[] = []
  const shapeOf = (kind: number): SourceShape | undefined => {
    if (kind === indexingShape) {
      const shape = SourceShape.at(bytes, at)
      at += shape.definition.length
      shapes.push(shape)
      return shape
    }
    if (kind !== indexingAlong) return undefined
    const shape = shapes[varint()]
    if (shape === undefined) throw new RangeError('an operation of an unknown shape')
    return shape
  }
  const operations: LoggedOperation[] = []
  while (at < bytes.length) {
    const written = varint()
    const isFresh = written >= fresh
    const kind = isFresh ? written - fresh : written
    if (kind > indexingAlong) throw new RangeError('an operation of an unknown kind')
    const seqNo = varint()
    const primaryTerm = varint()
    const version = varint()
    const id = text(varint())
    const routingLength = varint()
    const routing = routingLength === 0 ? undefined : text(routingLength - 1)
    const shape = shapeOf(kind)
    const length = varint()
    const start = skip(length)
    const source = shape === undefined ? bytes.subarray(start, at) : { shape, view, start, length }
    const name = kind === deleting ? 'delete' : 'index'
    operations.push({ kind: name, seqNo, primaryTerm, version, id, routing, source, isFresh })
  }
  return operations
}
