/**
 * Every built-in plugin, without being asked: it loads under its name, its declaration keeps the rules, its
 * examples do what they say, and it survives odd events and being closed twice.
 */
import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { Event } from '../event/event.ts'
import { type Fields, LsFloat, putField } from '../event/value.ts'
import { parse } from '../lang/parser.ts'
import { readAttributes } from '../pipeline/attributes.ts'
import { checkDefinition } from '../plugin/check-definition.ts'
import type { CodecDefinition, PluginDefinition, PluginType } from '../plugin/define.ts'
import type { Option } from '../plugin/option.ts'
import { codecFor, decodeWith, filterFor, inputFor, outputFor } from '../plugin/testing.ts'
import { catalogue } from './catalogue.ts'

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

function sample({ kind, list, values }: Option<unknown>): unknown {
  const one = {
    string: 'x',
    number: 1,
    boolean: true,
    array: ['x'],
    hash: { x: 'x' },
    one_of: values?.[0],
    codec: 'plain',
    password: 'secret',
    uri: 'http://127.0.0.1:1',
    path: tmpdir(),
    bytes: 1024,
    ipaddr: '127.0.0.1',
    field_reference: 'message',
    sha_256_hex: 'ab'.repeat(32),
    ecs_compatibility: 'disabled',
    any: 'x',
  }[kind]
  return list ? [one] : one
}

/** What plugins need besides the options they declare as required. */
const further: ReadonlyMap<string, Record<string, unknown>> = new Map<string, Record<string, unknown>>([
  ['aggregate', { task_id: '%{x}' }],
  ['anonymize', { key: '8' }],
  ['date', { match: ['message', 'ISO8601'] }],
  ['geoip', { target: 'geo' }],
  ['rest', { request: { url: 'http://127.0.0.1:1' } }],
  ['ruby', { code: '' }],
  ['sleep', { time: '0' }],
  ['translate', { source: 'message' }],
  ['xml', { target: 'doc' }],
])

function requiredOptions({ name, options }: PluginDefinition): Record<string, unknown> {
  const required = Object.entries(options).filter(([, declared]) => declared.required)
  const samples = required.map(([option, declared]) => [option, sample(declared)])
  return { ...Object.fromEntries(samples), ...further.get(name) }
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

describe.each(['disabled', 'v8'] as const)('with ecs_compatibility %s', (ecs) => {
  const settings = { ecs, codecs, settings: { 'path.data': tmpdir() } }

  it.each(all.filter(({ type }) => type === 'filter'))(
    'the filter $name survives odd events',
    async ({ definition }) => {
      if (definition.type !== 'filter') return
      const { instance, filter } = filterFor(definition, requiredOptions(definition), settings)
      await instance.register?.()
      await filter(oddEvents())
      await instance.flush?.(false)
      await instance.flush?.(true)
      await closeTwice(instance)
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
      if (codec.encode !== undefined) for (const event of oddEvents()) codec.encode(event)
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    },
  )
})
