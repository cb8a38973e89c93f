/** Every row of the tables beside the plugins, run on the plugin it is about. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync } from 'node:fs'
import { createConnection } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { canonicalJson } from '../../test/support/canonical-json.ts'
import { freePort } from '../../test/support/millrace.ts'
import type { Event } from '../event/event.ts'
import { parseJson } from '../event/json-parse.ts'
import { writeJson } from '../event/json-write.ts'
import { Timestamp } from '../event/timestamp.ts'
import type { Fields, Value } from '../event/value.ts'
import { parse } from '../lang/parser.ts'
import { readAttributes } from '../pipeline/plan/attributes.ts'
import type {
  CodecDefinition,
  FilterDefinition,
  InputDefinition,
  OutputDefinition,
  PluginDefinition,
  PluginType,
} from '../plugin/define.ts'
import { createCodec } from '../plugin/instantiate.ts'
import type { RawValue } from '../plugin/raw-value.ts'
import {
  decodeWith,
  encodeWith,
  filterFor,
  inputFor,
  outputFor,
  testEnvironment,
  testEvent,
  testTime,
  validOptions,
} from '../plugin/testing.ts'
import { catalogue } from './catalogue.ts'
import { fakePg } from './jdbc/test-drivers.ts'
import { LumberjackClient, windowOf } from './lumberjack/test-client.ts'
import { type Peer, peerOf, playedDatabase } from './test-peers.ts'
import { readTables, type TableBlock, type TableRow } from './test-tables.ts'

vi.mock('pg', () => ({ default: fakePg(playedDatabase) }))
vi.mock('@platformatic/kafka', async () => (await import('./kafka/test-package.ts')).kafkaPackage)
vi.mock('imapflow', async () => (await import('./test-mail-peers.ts')).imapPackage)

const codecs = (await Promise.all(
  catalogue.names('codec').map((name) => catalogue.load('codec', name)),
)) as CodecDefinition[]

const literally = {
  supportEscapes: false,
  substitute: (text: string) => text,
  substituteId: (text: string) => text,
}

function optionsOf(type: PluginType, name: string, text: string): ReadonlyMap<string, RawValue> {
  const section = type === 'codec' ? 'filter' : type
  const [statement] = parse(`${section} {\n${name} { ${text} }\n}`).sections[0]!.body
  if (statement?.kind !== 'plugin') throw new Error(`no options: ${text}`)
  return readAttributes(statement, section, literally)
}

/** Fields of an event as a table writes them. */
function shown(event: Event): string {
  const fields = event.toHashWithMetadata()
  if (fields['@timestamp'] === testTime) delete fields['@timestamp']
  if (fields['@version'] === '1') delete fields['@version']
  return canonicalJson(writeJson(fields))
}

interface Subject {
  readonly peer?: Peer | undefined
  /** Reasons with which events went to the dead letter queue, since the last time. */
  deadLetters?(): string[]
  /** What comes out; an input is given a while for as many events as are wanted. */
  put(given: string, wanted: number): Promise<string[]>
  warnings(): string[]
  close(): Promise<void>
}

/** The options with what stands for the words of the peer. */
function filledIn({ options }: TableBlock, peer: Peer | undefined): string {
  return Object.entries(peer?.words ?? {}).reduce((text, [word, by]) => text.replaceAll(word, by), options)
}

async function filterSubject(definition: FilterDefinition, block: TableBlock): Promise<Subject> {
  const peer = await peerOf('filter', definition.name)
  const options = optionsOf('filter', definition.name, filledIn(block, peer))
  const { instance, filter, environment } = filterFor(definition, options, { ecs: block.ecs })
  await instance.register?.()
  return {
    peer,
    async put(given) {
      if (given === 'flush') return ((await instance.flush?.(false)) ?? []).map(shown)
      return (await filter([testEvent(parseJson(given) as Fields)])).map(shown)
    },
    warnings: () => environment.logger.messages(),
    async close() {
      await instance.close?.()
      await peer?.close()
    },
  }
}

async function codecSubject(definition: CodecDefinition, block: TableBlock): Promise<Subject> {
  const peer = await peerOf('codec', definition.name)
  const settings = { ecs: block.ecs }
  const options = validOptions(
    definition,
    optionsOf('codec', definition.name, filledIn(block, peer)),
    settings,
  )
  const environment = testEnvironment(settings)
  const codec = createCodec(definition, options, environment)
  return {
    async put(given) {
      const bytes = bytesOf(given)
      if (bytes === undefined) return encodeWith(codec, [parseJson(given) as Fields]).map(quoted)
      return decodeWith(codec, bytes).map((fields) => canonicalJson(writeJson(fields)))
    },
    warnings: () => environment.logger.messages(),
    close: async () => peer?.close(),
  }
}

