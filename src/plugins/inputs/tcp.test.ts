import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls, createServer as createTlsServer } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { inputFor, type TestInput, type TestOptions, type TestSettings } from '../../plugin/testing.ts'
import { certificateFiles, testCertificate, testKey } from '../tls/test-certificate.ts'
import { betweenCertificate, leafCertificate, leafKey, rootCertificate } from '../tls/test-chain.ts'
import tcp from './tcp.ts'

function addressOf({ environment }: TestInput): { host: string; port: number } {
  const { fields } = environment.logger.lines.find(
    ({ message }) => message === 'Starting tcp input listener',
  )!
  const [host = '', port] = String(fields!['address']).split(':')
  return { host, port: Number(port) }
}

async function serving(options: TestOptions = {}, settings: TestSettings = {}) {
  const given = { host: '127.0.0.1', port: 0, dns_reverse_lookup_enabled: false, ...options }
  const input = inputFor(tcp, given, settings)
  await input.instance.register?.()
  const running = input.instance.run(input.sink)
  const stop = async () => {
    await input.instance.stop()
    await running
    await input.instance.close?.()
  }
  return { ...input, address: addressOf(input), stop }
}

async function send({ port }: { port: number }, text: string): Promise<number> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const { localPort } = socket
  socket.end(text)
  await once(socket, 'close')
  return localPort!
}

describe('tcp input, server', () => {
  it('reads lines, a last one without end included, and says where they came from', async () => {
    const { address, sink, stop, environment } = await serving()
    const port = await send(address, 'one\ntwo')
    const origin = { host: '127.0.0.1', port, '@metadata': { ip_address: '127.0.0.1' } }
    expect(await sink.waitFor(2)).toEqual([
      { message: 'one', ...origin },
      { message: 'two', ...origin },
    ])
    expect(environment.logger.lines.at(-1)!.fields).toMatchObject({ ssl_enabled: false })
    await stop()
    expect(environment.counts.get('peak_connections')).toBe(1)
    expect(environment.counts.get('current_connections')).toBe(0)
  })

  it('puts that below @metadata with ECS', async () => {
    const { address, sink, stop } = await serving({}, { ecs: 'v8' })
    const port = await send(address, 'one\n')
    const source = { name: '127.0.0.1', ip: '127.0.0.1', port }
    expect(await sink.waitFor(1)).toEqual([{ message: 'one', '@metadata': { input: { tcp: { source } } } }])
    await stop()
  })

  it('keeps fields that events bring along, and decorates afterwards', async () => {
    const { address, sink, stop } = await serving({ codec: 'json', add_field: { from: '%{host}' } })
    await send(address, '{"host":"theirs"}\n')
    expect((await sink.waitFor(1))[0]).toMatchObject({ host: 'theirs', from: 'theirs' })
    await stop()
  })

  it('keeps the streams of connections apart', async () => {
    const { address, sink, stop } = await serving()
    const sockets = [connect(address.port, '127.0.0.1'), connect(address.port, '127.0.0.1')]
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    const [a, b] = sockets as [Socket, Socket]
    a.write('first of a')
    b.write('all of b\n')
    await sink.waitFor(1)
    a.write(', rest of a\n')
    const events = await sink.waitFor(2)
    expect(events.map(({ message }) => message)).toEqual(['all of b', 'first of a, rest of a'])
    for (const socket of sockets) socket.destroy()
    await stop()
  })

  it('looks up the name of the peer, or uses its address', async () => {
    const { address, sink, stop } = await serving({ dns_reverse_lookup_enabled: true })
    await send(address, 'one\n')
    const [event] = await sink.waitFor(1)
    expect(['localhost', '127.0.0.1']).toContain(String(event!['host']).replace(/^localhost.*/, 'localhost'))
    await stop()
  })

  it('stops reading while the pipeline does not take more', async () => {
    const { address, sink, stop } = await serving()
    const { stream } = sink
    let open: () => void = () => {}
    const opened = new Promise<void>((resolve) => {
      open = resolve
    })
    let handedOver = 0
    sink.stream = (...call) => {
      const inner = stream(...call)
      return {
        ...inner,
        write: async (chunk) => {
          handedOver += chunk.length
          await opened
          await inner.write(chunk)
        },
      }
    }
    const socket = connect(address.port, '127.0.0.1')
    const line = `${'x'.repeat(999)}\n`
    for (let i = 0; i < 20_000; i++) socket.write(line)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(handedOver).toBeLessThanOrEqual(65536)
    open()
    socket.end()
    expect(await sink.waitFor(20_000, 20_000)).toHaveLength(20_000)
    await stop()
  })

  it('delivers what it has read when it is stopped, then closes connections', async () => {
    const { address, sink, stop } = await serving()
    const socket = connect(address.port, '127.0.0.1')
    const closed = once(socket, 'close')
    socket.on('error', () => undefined)
    socket.write('one\nunfinished')
    await sink.waitFor(1)
    await stop()
    await closed
    expect(sink.fields().map(({ message }) => message)).toEqual(['one', 'unfinished'])
    await expect(send(address, 'late\n')).rejects.toThrow('ECONNREFUSED')
  })

  it('does not start on a port that is taken', async () => {
    const { address, stop } = await serving()
    const second = inputFor(tcp, { host: '127.0.0.1', port: address.port })
    await expect(second.instance.register?.()).rejects.toThrow('EADDRINUSE')
    await stop()
  })

  // The kernel's table of connections: the timer of an idle one is that of its probes (2), or none (0).
  it.runIf(process.platform === 'linux')('has idle connections probed with tcp_keep_alive', async () => {
    for (const [tcp_keep_alive, timer] of [
      [true, '02'],
      [false, '00'],
    ] as const) {
      const { address, sink, stop } = await serving({ tcp_keep_alive })
      const socket = connect(address.port, '127.0.0.1')
      socket.write('one\n')
      await sink.waitFor(1)
      const hex = (port: number) => port.toString(16).toUpperCase().padStart(4, '0')
      const ends = `0100007F:${hex(address.port)} 0100007F:${hex(socket.localPort!)}`
      const row = (await readFile('/proc/net/tcp', 'utf8')).split('\n').find((line) => line.includes(ends))
      expect(row?.trim().split(/\s+/)[5]).toMatch(new RegExp(`^${timer}:`))
      socket.destroy()
      await stop()
    }
  })

  it('holds connections that come before the pipeline runs', async () => {
    const input = inputFor(tcp, { host: '127.0.0.1', port: 0, dns_reverse_lookup_enabled: false })
    await input.instance.register?.()
    const sent = send(addressOf(input), 'early\n')
    await new Promise((resolve) => setTimeout(resolve, 50))
    const running = input.instance.run(input.sink)
    expect((await input.sink.waitFor(1))[0]).toMatchObject({ message: 'early' })
    await sent
    await input.instance.stop()
    await running
  })
})

