/** Table L, rows 4 to 6: lines without an end, bombs, and what no sender should send. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync, gzipSync } from 'node:zlib'
import {
  compressedFrame,
  jsonFrame,
  LumberjackClient,
  windowFrame,
  windowOf,
} from '../../../src/plugins/lumberjack/test-client.ts'
import { freePort } from '../../support/millrace.ts'
import { all, attack, slack } from './support/attack.ts'
import { flood, open, pause, soon } from './support/sockets.ts'
import type { Victim } from './support/victim.ts'

const endless = Buffer.alloc(1 << 20, 'x')
const endlessBytes = 400e6

for (const codec of ['line', 'json_lines', 'plain', 'multiline { pattern => "^ " what => previous }']) {
  const name = codec.split(' ')[0]
  attack(
    {
      id: 'L4',
      attack: `${endlessBytes / 1e6} MB on tcp without a newline, codec ${name}`,
      wanted: 'growth <= 64 MB, alive, the next connection is served',
    },
    async ({ start, cleanup }) => {
      const port = await freePort()
      const victim = await start({
        config: `input { tcp { host => "127.0.0.1" port => ${port} codec => ${codec} } } output { null { } }`,
      })
      const socket = (await open(port))!
      cleanup(() => socket.destroy())
      const written = await flood(socket, endless, { bytes: endlessBytes, milliseconds: 40_000 })
      await pause(1000)
      const isServed = await serves(victim, port)
      return all({
        'growth MB': [victim.growth, victim.growth <= 64],
        'MB taken': [written / 1e6, true],
        served: [isServed, isServed],
      })
    },
  )
}

// One at a time: the bound is for one sender, and two long lines take two of it.
for (const [name, input] of [
  [
    'in a file',
    (folder: string) =>
      `file { path => "${folder}/*" mode => "read" file_completed_action => "log" file_completed_log_path => "/dev/null" sincedb_path => "/dev/null" discover_interval => 1 stat_interval => "500 ms" }`,
  ],
  ['on stdin', () => 'stdin { }'],
] as const) {
  attack(
    {
      id: 'L4',
      attack: `${endlessBytes / 1e6} MB without a newline ${name}`,
      wanted: 'growth <= 64 MB, alive, one event from the beginning of it',
    },
    async ({ start, cleanup }) => {
      const folder = mkdtempSync(join(tmpdir(), 'millrace-hostile-endless-'))
      cleanup(() => rmSync(folder, { recursive: true, force: true }))
      const victim = await start({ config: `input { ${input(folder)} } output { null { } }` })
      const file = createWriteStream(join(folder, 'endless'))
      for (let n = 0; n < endlessBytes / endless.length; n++) {
        if (name === 'on stdin') victim.millrace.write('x'.repeat(1 << 20))
        else if (!file.write(endless)) await once(file, 'drain')
      }
      file.end()
      await pause(10_000)
      const stats = (await victim.millrace.api('/_node/stats/events')) as { events: { in: number } }
      return all({
        'growth MB': [victim.growth, victim.growth <= 64],
        alive: [victim.isAlive, victim.isAlive],
        events: [stats.events.in, stats.events.in === 1],
      })
    },
  )
}

const gigabyte = 1 << 30

attack(
  {
    id: 'L5',
    attack: 'gzip bomb of 1 GB to the http input and to _bulk',
    wanted: '413, growth <= 64 MB, CPU <= 0.2 s each',
  },
  async ({ start }) => {
    const port = await freePort()
    const victim = await start({
      config: `input { http { host => "127.0.0.1" port => ${port} codec => json } } output { null { } }`,
    })
    const bomb = await gzippedZeros(gigabyte)
    const before = victim.processorSeconds
    const statuses = [
      await post(`http://127.0.0.1:${port}/`, bomb),
      await post(`${victim.search}/_bulk`, bomb),
      await post(`${victim.search}/a/_search`, bomb),
    ]
    const cpu = victim.processorSeconds - before
    return all({
      statuses: [statuses.join(' '), statuses.every((status) => status === 413)],
      'growth MB': [victim.growth, victim.growth <= 64],
      'CPU s': [cpu, cpu <= 0.6 * slack],
    })
  },
)

attack(
  {
    id: 'L5',
    attack: 'Beats frame that inflates to 256 MB, and one inside another',
    wanted: 'connection closed, growth <= 64 MB, the next connection is served',
  },
  async ({ start }) => {
    const port = await freePort()
    const victim = await start({
      config: `input { beats { host => "127.0.0.1" port => ${port} } } output { null { } }`,
    })
    const zeros = deflateSync(Buffer.alloc(256 << 20))
    const quarter = Buffer.concat([Buffer.from('2C'), length(zeros.length), zeros])
    const answers: string[] = []
    for (const frames of [
      quarter,
      compressedFrame(quarter),
      compressedFrame(compressedFrame(compressedFrame(windowOf([{ message: 'deep' }])))),
    ]) {
      const client = await LumberjackClient.connect(port)
      client.send(windowFrame(1), frames)
      answers.push(await Promise.race([client.ack(), pause(10_000).then(() => 'nothing')]))
      client.close()
    }
    const good = await LumberjackClient.connect(port)
    good.send(windowOf([{ message: 'good' }]))
    const ack = await Promise.race([good.ack(), pause(5000).then(() => 'nothing')])
    good.close()
    return all({
      answers: [answers.join(' '), answers.slice(0, 2).every((answer) => answer === 'closed')],
      'growth MB': [victim.growth, victim.growth <= 64],
      'good client': [ack, ack === '2A1'],
    })
  },
)

const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
const manyKeys = `{${Array.from({ length: 100_000 }, (_, i) => `"k${i}":${i}`).join(',')}}`
const malformed: (string | Buffer)[] = [
  '',
  '{',
  '}',
  '[]',
  '[[]]',
  'null',
  '1e400',
  '-0',
  '9223372036854775808',
  '"\\ud800"',
  '{"a":1,"a":2}',
  '\ufeff{"a":1}',
  '{"__proto__":{"x":1}}',
  '{"constructor":{"prototype":{"x":1}}}',
  '{"host":"text"}',
  '{"host":null}',
  '{"@timestamp":"never"}',
  '{"@timestamp":{}}',
  '{"tags":{"a":1}}',
  '{"tags":5}',
  '{"@version":[]}',
  '{"@metadata":"x"}',
  '{"url":"x","http":5,"user_agent":[1]}',
  '{"[a][b]":1}',
  '{"%{a}":1}',
  '{"":1}',
  deep(10_000),
  `{"a":${deep(1001)}}`,
  manyKeys,
  Buffer.from([0xff, 0xfe, 0x00, 0x80]),
  Buffer.from('{"a":"\xc3\x28"}', 'latin1'),
  Buffer.alloc(1000),
  `{"a":"${'x'.repeat(60_000)}"}`,
  `{"${'k'.repeat(60_000)}":1}`,
]

attack(
  {
    id: 'L6',
    attack: `${malformed.length} malformed bodies to http, tcp json_lines, udp json and _doc, 2,000 fuzzed Beats packets`,
    wanted: 'alive, no stall > 1 s, good events pass afterwards',
  },
  async ({ start }) => {
    const [http, tcp, beats, udp] = [await freePort(), await freePort(), await freePort(), await freePort()]
    const victim = await start({
      config: `input {
        http { host => "127.0.0.1" port => ${http} codec => json } tcp { host => "127.0.0.1" port => ${tcp} codec => json_lines }
        beats { host => "127.0.0.1" port => ${beats} } udp { host => "127.0.0.1" port => ${udp} codec => json } } output { millrace { index => "odd" } }`,
      args: ['--pipeline.ecs_compatibility', 'v8'],
    })
    const pings = victim.ping(`${victim.api}/_node/stats/events`)
    const line = (await open(tcp))!
    const { createSocket } = await import('node:dgram')
    const datagrams = createSocket('udp4')
    for (const body of malformed) {
      await post(`http://127.0.0.1:${http}/`, Buffer.from(body), 'application/json', false)
      line.write(Buffer.concat([Buffer.from(body), Buffer.from('\n')]))
      if (Buffer.byteLength(body) < 60_000) datagrams.send(body, udp, '127.0.0.1', () => {})
      await victim.ask('POST', '/odd/_doc', body.toString())
    }
    line.end()
    const random = generator(20_260_504)
    for (let n = 0; n < 2000 && victim.isAlive; n++) {
      const packet = Buffer.concat([
        windowOf([{ message: 'a', n }]),
        compressedFrame(jsonFrame(2, { message: 'b' })),
      ])
      for (let flips = 1 + random(4); flips > 0; flips--) packet[random(packet.length)] = random(256)
      const socket = await open(beats)
      socket?.end(packet)
      socket?.on('close', () => {})
      if (n % 100 === 0) await pause(20)
    }
    datagrams.close()
    const isServed =
      (await post(
        `http://127.0.0.1:${http}/`,
        Buffer.from('{"message":"good"}'),
        'application/json',
        false,
      )) === 200
    const isStored = await soon(
      async () => (await victim.ask('GET', '/odd/_search?q=message:good')).text.includes('"good"'),
      15_000,
    )
    const { max } = await pings.stop()
    return all({
      alive: [victim.isAlive, victim.isAlive],
      'longest ping ms': [max, max <= 1000 * slack],
      served: [isServed, isServed],
      stored: [isStored, isStored],
      'RSS MB': [victim.peak, victim.peak <= 400],
    })
  },
)

async function serves(victim: Victim, port: number): Promise<boolean> {
  const socket = await open(port)
  socket?.end('good\n')
  return socket !== undefined && victim.isAlive
}

async function post(url: string, body: Buffer, type = 'application/json', isGzip = true): Promise<number> {
  const headers = { 'content-type': type, ...(isGzip && { 'content-encoding': 'gzip' }) }
  try {
    const init = { method: 'POST', headers, body: new Uint8Array(body), signal: AbortSignal.timeout(20_000) }
    const response = await fetch(url, init)
    await response.arrayBuffer()
    return response.status
  } catch {
    return 0
  }
}

/** Made outside, or this process would hold what the bomb inflates to. */
function gzippedZeros(bytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', `head -c ${bytes} /dev/zero | gzip -9`])
    const parts: Buffer[] = []
    child.stdout.on('data', (part: Buffer) => parts.push(part))
    child.on('error', reject)
    child.on('close', () =>
      resolve(parts.length > 0 ? Buffer.concat(parts) : gzipSync(Buffer.alloc(bytes / 8))),
    )
  })
}

function length(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** Whole numbers below a bound, the same in every run. */
function generator(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
