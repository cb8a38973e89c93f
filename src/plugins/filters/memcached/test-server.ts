/** A small memcached over a socket, for tests only: get and set of the binary protocol. */

import type { AddressInfo } from 'node:net'
import { createServer, type Server, type Socket } from 'node:net'

export class TestMemcached {
  readonly items = new Map<string, { value: Buffer; flags: number; seconds: number }>()
  gets = 0
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  private constructor() {
    this.#server = createServer((socket) => {
      this.#sockets.add(socket)
      let received = Buffer.alloc(0)
      socket.on('error', () => undefined)
      socket.on('data', (chunk) => {
        received = Buffer.concat([received, chunk])
        while (received.length >= 24 && received.length >= 24 + received.readUInt32BE(8)) {
          const length = 24 + received.readUInt32BE(8)
          socket.write(this.#answer(received.subarray(0, length)))
          received = received.subarray(length)
        }
      })
    })
  }

  static async start(): Promise<TestMemcached> {
    const made = new TestMemcached()
    await new Promise<void>((resolve) => made.#server.listen(0, '127.0.0.1', resolve))
    return made
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  #answer(request: Buffer): Buffer {
    const extras = request.readUInt8(4)
    const keyEnd = 24 + extras + request.readUInt16BE(2)
    const key = request.subarray(24 + extras, keyEnd).toString('latin1')
    if (request[1] === 1) {
      const value = Buffer.from(request.subarray(keyEnd))
      this.items.set(key, { value, flags: request.readUInt32BE(24), seconds: request.readUInt32BE(28) })
      return frame(1, 0, Buffer.alloc(0), Buffer.alloc(0))
    }
    this.gets += 1
    const item = this.items.get(key)
    if (item === undefined) return frame(0, 1, Buffer.alloc(0), Buffer.from('Not found'))
    const flags = Buffer.alloc(4)
    flags.writeUInt32BE(item.flags, 0)
    return frame(0, 0, flags, item.value)
  }

  disconnectAll(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  close(): void {
    this.disconnectAll()
    this.#server.close()
  }
}

function frame(opcode: number, status: number, extras: Buffer, value: Buffer): Buffer {
  const header = Buffer.alloc(24)
  header.writeUInt8(0x81, 0)
  header.writeUInt8(opcode, 1)
  header.writeUInt8(extras.length, 4)
  header.writeUInt16BE(status, 6)
  header.writeUInt32BE(extras.length + value.length, 8)
  return Buffer.concat([header, extras, value])
}
