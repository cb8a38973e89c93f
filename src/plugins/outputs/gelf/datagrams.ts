/**
 * A compressed message as datagrams: as one if it fits, else in chunks of up to `chunksize` bytes,
 *
 *   1e 0f | id, 8 random bytes | number of this chunk, from 0 | number of chunks, at most 128 | part
 */
import { randomBytes } from 'node:crypto'

const maxChunks = 128

/** Undefined when the message does not fit into 128 chunks. */
export function datagramsOf(message: Buffer, chunkBytes: number): Buffer[] | undefined {
  if (message.length <= chunkBytes) return [message]
  const count = Math.ceil(message.length / chunkBytes)
  if (count > maxChunks) return undefined
  const id = randomBytes(8)
  return Array.from({ length: count }, (_, number) =>
    Buffer.concat([
      Buffer.from([0x1e, 0x0f]),
      id,
      Buffer.from([number, count]),
      message.subarray(number * chunkBytes, (number + 1) * chunkBytes),
    ]),
  )
}
