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
const maxAnnounced = 8 * 1024 * 1024

/**
 * `reserve` is asked before more memory is taken than was announced, and rejects when there is none; until it resolves
 * nothing more is read.
 */
export function readBody(
  message: IncomingMessage,
  limit: number,
  reserve?: (bytes: number) => Promise<void>,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const length = announcedBytes(message)
    const announced = Math.min(length ?? 0, limit, reserve === undefined ? maxAnnounced : limit)
    let reserved = Math.max(announced, minReserved)
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
        if (size > body.length)
          body = larger(body, from, Math.min(limit, Math.max(size, announced, 2 * body.length)))
        body.set(chunk, from)
        if (reserve !== undefined && body.length > reserved) {
          reserved = body.length
          message.pause()
          reserve(reserved).then(() => message.resume(), giveUp)
        }
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

/** Undefined when the sender does not know how much will come. */
export function announcedBytes({ headers }: IncomingMessage): number | undefined {
  if (headers['transfer-encoding'] !== undefined) return undefined
  return Number(headers['content-length'] ?? 0) || 0
}

/** As much is always there for a body without a length. */
const minReserved = 64 * 1024
const nothing = Buffer.alloc(0)

function larger(body: Buffer, used: number, size: number): Buffer {
  const next = bodyMemory.take(size)
  next.set(body.subarray(0, used))
  bodyMemory.giveBack(body)
  return next
}
