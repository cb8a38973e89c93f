/**
 * A connection to one memcached server, in its binary protocol: keys may hold any byte, requests are pipelined and
 * answers come in the order of the requests.
 *
 *   magic 0x80/0x81, opcode, key length (2), extras length, data type, status or vbucket (2), body length (4),
 *   opaque (4), cas (8), then extras, key, value
 */
import { createConnection, type Socket } from 'node:net'

export interface Answer {
  readonly status: number
  readonly flags: number
  readonly value: Buffer
}

interface Waiting {
  resolve(answer: Answer): void
  reject(error: Error): void
}

export const status = { ok: 0, notFound: 1 }

const opcodes = { get: 0x00, set: 0x01 }
const headerLength = 24
/** Values are 1 MB unless the server says otherwise; this much is never exceeded. */
const maxBodyLength = 128 * 1024 * 1024
const none = Buffer.alloc(0)

export class MemcachedConnection {
  readonly #socket: Socket
  readonly #waiting: Waiting[] = []
  readonly #milliseconds: number
  #received: Buffer[] = []
  #length = 0
  #needed = headerLength
  #timer: NodeJS.Timeout | undefined
  #error: Error | undefined

  private constructor(socket: Socket, milliseconds: number) {
    this.#socket = socket
    this.#milliseconds = milliseconds
    socket.on('data', (chunk: Buffer) => this.#take(chunk))
    socket.on('error', (error) => this.#fail(error))
    socket.on('close', () => this.#fail(new Error('the connection was closed')))
  }

  static connect(host: string, port: number, milliseconds: number): Promise<MemcachedConnection> {
    return new Promise((resolve, reject) => {
      const socket = createConnection({ host, port, noDelay: true })
      const fail = (error: Error) => {
        clearTimeout(timer)
        socket.destroy()
        reject(error)
      }
      const timer = setTimeout(() => fail(new Error('connect timed out')), milliseconds)
      socket.once('error', fail)
      socket.once('connect', () => {
        clearTimeout(timer)
        socket.off('error', fail)
        resolve(new MemcachedConnection(socket, milliseconds))
      })
    })
  }

  get isOpen(): boolean {
    return this.#error === undefined
  }

  get(key: Buffer): Promise<Answer> {
    return this.#ask(opcodes.get, none, key, none)
  }

  set(key: Buffer, value: Buffer, flags: number, seconds: number): Promise<Answer> {
    const extras = Buffer.alloc(8)
    extras.writeUInt32BE(flags, 0)
    extras.writeUInt32BE(seconds, 4)
    return this.#ask(opcodes.set, extras, key, value)
  }

  close(): void {
    this.#fail(new Error('closed'))
  }

  #ask(opcode: number, extras: Buffer, key: Buffer, value: Buffer): Promise<Answer> {
    if (this.#error !== undefined) return Promise.reject(this.#error)
    const header = Buffer.alloc(headerLength)
    header.writeUInt8(0x80, 0)
    header.writeUInt8(opcode, 1)
    header.writeUInt16BE(key.length, 2)
    header.writeUInt8(extras.length, 4)
    header.writeUInt32BE(extras.length + key.length + value.length, 8)
    this.#socket.write(Buffer.concat([header, extras, key, value]))
    this.#timer ??= setTimeout(() => this.#fail(new Error('no answer in time')), this.#milliseconds)
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }))
  }

  #take(chunk: Buffer): void {
    this.#received.push(chunk)
    this.#length += chunk.length
    if (this.#length < this.#needed) return
    let bytes = this.#received.length === 1 ? chunk : Buffer.concat(this.#received)
    while (bytes.length >= headerLength) {
      const body = bytes.readUInt32BE(8)
      if (bytes[0] !== 0x81 || body > maxBodyLength) {
        this.#fail(new Error('the server does not speak the binary protocol of memcached'))
        return
      }
      this.#needed = headerLength + body
      if (bytes.length < this.#needed) break
      this.#answer(bytes)
      bytes = bytes.subarray(this.#needed)
      this.#needed = headerLength
    }
    this.#received = bytes.length === 0 ? [] : [bytes]
    this.#length = bytes.length
  }

  #answer(bytes: Buffer): void {
    const extras = bytes.readUInt8(4)
    const keyLength = bytes.readUInt16BE(2)
    const start = headerLength + extras + keyLength
    const waiting = this.#waiting.shift()
    clearTimeout(this.#timer)
    this.#timer =
      this.#waiting.length === 0
        ? undefined
        : setTimeout(() => this.#fail(new Error('no answer in time')), this.#milliseconds)
    waiting?.resolve({
      status: bytes.readUInt16BE(6),
      flags: extras >= 4 ? bytes.readUInt32BE(headerLength) : 0,
      value: Buffer.from(bytes.subarray(Math.min(start, this.#needed), this.#needed)),
    })
  }

  #fail(error: Error): void {
    if (this.#error !== undefined) return
    this.#error = error
    clearTimeout(this.#timer)
    this.#socket.destroy()
    for (const { reject } of this.#waiting.splice(0)) reject(error)
  }
}
