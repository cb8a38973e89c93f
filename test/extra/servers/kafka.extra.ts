/**
 * The kafka plugins against a real broker, which is made of jars; Kafka's own command-line tools write and read on
 * the other side. `MILLRACE_KAFKA_JARS` names the folder of the jars.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import * as zlib from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { freePort, IN, jsonLines, Millrace, OUT } from '../../support/millrace.ts'
import { commandPath, runCommand, ServerProcess, serverFolder } from '../support/server-process.ts'

/** A node that starts beside a broker and other work on two cores takes its time. */
const startLimit = 120_000
// Broker, tools and nodes are started in each test, on a machine that may do other work as well.
vi.setConfig({ testTimeout: 400_000 })
const classPath = `${process.env['MILLRACE_KAFKA_JARS'] ?? '.tmp/kafka'}/*`
const quiet = '-Dorg.slf4j.simpleLogger.defaultLogLevel=error'
const hasZstd = 'zstdCompressSync' in zlib
const running: Millrace[] = []
let broker: ServerProcess
let address: string
let port: number

beforeAll(async () => {
  const folder = serverFolder('kafka')
  port = await freePort()
  const controllerPort = await freePort()
  address = `127.0.0.1:${port}`
  const properties = join(folder, 'server.properties')
  writeFileSync(
    properties,
    `process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:${controllerPort}
listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}
advertised.listeners=PLAINTEXT://127.0.0.1:${port}
controller.listener.names=CONTROLLER
log.dirs=${join(folder, 'data')}
num.partitions=2
offsets.topic.num.partitions=1
offsets.topic.replication.factor=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
group.initial.rebalance.delay.ms=0
`,
  )
  tool('kafka.tools.StorageTool', ['format', '-t', 'MkU3OEVBNTcwNTJENDM2Qg', '-c', properties])
  broker = await startBroker(folder)
})
afterEach(async () => {
  for (const millrace of running.splice(0)) await millrace.dispose()
})
afterAll(() => broker?.dispose())

function startBroker(folder: string): Promise<ServerProcess> {
  return ServerProcess.start({
    command: commandPath('java'),
    args: ['-Xmx512m', '-cp', classPath, quiet, 'kafka.Kafka', join(folder, 'server.properties')],
    folder,
    cwd: process.cwd(),
    port,
    readyMilliseconds: 160_000,
  })
}

function tool(name: string, args: readonly string[], input = ''): string {
  return runCommand(
    'java',
    ['-Xmx256m', '-cp', classPath, quiet, name, ...args],
    input,
    undefined,
    process.cwd(),
  )
}

function createTopic(name: string, partitions = 2): void {
  const options = ['--create', '--topic', name, '--partitions', String(partitions)]
  tool('org.apache.kafka.tools.TopicCommand', ['--bootstrap-server', address, ...options])
}

function produce(topic: string, lines: readonly string[], properties: readonly string[] = []): void {
  const options = properties.flatMap((property) => ['--property', property])
  tool(
    'kafka.tools.ConsoleProducer',
    ['--bootstrap-server', address, '--topic', topic, ...options],
    lines.map((line) => `${line}\n`).join(''),
  )
}

function consume(topic: string, count: number): string[] {
  const shown = ['print.key=true', 'print.headers=true', 'print.partition=true'].flatMap((p) => [
    '--property',
    p,
  ])
  const options = ['--from-beginning', '--max-messages', String(count), '--timeout-ms', '20000']
  return tool('org.apache.kafka.tools.consumer.ConsoleConsumer', [
    ...['--bootstrap-server', address, '--topic', topic, ...options, ...shown],
  ])
    .trimEnd()
    .split('\n')
}

/** Committed offsets of the group, summed over the partitions of the topic. */
function committed(group: string, topic: string): number {
  const table = tool('org.apache.kafka.tools.consumer.group.ConsumerGroupCommand', [
    ...['--bootstrap-server', address, '--describe', '--group', group, '--offsets'],
  ])
  return table
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((columns) => columns[1] === topic)
    .reduce((sum, columns) => sum + (Number(columns[3]) || 0), 0)
}

async function start(config: string): Promise<Millrace> {
  const millrace = await Millrace.start({ config })
  running.push(millrace)
  await millrace.untilStarted(startLimit)
  return millrace
}

function input(options: string, output = OUT): Promise<Millrace> {
  return start(`input { kafka { bootstrap_servers => "${address}" ${options} } } ${output}`)
}

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => `m${from + n}`)
const messages = (millrace: Millrace) => millrace.events().map((event) => String(event['message']))

