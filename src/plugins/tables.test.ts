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
import type { Fields } from '../event/value.ts'
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
import type { RawValue } from '../plugin/raw-value.ts'
import {
  codecFor,
  decodeWith,
  encodeWith,
  filterFor,
  inputFor,
  outputFor,
  testEvent,
  testTime,
} from '../plugin/testing.ts'
import { catalogue } from './catalogue.ts'
import { fakePg } from './jdbc/test-drivers.ts'
import { type Peer, peerOf, playedDatabase } from './test-peers.ts'
import { readTables, type TableBlock, type TableRow } from './test-tables.ts'

vi.mock('pg', () => ({ default: fakePg(playedDatabase) }))

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
    warnings: () => environment.logger.messages().splice(0),
    async close() {
      await instance.close?.()
      await peer?.close()
    },
  }
}

function codecSubject(definition: CodecDefinition, block: TableBlock): Subject {
  const codec = codecFor(definition, optionsOf('codec', definition.name, block.options), { ecs: block.ecs })
  return {
    put(given) {
      const value = parseJson(given)
      if (typeof value !== 'string') return Promise.resolve(encodeWith(codec, [value as Fields]).map(quoted))
      return Promise.resolve(
        decodeWith(codec, Buffer.from(value, 'latin1')).map((fields) => canonicalJson(writeJson(fields))),
      )
    },
    warnings: () => [],
    close: async () => {},
  }
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
    warnings: () => environment.logger.messages().splice(0),
    close: async () => instance.close?.(),
  }
}

/** An output that has sent what it was given; what arrived is asked of the peer. */
async function sendingSubject(definition: OutputDefinition, block: TableBlock, peer: Peer): Promise<Subject> {
  const options = optionsOf('output', definition.name, filledIn(block, peer))
  const { instance, deliver, environment } = outputFor(definition, options, { ecs: block.ecs, codecs })
  await instance.register?.()
  peer.sent()
  return {
    peer,
    async put(given) {
      const events = parseJson(given) as Fields | Fields[]
      await deliver(Array.isArray(events) ? events : [events])
      await wait(100)
      return []
    },
    warnings: () => environment.logger.messages().splice(0),
    async close() {
      environment.stop()
      await instance.close?.()
      await peer.close()
    },
  }
}

/**
 * An input: what is given goes to it over a socket, or to the end of the file that it reads; `run` waits for one that ends
 * by itself, `wait` for events of another end. The port of the client is shown as 0, the name of this computer as HOST.
 */
async function inputSubject(definition: InputDefinition, block: TableBlock): Promise<Subject> {
  const port = await freePort()
  const peer = await peerOf('input', definition.name)
  const path = join(mkdtempSync(join(tmpdir(), 'millrace-table-')), 'socket')
  const text = filledIn(block, peer).replaceAll('PORT', String(port)).replaceAll('PATH', path)
  const options = optionsOf('input', definition.name, text)
  const { instance, environment, sink } = inputFor(definition, options, { ecs: block.ecs, codecs })
  await instance.register?.()
  const ended = instance.run(sink)
  const over = transports.get(definition.name)
  let shown = 0
  return {
    peer,
    async put(given, wanted) {
      const before = shown
      const isTold = given === 'run' || given === 'wait'
      const bytes = isTold ? undefined : Buffer.from(parseJson(given) as string, 'latin1')
      const from = bytes === undefined ? 0 : await sendOver(over, { port, path }, bytes)
      if (given === 'run') await ended
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
    warnings: () => environment.logger.messages().splice(0),
    async close() {
      environment.stop()
      await instance.stop()
      await ended
      await instance.close?.()
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

type Transport = 'tcp' | 'udp' | 'unix' | 'file'

const transports: ReadonlyMap<string, Transport> = new Map([
  ['tcp', 'tcp'],
  ['udp', 'udp'],
  ['unix', 'unix'],
  ['syslog', 'udp'],
  ['http', 'tcp'],
  ['gelf', 'udp'],
  ['graphite', 'tcp'],
  ['file', 'file'],
] as const)

/** Returns the port that it was sent from. */
async function sendOver(
  over: Transport | undefined,
  to: { port: number; path: string },
  bytes: Buffer,
): Promise<number> {
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

async function tried(subject: Subject, row: TableRow): Promise<void> {
  const { given, expected, logged, line, answers, sent } = row
  for (const answer of answers) subject.peer?.give(JSON.parse(answer) as Record<string, unknown>)
  const before = subject.warnings().length
  const seen = await subject.put(given, expected.length)
  const at = `line ${line}: ${given}`
  expect(seen, at).toEqual(expected.map((text) => canonicalJson(text)))
  const lines = subject.warnings().slice(before).join('\n')
  for (const part of logged) expect(lines, at).toContain(part)
  if (subject.peer === undefined || (sent.length === 0 && expected.length > 0)) return
  const wanted = sent.map((text) => JSON.parse(text) as Record<string, unknown>)
  const arrived = subject.peer.sent()
  expect(arrived.length, `${at}: ${JSON.stringify(arrived)}`).toBe(wanted.length)
  for (const [index, one] of wanted.entries()) expect(arrived[index], at).toMatchObject(one)
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
      for (const row of block.rows) await tried(subject, row)
    } finally {
      await subject.close()
    }
  })
})
