import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { BodyReader, type Refusal } from './body.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** What becomes of the body of one request, whose bytes the test sends. */
async function reading(bodies: BodyReader, head: string) {
  const server = createServer()
  const request = new Promise<IncomingMessage>((resolve) => server.once('request', resolve))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  closing.push(() => {
    socket.destroy()
    server.closeAllConnections()
    server.close()
  })
  socket.on('error', () => {})
  socket.write(`POST / HTTP/1.1\r\nHost: a\r\n${head}\r\n\r\n`)
  return { socket, body: bodies.read(await request) }
}

const status = (error: unknown) => (error as Refusal).status

describe('the body of a request', () => {
  it('is given up with 408 when it comes byte by byte', async () => {
    const patience = { milliseconds: 200, bytesPerSecond: 1000 }
    const { socket, body } = await reading(new BodyReader(1000, patience), 'Content-Length: 900')
    const timer = setInterval(() => socket.write('a'), 20)
    closing.push(() => clearInterval(timer))
    await expect(body.catch(status)).resolves.toBe(408)
  })

  it('may take longer the more of it comes', async () => {
    const patience = { milliseconds: 100, bytesPerSecond: 1000 }
    const { socket, body } = await reading(new BodyReader(10_000, patience), 'Content-Length: 5000')
    socket.write('a'.repeat(4999))
    setTimeout(() => socket.write('b'), 600)
    expect((await body).bytes).toHaveLength(5000)
  })

  it('is refused with 413 when it unpacks to too much, and with 400 when it does not unpack', async () => {
    const packed = gzipSync('a'.repeat(2000))
    const head = (length: number) => `Content-Encoding: gzip\r\nContent-Length: ${length}`
    const bomb = await reading(new BodyReader(1000), head(packed.length))
    bomb.socket.write(packed)
    await expect(bomb.body.catch(status)).resolves.toBe(413)
    const damaged = await reading(new BodyReader(1000), head(10))
    damaged.socket.write('0123456789')
    await expect(damaged.body.catch(status)).resolves.toBe(400)
  })
})