describe('kafka input', () => {
  it('stores every record once although the node is killed 20 times', async () => {
    createTopic('killed')
    const count = 60_000
    produce('killed', numbers(0, count))
    const options = {
      config: `input { kafka { bootstrap_servers => "${address}" topics => ["killed"] group_id => "killed" auto_offset_reset => "earliest" session_timeout_ms => 6000 heartbeat_interval_ms => 1000 auto_commit_interval_ms => 200 } } output { millrace { id => "store" index => "records" } }`,
      settings: 'queue.type: persisted\nqueue.max_bytes: 256mb\npipeline.batch.size: 50\n',
      search: true,
    }
    let millrace = await Millrace.start(options)
    running.push(millrace)
    const { folder } = millrace
    const total = async () => {
      await millrace.search('POST', '/records/_refresh').catch(() => undefined)
      const { json } = await millrace.search('GET', '/records/_count')
      return Number(json['count'] ?? 0)
    }
    let kills = 0
    for (let before = -1; kills < 20; kills++) {
      await millrace.untilSearchable(startLimit)
      // A consumer that died has to time out before its partitions are given to the next one.
      for (let left = 100; left > 0 && (await total()) <= Math.max(before, 0); left--) await wait(100)
      before = await total()
      if (before === count) break
      await wait(Math.random() * 200)
      millrace.signal('SIGKILL')
      await millrace.exit()
      millrace = await Millrace.start({ ...options, folder })
      running.push(millrace)
    }
    await millrace.untilSearchable(startLimit)
    for (let left = 300; left > 0 && (await total()) < count; left--) await wait(100)
    console.log(`${kills} kills`)
    expect(await total()).toBe(count)
    await wait(2000)
    expect(await total()).toBe(count)
    expect(kills).toBeGreaterThan(3)
  }, 500_000)

  it('reads from the beginning, commits what was taken, goes on after a restart', async () => {
    createTopic('restart')
    produce('restart', numbers(0, 300))
    const options =
      'topics => ["restart"] group_id => "g1" auto_offset_reset => "earliest" auto_commit_interval_ms => 500'
    const first = await input(options)
    await first.until(() => first.events().length === 300, 60_000)
    expect(new Set(messages(first))).toEqual(new Set(numbers(0, 300)))
    first.signal('SIGTERM')
    expect(await first.exit()).toMatchObject({ code: 0 })
    expect(committed('g1', 'restart')).toBe(300)
    produce('restart', numbers(300, 310))
    const second = await input(options)
    await second.until(() => second.events().length >= 10, 60_000)
    expect(messages(second).sort()).toEqual(numbers(300, 310))
  })

  it('commits in intervals while nothing more comes', async () => {
    createTopic('quiet')
    produce('quiet', numbers(0, 20))
    const millrace = await input(
      'topics => ["quiet"] group_id => "g2" auto_offset_reset => "earliest" auto_commit_interval_ms => 1000',
    )
    await millrace.until(() => millrace.events().length === 20, 60_000)
    // The commit is a second away, or more where the machine is busy.
    for (let left = 20; left > 0 && committed('g2', 'quiet') !== 20; left--) await wait(1000)
    expect(committed('g2', 'quiet')).toBe(20)
  })

  it('does not commit what the queue has not taken', async () => {
    createTopic('blocked')
    produce('blocked', numbers(0, 5000))
    const stuck = `filter { sleep { time => 1000 every => 1 } } ${OUT}`
    const millrace = await input(
      'topics => ["blocked"] group_id => "g3" auto_offset_reset => "earliest" enable_auto_commit => false',
      stuck,
    )
    await wait(5000)
    expect(committed('g3', 'blocked')).toBeLessThan(3000)
    millrace.signal('SIGKILL')
    await millrace.exit()
  })

  it('reads what came while nobody read, although it begins at the end and had read nothing', async () => {
    createTopic('end')
    const options =
      'topics => ["end"] group_id => "g8" auto_offset_reset => "latest" auto_commit_interval_ms => 200 session_timeout_ms => 6000 heartbeat_interval_ms => 1000'
    const first = await input(options)
    await wait(5000)
    first.signal('SIGKILL')
    await first.exit()
    produce('end', numbers(0, 10))
    const second = await input(options)
    await second.until(() => second.events().length >= 10, 60_000)
    expect(messages(second).sort()).toEqual(numbers(0, 10))
  })

  it('adds facts of the record', async () => {
    createTopic('facts', 1)
    produce('facts', ['h1:v1,h2:€\tkey\tvalue'], ['parse.headers=true', 'parse.key=true'])
    const millrace = await input(
      'topics => ["facts"] group_id => "g4" auto_offset_reset => "earliest" decorate_events => "extended"',
      'filter { mutate { copy => { "[@metadata][kafka]" => "kafka" } } } output { stdout { codec => json_lines } }',
    )
    await millrace.until(() => millrace.events().length === 1, 60_000)
    expect(millrace.events()[0]).toMatchObject({
      message: 'value',
      kafka: {
        topic: 'facts',
        consumer_group: 'g4',
        partition: 0,
        offset: 0,
        key: 'key',
        timestamp: expect.any(Number),
        headers: { h1: 'v1', h2: '€' },
      },
    })
  })

  it('shares the partitions among the members of a group', async () => {
    createTopic('shared', 4)
    const options = 'topics => ["shared"] group_id => "g5" auto_offset_reset => "earliest"'
    const members = [await input(options), await input(`${options} consumer_threads => 2`)]
    await wait(8000)
    produce('shared', numbers(0, 400), ['parse.key=false'])
    const all = () => members.flatMap(messages)
    await members[0]!.until(() => new Set(all()).size === 400, 60_000)
    expect(all().length).toBe(400)
  })

  it('goes on after the broker was away', async () => {
    createTopic('away', 1)
    produce('away', numbers(0, 5))
    const millrace = await input('topics => ["away"] group_id => "g6" auto_offset_reset => "earliest"')
    await millrace.until(() => millrace.events().length === 5, 60_000)
    await broker.end()
    await wait(3000)
    broker = await startBroker(broker.folder)
    produce('away', numbers(5, 10))
    await millrace.until(() => new Set(messages(millrace)).size === 10, 90_000)
    millrace.signal('SIGTERM')
    expect(await millrace.exit(30_000)).toMatchObject({ code: 0 })
  })
})

