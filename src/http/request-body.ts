/**
 * The body of a request, up to a limit; the server's time limit for requests ends one that never comes. What arrives
 * is copied into one buffer at once, as large as the body will be or as what has come lets expect. Whoever is done with
 * a body for good may give its memory back.
 */
import type { IncomingMessage } from 'node:http'
import { bodyMemory } from './body-memory.ts'
import { freeMemory } from './free-memory.ts'
import { HttpProblem } from './problem.ts'

/** A sender who announces more than this gets no more memory than what has come needs. */
const mostAnnounced = 8 * 1024 * 1024

export function readBody(message: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const announced = Math.min(Number(message.headers['content-length'] ?? 0) || 0, limit, mostAnnounced)
    let body: Buffer = nothing
    let size = 0
    const giveUp = (error: Error) => {
      message.off('data', take)
      bodyMemory.giveBack(body)
      body = nothing
      reject(error)
    }
    const take = (chunk: Buffer) => {
      const from = size
      size += chunk.length
      if (size > limit) {
        // What is still to come is read and forgotten when the answer has been sent.
        message.pause()
        return giveUp(new HttpProblem(413, `the body is larger than ${limit} bytes`))
      }
      // A short body comes in one piece and needs no copy.
      if (from === 0 && size >= announced) body = chunk
      else {
        if (size > body.length) body = larger(body, from, Math.max(size, announced, 2 * body.length))
        body.set(chunk, from)
        freeMemory(chunk)
      }
    }
    message.on('data', take)
    message.once('end', () => {
      const whole = size === body.length ? body : body.subarray(0, size)
      // From here on it is the caller's, whatever becomes of the connection.
      body = nothing
      resolve(whole)
    })
    message.once('error', giveUp)
    message.once('close', () => {
      if (!message.readableEnded) giveUp(new HttpProblem(400, 'the body came to no end'))
    })
  })
}

const nothing = Buffer.alloc(0)

function larger(body: Buffer, used: number, size: number): Buffer {
  const next = bodyMemory.take(size)
  next.set(body.subarray(0, used))
  bodyMemory.giveBack(body)
  return next
}
