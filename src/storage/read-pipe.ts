/**
 * Reads a named pipe, such as the one a shell makes for `<(command)`, to the end of what one writer says. It is opened
 * without waiting: a plain read of a pipe into which nobody writes comes back never, not at a shutdown either.
 */
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'

const pauseMillis = 20

interface PipeLimits {
  readonly bytes: number
  readonly milliseconds: number
}

export async function readPipe(path: string, { bytes, milliseconds }: PipeLimits): Promise<Buffer> {
  const deadline = performance.now() + milliseconds
  const pipe = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const chunks: Buffer[] = []
    let size = 0
    while (performance.now() < deadline) {
      const chunk = Buffer.alloc(65_536)
      const count = await pipe.read(chunk).then(
        ({ bytesRead }) => bytesRead,
        (error: NodeJS.ErrnoException) => {
          if (error.code === 'EAGAIN') return undefined
          throw error
        },
      )
      // Nobody writes: not yet, or no longer.
      if (count === 0 && size > 0) return Buffer.concat(chunks)
      if (count) {
        chunks.push(chunk.subarray(0, count))
        size += count
        if (size > bytes) throw new Error(`more than ${bytes} bytes came through it`)
      } else await wait(pauseMillis)
    }
  } finally {
    await pipe.close()
  }
  throw new Error(`its writer had not come to an end within ${milliseconds / 1000} seconds`)
}