describe('kafka output', () => {
  it('makes topics that do not exist', async () => {
    const reader = await input('topics => ["new"] group_id => "g7" auto_offset_reset => "earliest"')
    const writer = await start(
      `${IN} output { kafka { bootstrap_servers => "${address}" topic_id => "new" } }`,
    )
    writer.write(jsonLines({ message: 'first' }))
    await reader.until(() => reader.events().length === 1, 60_000)
    expect(messages(reader)[0]).toMatch(/ first$/)
  })

  it.skipIf(hasZstd)('says that this Node.js cannot compress with zstd', async () => {
    const millrace = await Millrace.start({
      config: `${IN} output { kafka { topic_id => "x" compression_type => "zstd" } }`,
    })
    running.push(millrace)
    await millrace.until('compression_type => \\"zstd\\" needs Node.js 22.15 or newer')
  })

  const compressions = ['none', 'gzip', 'snappy', 'lz4', ...(hasZstd ? ['zstd'] : [])]
  it.each(compressions)('sends messages, compressed: %s', async (compression) => {
    const topic = `out-${compression}`
    createTopic(topic)
    const millrace =
      await start(`${IN} output { kafka { bootstrap_servers => "${address}" topic_id => "out-%{kind}"
      codec => json message_key => "key-%{n}" message_headers => { "from" => "%{kind}" } compression_type => "${compression}" } }`)
    const events = Array.from({ length: 200 }, (_, n) => ({ n, kind: compression, text: 'naïve €' }))
    millrace.write(jsonLines(...events))
    millrace.endInput()
    expect(await millrace.exit(30_000), millrace.stdout).toMatchObject({ code: 0 })
    const lines = consume(topic, 200)
    expect(lines).toHaveLength(200)
    const [partition, headers, key, value] = lines.find((line) => line.includes('\tkey-7\t'))!.split('\t')
    expect(partition).toMatch(/^Partition:[01]$/)
    expect(headers).toBe(`from:${compression}`)
    expect(key).toBe('key-7')
    expect(JSON.parse(value!)).toMatchObject({ n: 7, text: 'naïve €' })
    expect(new Set(lines.map((line) => line.split('\t')[0])).size).toBe(2)
  })

  it('sends again what the broker was not there for', async () => {
    createTopic('late', 1)
    const millrace = await start(
      `${IN} output { kafka { bootstrap_servers => "${address}" topic_id => "late" codec => json acks => "all" } }`,
    )
    millrace.write(jsonLines({ n: 1 }))
    expect(consume('late', 1)).toHaveLength(1)
    await broker.end()
    millrace.write(jsonLines({ n: 2 }))
    await millrace.until('KafkaProducer.send() failed', 60_000)
    broker = await startBroker(broker.folder)
    expect(consume('late', 2).some((line) => line.includes('"n":2'))).toBe(true)
    millrace.endInput()
    expect(await millrace.exit(30_000)).toMatchObject({ code: 0 })
  })
})