describe('tcp input with proxy_protocol', () => {
  it('takes the peer from the header', async () => {
    const { address, sink, stop } = await serving({ proxy_protocol: true })
    await send(address, 'PROXY TCP4 1.2.3.4 5.6.7.8 1234 5678\r\none\n')
    expect(await sink.waitFor(1)).toEqual([
      {
        message: 'one',
        host: '1.2.3.4',
        port: '1234',
        proxy_host: '5.6.7.8',
        proxy_port: '5678',
        '@metadata': { ip_address: '1.2.3.4' },
      },
    ])
    await stop()
  })

  it('has a place for it in ECS', async () => {
    const { address, sink, stop } = await serving({ proxy_protocol: true }, { ecs: 'v1' })
    await send(address, 'PROXY TCP4 1.2.3.4 5.6.7.8 1234 5678\r\none\n')
    expect((await sink.waitFor(1))[0]).toMatchObject({
      '@metadata': {
        input: {
          tcp: {
            source: { ip: '1.2.3.4', name: '1.2.3.4', port: '1234' },
            proxy: { ip: '5.6.7.8', port: '5678' },
          },
        },
      },
    })
    await stop()
  })

  it('closes a connection that does not begin with one', async () => {
    const { address, sink, stop, environment } = await serving({ proxy_protocol: true })
    await send(address, 'GET / HTTP/1.1\r\n\r\n').catch(() => undefined)
    await stop()
    expect(sink.received).toEqual([])
    expect(environment.logger.lines.find(({ level }) => level === 'error')).toEqual({
      level: 'error',
      message: 'Invalid proxy protocol header label',
      fields: { header: 'GET / HTTP/1.1' },
    })
  })
})

