/**
 * The body of a request, whole and decompressed. Bounded twice: one body by `max_content_length`, all bodies that
 * are being received by a multiple of that.
 */
import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { gunzip, inflate, inflateRaw } from 'node:zlib'

const bodiesAtOnce = 4

const decompress = {
  gzip: promisify(gunzip),
  zlib: promisify(inflate),
  raw: promisify(inflateRaw),
}

/** A request that is answered with an error status. */
export class Refusal extends Error {
  readonly status: number

  constructor(status: number) {
    super(`refused with ${status}`)
    this.status = status
  }
}

export interface Body {
  readonly bytes: Buffer
  /** Whether it came compressed. */
  readonly decoded: boolean
}

export class BodyReader {
  readonly #limit: number
  #receiving = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Whether the request says itself that its body is too long. */
  isTooLong(request: IncomingMessage): boolean {
    return Number(request.headers['content-length'] ?? 0) > this.#limit
  }

  async read(request: IncomingMessage): Promise<Body> {
    if (this.isTooLong(request)) throw new Refusal(413)
    const bytes = await this.#receive(request)
    const encoding = request.headers['content-encoding']?.trim().toLowerCase()
    if (bytes.length === 0) return { bytes, decoded: false }
    if (encoding === 'gzip' || encoding === 'x-gzip') return this.#decompressed(bytes, 'gzip')
    if (encoding === 'deflate') return this.#decompressed(bytes, hasZlibHeader(bytes) ? 'zlib' : 'raw')
    return { bytes, decoded: false }
  }

  async #decompressed(bytes: Buffer, format: keyof typeof decompress): Promise<Body> {
    try {
      return { bytes: await decompress[format](bytes, { maxOutputLength: this.#limit }), decoded: true }
    } catch (error) {
      throw new Refusal((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 413 : 400)
    }
  }

  #receive(request: IncomingMessage): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = []
      let length = 0
      const settle = (finish: () => void) => {
        this.#receiving -= length
        length = 0
        request.off('data', take)
        finish()
      }
      const take = (chunk: Buffer) => {
        chunks.push(chunk)
        length += chunk.length
        this.#receiving += chunk.length
        if (length > this.#limit) settle(() => reject(new Refusal(413)))
        else if (this.#receiving > bodiesAtOnce * this.#limit) settle(() => reject(new Refusal(429)))
      }
      request.on('data', take)
      request.once('end', () =>
        settle(() => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks))),
      )
      // After `end` this changes nothing; before, the client is gone.
      request.once('close', () => settle(() => reject(new Error('the client went away'))))
      request.once('error', (error) => settle(() => reject(error)))
    })
  }
}

/** RFC 1950: compression method 8, and the first two bytes are a multiple of 31. Some clients leave that out. */
function hasZlibHeader(bytes: Buffer): boolean {
  return bytes.length >= 2 && (bytes[0]! & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0
}
