// Measures what the model of a fleet is made of, with a real Kafka on this machine: what an event costs the node that
// writes it to the log, the broker, and the node that reads it, parses it and sends it on; how fast one node and two
// nodes are when each of them gets a part of a core; and how long a group stands still when a node joins. Needs what
// `npm run test:cluster -- kafka` has fetched, and root for the parts of cores.
import { execFileSync, spawn } from 'node:child_process'
import { createReadStream, existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { dataFile } from '../generate/data-file.mjs'
import { freePorts } from '../ports.mjs'
import { withWorkDirectory } from '../work-directory.mjs'

const jars = resolve('.tmp/kafka')
const program = resolve('.tmp/installed/node_modules/millrace/bin/millrace.js')
const controlGroup = '/sys/fs/cgroup/cpu'
const quotaPeriod = 100_000
const partitions = 12
const heartbeatSeconds = 1
const waitSeconds = 300
const parsing =
  'filter { grok { match => { "message" => "%{COMBINEDAPACHELOG}" } } date { match => ["timestamp", "dd/MMM/yyyy:HH:mm:ss Z"] } }'

/** What is missing for a measurement, or undefined. */
export function missing() {
  if (!existsSync(jars) || !existsSync(program))
    return 'run `npm run test:cluster -- kafka` first, it fetches Kafka'
  if (process.platform !== 'linux') return 'reads CPU times from /proc'
  return undefined
}

export function measure(options) {
  return withWorkDirectory((folder) => measureIn(folder, options))
}

async function measureIn(folder, { events, quota, say }) {
  const everything = []
  try {
    const sink = await startSink()
    everything.push(sink)
    const kafka = await startBroker(folder)
    everything.push(kafka)
    say(`one broker; ${events} Apache lines to a topic of ${partitions} partitions`)
    // A Java machine compiles what it runs often; the second time counts.
    await fill(kafka, folder, events, 'warm-up')
    const edge = await fill(kafka, folder, events, 'lines')
    const context = { kafka, folder, sink, events, everything }
    say('one node that parses, as fast as it can')
    const alone = await drain(context, { nodes: 1 })
    say('one node that only reads')
    const reader = await drain(context, {
      nodes: 1,
      kept: 0.01,
      filter: 'filter { drop { percentage => 99 } }',
    })
    const limited = []
    if (canLimit()) {
      for (const nodes of [1, 2]) {
        say(`${nodes} with ${quota} of a core each`)
        limited.push(await drain(context, { nodes, quota, joins: nodes === 2 }))
      }
    }
    return { edge, alone, reader, limited, quota, heartbeatSeconds }
  } finally {
    for (const one of everything.reverse()) await one.stop()
  }
}

async function startBroker(folder) {
  const [port, controller] = await freePorts(2)
  const properties = join(folder, 'server.properties')
  writeFileSync(
    properties,
    `process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:${controller}
listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controller}
controller.listener.names=CONTROLLER
log.dirs=${join(folder, 'kafka')}
num.partitions=${partitions}
offsets.topic.num.partitions=1
offsets.topic.replication.factor=1
group.initial.rebalance.delay.ms=0
`,
  )
  const java = ['-Xmx512m', '-cp', `${jars}/*`, '-Dorg.slf4j.simpleLogger.defaultLogLevel=error']
  const format = ['kafka.tools.StorageTool', 'format', '-t', 'MkU3OEVBNTcwNTJENDM2Qg', '-c', properties]
  execFileSync('java', [...java, ...format], { stdio: 'ignore' })
  const child = spawn('java', [...java, 'kafka.Kafka', properties], { stdio: 'ignore' })
  const broker = { child, address: `127.0.0.1:${port}`, stop: () => ended(child) }
  await until(() => isOpen(port), 'the broker')
  return broker
}

/** Takes bulk requests and counts their documents. */
async function startSink() {
  const sink = { count: 0 }
  const server = createServer((request, response) => {
    const chunks = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      response.setHeader('content-type', 'application/json')
      if (request.method !== 'POST') return response.end('{"version":{"number":"8.15.0"}}')
      const raw = Buffer.concat(chunks)
      const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw
      let lines = 0
      for (let at = body.indexOf(10); at >= 0; at = body.indexOf(10, at + 1)) lines += 1
      sink.count += lines / 2
      sink.bytes = (sink.bytes ?? 0) + body.length
      const items = Array.from({ length: lines / 2 }, () => '{"create":{"status":201}}').join(',')
      response.end(`{"took":1,"errors":false,"items":[${items}]}`)
    })
  })
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening))
  sink.port = server.address().port
  sink.stop = async () => {
    server.closeAllConnections()
    server.close()
  }
  return sink
}

/** The way of an event to the log: read, queue on the disk, JSON, acknowledged by the broker. */
async function fill(kafka, folder, events, topic) {
  const config = `input { stdin { codec => line } } output { kafka { bootstrap_servers => "${kafka.address}" topic_id => "${topic}" codec => json acks => "all" compression_type => "lz4" } }`
  const node = startNode(folder, `edge-${topic}`, config, [
    '-S',
    'queue.type=persisted',
    '-S',
    'queue.max_bytes=2gb',
  ])
  await until(() => node.output.includes('Pipelines running'), 'the writing node')
  const [before, brokerBefore, begin] = [
    cpuSeconds(node.child.pid),
    cpuSeconds(kafka.child.pid),
    performance.now(),
  ]
  createReadStream(dataFile('apache', events)).pipe(node.child.stdin)
  const logBefore = diskBytes(join(folder, 'kafka'))
  let last = before
  while (node.child.exitCode === null && node.child.signalCode === null) {
    last = cpuSeconds(node.child.pid) ?? last
    if (performance.now() - begin > waitSeconds * 1000) throw new Error('the topic was not filled in time')
    await wait(50)
  }
  const log = diskBytes(join(folder, 'kafka'))
  return {
    cpu: (last - before) / events,
    broker: (cpuSeconds(kafka.child.pid) - brokerBefore) / events,
    seconds: (performance.now() - begin) / 1000,
    bytes: (log - logBefore) / events,
  }
}

