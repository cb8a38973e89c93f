import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { connect as connectTls, createServer as createTlsServer } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import { freePort } from '../../../test/support/millrace.ts'
import { block, outputFor, recordingLogger, type TestOptions } from '../../plugin/testing.ts'
import json from '../codecs/json.ts'
import line from '../codecs/line.ts'
import { TcpServer } from '../delivery/tcp-server.ts'
import { certificateFiles, testCertificate, testKey } from '../tls/test-certificate.ts'
import tcp from './tcp.ts'

const messages = block('line', { format: '%{message}' })
const atEnd: (() => unknown)[] = []

afterEach(async () => {
  for (const end of atEnd.splice(0)) await end()
})

async function listening(server: Server, port = 0): Promise<number> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** A peer that keeps what it gets, per connection. */
async function peer(options: { port?: number; onConnection?: (socket: Socket, n: number) => void } = {}) {
  const texts: string[] = []
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    const n = texts.push('') - 1
    sockets.push(socket)
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      texts[n] = `${texts[n]}${chunk}`
    })
    options.onConnection?.(socket, n)
  })
  const port = await listening(server, options.port)
  const close = async () => {
    for (const socket of sockets) socket.destroy()
    if (server.listening) await new Promise((resolve) => server.close(resolve))
  }
  atEnd.push(close)
  return { port, texts, server, sockets, close }
}

async function until(condition: () => boolean): Promise<void> {
  for (let i = 0; i < 500 && !condition(); i++) await new Promise((resolve) => setTimeout(resolve, 10))
  expect(condition()).toBe(true)
}

async function client(port: number, options: TestOptions = {}) {
  const output = outputFor(
    tcp,
    { host: '127.0.0.1', port, reconnect_interval: 0.05, codec: messages, ...options },
    { codecs: [line] },
  )
  await output.instance.register!()
  atEnd.push(() => output.instance.close!())
  return output
}

describe('tcp as a client', () => {
  it('sends over one connection, in order', async () => {
    const { port, texts } = await peer()
    const { deliver } = await client(port)
    await deliver([{ message: '1' }, { message: '2' }])
    await deliver([{ message: '3' }])
    await until(() => texts[0] === '1\n2\n3\n')
    expect(texts).toHaveLength(1)
  })

  it('uses json by default, without a delimiter', async () => {
    expect(outputFor(tcp, { host: 'h', port: 1 }).codecName).toBe('json')
    const { port, texts } = await peer()
    const output = outputFor(tcp, { host: '127.0.0.1', port }, { codecs: [json] })
    await output.instance.register!()
    atEnd.push(() => output.instance.close!())
    await output.deliver([{ a: 1 }, { a: 2 }])
    const rest = '"@timestamp":"2015-10-01T05:06:07.089Z","@version":"1"'
    await until(() => texts[0] === `{"a":1,${rest}}{"a":2,${rest}}`)
  })

  it('waits for a peer that is not there yet', async () => {
    const first = await peer()
    await first.close()
    const { deliver, environment } = await client(first.port)
    const delivered = deliver([{ message: 'x' }])
    await until(() => environment.logger.messages('error').length > 0)
    const { texts } = await peer({ port: first.port })
    await delivered
    await until(() => texts[0] === 'x\n')
    expect(environment.logger.messages('error')[0]).toBe('failed to connect:')
  })

  it('connects again after the peer closed', async () => {
    const { port, texts } = await peer({
      onConnection: (socket, n) => {
        if (n === 0) socket.once('data', () => socket.destroy())
      },
    })
    const { deliver } = await client(port)
    await deliver([{ message: '1' }])
    await until(() => texts[0] === '1\n')
    await new Promise((resolve) => setTimeout(resolve, 50))
    await deliver([{ message: '2' }])
    await until(() => texts[1] === '2\n')
  })

  it('sends a block again that was cut off', async () => {
    const large = 'x'.repeat(8_000_000)
    const { port, texts } = await peer({
      onConnection: (socket, n) => {
        if (n === 0) socket.once('data', () => socket.resetAndDestroy())
      },
    })
    const { deliver, environment } = await client(port)
    await deliver([{ message: large }])
    await until(() => texts[1]?.length === large.length + 1)
    expect(environment.logger.messages('warn')).toEqual(['client socket failed:'])
  })

  it('waits while the peer does not read', async () => {
    const { port, sockets, texts } = await peer({ onConnection: (socket) => socket.pause() })
    const { deliver } = await client(port)
    let done = false
    const delivered = deliver([{ message: 'x'.repeat(16_000_000) }]).then(() => {
      done = true
    })
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(done).toBe(false)
    sockets[0]!.resume()
    await delivered
    await until(() => texts[0]!.length === 16_000_001)
  })

  it('stops waiting when the pipeline has to stop', async () => {
    const gone = await peer()
    await gone.close()
    const { deliver, environment } = await client(gone.port, { reconnect_interval: 60 })
    const delivered = deliver([{ message: 'x' }])
    setTimeout(() => environment.stop(), 50)
    await expect(delivered.then(() => 'delivered')).rejects.toThrow()
  })

  it('stops in the middle of a write', async () => {
    const { port } = await peer({ onConnection: (socket) => socket.pause() })
    const { deliver, environment } = await client(port)
    const delivered = deliver([{ message: 'x'.repeat(16_000_000) }])
    setTimeout(() => environment.stop(), 100)
    await expect(delivered.then(() => 'delivered')).rejects.toThrow()
  })
})