describe('tcp input, TLS', async () => {
  const { certificate, key } = await certificateFiles()
  const ours = { ssl_certificate: certificate, ssl_key: key }

  async function sendSecurely(port: number, text: string, options = {}): Promise<void> {
    const socket = connectTls({ port, host: '127.0.0.1', ca: testCertificate, ...options })
    await once(socket, 'secureConnect')
    socket.end(text)
    await once(socket, 'close')
  }

  it('serves encrypted connections', async () => {
    const options = { ssl_enabled: true, ...ours, ssl_client_authentication: 'none' }
    const { address, sink, stop } = await serving(options)
    await sendSecurely(address.port, 'secret\n')
    const [event] = await sink.waitFor(1)
    expect(event).toMatchObject({ message: 'secret', host: '127.0.0.1' })
    expect(event).not.toHaveProperty('sslsubject')
    await stop()
  })

  it('knows the subject of a client that showed its certificate', async () => {
    const options = { ssl_enabled: true, ...ours, ssl_certificate_authorities: [certificate] }
    for (const ssl_client_authentication of ['required', 'optional']) {
      const { address, sink, stop } = await serving({ ...options, ssl_client_authentication })
      await sendSecurely(address.port, 'secret\n', { cert: testCertificate, key: testKey })
      expect((await sink.waitFor(1))[0]).toMatchObject({ message: 'secret', sslsubject: 'CN=localhost' })
      await stop()
    }
  })

  it('lets clients without certificate in only when it is optional', async () => {
    const options = { ssl_enabled: true, ...ours, ssl_certificate_authorities: [certificate] }
    const optional = await serving({ ...options, ssl_client_authentication: 'optional' })
    await sendSecurely(optional.address.port, 'anonymous\n')
    expect((await optional.sink.waitFor(1))[0]).toMatchObject({ message: 'anonymous' })
    await optional.stop()
    const required = await serving(options)
    await sendSecurely(required.address.port, 'anonymous\n').catch(() => undefined)
    await required.stop()
    expect(required.sink.received).toEqual([])
  })

  it('sends certificates between its own and the root along', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'millrace-chain-'))
    const file = async (name: string, text: string) => {
      await writeFile(join(folder, name), text)
      return join(folder, name)
    }
    const options = {
      ssl_enabled: true,
      ssl_certificate: await file('leaf.pem', leafCertificate),
      ssl_key: await file('leaf.key', leafKey),
      ssl_client_authentication: 'none',
    }
    const alone = await serving(options)
    await expect(sendSecurely(alone.address.port, 'x\n', { ca: rootCertificate })).rejects.toThrow(
      'unable to verify the first certificate',
    )
    await alone.stop()
    const chain = await serving({
      ...options,
      ssl_extra_chain_certs: [await file('between.pem', betweenCertificate)],
    })
    await sendSecurely(chain.address.port, 'chained\n', { ca: rootCertificate })
    expect((await chain.sink.waitFor(1))[0]).toMatchObject({ message: 'chained' })
    await chain.stop()
    await rm(folder, { recursive: true })
  })

  it('takes the old names of options', async () => {
    const old = { ssl_enable: true, ssl_cert: certificate, ssl_key: key, ssl_verify: false }
    const { address, sink, stop } = await serving(old)
    await sendSecurely(address.port, 'old\n')
    expect((await sink.waitFor(1))[0]).toMatchObject({ message: 'old' })
    await stop()
  })

  it.each([
    [{ ssl_certificate: certificate }, 'Using an `ssl_certificate` requires an `ssl_key`'],
    [{ ssl_key: key }, 'An `ssl_certificate` is required when using an `ssl_key`'],
    [{}, 'An `ssl_certificate` is required when `ssl_enabled` => true'],
    [
      { ...ours, ssl_verification_mode: 'none' },
      '`ssl_verification_mode` must not be configured when mode is `server`, use `ssl_client_authentication` instead.',
    ],
    [
      { mode: 'client', ssl_client_authentication: 'none' },
      '`ssl_client_authentication` must not be configured when mode is `client`, use `ssl_verification_mode` instead.',
    ],
    [
      { ...ours, ssl_client_authentication: 'optional' },
      'An `ssl_certificate_authorities` is required when `ssl_client_authentication` => `optional`',
    ],
  ])('refuses %j', async (options, message) => {
    const { instance } = inputFor(tcp, { port: 0, ssl_enabled: true, ...options })
    await expect(instance.register?.()).rejects.toThrow(message)
  })

  it('connects to an encrypted server', async () => {
    const server = createTlsServer({ cert: testCertificate, key: testKey }, (socket) => {
      socket.end('from the server\n')
      socket.on('error', () => undefined)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const options = { mode: 'client', host: '127.0.0.1', port, ssl_enabled: true }
    const input = inputFor(tcp, {
      ...options,
      ssl_certificate_authorities: [certificate],
      dns_reverse_lookup_enabled: false,
    })
    await input.instance.register?.()
    const running = input.instance.run(input.sink)
    expect((await input.sink.waitFor(1))[0]).toMatchObject({
      message: 'from the server',
      sslsubject: 'CN=localhost',
    })
    await input.instance.stop()
    await running
    server.close()
  })
})

describe('tcp input, client', () => {
  it('reads from the server and connects again when the connection is lost', async () => {
    let count = 0
    const server = createServer((socket) => {
      count += 1
      socket.end(`connection ${count}\n`)
      socket.on('error', () => undefined)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const input = inputFor(tcp, {
      mode: 'client',
      host: '127.0.0.1',
      port,
      dns_reverse_lookup_enabled: false,
    })
    await input.instance.register?.()
    const running = input.instance.run(input.sink)
    const events = await input.sink.waitFor(2)
    expect(events.slice(0, 2)).toMatchObject([
      { message: 'connection 1', host: '127.0.0.1', port },
      { message: 'connection 2', host: '127.0.0.1', port },
    ])
    await input.instance.stop()
    await running
    server.close()
  })

  it('fails when nobody listens, so that the pipeline starts it again', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    server.close()
    await once(server, 'close')
    const { instance, sink } = inputFor(tcp, { mode: 'client', host: '127.0.0.1', port })
    await instance.register?.()
    await expect(instance.run(sink)).rejects.toThrow('ECONNREFUSED')
  })

  it('stops while it is connected and idle', async () => {
    const server = createServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { instance, sink } = inputFor(tcp, { mode: 'client', host: '127.0.0.1', port })
    const running = instance.run(sink)
    await once(server, 'connection')
    await instance.stop()
    await running
    server.close()
  })
})
