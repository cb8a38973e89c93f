/**
 * Buffers for reading files, used again once the pipeline is done with them: fresh memory for every chunk
 * would cost the kernel more time than reading into it.
 */
const maxSpares = 8
const spares: Buffer[] = []

export function takeBuffer(size: number): Buffer {
  const at = spares.findIndex(({ length }) => length === size)
  return at < 0 ? Buffer.allocUnsafeSlow(size) : spares.splice(at, 1)[0]!
}

/** The chunk, or the part of a buffer that was handed on; its bytes must not be read any more. */
export function giveBack({ buffer }: Buffer): void {
  if (spares.length < maxSpares && buffer.byteLength > 0) spares.push(Buffer.from(buffer))
}