/** Reads the whole topic with so many nodes of one group; between a tenth and nine tenths of it counts. */
async function drain(
  { kafka, folder, sink, events, everything },
  { nodes: count, quota, joins = false, filter = parsing, kept = 1 },
) {
  sink.count = 0
  sink.bytes = 0
  const group = `g${Math.random().toString(36).slice(2)}`
  const config = `input { kafka { bootstrap_servers => "${kafka.address}" topics => ["lines"] group_id => "${group}" codec => json auto_offset_reset => "earliest" heartbeat_interval_ms => ${heartbeatSeconds * 1000} auto_commit_interval_ms => 1000 } }
${filter}
output { elasticsearch { hosts => ["127.0.0.1:${sink.port}"] manage_template => false data_stream => false compression_level => 0 } }`
  const nodes = []
  const add = async () => {
    const node = startNode(folder, `node-${group}-${nodes.length}`, config, [])
    nodes.push(node)
    everything.push(node)
    if (quota !== undefined) limit(node, quota)
    await until(() => node.output.includes('Pipelines running'), 'a reading node')
  }
  await Promise.all(Array.from({ length: count }, add))
  const use = () => nodes.slice(0, count).reduce((sum, { child }) => sum + cpuSeconds(child.pid), 0)
  const [first, last] = [events * kept * 0.1, events * kept * (joins ? 0.6 : 0.9)]
  await until(() => sink.count >= first, 'the first tenth')
  const [at, cpu, broker, seen] = [performance.now(), use(), cpuSeconds(kafka.child.pid), sink.count]
  await until(() => sink.count >= last, 'most of the topic', 20)
  const seconds = (performance.now() - at) / 1000
  const done = (sink.count - seen) / kept
  const outcome = {
    nodes: count,
    rate: done / seconds,
    cpu: (use() - cpu) / done,
    broker: (cpuSeconds(kafka.child.pid) - broker) / done,
    cores: (use() - cpu) / seconds,
    bytes: sink.bytes / sink.count,
    memory: Math.max(...nodes.map(({ child }) => residentBytes(child.pid))),
    pause: undefined,
  }
  if (joins) outcome.pause = await maxPause(sink, events, add)
  for (const node of nodes) await node.stop()
  return outcome
}

/** How long nothing arrives while a node joins. */
async function maxPause(sink, events, add) {
  let [longest, count, since] = [0, sink.count, performance.now()]
  let isJoining = true
  const joined = add()
    .then(() => wait(4000))
    .finally(() => {
      isJoining = false
    })
  while (isJoining && sink.count < events * 0.98) {
    if (sink.count !== count) [count, since] = [sink.count, performance.now()]
    else longest = Math.max(longest, performance.now() - since)
    await wait(10)
  }
  await joined
  return longest / 1000
}

function startNode(folder, name, config, more) {
  const own = join(folder, name)
  mkdirSync(join(own, 'settings'), { recursive: true })
  writeFileSync(join(own, 'settings', 'logstash.yml'), '')
  writeFileSync(join(own, 'pipeline.conf'), config)
  const paths = [
    '--path.settings',
    join(own, 'settings'),
    '--path.data',
    join(own, 'data'),
    '-f',
    join(own, 'pipeline.conf'),
  ]
  const quiet = ['--api.enabled', 'false', '--search.enabled', 'false', '-w', '1']
  const child = spawn(process.execPath, [program, ...paths, ...quiet, ...more], { cwd: own })
  const node = { child, output: '', group: undefined }
  const keep = (text) => {
    node.output = (node.output + text).slice(-20_000)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  child.stdin.on('error', () => {})
  node.stop = async () => {
    await ended(child)
    if (node.group !== undefined && existsSync(node.group)) rmdirSync(node.group)
    node.group = undefined
  }
  return node
}

function canLimit() {
  return process.getuid?.() === 0 && existsSync(join(controlGroup, 'cpu.cfs_quota_us'))
}

/** From now on the process gets at most so much of a core. */
function limit(node, quota) {
  node.group = join(controlGroup, `millrace-scale-${node.child.pid}`)
  mkdirSync(node.group)
  writeFileSync(join(node.group, 'cpu.cfs_period_us'), String(quotaPeriod))
  writeFileSync(join(node.group, 'cpu.cfs_quota_us'), String(Math.round(quota * quotaPeriod)))
  writeFileSync(join(node.group, 'cgroup.procs'), String(node.child.pid))
}

/** User and system time of a process, with all its threads; undefined when it is gone. */
function cpuSeconds(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1].split(' ')
    return (Number(fields[11]) + Number(fields[12])) / 100
  } catch {
    return undefined
  }
}

function diskBytes(path) {
  return Number(execFileSync('du', ['-sB1', path], { encoding: 'utf8' }).split('\t')[0])
}

function residentBytes(pid) {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) * 1024
}

async function until(holds, what, step = 100) {
  for (const end = performance.now() + waitSeconds * 1000; !(await holds()); await wait(step)) {
    if (performance.now() > end) throw new Error(`${what}: not in ${waitSeconds} s`)
  }
}

function isOpen(port) {
  return new Promise((answer) => {
    const socket = connect({ port, host: '127.0.0.1' })
    const settle = (open) => {
      socket.destroy()
      answer(open)
    }
    socket.on('connect', () => settle(true))
    socket.on('error', () => settle(false))
  })
}

async function ended(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const over = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), 15_000)
  await over
  clearTimeout(late)
}
