/**
 * Frames inside a compressed frame. The text is unpacked piece by piece and frames are handed on as soon as
 * they are complete, so that a small frame that unpacks to gigabytes ends as an error, not as memory.
 */
import { createInflate } from 'node:zlib'
import { FrameReader, type LumberjackFrame, ProtocolError } from './frame-reader.ts'

const maxBytes = 100 * 1024 * 1024
const pieceBytes = 64 * 1024

export async function* inflateFrames(zlib: Buffer): AsyncGenerator<LumberjackFrame[]> {
  const inflate = createInflate({ chunkSize: pieceBytes })
  const reader = new FrameReader()
  let total = 0
  inflate.end(zlib)
  try {
    for await (const piece of inflate as AsyncIterable<Buffer>) {
      total += piece.length
      if (total > maxBytes) throw new ProtocolError(`Compressed frame unpacks to more than ${maxBytes} bytes`)
      reader.push(piece)
      const frames: LumberjackFrame[] = []
      for (let frame = reader.next(); frame !== undefined; frame = reader.next()) {
        if (frame.kind === 'compressed') throw new ProtocolError('Compressed frame inside a compressed frame')
        frames.push(frame)
      }
      yield frames
    }
  } catch (error) {
    if (error instanceof ProtocolError) throw error
    throw new ProtocolError(`Compressed frame cannot be unpacked: ${(error as Error).message}`)
  } finally {
    inflate.destroy()
  }
  if (!reader.isIdle) throw new ProtocolError('Compressed frame ends inside a frame')
}