/** The bytes that a row gives; undefined when it gives something else. */
function bytesOf(given: string): Buffer | undefined {
  if (given.startsWith('hex ')) return Buffer.from(given.slice(4).replaceAll(' ', ''), 'hex')
  const value = given.startsWith('"') ? parseJson(given) : undefined
  return typeof value === 'string' ? Buffer.from(value, 'latin1') : undefined
}

/** Blocks as an output gives them to what it writes to; the pipeline around it decides about files and sockets. */
function outputSubject(definition: OutputDefinition, block: TableBlock): Subject {
  const options = optionsOf('output', definition.name, block.options)
  const { instance, environment } = outputFor(definition, options, { ecs: block.ecs, codecs })
  return {
    put(given) {
      const blocks = instance.encode?.([testEvent(parseJson(given) as Fields)]) ?? []
      return Promise.resolve(blocks.map(({ bytes }) => quoted(Buffer.from(bytes).toString('utf8'))))
    },
    warnings: () => environment.logger.messages(),
    close: async () => instance.close?.(),
  }
}

/** An output that has sent what it was given; what arrived is asked of the peer. */
async function sendingSubject(definition: OutputDefinition, block: TableBlock, peer: Peer): Promise<Subject> {
  const options = optionsOf('output', definition.name, filledIn(block, peer))
  const reasons: string[] = []
  const takesDeadLetters = block.rows.some(({ deadLetters }) => deadLetters.length > 0)
  const { instance, deliver, environment } = outputFor(definition, options, {
    ecs: block.ecs,
    codecs,
    giveUp: takesDeadLetters ? (_, reason) => reasons.push(reason) > 0 : undefined,
  })
  await instance.register?.()
  peer.sent()
  return {
    peer,
    deadLetters: () => reasons.splice(0),
    async put(given) {
      const events = parseJson(given) as Fields | Fields[]
      await deliver(Array.isArray(events) ? events : [events])
      await (peer.settle === undefined ? wait(100) : peer.settle())
      return []
    },
    warnings: () => environment.logger.messages(),
    async close() {
      environment.stop()
      await instance.close?.()
      await peer.close()
    },
  }
}

/**
 * An input: what is given goes to it over a socket, or to the end of the file that it reads; `run` waits for one that ends
 * by itself, and starts it anew when it did before; `wait` waits for events of another end. The port of the client is shown
 * as 0, the name of this computer as HOST.
 */
async function inputSubject(definition: InputDefinition, block: TableBlock): Promise<Subject> {
  const port = await freePort()
  const peer = await peerOf('input', definition.name)
  const path = join(mkdtempSync(join(tmpdir(), 'millrace-table-')), 'socket')
  const text = filledIn(block, peer).replaceAll('PORT', String(port)).replaceAll('PATH', path)
  const options = optionsOf('input', definition.name, text)
  const over = transports.get(definition.name)
  const create = async () => {
    const made = inputFor(definition, options, { ecs: block.ecs, codecs })
    await made.instance.register?.()
    return made
  }
  let input = await create()
  let ended: Promise<void> | undefined
  let isOver = false
  let shown = 0
  const messages: string[] = []
  const end = async () => {
    input.environment.stop()
    await input.instance.stop()
    await ended
    await input.instance.close?.()
    messages.push(...input.environment.logger.messages())
  }
  return {
    peer,
    async put(given, wanted) {
      if (isOver && given === 'run') {
        await end()
        input = await create()
        ended = undefined
        shown = 0
      }
      const { sink, instance } = input
      ended ??= instance.run(sink)
      const before = shown
      const isTold = given === 'run' || given === 'wait'
      const from = isTold ? 0 : await sendOver(over, { port, path }, given)
      if (given === 'run') {
        await ended
        isOver = true
      }
      for (let i = 0; i < 500 && sink.received.length < before + wanted; i++) await wait(10)
      // More may come than is wanted.
      for (let quiet = 0, seen = before; quiet < 15; quiet = sink.received.length === seen ? quiet + 1 : 0) {
        seen = sink.received.length
        await wait(10)
      }
      shown = sink.received.length
      return sink
        .fields()
        .slice(before)
        .map((fields) => shownInput(fields, path).replaceAll(`:${from}`, ':0'))
    },
    warnings: () => [...messages, ...input.environment.logger.messages()],
    async close() {
      await end()
      await peer?.close()
    },
  }
}

/** Without the time where it is that of the test run, which is nobody's choice. */
function shownInput(fields: Fields, path: string): string {
  const { '@timestamp': time, ...others } = fields
  const isOfNow = time instanceof Timestamp && Math.abs(Date.now() - time.millis) < 60_000
  const text = writeJson(isOfNow ? others : fields)
  return canonicalJson(text.replaceAll(`"${hostname()}"`, '"HOST"').replaceAll(path, 'PATH'))
}

