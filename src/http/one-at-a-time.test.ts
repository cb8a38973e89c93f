import { createServer, get, type RequestListener, type Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { oneAtATime } from './one-at-a-time.ts'

const host = '127.0.0.1'
const servers: Server[] = []
const sockets: Socket[] = []

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

async function start(listener: RequestListener, parsed = () => {}): Promise<number> {
  const server = createServer(oneAtATime(listener))
  server.on('request', parsed)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  return (server.address() as { port: number }).port
}

/** Sends requests in one piece and gives what is answered until so many answers are there or the connection ends. */
function pipelined(port: number, text: string, answers: number): Promise<string[]> {
  return new Promise((resolve, reject) => {
    let all = ''
    const socket = connect(port, host, () => socket.write(text))
    sockets.push(socket)
    socket.setEncoding('latin1').on('error', reject)
    const bodies = () => [...all.matchAll(/<([^>]*)>/g)].map((match) => match[1]!)
    socket.on('data', (data: string) => {
      all += data
      if (all.length < 1_000_000 && bodies().length === answers) resolve(bodies())
    })
    socket.on('close', () => resolve(bodies()))
  })
}

const post = (n: number, body = '') =>
  `POST /${n} HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n${body}`
const posts = (count: number, body?: string) =>
  Array.from({ length: count }, (_, n) => post(n, body)).join('')

describe('requests that come without waiting for answers', () => {
  it('are served one after the other and answered in order, also with bodies larger than what is read ahead', async () => {
    let [running, atOnce] = [0, 0]
    const port = await start(async (request, response) => {
      running += 1
      atOnce = Math.max(atOnce, running)
      let bytes = 0
      for await (const chunk of request) bytes += chunk.length
      await new Promise((resolve) => setTimeout(resolve, 1))
      running -= 1
      response.end(`<${request.url} ${bytes}>`)
    })
    const body = 'b'.repeat(100_000)
    const answers = await pipelined(port, posts(60, body) + posts(60), 120)
    const expected = (bytes: number) => Array.from({ length: 60 }, (_, n) => `/${n} ${bytes}`)
    expect(answers).toEqual([...expected(100_000), ...expected(0)])
    expect(atOnce).toBe(1)
  })

  it('leave room for other connections', async () => {
    let served = 0
    const port = await start((request, response) => {
      if (request.url !== '/other') {
        served += 1
        for (const until = performance.now() + 1; performance.now() < until; );
      }
      response.end(`<${request.url}>`)
    })
    const many = pipelined(port, posts(600), 600)
    while (served === 0) await new Promise(setImmediate)
    const servedBefore = await new Promise<number>((resolve, reject) => {
      get({ host, port, path: '/other', agent: false }, () => resolve(served)).on('error', reject)
    })
    expect(servedBefore).toBeLessThan(100)
    expect(await many).toHaveLength(600)
  })

  it('are not read while many of them wait', async () => {
    let [parsed, served] = [0, 0]
    const port = await start(
      () => {
        served += 1
      },
      () => {
        parsed += 1
      },
    )
    const socket = connect(port, host)
    sockets.push(socket)
    const text = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(50_000)
    socket.write(text)
    while (served === 0) await new Promise(setImmediate)
    // More than enough for all of them.
    await new Promise((resolve) => setTimeout(resolve, 1000))
    expect(parsed).toBeGreaterThan(32)
    expect(parsed).toBeLessThan(10_000)
    expect(served).toBe(1)
    expect(socket.destroyed).toBe(false)
  })
})
