/** Table M: bombs that aim at the memory of the whole process, through its inputs. Nobody is killed, everybody goes on. */
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../support/millrace.ts'
import { type Attack, all, attack, type Seen, slack } from './support/attack.ts'
import { flood, open, openMany, pause, soon } from './support/sockets.ts'
import type { Victim } from './support/victim.ts'

const million = 1_000_000
const mb = 1 << 20
const alive = 'alive within 512 MB'

const line = (n: number) =>
  `10.0.${n % 250}.${n % 199} - - [04/May/2026:08:00:00 +0000] "GET /teas/${n}?page=${n % 13} HTTP/1.1" 200 ${n % 5000}`

async function stored(victim: Victim): Promise<number> {
  await victim.ask('POST', '/millrace*/_refresh')
  const { text } = await victim.ask('GET', '/_all/_count')
  return Number(/"count":(\d+)/.exec(text)?.[1] ?? 0)
}

function outcome(victim: Victim, others: Parameters<typeof all>[0] = {}): Seen {
  const { peak } = victim
  return all({ ...others, 'RSS MB': [peak, peak <= 480], alive: [victim.isAlive, victim.isAlive] })
}

attack(
  { id: 'M1', attack: 'a million lines in one file, into the store', wanted: `all stored, ${alive}` },
  async ({ start, cleanup }) => {
    const folder = await mkdtemp(join(tmpdir(), 'millrace-million-'))
    cleanup(() => rm(folder, { recursive: true, force: true }))
    for (let part = 0; part < 10; part++) {
      const from = (part * million) / 10
      const lines = Array.from({ length: million / 10 }, (_, n) => line(from + n))
      writeFileSync(join(folder, 'million.log'), `${lines.join('\n')}\n`, { flag: 'a' })
    }
    const victim = await start({
      config: `input { file { path => "${folder}/million.log" start_position => "beginning" sincedb_path => "/dev/null" } } output { millrace { } }`,
    })
    const isDone = await soon(async () => (await stored(victim)) >= million, 300_000)
    const count = await stored(victim)
    return outcome(victim, { stored: [count, isDone && count === million] })
  },
  400_000,
)

attack(
  { id: 'M2', attack: 'a million events in one go over tcp, into the store', wanted: `all stored, ${alive}` },
  async ({ start, cleanup }) => {
    const port = await freePort()
    const victim = await start({
      config: `input { tcp { host => "127.0.0.1" port => ${port} } } output { millrace { } }`,
    })
    const socket = (await open(port))!
    cleanup(() => socket.destroy())
    const block = Buffer.from(Array.from({ length: 1000 }, (_, n) => `${line(n)}\n`).join(''))
    await flood(socket, block, { bytes: block.length * 1000, milliseconds: 300_000 })
    socket.end()
    const isDone = await soon(async () => (await stored(victim)) >= million, 120_000)
    const count = await stored(victim)
    return outcome(victim, { stored: [count, isDone && count === million] })
  },
  500_000,
)

attack(
  {
    id: 'M3',
    attack: 'six pipelines with dead outputs, each flooded with events of 5 MB',
    wanted: `API p99 <= 250 ms, ${alive}`,
  },
  async ({ start, cleanup }) => {
    const dead = await freePort()
    const receiver = createServer((socket) => socket.pause().on('error', () => {})).listen(dead, '127.0.0.1')
    cleanup(() => receiver.close())
    const ports = await Promise.all(Array.from({ length: 6 }, () => freePort()))
    const pipelines = ports.map(
      (port, n) =>
        `- pipeline.id: p${n}\n  config.string: 'input { tcp { host => "127.0.0.1" port => ${port} } } output { tcp { host => "127.0.0.1" port => ${dead} } }'\n`,
    )
    const victim = await startMany(start, pipelines)
    const pings = victim.ping(`${victim.api}/_node/stats/events`)
    const block = Buffer.from(`${'some words '.repeat((5 * mb) / 11)}\n`)
    await Promise.all(
      ports.map(async (port) => {
        const socket = (await open(port))!
        cleanup(() => socket.destroy())
        await flood(socket, block, { milliseconds: 15_000 })
      }),
    )
    const { p99 } = await pings.stop()
    return outcome(victim, { 'API p99 ms': [p99, p99 <= 250 * slack] })
  },
)

async function startMany(start: Attack['start'], pipelines: readonly string[]): Promise<Victim> {
  const victim = await start({ config: undefined, pipelines: pipelines.join(''), waits: false })
  await victim.millrace.untilStarted(60_000)
  victim.mark()
  return victim
}

attack(
  {
    id: 'M4',
    attack: '60 tcp connections, each with 19 MB of a line that does not end',
    wanted: `a good connection is served, ${alive}`,
  },
  async ({ start, cleanup }) => {
    const port = await freePort()
    const victim = await start({
      config: `input { tcp { host => "127.0.0.1" port => ${port} } } output { if [message] == "good" { millrace { } } }`,
    })
    const sockets = await openMany(port, 60)
    cleanup(() => {
      for (const socket of sockets) socket.destroy()
    })
    const block = Buffer.alloc(mb, 'x')
    await Promise.all(sockets.map((socket) => flood(socket, block, { bytes: 19 * mb, milliseconds: 20_000 })))
    await pause(1000)
    const good = (await open(port))!
    cleanup(() => good.destroy())
    good.write('good\n')
    const isServed = await soon(async () => (await stored(victim)) === 1, 10_000 * slack)
    return outcome(victim, { served: [isServed, isServed] })
  },
)

