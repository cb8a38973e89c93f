import { describe, expect, test } from 'vitest'
import { Event } from '../event/event.ts'
import { encodeEvents } from '../event/wire.ts'
import { defineCodec, defineFilter, defineInput, defineOutput, option } from './define.ts'
import { codecNames } from './instantiate.ts'
import {
  block,
  codecFor,
  decodeWith,
  encodeWith,
  filterFor,
  inputFor,
  memoryBus,
  outputFor,
  recordingSink,
  runFilter,
  standInCodec,
  testEvent,
  validOptions,
} from './testing.ts'

const twice = defineFilter({
  name: 'twice',
  summary: 'Emits a copy of each event and drops events that say so.',
  options: { fail: option.boolean({ default: false, doc: 'Whether to fail.' }) },
  metrics: { seen: 'Events seen.' },
  create: ({ options, metrics, matched, logger }) => {
    const log: string[] = []
    return {
      register: () => {
        log.push('registered')
      },
      filter(event, emit) {
        metrics.seen.increment()
        if (event.get('drop') !== undefined) event.cancel()
        if (options.fail) return false
        const copy = event.clone()
        copy.set('copy', 1)
        matched(copy)
        emit(copy)
        return true
      },
      flush: (final) => (final ? [Event.from({ log: [...log] }, event0.timestamp)] : []),
      close: () => logger.info('closed'),
    }
  },
})
const event0 = testEvent({})

describe('filters', () => {
  test('each event, then what it emitted; cancelled ones are gone; the last flush at the end', async () => {
    const out = await runFilter(twice, { add_tag: ['t'] }, [{ n: 1 }, { n: 2, drop: true }])
    expect(out).toEqual([
      { n: 1, tags: ['t'] },
      { n: 1, copy: 1, tags: ['t'] },
      { n: 2, drop: true, copy: 1, tags: ['t'] },
      { log: ['registered'] },
    ])
  })

  test('no match, no decoration', async () => {
    const out = await runFilter(twice, { fail: true, add_tag: 't' }, [{ n: 1 }])
    expect(out[0]).toEqual({ n: 1 })
  })

  test('fields that the test gave come back', async () => {
    const out = await runFilter(twice, { fail: true }, [
      { '@timestamp': '2020-01-01T00:00:00Z', '@version': '1' },
    ])
    expect(String(out[0]?.['@timestamp'])).toBe('2020-01-01T00:00:00.000Z')
    expect(out[0]?.['@version']).toBe('1')
  })

  test('the events given are left alone', async () => {
    const given = { a: { b: 1 } }
    await runFilter(twice, { add_field: { '[a][b]': 'x' } }, [given])
    expect(given).toEqual({ a: { b: 1 } })
  })

  test('bad options are an error with the texts', async () => {
    await expect(runFilter(twice, { fial: true }, [])).rejects.toThrow("Unknown setting 'fial' for twice")
  })

  test('metrics count unless they are off', async () => {
    const on = filterFor(twice)
    await on.filter([testEvent({}), testEvent({})])
    expect(on.environment.counts.get('seen')).toBe(2)
    const off = filterFor(twice, { enable_metric: false })
    await off.filter([testEvent({})])
    expect(off.environment.counts.size).toBe(0)
  })

  test('batch filters decorate themselves', async () => {
    const batch = defineFilter({
      name: 'batch',
      summary: 'x.',
      options: {},
      create: ({ matched }) => ({
        async filterBatch(events, emit) {
          for (const event of events) matched(event)
          emit(testEvent({ extra: true }))
        },
      }),
    })
    expect(await runFilter(batch, { add_field: { a: 'x' } }, [{ n: 1 }, { n: 2 }])).toEqual([
      { n: 1, a: 'x' },
      { n: 2, a: 'x' },
      { extra: true },
    ])
  })
})

const upper = defineCodec({
  name: 'upper',
  summary: 'x.',
  options: { delimiter: option.string({ default: '\n', doc: 'x.' }) },
  create: ({ options, ecs }) => ({
    delimiter: Buffer.from(options.delimiter),
    decode: (text, emit, time) => emit(Event.from({ message: text.toUpperCase(), ecs }, time)),
    encode: (event) => Buffer.from(String(event.get('message')).toLowerCase() + options.delimiter),
  }),
})

describe('codecs', () => {
  test('records are cut over the borders of chunks', () => {
    const codec = codecFor(upper, { delimiter: '--' })
    const messages = decodeWith(codec, ['a', 'b-', '-', 'c--d']).map((fields) => fields['message'])
    expect(messages).toEqual(['AB', 'C', 'D'])
  })

  test('stateful decoders are flushed at the end', () => {
    const joining = {
      decoder() {
        let held = ''
        return {
          decode: (text: string) => {
            held += text
          },
          flush: (emit: (event: Event) => void) => emit(testEvent({ held })),
        }
      },
    }
    expect(decodeWith(joining, ['a', Buffer.from('b')])).toEqual([{ held: 'ab' }])
  })

  test('encode', () => {
    expect(encodeWith(codecFor(upper), [{ message: 'HI' }])).toEqual(['hi\n'])
  })
})

