/**
 * The persisted queue against the memory queue in the whole program: events of 500 bytes over TCP from four senders,
 * and how long one acknowledged HTTP event takes against one append with fdatasync of this disk: over a plain socket, as
 * the time is the node's, and with the HTTP client of Node.js, which takes about as long as the node itself.
 *   node bench/persisted-queue.mjs [ROUNDS] [EVENTS] [DIRECTORY]
 * FILTERS=1 runs the events through grok and date, as most pipelines do; without it nothing but the queue is measured.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  fdatasync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const rounds = Number(process.argv[2] ?? 3)
const events = Number(process.argv[3] ?? 400_000)
const folder = mkdtempSync(join(process.argv[4] ?? tmpdir(), 'millrace-queue-bench-'))
const binary = resolve(import.meta.dirname, '../bin/millrace.js')
const senders = 4
const access = '10.1.2.3 - - [04/May/2026:08:15:42 +0000] "GET /teas/17?page=3 HTTP/1.1" 200 5120 "-" "'
const line = Buffer.from(`${access}${'x'.repeat(499 - access.length)}"\n`)
const filters =
  process.env.FILTERS === '1'
    ? 'filter { grok { match => { "message" => "%{COMBINEDAPACHELOG}" } } date { match => ["timestamp", "dd/MMM/yyyy:HH:mm:ss Z"] } }'
    : ''
const ports = { tcp: 15_611, http: 15_612, api: 15_613 }
const startLimit = 20_000
const ticksPerSecond = 100

let runs = 0
async function start(type) {
  const own = join(folder, `run-${runs++}`)
  mkdirSync(join(own, 'settings'), { recursive: true })
  writeFileSync(join(own, 'settings', 'logstash.yml'), `queue.type: ${type}\npipeline.workers: 1\n`)
  const config = `input { tcp { host => "127.0.0.1" port => ${ports.tcp} } http { host => "127.0.0.1" port => ${ports.http} } } ${filters} output { null { } }`
  const words = ['--path.settings', join(own, 'settings'), '--path.data', join(own, 'data'), '-e', config]
  const child = spawn(process.execPath, [
    binary,
    ...words,
    '--api.http.port',
    String(ports.api),
    '--search.enabled',
    'false',
  ])
  const limit = performance.now() + startLimit
  while ((await figures()) === undefined) {
    if (performance.now() > limit) throw new Error('the program did not start')
    await sleep(50)
  }
  return {
    cpuSeconds: () => {
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'latin1').split(') ')[1].split(' ')
      return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
    },
    async end() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

async function figures() {
  try {
    const answer = await fetch(`http://127.0.0.1:${ports.api}/_node/stats/pipelines`)
    return (await answer.json()).pipelines.main?.events
  } catch {
    return undefined
  }
}

async function connected() {
  for (let left = 100; ; left--) {
    const socket = connect(ports.tcp, '127.0.0.1')
    try {
      await once(socket, 'connect')
      return socket
    } catch (error) {
      if (left === 0) throw error
      await sleep(50)
    }
  }
}

async function send(count) {
  const socket = await connected()
  socket.resume()
  const perWrite = 128
  const chunk = Buffer.concat(Array.from({ length: perWrite }, () => line))
  for (let left = count; left > 0; left -= perWrite) {
    const part = left < perWrite ? chunk.subarray(0, left * line.length) : chunk
    if (!socket.write(part)) await once(socket, 'drain')
  }
  socket.end()
}

async function throughput(type) {
  const program = await start(type)
  try {
    await Promise.all(Array.from({ length: senders }, () => send(5000)))
    while ((await figures()).out < senders * 5000) await sleep(20)
    const before = program.cpuSeconds()
    const began = performance.now()
    await Promise.all(Array.from({ length: senders }, () => send(events / senders)))
    while ((await figures()).out < senders * 5000 + events) await sleep(20)
    const seconds = (performance.now() - began) / 1000
    return { perCpuSecond: events / (program.cpuSeconds() - before), perSecond: events / seconds }
  } finally {
    await program.end()
  }
}

/** A node that serves has served before: the first requests are those of a compiler. */
const warmUps = 3000
const measured = 1000

/** One connection, one request after the other, answered with `ok`. */
async function plainClient() {
  const socket = connect(ports.http, '127.0.0.1')
  await once(socket, 'connect')
  socket.setNoDelay(true)
  const head = `POST / HTTP/1.1\r\nhost: 127.0.0.1:${ports.http}\r\ncontent-length: ${line.length}\r\n\r\n`
  const bytes = Buffer.concat([Buffer.from(head), line])
  let answered = () => {}
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
    if (!text.endsWith('\r\n\r\nok')) return
    const isGood = text.startsWith('HTTP/1.1 200')
    text = ''
    answered(isGood)
  })
  return {
    async post() {
      const isGood = await new Promise((resolve) => {
        answered = resolve
        socket.write(bytes)
      })
      if (!isGood) throw new Error('not answered with 200')
    },
    end: () => socket.destroy(),
  }
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 })
async function post() {
  const call = request({ agent, port: ports.http, host: '127.0.0.1', method: 'POST' })
  call.end(line)
  const [answer] = await once(call, 'response')
  if (answer.statusCode !== 200) throw new Error(`answered with ${answer.statusCode}`)
  answer.resume()
  await once(answer, 'end')
}

async function latencies() {
  const program = await start('persisted')
  const file = openSync(join(folder, 'plain'), 'w')
  const times = { append: [], http: [], client: [] }
  const timed = async (name, call) => {
    const began = performance.now()
    await call()
    times[name].push(performance.now() - began)
  }
  const append = () => {
    writeSync(file, line)
    return new Promise((done) => fdatasync(file, done))
  }
  let client
  try {
    await (await connected()).end()
    client = await plainClient()
    for (let i = 0; i < warmUps; i++) await client.post()
    for (let i = 0; i < warmUps / 10; i++) await post()
    for (let i = 0; i < measured; i++) {
      await timed('append', append)
      await timed('http', client.post)
      await timed('client', post)
    }
  } finally {
    client?.end()
    closeSync(file)
    agent.destroy()
    await program.end()
  }
  return times
}

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1]
try {
  const shares = []
  for (let round = 0; round < rounds; round++) {
    const memory = await throughput('memory')
    const persisted = await throughput('persisted')
    shares.push(persisted.perCpuSecond / memory.perCpuSecond)
    const both = (name) => `${Math.round(memory[name])} in memory, ${Math.round(persisted[name])} persisted`
    console.log(`events per CPU second: ${both('perCpuSecond')}; per second: ${both('perSecond')}`)
  }
  console.log(`persisted / memory, events per CPU second: ${(median(shares) * 100).toFixed(0)} %`)
  const times = await latencies()
  const [append, http, client] = ['append', 'http', 'client'].map((name) => median(times[name]).toFixed(3))
  console.log(`p50 of one append and fdatasync ${append} ms, of an acknowledged HTTP event ${http} ms`)
  console.log(`(${(http / append).toFixed(2)} times; with the HTTP client of Node.js ${client} ms)`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
