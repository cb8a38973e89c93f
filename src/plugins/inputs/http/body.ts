/**
 * The body of a request, whole and decompressed. Bounded twice: one body by `max_content_length`, all that inputs have
 * received and no queue has taken by their share of the memory; only a body that is alone may take more.
 */
import type { IncomingMessage } from 'node:http'
import { memoryAccount } from '../../../memory/memory-account.ts'
import { type PackedFormat, UnpacksToTooMuch, unpacked } from '../../../memory/unpacking.ts'

/** A request that is answered with an error status. */
export class Refusal extends Error {
  readonly status: number

  constructor(status: number) {
    super(`refused with ${status}`)
    this.status = status
  }
}

interface Body {
  readonly bytes: Buffer
  /** Whether it came compressed. */
  readonly decoded: boolean
}

/** How long a body may take to come: so long, and longer the more of it is there. */
interface Patience {
  readonly milliseconds: number
  /** Whoever sends faster may go on for as long as it takes. */
  readonly bytesPerSecond: number
}

const usualPatience: Patience = { milliseconds: 20_000, bytesPerSecond: 16 * 1024 }

export class BodyReader {
  readonly #limit: number
  readonly #patience: Patience

  constructor(limit: number, patience = usualPatience) {
    this.#limit = limit
    this.#patience = patience
  }

  /** Whether the request says itself that its body is too long. */
  isTooLong(request: IncomingMessage): boolean {
    return Number(request.headers['content-length'] ?? 0) > this.#limit
  }

  async read(request: IncomingMessage): Promise<Body> {
    if (this.isTooLong(request)) throw new Refusal(413)
    if (isShort(Number(request.headers['content-length'] ?? 0), 0)) throw new Refusal(429)
    const bytes = await this.#receive(request)
    const encoding = request.headers['content-encoding']?.trim().toLowerCase()
    if (bytes.length === 0) return { bytes, decoded: false }
    if (encoding === 'gzip' || encoding === 'x-gzip') return this.#decompressed(bytes, 'gzip')
    if (encoding === 'deflate') return this.#decompressed(bytes, hasZlibHeader(bytes) ? 'zlib' : 'raw')
    return { bytes, decoded: false }
  }

  async #decompressed(bytes: Buffer, format: PackedFormat): Promise<Body> {
    try {
      return { bytes: await unpacked(bytes, format, this.#limit), decoded: true }
    } catch (error) {
      throw new Refusal(error instanceof UnpacksToTooMuch ? 413 : 400)
    }
  }

  #receive(request: IncomingMessage): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = []
      let length = 0
      const { milliseconds, bytesPerSecond } = this.#patience
      const began = performance.now()
      const look = () => {
        const left = milliseconds + (1000 * length) / bytesPerSecond - (performance.now() - began)
        if (left > 0) timer = setTimeout(look, Math.max(left, 10))
        else settle(() => reject(new Refusal(408)))
      }
      let timer = setTimeout(look, milliseconds)
      let isSettled = false
      const settle = (finish: () => void) => {
        // Every request is closed in the end: that says something only of one that is still coming.
        if (isSettled) return
        isSettled = true
        clearTimeout(timer)
        memoryAccount.add('inputs', -length)
        request.off('data', take)
        finish()
      }
      const take = (chunk: Buffer) => {
        chunks.push(chunk)
        length += chunk.length
        memoryAccount.add('inputs', chunk.length)
        if (length > this.#limit) settle(() => reject(new Refusal(413)))
        else if (isShort(0, length)) settle(() => reject(new Refusal(429)))
      }
      request.on('data', take)
      request.once('end', () =>
        settle(() => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks))),
      )
      request.once('close', () => settle(() => reject(new Error('the client went away'))))
      request.once('error', (error) => settle(() => reject(error)))
    })
  }
}

/** Whether there is no room for so many bytes more beside what others have; `own` is what this body has. */
function isShort(more: number, own: number): boolean {
  const all = memoryAccount.total('inputs') + memoryAccount.total('waiting')
  return all > own && all + more > memoryAccount.inputsLimit
}

/** RFC 1950: compression method 8, and the first two bytes are a multiple of 31. Some clients leave that out. */
function hasZlibHeader(bytes: Buffer): boolean {
  return bytes.length >= 2 && (bytes[0]! & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0
}
