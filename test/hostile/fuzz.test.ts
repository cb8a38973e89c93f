/**
 * 10,000 random and mutated packets to every codec that reads and to every input that listens: nothing is thrown,
 * memory stays bounded, and what comes after is taken as if nothing had been.
 */
import { createSocket } from 'node:dgram'
import { mkdtempSync } from 'node:fs'
import { createConnection, type NetConnectOpts } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { deflateSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import type { CodecDefinition, InputDefinition } from '../../src/plugin/define.ts'
import { codecFor, decodeWith, inputFor, type TestInput, type TestOptions } from '../../src/plugin/testing.ts'
import { catalogue } from '../../src/plugins/catalogue.ts'
import { mutations } from '../../src/plugins/codecs/test-mutations.ts'
import { jsonFrame, windowFrame } from '../../src/plugins/lumberjack/test-client.ts'
import { requiredOptions } from '../../src/plugins/test-options.ts'
import { freePort } from '../support/millrace.ts'

const count = 10_000
/** Texts decoded in one turn of the event loop. */
const turn = 200
const megabyte = 1024 * 1024
const maxGrowth = 250 * megabyte
/** What may still be held after a collection. */
const maxHeldGrowth = 40 * megabyte

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

async function heldBytes(): Promise<number> {
  await wait(0)
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

async function expectBoundedMemory(before: { rss: number; held: number }): Promise<void> {
  expect(process.memoryUsage().rss - before.rss).toBeLessThan(maxGrowth)
  expect((await heldBytes()) - before.held).toBeLessThan(maxHeldGrowth)
}

const text = (given: string) => Buffer.from(given)
const samples: Readonly<Record<string, readonly Buffer[]>> = {
  cef: [text('CEF:0|v|p|1|2|n|3|src=10.0.0.1 cs1Label=a cs1=b\\=c rt=Jan 02 2024 03:04:05')],
  cloudfront: [gzipSync('#Version: 1.0\n#Fields: a b\n1\t2\n')],
  cloudtrail: [text('{"Records":[{"eventTime":"2024-01-02T03:04:05Z","eventName":"x"}]}')],
  csv: [text('a,"b ""c""",d\n1,2,3\n')],
  edn: [text('{:a 1 :b [1.5 nil #{x} "y\\n"] :c #inst "2024-01-02"}')],
  edn_lines: [text('{:a 1}\n{:b {:c "d"}}\n')],
  es_bulk: [text('{"index":{"_index":"i","_id":"1"}}\n{"a":1}\n{"delete":{"_id":"2"}}\n')],
  fluent: [
    Buffer.from('93a374616bce6553e00081a16101', 'hex'),
    Buffer.from('92a3746167c40e926553e00081a16101', 'hex'),
  ],
  graphite: [text('a.b.c 5 1700000000\nx 1.5 1\n')],
  gzip_lines: [gzipSync('one\ntwo\n')],
  msgpack: [Buffer.from('82a16101a16293c0c3cb3ff8000000000000', 'hex')],
  multiline: [text('1 a\n  b\n2 c\n')],
  netflow: [Buffer.concat([Buffer.from('0005000100000001659a0000', 'hex'), Buffer.alloc(60, 7)])],
}
const anyText = [text('{"a":[1,1.5,null,"x\\u00e9"],"b":{"c":true}}\n'), text('plain line\nsecond\n')]

const codecs = (
  await Promise.all(catalogue.names('codec').map((name) => catalogue.load('codec', name)))
).filter((definition) => !['dots', 'rubydebug'].includes(definition!.name)) as CodecDefinition[]

describe('codecs under 10,000 random and mutated texts', () => {
  it.each(codecs)(
    '$name',
    async (definition) => {
      const before = { held: await heldBytes(), rss: process.memoryUsage().rss }
      const codec = codecFor(definition, requiredOptions(definition))
      if (codec.decode === undefined && codec.decodeBytes === undefined && codec.decoder === undefined) return
      let events = 0
      let texts = 0
      for (const bytes of mutations(samples[definition.name] ?? anyText, count, 5)) {
        // zlib closes what failed in the next turn.
        if (++texts % turn === 0) await wait(0)
        for (const fields of decodeWith(codec, bytes)) events += fields === undefined ? 0 : 1
      }
      expect(events).toBeLessThan(count * 100)
      await expectBoundedMemory(before)
      expect(({} as Record<string, unknown>)['x']).toBeUndefined()
    },
    60_000,
  )
})

interface Listener {
  readonly name: string
  readonly over: 'tcp' | 'udp' | 'unix'
  readonly options?: TestOptions
  readonly packets: readonly Buffer[]
}

const gelf = text('{"version":"1.1","host":"h","short_message":"hello","_a":1}')
const http = text('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 7\r\n\r\n{"a":1}')
const syslog = text('<13>Jan  2 03:04:05 host prog[1]: message\n')
const lumberjack = [
  Buffer.concat([windowFrame(1), jsonFrame(1, { message: 'm' })]),
  Buffer.concat([Buffer.from('2C\0\0\0\x20', 'latin1'), deflateSync(jsonFrame(1, { message: 'm' }))]),
]
const trap = Buffer.from(
  '302902010104067075626c6963a41c06092b0601040181c80401400401020304020106020100430101300' + '0',
  'hex',
)
const offers = 'relp_version=0\nrelp_software=x\ncommands=syslog'

/** XDR: numbers of four bytes, texts with their length, padded to four bytes. */
function xdr(...parts: readonly (number | string)[]): Buffer {
  const one = (part: number | string): Buffer => {
    if (typeof part === 'number') return Buffer.from([0, 0, 0, part])
    return Buffer.concat([
      Buffer.from([0, 0, 0, part.length]),
      text(part),
      Buffer.alloc((4 - (part.length % 4)) % 4),
    ])
  }
  return Buffer.concat(parts.map(one))
}
const metadata = xdr(128, 'web1', 'load', 0, 'string', 'load', ' ', 3, 60, 90, 1, 'GROUP', 'cpu')
const metric = xdr(133, 'web1', 'load', 0, '%s', '0.5')

const listeners: readonly Listener[] = [
  { name: 'tcp', over: 'tcp', packets: anyText },
  { name: 'udp', over: 'udp', packets: anyText },
  { name: 'unix', over: 'unix', packets: anyText },
  { name: 'syslog', over: 'tcp', packets: [syslog, text(`${syslog.length} ${syslog}`)] },
  { name: 'syslog', over: 'udp', packets: [syslog] },
  { name: 'beats', over: 'tcp', packets: lumberjack },
  { name: 'elastic_agent', over: 'tcp', packets: lumberjack },
  { name: 'http', over: 'tcp', packets: [http] },
  { name: 'logstash', over: 'tcp', options: { ssl_enabled: false }, packets: [http] },
  { name: 'elastic_serverless_forwarder', over: 'tcp', options: { ssl_enabled: false }, packets: [http] },
  { name: 'gelf', over: 'udp', packets: [gelf, gzipSync(gelf), deflateSync(gelf)] },
  { name: 'gelf', over: 'tcp', options: { use_tcp: true, use_udp: false }, packets: [text(`${gelf}\0`)] },
  { name: 'graphite', over: 'tcp', packets: [text('a.b 5 1700000000\n')] },
  { name: 'relp', over: 'tcp', packets: [text(`1 open ${offers.length} ${offers}\n2 syslog 7 message\n`)] },
  { name: 'ganglia', over: 'udp', packets: [metadata, metric] },
  { name: 'snmptrap', over: 'udp', packets: [trap] },
]

const running: { input: TestInput; ended: Promise<void> }[] = []
afterEach(async () => {
  for (const { input, ended } of running.splice(0)) {
    input.environment.stop()
    await input.instance.stop()
    await ended
    await input.instance.close?.()
  }
})

/** The packets over connections that end after a few; what answers is ignored. */
async function overStreams(address: NetConnectOpts, packets: Iterable<Buffer>): Promise<void> {
  let batch: Buffer[] = []
  const send = (parts: readonly Buffer[]): Promise<void> =>
    new Promise((resolve) => {
      const socket = createConnection(address)
      socket.on('error', () => {})
      socket.on('close', () => resolve())
      socket.resume()
      socket.setTimeout(500, () => socket.destroy())
      socket.end(Buffer.concat(parts))
    })
  let connections: Promise<void>[] = []
  for (const packet of packets) {
    batch.push(packet)
    if (batch.length < 20) continue
    connections.push(send(batch))
    batch = []
    if (connections.length < 25) continue
    await Promise.all(connections)
    connections = []
  }
  await Promise.all([...connections, send(batch)])
}

async function overDatagrams(port: number, packets: Iterable<Buffer>): Promise<void> {
  const socket = createSocket('udp4')
  let sent = 0
  for (const packet of packets) {
    await new Promise((resolve) => socket.send(packet, port, '127.0.0.1', resolve))
    if (++sent % 100 === 0) await wait(1)
  }
  socket.close()
}

async function isOpen(address: NetConnectOpts): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(address)
    socket.on('connect', () => resolve(socket.destroy() !== undefined))
    socket.on('error', () => resolve(false))
  })
}

