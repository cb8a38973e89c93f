import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { bodyMemory } from './body-memory.ts'
import { readBody } from './request-body.ts'

let server: Server | undefined

afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

/** What reading the body of this request came to. */
async function outcome(sent: string, thenClose = false, later: readonly string[] = []): Promise<string> {
  return new Promise((resolve) => {
    server = createServer((message, response) => {
      void readBody(message, 10)
        .then(
          (body) => body.toString(),
          (error: Error) => error.message,
        )
        .then((text) => {
          response.end()
          resolve(text)
        })
    })
    server.listen(0, '127.0.0.1', () => {
      const { port } = server!.address() as { port: number }
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(`PUT / HTTP/1.1\r\nhost: x\r\n${sent}`)
        for (const [n, text] of later.entries()) setTimeout(() => socket.write(text), 20 * (n + 1))
        if (thenClose) setTimeout(() => socket.destroy(), 50)
      })
      socket.on('error', () => {})
    })
  })
}

describe('the body of a request', () => {
  it('is read whole', async () => {
    expect(await outcome('content-length: 5\r\n\r\nhello')).toBe('hello')
    expect(await outcome('transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n')).toBe('abcde')
    expect(await outcome('\r\n')).toBe('')
    const pieces = ['a', 'bc', 'd', 'efg', 'h']
    const chunked = pieces.map((piece) => `${piece.length}\r\n${piece}\r\n`).join('')
    expect(await outcome(`transfer-encoding: chunked\r\n\r\n${chunked}0\r\n\r\n`)).toBe('abcdefgh')
  })

  it('is put together when it comes bit by bit', async () => {
    expect(await outcome('content-length: 9\r\n\r\n', false, ['hel', 'lo', ' you'])).toBe('hello you')
  })

  it('is refused when it is too large', async () => {
    expect(await outcome('content-length: 11\r\n\r\nhello world')).toBe('the body is larger than 10 bytes')
  })

  it('is in memory of its own as long as it is not given back', async () => {
    const bodies: Buffer[] = []
    server = createServer((message, response) => {
      void readBody(message, 1024 * 1024).then((body) => {
        bodies.push(body)
        response.end()
      })
    })
    await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const send = async (letter: string) => {
      const sent = request({ port, host: '127.0.0.1', method: 'PUT' })
      sent.end(letter.repeat(200_000))
      const [answer] = await once(sent, 'response')
      answer.resume()
      await once(answer, 'close')
    }
    for (const letter of ['a', 'b']) await send(letter)
    expect(bodies[0]!.buffer).not.toBe(bodies[1]!.buffer)
    const memory = bodies[0]!.buffer
    bodyMemory.giveBack(bodies[0]!)
    await send('c')
    expect(bodies.slice(1).map((body) => body.toString())).toEqual(['b'.repeat(200_000), 'c'.repeat(200_000)])
    expect(bodies[2]!.buffer).toBe(memory)
  })

  it('is given up when its sender goes', async () => {
    expect(await outcome('content-length: 9\r\n\r\nhel', true)).toMatch(/aborted|came to no end/)
  })
})
