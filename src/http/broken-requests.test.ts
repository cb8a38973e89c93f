import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HttpServer, listen } from './server.ts'

let server: HttpServer

beforeAll(async () => {
  server = await listen({
    host: '127.0.0.1',
    ports: { first: 0, last: 0 },
    listener: (message, response) => {
      // `/early` is answered without a look at its body.
      if (message.url === '/early') response.end('early')
      else message.resume().on('end', () => response.end('late'))
    },
  })
})

afterAll(() => server.close())

/** The statuses that come back for these bytes, until the server closes. */
function statusesFor(...texts: readonly string[]): Promise<string[]> {
  return new Promise((resolve) => {
    let received = ''
    const socket = connect(server.port, '127.0.0.1', async () => {
      for (const text of texts) {
        socket.write(text)
        await new Promise((next) => setTimeout(next, 100))
      }
    })
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1')
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve([...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map((found) => found[1]!)))
  })
}

const head = (path: string) =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n`

describe('bytes that are not HTTP', () => {
  it('get one response where the body of a request breaks off', async () => {
    expect(await statusesFor(`${head('/late')}2\r\n{}\r\nzz\r\n`)).toEqual(['400'])
  })

  it('get no second response behind the one that is through', async () => {
    expect(await statusesFor(head('/early'), '2\r\n{}\r\nzz\r\n')).toEqual(['200'])
    expect(await statusesFor(`${head('/early')}2\r\n{}\r\n0\r\nContent-Length: 5\r\n\r\n`)).toEqual(['200'])
  })

  it('are refused as a request of their own after one that is complete', async () => {
    const whole = 'GET /late HTTP/1.1\r\nHost: localhost\r\n\r\n'
    expect(await statusesFor(whole, 'GARBAGE\r\n\r\n')).toEqual(['200', '400'])
    expect(await statusesFor(`GET / HTTP/1.1\r\nX: ${'a'.repeat(100_000)}\r\n\r\n`)).toEqual(['431'])
  })

  // RFC 9112, 3.2
  it('are refused without a Host, and with two of them', async () => {
    expect(await statusesFor('GET /early HTTP/1.1\r\n\r\n')).toEqual(['400'])
    const two = 'GET /early HTTP/1.1\r\nHost: localhost\r\nhOST: localhost\r\n\r\n'
    expect(await statusesFor(two)).toEqual(['400'])
  })
})