const reader = defineInput({
  name: 'reader',
  summary: 'x.',
  streaming: true,
  options: {},
  additionalCodecs: () => ['json'],
  create: ({ codecName }) => ({
    async run(sink) {
      const stream = sink.stream({ fields: [['host', 'h']], overwrite: [['codec', codecName]] })
      await stream.write(Buffer.from('one\ntw'))
      await stream.write(Buffer.from('o'))
      await stream.end()
      await sink.record(Buffer.from('{"n":1,"host":"own"}'), { fields: [['host', 'h']] }, { codec: 0 })
      await sink.repeat(Buffer.from('again'), {}, 2, { reference: 'sequence', first: 5 })
      await sink.events([testEvent({ made: true })])
      await sink.wire(encodeEvents([testEvent({ wired: true })]), 1)
    },
    stop() {},
  }),
})

describe('inputs', () => {
  test('decode, origin and decorations', async () => {
    const { instance, sink, environment } = inputFor(reader, { type: 'x' })
    await instance.run(sink)
    expect(sink.fields()).toEqual([
      { message: 'one', host: 'h', codec: 'line', type: 'x' },
      { message: 'two', host: 'h', codec: 'line', type: 'x' },
      { n: 1, host: 'own', type: 'x' },
      { message: 'again', sequence: 5, type: 'x' },
      { message: 'again', sequence: 6, type: 'x' },
      { made: true, type: 'x' },
      expect.objectContaining({ wired: true, type: 'x' }),
    ])
    expect(environment.logger.messages('info')).toEqual(['Automatically switching from plain to line codec'])
  })

  test('a stream codec keeps the charset only', () => {
    const line = defineCodec({
      name: 'line',
      summary: 'x.',
      options: { charset: option.string({ default: 'UTF-8', doc: 'x.' }) },
      create: ({ options }) => ({ charset: options.charset, delimiter: Buffer.from('\n') }),
    })
    const options = { codec: block('plain', { charset: 'UTF-16', format: 'x' }) }
    expect(inputFor(reader, options, { codecs: [line] }).codec.charset).toBe('UTF-16')
    expect(codecNames(reader, validOptions(reader, options))).toEqual(['line', 'json'])
  })

  test('waiting for events ends', async () => {
    const sink = recordingSink(standInCodec('plain'))
    const waiting = sink.waitFor(1)
    void sink.record(Buffer.from('x'), {})
    expect(await waiting).toEqual([{ message: 'x' }])
    await expect(sink.waitFor(2, 1)).rejects.toThrow('1 of 2 events after 1 ms')
  })
})

describe('outputs', () => {
  test('blocks of an output that encodes', async () => {
    const written: string[] = []
    const output = defineOutput({
      name: 'out',
      summary: 'x.',
      concurrency: 'single',
      codec: 'json',
      options: {},
      create: ({ codec }) => ({
        encode: (events) =>
          events.map((event) => ({ target: 't', bytes: Buffer.from(codec.encode!(event)), count: 1 })),
        write: (blocks) => {
          for (const { bytes } of blocks) written.push(Buffer.from(bytes).toString())
        },
      }),
    })
    const { deliver, codecName } = outputFor(output, { codec: 'upper' }, { codecs: [upper] })
    expect(codecName).toBe('upper')
    expect(await deliver([{ message: 'A' }])).toHaveLength(1)
    expect(written).toEqual(['a\n'])
  })

  test('the bus in memory', async () => {
    const bus = memoryBus()
    const sender = bus.sender('a')
    expect(await sender.send(new Uint8Array([1]), 1)).toBe(false)
    const got: number[] = []
    const listener = await bus.listen('a', async (bytes, _count, done) => {
      got.push(bytes[0]!)
      if (bytes[0] !== 9) done()
    })
    await expect(bus.listen('a', async () => {})).rejects.toThrow("Internal input at 'a' already bound!")
    expect(await sender.send(new Uint8Array([2]), 1)).toBe(true)
    const neverSafe = sender.send(new Uint8Array([9]), 1)
    await listener.close()
    expect(await neverSafe).toBe(false)
    expect(await sender.send(new Uint8Array([3]), 1)).toBe(false)
    expect(got).toEqual([2, 9])
  })
})

test('ecs_compatibility of a plugin wins over the pipeline', () => {
  expect(decodeWith(codecFor(upper, {}, { ecs: 'v8' }), ['a'])[0]?.['ecs']).toBe('v8')
  expect(decodeWith(codecFor(upper, { ecs_compatibility: 'v1' }, { ecs: 'v8' }), ['a'])[0]?.['ecs']).toBe(
    'v1',
  )
})
