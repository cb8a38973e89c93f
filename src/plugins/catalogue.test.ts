/**
 * Every built-in plugin, without being asked: it loads under its name, its declaration keeps the rules, its
 * examples do what they say, and it survives odd events and being closed twice.
 */
import { getEventListeners } from 'node:events'
import { tmpdir } from 'node:os'
import { describe, expect, it, vi } from 'vitest'
import { Event } from '../event/event.ts'
import { type Fields, LsFloat, putField } from '../event/value.ts'
import { parse } from '../lang/parser.ts'
import { readAttributes } from '../pipeline/plan/attributes.ts'
import { checkDefinition } from '../plugin/check-definition.ts'
import type { CodecDefinition, FilterDefinition, OutputDefinition, PluginType } from '../plugin/define.ts'
import { sharesState } from '../plugin/instantiate.ts'
import { codecFor, decodeWith, filterFor, inputFor, outputFor, validOptions } from '../plugin/testing.ts'
import { catalogue } from './catalogue.ts'
import { fakeDatabase, fakePg } from './jdbc/test-drivers.ts'
import { requiredOptions } from './test-options.ts'

vi.mock('pg', () => ({ default: fakePg(fakeDatabase()) }))

const types: readonly PluginType[] = ['input', 'filter', 'output', 'codec']
const all = await Promise.all(
  types.flatMap((type) =>
    catalogue.names(type).map(async (name) => ({
      type,
      name,
      definition: (await catalogue.load(type, name))!,
    })),
  ),
)
/** Codecs whose schema says which events can be written; the others write any. */
const bySchema = new Set(['avro', 'protobuf'])
const codecs = all.flatMap(({ definition }) => (definition.type === 'codec' ? [definition] : []))

const literally = {
  supportEscapes: false,
  substitute: (text: string) => text,
  substituteId: (text: string) => text,
}

function readBlock(config: string) {
  const [statement] = parse(`filter {\n${config}\n}`).sections[0]!.body
  if (statement?.kind !== 'plugin') throw new Error(`not a plugin block: ${config}`)
  return { name: statement.name, options: readAttributes(statement, 'filter', literally) }
}

function oddEvents(): Event[] {
  const odd: Fields = {
    message: null,
    x: { y: [[], {}, null] },
    number: new LsFloat(Number.NaN),
    big: 2n ** 80n,
    '': 'no name',
    '[a][b]': 'brackets in a name',
    'lone\ud800': 'half\udc00',
    tags: 'one',
  }
  putField(odd, '__proto__', { polluted: true })
  putField(odd, 'constructor', 'c')
  const bare = new Event({})
  const listed = Event.from({ message: ['a', 1], x: 5 })
  return [Event.from({}), Event.from(odd), bare, listed, Event.from({ message: 'x'.repeat(100_000) })]
}

const oddTexts = ['', '\n', '{', '[]', '[1]', 'null', '{"a":1}', '\u0000\uffff', '{"__proto__":{"x":1}}']

/** Closing again must change nothing. */
async function closeTwice(instance: { close?(): void | Promise<void> }): Promise<void> {
  await instance.close?.()
  await instance.close?.()
}

describe('the catalogue', () => {
  it('knows nothing by inherited names', async () => {
    expect(await catalogue.load('filter', 'constructor')).toBeUndefined()
  })

  it.each(all)('has the $type $name under its own name', ({ type, name, definition }) => {
    expect(definition.name).toBe(name)
    expect(definition.type).toBe(type)
  })

  it.each(all)('declares the $type $name by the rules', async ({ definition }) => {
    expect(await checkDefinition(definition, { readBlock, settings: { codecs } })).toEqual([])
  })
})

describe('codecs of those that name none', () => {
  it.each([
    ['input', 'line', ['stdin', 'tcp']],
    ['input', 'json', ['redis', 'http_poller', 'elasticsearch']],
    ['input', 'plain', ['kafka', 'udp', 'file', 'http', 'syslog', 'beats', 'generator', 'heartbeat', 'jdbc']],
    ['output', 'rubydebug', ['stdout']],
    ['output', 'json_lines', ['file']],
    ['output', 'json', ['tcp', 'udp', 'redis']],
    ['output', 'plain', ['kafka', 'http', 'elasticsearch', 'email']],
  ] as const)('%s: %s', (type, codec, names) => {
    for (const name of names) {
      const { definition } = all.find((one) => one.type === type && one.name === name)!
      const options = requiredOptions(definition)
      const made =
        definition.type === 'input'
          ? inputFor(definition, options)
          : outputFor(definition as OutputDefinition, options)
      expect(made.codecName, name).toBe(codec)
    }
  })
})

describe('filters that need to see all events', () => {
  const sharing = ['aggregate', 'elapsed', 'metrics', 'multiline', 'throttle']

  it.each(all.filter(({ type }) => type === 'filter'))('$name: as Logstash says', ({ name, definition }) => {
    const options = validOptions(definition, requiredOptions(definition))
    expect(sharesState(definition as FilterDefinition, options)).toBe(sharing.includes(name))
  })
})

describe.each(['disabled', 'v8'] as const)('with ecs_compatibility %s', (ecs) => {
  const settings = { ecs, codecs, settings: { 'path.data': tmpdir() } }

  it.each(all.filter(({ type }) => type === 'filter'))(
    'the filter $name survives odd events',
    async ({ definition }) => {
      if (definition.type !== 'filter') return
      const made = filterFor(definition, requiredOptions(definition), settings)
      const { instance, filter, environment } = made
      await instance.register?.()
      await filter(oddEvents())
      await instance.flush?.(false)
      await instance.flush?.(true)
      await closeTwice(instance)
      // The signal lives as long as the pipeline, through all its reloads.
      expect(getEventListeners(environment.abort, 'abort')).toEqual([])
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    },
  )

  it.each(all.filter(({ type }) => type === 'input'))(
    'the input $name does nothing when created',
    async ({ definition }) => {
      if (definition.type !== 'input') return
      const { instance, sink } = inputFor(definition, requiredOptions(definition), settings)
      await closeTwice(instance)
      expect(sink.received).toEqual([])
    },
  )

  it.each(all.filter(({ type }) => type === 'output'))(
    'the output $name encodes odd events',
    async ({ definition }) => {
      if (definition.type !== 'output') return
      const { instance } = outputFor(definition, requiredOptions(definition), settings)
      const blocks = instance.encode?.(oddEvents()) ?? []
      for (const { bytes, count } of blocks) {
        expect(bytes).toBeInstanceOf(Uint8Array)
        expect(count).toBeGreaterThan(0)
      }
      await closeTwice(instance)
    },
  )

  it.each(all.filter(({ type }) => type === 'codec'))(
    'the codec $name survives odd texts',
    ({ definition }) => {
      const codec = codecFor(definition as CodecDefinition, requiredOptions(definition), settings)
      if (codec.decode !== undefined || codec.decodeBytes !== undefined || codec.decoder !== undefined) {
        for (const text of oddTexts) expect(Array.isArray(decodeWith(codec, text))).toBe(true)
        expect(Array.isArray(decodeWith(codec, Buffer.from([0xff, 0xfe, 0x80, 10])))).toBe(true)
      }
      const { encode } = codec
      if (encode !== undefined) {
        for (const event of oddEvents()) {
          if (bySchema.has(definition.name)) expect(() => encode(event)).not.toThrow(/undefined|Maximum call/)
          else encode(event)
        }
      }
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    },
  )
})
