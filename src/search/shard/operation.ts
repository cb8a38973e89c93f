/** One operation on a shard, and its encoding in the write-ahead log. */
import type { ByteWriter } from '../segment/encoding/byte-writer.ts'
import { SourceShape, type SourceValues } from '../segment/writer/source-shape.ts'

export interface Operation {
  readonly kind: 'index' | 'delete'
  readonly id: string
  readonly routing: string | undefined
  readonly seqNo: number
  readonly primaryTerm: number
  readonly version: number
  /** The JSON; empty for a deletion. */
  readonly source: Uint8Array
}

/** The sequence number of the document that the operation replaces, or null when there was none. */
export type Replaced = number | null

/** An operation read from the log; older logs do not say what was replaced. */
export interface LoggedOperation extends Omit<Operation, 'source'> {
  /** The whole JSON, or its values. */
  readonly source: Uint8Array | SourceValues
  readonly replaced: Replaced | undefined
}

/** The shapes in one frame: their number, or `seenOnce` until a second document has the shape. */
export type FrameShapes = Map<SourceShape, number>

const indexJson = 0
const deleteId = 1
/** A document whose shape is defined right here. */
const indexNewShape = 2
/** A document of a shape defined before. */
const indexKnownShape = 3
const kinds = 4
/** Added to the kind, times `kinds`: the id was new, or the replaced sequence number follows. */
const newId = 1
const replacedId = 2
const seenOnce = -1

/**
 * Encodes kind, seqNo, primaryTerm, version as varints; id, routing and source with their lengths in front. The kind
 * also says whether the id was new, so that a replay need not search the segments for it; otherwise the replaced
 * sequence number follows the version. Where a frame has several documents of one shape, all but the first are
 * written as values (`source-shape.ts`), behind the definition of the shape or its number in the frame.
 */
export function writeOperation(
  writer: ByteWriter,
  shapes: FrameShapes,
  operation: Operation,
  replaced: Replaced,
  values?: SourceValues,
): void {
  const number = values && shapes.get(values.shape)
  if (values === undefined || number === undefined) {
    if (values !== undefined) shapes.set(values.shape, seenOnce)
    writeHead(writer, operation.kind === 'index' ? indexJson : deleteId, operation, replaced)
    writer.varint(operation.source.length)
    writer.bytes(operation.source)
    return
  }
  if (number === seenOnce) {
    shapes.set(values.shape, definedIn(shapes))
    writeHead(writer, indexNewShape, operation, replaced)
    writer.bytes(values.shape.definition)
  } else {
    writeHead(writer, indexKnownShape, operation, replaced)
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

function writeHead(writer: ByteWriter, kind: number, operation: Operation, replaced: Replaced): void {
  writer.varint(kind + kinds * (replaced === null ? newId : replacedId))
  writer.varint(operation.seqNo)
  writer.varint(operation.primaryTerm)
  writer.varint(operation.version)
  if (replaced !== null) writer.varint(replaced)
  writer.countedText(operation.id)
  // The length plus one, to tell an absent routing from an empty one.
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
  /** Skips bytes and returns where they begin. */
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
    if (kind === indexNewShape) {
      const shape = SourceShape.at(bytes, at)
      at += shape.definition.length
      shapes.push(shape)
      return shape
    }
    if (kind !== indexKnownShape) return undefined
    const shape = shapes[varint()]
    if (shape === undefined) throw new RangeError('an operation of an unknown shape')
    return shape
  }
  const operations: LoggedOperation[] = []
  while (at < bytes.length) {
    const written = varint()
    const kind = written % kinds
    const before = (written - kind) / kinds
    if (before > replacedId) throw new RangeError('an operation of an unknown kind')
    const seqNo = varint()
    const primaryTerm = varint()
    const version = varint()
    const replaced = before === replacedId ? varint() : before === newId ? null : undefined
    const id = text(varint())
    const routingLength = varint()
    const routing = routingLength === 0 ? undefined : text(routingLength - 1)
    const shape = shapeOf(kind)
    const length = varint()
    const start = skip(length)
    const source = shape === undefined ? bytes.subarray(start, at) : { shape, view, start, length }
    const name = kind === deleteId ? 'delete' : 'index'
    operations.push({ kind: name, seqNo, primaryTerm, version, id, routing, source, replaced })
  }
  return operations
}
