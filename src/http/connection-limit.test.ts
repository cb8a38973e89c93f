import { createServer, get, type Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { limitConnections } from './connection-limit.ts'

const servers: Server[] = []
const sockets: Socket[] = []

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

async function start(limit: number): Promise<number> {
  const server = createServer((request, response) => {
    if (request.url === '/hang') return
    if (request.url === '/huge') return void response.end(Buffer.alloc(64 * 1024 * 1024))
    response.end('fine')
  })
  limitConnections(server, limit)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as { port: number }).port
}

/** A connection that sends what it is given and reads nothing. */
function open(port: number, text: string): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(text)
      resolve(socket)
    })
    sockets.push(socket)
    socket.on('error', () => {})
  })
}

function ask(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', agent: false, timeout: 5000 }, (response) => {
      response.setEncoding('utf8').on('data', resolve)
    }).on('error', reject)
  })
}

async function isClosed(socket: Socket): Promise<boolean> {
  socket.resume()
  for (let i = 0; i < 200 && !socket.closed; i++) await sleep(10)
  return socket.closed
}

describe('the limit of connections', () => {
  it('takes those that have waited longest', async () => {
    const port = await start(3)
    const slow = []
    for (let n = 0; n < 3; n++) slow.push(await open(port, 'GET / HTTP/1.1\r\nhost:'))
    expect(await ask(port)).toBe('fine')
    expect(await isClosed(slow[0]!)).toBe(true)
    expect(slow[2]!.closed).toBe(false)
  })

  it('lets a kept connection wait again from its last answer on', async () => {
    const port = await start(2)
    const kept = await open(port, '')
    const silent = await open(port, '')
    kept.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
    await new Promise((resolve) => kept.once('data', resolve))
    expect(await ask(port)).toBe('fine')
    expect(await isClosed(silent)).toBe(true)
    expect(kept.closed).toBe(false)
  })

  it('leaves requests in progress alone and refuses newcomers then', async () => {
    const port = await start(2)
    const hanging = [
      await open(port, 'GET /hang HTTP/1.1\r\nhost: x\r\n\r\n'),
      await open(port, 'GET /hang HTTP/1.1\r\nhost: x\r\n\r\n'),
    ]
    await sleep(100)
    await expect(ask(port)).rejects.toThrow()
    expect(hanging.map(({ closed }) => closed)).toEqual([false, false])
  })

  it('takes those who do not fetch their answer', async () => {
    const port = await start(1)
    const lazy = await open(port, 'GET /huge HTTP/1.1\r\nhost: x\r\n\r\n')
    lazy.pause()
    await sleep(200)
    expect(await ask(port)).toBe('fine')
    expect(await isClosed(lazy)).toBe(true)
  })
})