type Transport = 'tcp' | 'udp' | 'unix' | 'file' | 'lumberjack'

const transports: ReadonlyMap<string, Transport> = new Map([
  ['tcp', 'tcp'],
  ['udp', 'udp'],
  ['unix', 'unix'],
  ['syslog', 'udp'],
  ['http', 'tcp'],
  ['gelf', 'udp'],
  ['graphite', 'tcp'],
  ['file', 'file'],
  ['beats', 'lumberjack'],
  ['elastic_agent', 'lumberjack'],
  ['ganglia', 'udp'],
] as const)

/** Returns the port that it was sent from. */
async function sendOver(
  over: Transport | undefined,
  to: { port: number; path: string },
  given: string,
): Promise<number> {
  if (over === 'lumberjack') return sendWindow(to.port, parseJson(given) as Value[])
  const bytes = bytesOf(given)
  if (bytes === undefined) throw new Error(`no bytes: ${given}`)
  if (over === 'file') {
    appendFileSync(to.path, bytes)
    return 0
  }
  if (over === 'udp') {
    const socket = createSocket('udp4')
    await new Promise((resolve) => socket.send(bytes, to.port, '127.0.0.1', resolve))
    const { port } = socket.address()
    socket.close()
    return port
  }
  const address = over === 'unix' ? { path: to.path } : { host: '127.0.0.1', port: to.port }
  const socket = createConnection(address)
  await once(socket, 'connect')
  const from = socket.localPort ?? 0
  socket.resume()
  socket.end(bytes)
  await once(socket, 'close')
  return from
}

/** One window of events, acknowledged; returns the port that it was sent from. */
async function sendWindow(port: number, events: readonly Value[]): Promise<number> {
  const client = await LumberjackClient.connect(port)
  const from = client.socket.localPort ?? 0
  client.send(windowOf(events.map((event) => writeJson(event))))
  await client.ack()
  client.close()
  return from
}

const quoted = (text: string): string => canonicalJson(JSON.stringify(text))

async function subjectOf(definition: PluginDefinition, block: TableBlock): Promise<Subject> {
  if (definition.type === 'filter') return filterSubject(definition, block)
  if (definition.type === 'codec') return codecSubject(definition, block)
  if (definition.type === 'output') {
    const peer = await peerOf('output', definition.name)
    return peer === undefined ? outputSubject(definition, block) : sendingSubject(definition, block, peer)
  }
  return inputSubject(definition, block)
}

/** What is logged at the start belongs to the first row. */
async function tried(subject: Subject, row: TableRow, isFirst: boolean): Promise<void> {
  const { given, expected, logged, line, answers, sent, deadLetters } = row
  for (const answer of answers) subject.peer?.give(JSON.parse(answer) as Record<string, unknown>)
  const before = isFirst ? 0 : subject.warnings().length
  const seen = await subject.put(given, expected.length)
  const at = `line ${line}: ${given}`
  expect(seen.length, `${at}: ${seen.join('\n')}`).toBe(expected.length)
  for (const [index, { text, isWhole }] of expected.entries()) {
    if (isWhole) expect(seen[index], at).toBe(canonicalJson(text))
    else expect(JSON.parse(seen[index]!), at).toMatchObject(JSON.parse(text) as object)
  }
  const lines = subject.warnings().slice(before).join('\n')
  for (const part of logged) expect(lines, at).toContain(part)
  const reasons = subject.deadLetters?.() ?? []
  expect(reasons.length, `${at}: ${reasons.join('\n')}`).toBe(deadLetters.length)
  for (const [index, part] of deadLetters.entries()) expect(reasons[index], at).toContain(part)
  const arrived = subject.peer?.sent() ?? []
  if (subject.peer === undefined || (sent.length === 0 && expected.length > 0)) return
  expect(arrived.length, `${at}: ${JSON.stringify(arrived)}`).toBe(sent.length)
  for (const [index, { text, isWhole }] of sent.entries()) {
    const wanted = JSON.parse(text) as Record<string, unknown>
    if (isWhole) expect(arrived[index], at).toEqual(wanted)
    else expect(arrived[index], at).toMatchObject(wanted)
  }
}

describe.each(readTables())('$type $name', ({ type, name, blocks }) => {
  it.each(blocks)('line $line: $options', async (block) => {
    const definition = (await catalogue.load(type, name))!
    if (block.refusal !== undefined) {
      await expect(subjectOf(definition, block)).rejects.toThrow(block.refusal)
      return
    }
    expect(block.rows, 'a block without rows').not.toEqual([])
    const subject = await subjectOf(definition, block)
    try {
      for (const [index, row] of block.rows.entries()) await tried(subject, row, index === 0)
    } finally {
      await subject.close()
    }
  })
})
