/** The logstash output with the logstash input, and with servers that answer as a receiver in trouble does. */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { Event, isLasting, lastingName } from '../../event/event.ts'
import type { Fields } from '../../event/value.ts'
import { inputFor, outputFor, type TestInput, type TestOptions, testTime } from '../../plugin/testing.ts'
import jsonLines from '../codecs/json-lines.ts'
import logstashInput from '../inputs/logstash.ts'
import { certificateFiles } from '../tls/test-certificate.ts'
import { LoadBalancer } from './logstash/load-balancer.ts'
import logstash from './logstash.ts'

const running: { input: TestInput; ended: Promise<void> }[] = []
const servers: Server[] = []
afterEach(async () => {
  for (const { input, ended } of running.splice(0)) {
    input.environment.stop()
    await input.instance.stop()
    await ended
    await input.instance.close?.()
  }
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function receiver(options: TestOptions = {}): Promise<{ input: TestInput; port: number }> {
  const input = inputFor(
    logstashInput,
    { host: '127.0.0.1', port: 0, ssl_enabled: false, ...options },
    { codecs: [jsonLines] },
  )
  await input.instance.register!()
  running.push({ input, ended: input.instance.run(input.sink) })
  const line = input.environment.logger.lines.find(({ message }) => message.startsWith('Starting http'))
  return { input, port: Number(/:(\d+)$/.exec(String(line!.fields!['address']))![1]) }
}

async function answering(answer: (request: IncomingMessage, body: Buffer, count: number) => number) {
  let count = 0
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      count += 1
      response.statusCode = answer(request, Buffer.concat(parts), count)
      response.end()
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

async function sender(hosts: string[], options: TestOptions = {}) {
  const output = outputFor(logstash, { hosts, ssl_enabled: false, ...options }, { codecs: [jsonLines] })
  await output.instance.register!()
  return output
}

const batch = (count: number): Fields[] => Array.from({ length: count }, (_, n) => ({ n, text: 'é' }))

describe('logstash output and input', () => {
  it('carry events from one to the other, fields untouched', async () => {
    const { input, port } = await receiver()
    const output = await sender([`127.0.0.1:${port}`])
    await output.deliver([{ n: 1, deep: { a: [1, 2.5, null] }, host: 'h', '@version': '1' }, { n: 2 }])
    const expected = [{ n: 1, deep: { a: [1, 2.5, null] }, host: 'h' }, { n: 2 }]
    expect(input.sink.fields()).toEqual(expected.map((fields) => ({ '@timestamp': testTime, ...fields })))
    expect(input.sink.received[0]!.metadata()).toEqual({})
    await output.instance.close!()
  })

  it('carry the names of events that may be sent again, which are the same each time', async () => {
    const { input, port } = await receiver({ tags: ['t'] })
    const output = await sender([`127.0.0.1:${port}`])
    const named = (name: string) => {
      const event = Event.from({ name })
      event.lineage = lastingName(name)
      return event
    }
    await output.instance.receive!([named('a'), Event.from({ name: 'none' }), named('b')])
    await output.instance.receive!([named('b'), named('c')])
    const received = input.sink.received.map((event) => [String(event.get('name')), event.permanentName])
    expect(received.map(([name]) => name)).toEqual(['a', 'none', 'b', 'b', 'c'])
    const names = received.map(([, name]) => name)
    expect(names[3]).toBe(names[2])
    expect(new Set([names[0], names[2], names[4]]).size).toBe(3)
    expect(input.sink.received.map((event) => isLasting(event))).toEqual([true, false, true, true, true])
    expect(input.sink.received[0]!.get('tags')).toEqual(['t'])
    await output.instance.receive!(Array.from({ length: 450 }, (_, n) => named(`n${n}`)))
    expect(input.sink.received).toHaveLength(455)
    await output.instance.close!()
  })

  it('use a connection again or not, and no more than told', async () => {
    const connections = async (options: TestOptions): Promise<number> => {
      let count = 0
      const port = await answering(() => 200)
      servers.at(-1)!.on('connection', () => {
        count += 1
      })
      const output = await sender([`127.0.0.1:${port}`], { socket_timeout: 5, ...options })
      for (let i = 0; i < 3; i++) await output.deliver(batch(1))
      await output.instance.close!()
      return count
    }
    expect(await connections({ pool_max_per_route: 1 })).toBe(1)
    expect(await connections({ pool_max_per_route: 1, keepalive: false })).toBe(3)
  })

  it('go through a proxy', async () => {
    const asked: string[] = []
    const port = await answering((request) => {
      asked.push(request.url!)
      return 200
    })
    const output = await sender(['far.example:9800'], { proxy: `http://127.0.0.1:${port}` })
    await output.deliver(batch(1))
    await output.instance.close!()
    expect(asked[0]).toContain('far.example:9800')
  })

  it('are done when the events are safe', async () => {
    const { input, port } = await receiver()
    input.sink.hold()
    const output = await sender([`127.0.0.1:${port}`])
    let isDone = false
    const delivered = output.deliver(batch(2)).then(() => {
      isDone = true
    })
    await input.sink.waitFor(2)
    await wait(30)
    expect(isDone).toBe(false)
    input.sink.release()
    await delivered
    await output.instance.close!()
  })

  it('use TLS and credentials', async () => {
    const { certificate, key } = await certificateFiles()
    const { input, port } = await receiver({
      ssl_enabled: true,
      ssl_certificate: certificate,
      ssl_key: key,
      username: 'me',
      password: 'secret',
    })
    const output = await sender([`localhost:${port}`], {
      ssl_enabled: true,
      ssl_certificate_authorities: [certificate],
      username: 'me',
      password: 'secret',
    })
    await output.deliver(batch(1))
    expect(input.sink.received).toHaveLength(1)
    await output.instance.close!()
  })

  it('refuse options that contradict each other', async () => {
    const { instance } = inputFor(logstashInput, { port: 1 }, { codecs: [jsonLines] })
    await expect(instance.register!()).rejects.toThrow(
      'SSL identity MUST be configured with either `ssl_certificate`/`ssl_key` or `ssl_keystore_*`',
    )
    const refusals: [TestOptions, string][] = [
      [
        { ssl_verification_mode: 'none' },
        'Explicit SSL-related settings not supported because `ssl_enabled => false`: ["ssl_verification_mode"]',
      ],
      [{ username: 'x' }, '`password` is REQUIRED when `username` is provided'],
      [{ codec: 'plain' }, 'externally-configurable `codec`'],
      [{ hosts: 'a:b:c' }, 'Invalid host'],
    ]
    for (const [options, message] of refusals) {
      const given = { hosts: 'a', ssl_enabled: false, ...options }
      const output = outputFor(logstash, given, { codecs: [jsonLines] })
      await expect(output.instance.register!()).rejects.toThrow(message)
    }
  })
})

describe('logstash output', () => {
  it('sends what Logstash sends', async () => {
    let seen: { headers: IncomingMessage['headers']; text: string } | undefined
    const port = await answering(({ headers }, body) => {
      seen = { headers, text: gunzipSync(body).toString() }
      return 200
    })
    const output = await sender([`127.0.0.1:${port}`])
    await output.deliver(batch(2))
    expect(seen!.headers).toMatchObject({
      'content-type': 'application/x-ndjson',
      'content-encoding': 'gzip',
    })
    expect((JSON.parse(seen!.text) as Fields[]).map(({ n }) => n)).toEqual([0, 1])
    await output.instance.close!()
  })

  it.each([429, 500, 502, 503, 504, 401])('sends again after %d', async (status) => {
    const port = await answering((_, __, count) => (count < 3 ? status : 200))
    const output = await sender([`127.0.0.1:${port}`])
    await output.deliver(batch(1))
    expect(output.environment.logger.messages('error')).toEqual(
      new Array(2).fill('Could not send data to host'),
    )
    await output.instance.close!()
  })

  it('goes to another host when one is dead', async () => {
    const { input, port } = await receiver()
    const output = await sender(['127.0.0.1:1', `127.0.0.1:${port}`])
    for (let i = 0; i < 5; i++) await output.deliver(batch(1))
    expect(input.sink.received).toHaveLength(5)
    await output.instance.close!()
  })

  it('divides a batch that is too large', async () => {
    const sizes: number[] = []
    const port = await answering((_, body) => {
      const { length } = JSON.parse(gunzipSync(body).toString()) as unknown[]
      sizes.push(length)
      return length > 2 ? 413 : 200
    })
    const output = await sender([`127.0.0.1:${port}`])
    await output.deliver(batch(5))
    expect(sizes).toEqual([5, 2, 3, 1, 2])
    await output.instance.close!()
  })

  it('gives up on what the receiver calls wrong', async () => {
    const port = await answering(() => 400)
    const output = await sender([`127.0.0.1:${port}`])
    await output.deliver(batch(1))
    expect(output.environment.logger.messages('error')).toEqual(['Encountered error'])
    await output.instance.close!()
  })
})

describe('the load balancer', () => {
  it('prefers hosts without a recent failure, then idle ones, then those used longest ago', async () => {
    let now = 0
    const balancer = new LoadBalancer(['a', 'b', 'c'], () => now)
    const used: string[] = []
    const use = (fails = false) =>
      balancer
        .use((url) => {
          used.push(url)
          return fails ? Promise.reject(new Error('x')) : Promise.resolve()
        })
        .catch(() => undefined)
    for (let i = 0; i < 3; i++) await use()
    await use(true)
    for (let i = 0; i < 4; i++) await use()
    expect(used).toEqual(['a', 'b', 'c', 'a', 'b', 'c', 'b', 'c'])
    now = 60_001
    await use()
    expect(used.at(-1)).toBe('a')
    let release: () => void = () => {}
    const slow = balancer.use((url) => {
      used.push(url)
      return new Promise<void>((resolve) => {
        release = resolve
      })
    })
    const busy = used.at(-1)
    for (let i = 0; i < 4; i++) await use()
    expect(used.slice(-4)).not.toContain(busy)
    release()
    await slow
  })
})
