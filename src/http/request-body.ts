/**
 * The body of a request, up to a limit; the server's time limit for requests ends one that never comes. What arrives
 * is copied into one buffer at once, as large as the body will be or as what has come lets expect.
 */
import type { IncomingMessage } from 'node:http'
import { HttpProblem } from './problem.ts'

/** A sender who announces more than this gets no more memory than what has come needs. */
const mostAnnounced = 8 * 1024 * 1024

export function readBody(message: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const announced = Math.min(Number(message.headers['content-length'] ?? 0) || 0, limit, mostAnnounced)
    let body: Buffer = nothing
    let size = 0
    const take = (chunk: Buffer) => {
      const from = size
      size += chunk.length
      if (size > limit) {
        body = nothing
        // What is still to come is read and forgotten when the answer has been sent.
        message.off('data', take).pause()
        return reject(new HttpProblem(413, `the body is larger than ${limit} bytes`))
      }
      // A short body comes in one piece and needs no copy.
      if (from === 0 && size >= announced) body = chunk
      else {
        if (size > body.length) body = larger(body, from, Math.max(size, announced, 2 * body.length))
        body.set(chunk, from)
      }
    }
    message.on('data', take)
    message.once('end', () => resolve(size === body.length ? body : body.subarray(0, size)))
    message.once('error', reject)
    message.once('close', () => {
      if (!message.readableEnded) reject(new HttpProblem(400, 'the body came to no end'))
    })
  })
}

const nothing = Buffer.alloc(0)

function larger(body: Buffer, used: number, size: number): Buffer {
  const next = Buffer.allocUnsafeSlow(size)
  next.set(body.subarray(0, used))
  return next
}