attack(
  {
    id: 'M5',
    attack: '30 requests of 60 MB at once to the http input',
    wanted: `200, 413 or 429 each, ${alive}`,
  },
  async ({ start }) => {
    const port = await freePort()
    const victim = await start({
      config: `input { http { host => "127.0.0.1" port => ${port} codec => json_lines } } output { null { } }`,
    })
    const body = Buffer.from(`${JSON.stringify({ text: 'some words '.repeat(100) })}\n`.repeat(54_000))
    const statuses = await Promise.all(
      Array.from({ length: 30 }, () =>
        fetch(`http://127.0.0.1:${port}/`, {
          method: 'POST',
          body,
          signal: AbortSignal.timeout(100_000),
        }).then(
          ({ status }) => status,
          () => 0,
        ),
      ),
    )
    const kinds = [...new Set(statuses)].sort()
    return outcome(victim, {
      statuses: [kinds.join(' '), kinds.every((status) => [200, 413, 429].includes(status))],
    })
  },
)

const keys = (count: number) => Array.from({ length: count }, (_, n) => `"k${n}":1`).join(',')
const shapes: Record<string, () => string> = {
  '1.4 million keys': () => `{${keys(1_400_000)}}`,
  '6 million empty lists': () => `{"a":[${'[],'.repeat(6_000_000)}[]]}`,
  '6 million empty objects': () => `{"a":[${'{},'.repeat(6_000_000)}{}]}`,
  '9 million numbers': () => `{"a":[${'1,'.repeat(9_000_000)}1]}`,
  '4 million short texts': () => `{"a":[${'"b",'.repeat(4_000_000)}"b"]}`,
  '2 million objects': () => `{"a":[${'{"b":1},'.repeat(2_000_000)}1]}`,
}

for (const [what, shape] of Object.entries(shapes)) {
  attack(
    {
      id: 'M6',
      attack: `an event of 20 MB with ${what}, to two workers and the store`,
      wanted: `a good event behind it is stored, ${alive}`,
    },
    async ({ start, cleanup }) => {
      const port = await freePort()
      const victim = await start({
        config: `input { tcp { host => "127.0.0.1" port => ${port} codec => json_lines } } output { millrace { } }`,
        args: ['-w', '2'],
      })
      const socket = (await open(port))!
      cleanup(() => socket.destroy())
      socket.write(`${shape()}\n`)
      const good = (await open(port))!
      cleanup(() => good.destroy())
      await pause(8000)
      good.write('{"message":"good"}\n')
      const find = async () =>
        (await victim.ask('GET', '/_all/_search?q=message:good')).text.includes('"message":"good"')
      const isServed = await soon(find, 20_000 * slack)
      return outcome(victim, { served: [isServed, isServed] })
    },
  )
}

const filters: Record<string, string> = {
  'gsub of every character': 'mutate { gsub => ["message", "[a-z]", "<&>"] }',
  'split of every word': 'mutate { split => { "message" => " " } }',
  'split filter': 'split { terminator => " " }',
  kv: 'kv { field_split => " " value_split => "o" }',
  csv: 'csv { separator => " " }',
  'gsub that grows':
    'mutate { gsub => ["message", "o", "oooooooooooooooooooooooooooooooooooooooooooooooo"] }',
  'a ruby scan': `ruby { code => 'event.set("m", event.get("message").scan(/[a-z]/))' }`,
  dissect: 'dissect { mapping => { "message" => "%{a} %{b} %{c}" } }',
  'grok with a greedy list': 'grok { match => { "message" => "^(?<a>.*) (?<b>.*) (?<c>.*)$" } }',
}

for (const [what, filter] of Object.entries(filters)) {
  attack(
    {
      id: 'M7',
      attack: `a message of 15 MB through ${what}, with two workers`,
      wanted: `a good event behind it is stored, ${alive}`,
    },
    async ({ start, cleanup }) => {
      const port = await freePort()
      const victim = await start({
        config: `input { tcp { host => "127.0.0.1" port => ${port} } } filter { if [message] =~ /^good/ { mutate { add_tag => ["good"] } } else { ${filter} } } output { if "good" in [tags] { millrace { } } else { null { } } }`,
        args: ['-w', '2'],
      })
      const socket = (await open(port))!
      cleanup(() => socket.destroy())
      socket.write(`${'some words '.repeat(1_400_000)}\n`)
      await pause(8000)
      // A thread that ended takes along what was in its sockets: a sender that got no answer tries again.
      const find = async () => {
        const good = await open(port)
        good?.end('good words\n')
        await pause(1000)
        return Number(/"value":(\d+)/.exec((await victim.ask('GET', '/_all/_search')).text)?.[1] ?? 0) > 0
      }
      const isServed = await soon(find, 20_000 * slack)
      return outcome(victim, { served: [isServed, isServed] })
    },
  )
}