describe('inputs under 10,000 random and mutated packets', () => {
  it.each(listeners)(
    '$name over $over',
    async ({ name, over, options, packets }) => {
      const before = { held: await heldBytes(), rss: process.memoryUsage().rss }
      const port = await freePort()
      const path = join(mkdtempSync(join(tmpdir(), 'millrace-fuzz-')), 'socket')
      const place = over === 'unix' ? { path } : { host: '127.0.0.1', port }
      const definition = (await catalogue.load('input', name)) as InputDefinition
      const input = inputFor(definition, { ...requiredOptions(definition), ...place, ...options }, { codecs })
      await input.instance.register?.()
      running.push({ input, ended: input.instance.run(input.sink) })
      const address = over === 'unix' ? { path } : { port, host: '127.0.0.1' }
      for (let tries = 0; over !== 'udp' && tries < 100 && !(await isOpen(address)); tries++) await wait(20)
      if (over === 'udp') await wait(200)
      const fuzz = mutations(packets, count, 9)
      if (over === 'udp') await overDatagrams(port, fuzz)
      else await overStreams(address, fuzz)
      const events = input.sink.received.length
      // The good ones still arrive.
      for (let tries = 0; tries < 50 && input.sink.received.length <= events; tries++) {
        if (over === 'udp') await overDatagrams(port, packets)
        else await overStreams(address, packets)
        await wait(20)
      }
      expect(input.sink.received.length).toBeGreaterThan(events)
      await expectBoundedMemory(before)
    },
    120_000,
  )
})
