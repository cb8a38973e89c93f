/** A sender of the Lumberjack protocol, for tests only: builds frames, waits for acknowledgements. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { deflateSync } from 'node:zlib'

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}

export function windowFrame(size: number, version = '2'): Buffer {
  return Buffer.concat([Buffer.from(`${version}W`), number(size)])
}

export function jsonFrame(sequence: number, event: unknown, version = '2'): Buffer {
  const json = Buffer.from(typeof event === 'string' ? event : JSON.stringify(event))
  return Buffer.concat([Buffer.from(`${version}J`), number(sequence), number(json.length), json])
}

export function dataFrame(sequence: number, event: Record<string, string>): Buffer {
  const pairs = Object.entries(event).flatMap(([name, value]) =>
    [name, value].flatMap((text) => [number(Buffer.byteLength(text)), Buffer.from(text)]),
  )
  return Buffer.concat([Buffer.from('1D'), number(sequence), number(Object.keys(event).length), ...pairs])
}

export function compressedFrame(frames: Buffer, version = '2'): Buffer {
  const zlib = deflateSync(frames)
  return Buffer.concat([Buffer.from(`${version}C`), number(zlib.length), zlib])
}

/** A window of events with sequence numbers from 1. */
export function windowOf(events: readonly unknown[]): Buffer {
  return Buffer.concat([windowFrame(events.length), ...events.map((event, i) => jsonFrame(i + 1, event))])
}

export class LumberjackClient {
  readonly socket: Socket
  #bytes: Buffer = Buffer.alloc(0)
  #closed = false
  #wake: () => void = () => {}

  constructor(socket: Socket) {
    this.socket = socket
    socket.on('error', () => undefined)
    socket.on('close', () => {
      this.#closed = true
      this.#wake()
    })
    socket.on('data', (chunk: Buffer) => {
      this.#bytes = Buffer.concat([this.#bytes, chunk])
      this.#wake()
    })
  }

  static async connect(port: number): Promise<LumberjackClient> {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    return new LumberjackClient(socket)
  }

  send(...frames: Buffer[]): void {
    this.socket.write(Buffer.concat(frames))
  }

  /** The next acknowledgement as `2A5`; `closed` when the connection ended. */
  async ack(): Promise<string> {
    while (this.#bytes.length < 6) {
      if (this.#closed) return 'closed'
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    const frame = this.#bytes.subarray(0, 6)
    this.#bytes = this.#bytes.subarray(6)
    return `${frame.toString('latin1', 0, 2)}${frame.readUInt32BE(2)}`
  }

  close(): void {
    this.socket.destroy()
  }
}