describe('tcp as a client with TLS', () => {
  async function tlsPeer() {
    let text = ''
    const server = createTlsServer({ key: testKey, cert: testCertificate }, (socket) => {
      socket.on('error', () => {})
      socket.on('data', (chunk) => {
        text += chunk
      })
    })
    server.on('tlsClientError', () => {})
    const port = await listening(server)
    atEnd.push(() => server.close())
    return { port, text: () => text }
  }

  it('checks the certificate of the server', async () => {
    const { port, text } = await tlsPeer()
    const { certificate } = await certificateFiles()
    const trusting = await client(port, { ssl_enabled: true, ssl_certificate_authorities: certificate })
    await trusting.deliver([{ message: 'x' }])
    await until(() => text() === 'x\n')
    const strict = await client(port, { ssl_enabled: true })
    const delivered = strict.deliver([{ message: 'y' }])
    await until(() => strict.environment.logger.messages('error').length > 0)
    expect(strict.environment.logger.messages('error')[0]).toBe('connect ssl failure:')
    strict.environment.stop()
    await expect(delivered.then(() => 'delivered')).rejects.toThrow()
    expect(text()).toBe('x\n')
  })

  it('takes the old names of options', async () => {
    const { port, text } = await tlsPeer()
    const { deliver } = await client(port, { ssl_enable: true, ssl_verify: false })
    await deliver([{ message: 'old' }])
    await until(() => text() === 'old\n')
  })
})

describe('tcp as a server', () => {
  async function server(options: { bufferLimit?: number; tls?: boolean } = {}) {
    const logger = recordingLogger()
    const server = new TcpServer({
      host: '127.0.0.1',
      port: 0,
      tls: options.tls ? { key: testKey, cert: testCertificate } : undefined,
      logger,
      bufferLimit: options.bufferLimit ?? 1_000_000,
    })
    await server.listen()
    atEnd.push(() => server.close())
    return { server, logger }
  }

  it('sends everything to all who are connected', async () => {
    const { server: tcpServer } = await server()
    tcpServer.broadcast(Buffer.from('nobody hears this'))
    const texts = ['', '']
    for (const i of [0, 1]) {
      const socket = connect(tcpServer.port, '127.0.0.1')
      socket.on('data', (chunk) => {
        texts[i] = `${texts[i]}${chunk}`
      })
      atEnd.unshift(() => socket.destroy())
    }
    await until(() => tcpServer.readers === 2)
    tcpServer.broadcast(Buffer.from('a'))
    tcpServer.broadcast(Buffer.from('b'))
    await until(() => texts[0] === 'ab' && texts[1] === 'ab')
  })

  it('disconnects a reader that is too slow', async () => {
    const { server: tcpServer, logger } = await server()
    const socket = connect(tcpServer.port, '127.0.0.1')
    socket.on('error', () => {})
    socket.pause()
    await until(() => tcpServer.readers === 1)
    for (let i = 0; i < 40; i++) tcpServer.broadcast(Buffer.alloc(500_000))
    expect(tcpServer.readers).toBe(0)
    expect(logger.messages('warn')).toEqual(['A client reads too slowly and was disconnected'])
    socket.destroy()
  })

  it('speaks TLS', async () => {
    const { server: tcpServer } = await server({ tls: true })
    const socket = connectTls({ port: tcpServer.port, host: '127.0.0.1', ca: testCertificate })
    await once(socket, 'secureConnect')
    await until(() => tcpServer.readers === 1)
    tcpServer.broadcast(Buffer.from('secret'))
    expect(String((await once(socket, 'data'))[0])).toBe('secret')
    socket.destroy()
  })

  it.each([
    ['none', true, true],
    ['optional', true, true],
    ['required', false, true],
  ])(
    'with ssl_client_authentication => %s: takes clients without a certificate: %s',
    async (asks, without, shown) => {
      const { certificate, key } = await certificateFiles()
      const port = await freePort()
      const output = outputFor(tcp, {
        ...{ host: '127.0.0.1', port, mode: 'server', ssl_enabled: true },
        ...{ ssl_certificate: certificate, ssl_key: key, ssl_certificate_authorities: [certificate] },
        ssl_client_authentication: asks,
      })
      await output.instance.register!()
      atEnd.push(() => output.instance.close!())
      const isHeard = async (own: object) => {
        const socket = connectTls({ port, host: '127.0.0.1', ca: testCertificate, ...own })
        let text = ''
        let isClosed = false
        socket.on('error', () => {})
        socket.on('close', () => {
          isClosed = true
        })
        socket.on('data', (chunk) => {
          text += chunk
        })
        await until(() => {
          void output.deliver([{ message: 'm' }])
          return isClosed || text !== ''
        })
        socket.destroy()
        return text !== ''
      }
      expect(await isHeard({})).toBe(without)
      expect(await isHeard({ key: testKey, cert: testCertificate })).toBe(shown)
    },
  )

  it('says when the port is taken', async () => {
    const { port } = await peer()
    const output = outputFor(tcp, { host: '127.0.0.1', port, mode: 'server' })
    await expect(output.instance.register!()).rejects.toThrow('EADDRINUSE')
    expect(output.environment.logger.messages('error')).toEqual([
      'Could not start tcp server: Address in use',
    ])
    await output.instance.close!()
  })
})
