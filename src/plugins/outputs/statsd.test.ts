import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { outputFor } from '../../plugin/testing.ts'
import statsd from './statsd.ts'

const metrics = {
  increment: ['http.%{status}'],
  decrement: ['down'],
  count: { bytes: '%{bytes}' },
  timing: { took: '%{ms}' },
  gauge: { load: '0.5' },
  set: { 'users::all': '%{user}' },
}
const event = { host: 'a.b:c', status: 200, bytes: 17, ms: 3, user: 'kim' }
const lines = [
  'ns.a_b_c.http.200:1|c',
  'ns.a_b_c.down:-1|c',
  'ns.a_b_c.bytes:17|c',
  'ns.a_b_c.took:3|ms',
  'ns.a_b_c.users.all:kim|s',
  'ns.a_b_c.load:0.5|g',
]

/** Not where the name the option has by default leads to; other systems have one address of their own only. */
const address = process.platform === 'linux' ? '127.0.0.2' : '127.0.0.1'

describe('statsd', () => {
  it('sends a datagram per metric', async () => {
    const server = createSocket('udp4')
    server.bind(0, address)
    await once(server, 'listening')
    const got: string[] = []
    server.on('message', (message) => got.push(message.toString()))
    const options = { host: address, port: server.address().port, namespace: 'ns', ...metrics }
    const { instance, deliver } = outputFor(statsd, options)
    await instance.register!()
    await deliver([event])
    await expect.poll(() => got.length).toBe(lines.length)
    expect(got).toEqual(lines)
    await instance.close!()
    server.close()
  })

  it('sends lines over TCP', async () => {
    const server = createServer()
    server.listen(0, address)
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const options = { host: address, port, protocol: 'tcp', namespace: 'ns', ...metrics }
    const { instance, deliver } = outputFor(statsd, options)
    await instance.register!()
    const connected = once(server, 'connection')
    await deliver([event])
    const [socket] = await connected
    const [chunk] = await once(socket, 'data')
    expect(String(chunk)).toBe(`${lines.join('\n')}\n`)
    await instance.close!()
    server.close()
  })

  it('tells the rate it samples with, and keeps names in their place', async () => {
    const { instance } = outputFor(statsd, { increment: ['a|b\nc'], sample_rate: 0.999999999, sender: 's' })
    const { testEvent } = await import('../../plugin/testing.ts')
    const [block] = instance.encode!([testEvent({})])
    expect(Buffer.from(block!.bytes).toString()).toBe('logstash.s.a_b_c:1|c|@0.999999999')
  })
})
