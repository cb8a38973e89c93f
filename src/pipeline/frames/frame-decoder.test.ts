import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Event } from '../../event/event.ts'
import { parseJson } from '../../event/json-parse.ts'
import { writeJson } from '../../event/json-write.ts'
import type { Origin } from '../../plugin/define.ts'
import { codecFor } from '../../plugin/testing.ts'
import jsonLines from '../../plugins/codecs/json-lines.ts'
import line from '../../plugins/codecs/line.ts'
import { fromPortable, toPortable } from '../../threads/portable-frame.ts'
import { type Frame, splitFrame } from './frame.ts'
import { FrameDecoder } from './frame-decoder.ts'
import { InputPort } from './input-port.ts'

/** Frames as an input would make them of these chunks. */
function framesOf(codec: ReturnType<typeof codecFor>, origin: Origin, chunks: (string | Buffer)[]): Frame[] {
  const frames: Frame[] = []
  const port = new InputPort(codec)
  port.redirect({ input: 0, accept: (frame) => void frames.push(frame) })
  const stream = port.stream(origin)
  for (const chunk of chunks) void stream.write(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
  void stream.end()
  return frames
}

function decodeAll(codec: ReturnType<typeof codecFor>, origin: Origin, chunks: (string | Buffer)[]): Event[] {
  const decoder = new FrameDecoder(codec, [], undefined, false)
  const events: Event[] = []
  for (const frame of framesOf(codec, origin, chunks)) decoder.decode(frame, events)
  return events
}

const disabled = { ecs_compatibility: 'disabled' }
const origin: Origin = {
  fields: [
    ['host', 'h'],
    ['[log][path]', '/a "b"'],
    ['[@metadata][ip]', '127.0.0.1'],
  ],
}

describe('frames to events', () => {
  it('shows bytes that are no UTF-8 as Ruby does, in their line only', () => {
    const bytes = Buffer.concat([Buffer.from('é\ncaf'), Buffer.from([0xe9]), Buffer.from(' "x"\nok\n')])
    const events = decodeAll(codecFor(line, disabled), {}, [bytes])
    expect(events.map((event) => event.get('message'))).toEqual(['é', 'caf\\xE9 \\"x\\"', 'ok'])
  })

  it('decodes the same lines however the frame is split between batches', () => {
    const codec = codecFor(line, disabled)
    const [frame] = framesOf(codec, origin, ['one\nzwei é\nthree\n'])
    const decoder = new FrameDecoder(codec, [], undefined, false)
    const [first, rest] = splitFrame(frame!, 1)
    const events: Event[] = []
    decoder.decode(first, events)
    decoder.decode(rest, events)
    expect(events.map(({ data }) => data['message'])).toEqual(['one', 'zwei é', 'three'])
  })

  it('gives payloads to the reader of the input, in whatever worker, and does nothing else to its events', () => {
    const frames: Frame[] = []
    let left = 0
    const port = new InputPort(codecFor(line, disabled))
    port.redirect({ input: 0, accept: (frame) => void frames.push(frame) })
    const payloads = ['one', '', 'zwei é'].map((text) => Buffer.from(text))
    const given: Origin = { facts: { from: 'x' }, fields: [['host', 'h']] }
    void port.payloads(payloads, given, { done: () => (left += 1) })
    void port.payloads([], given, { done: () => (left += 1) })
    expect([frames.length, left]).toEqual([1, 1])
    const decoder = new FrameDecoder(codecFor(line, disabled), [], (event) => event.tag('no'), false, {
      read(payload, { facts }, emit, time) {
        const text = Buffer.from(payload).toString()
        emit(new Event({ text, from: facts!['from']!, '@timestamp': time }))
        if (text === '') emit(new Event({ text: 'another' }))
      },
    })
    const [first, rest] = splitFrame(frames[0]!, 1)
    const events: Event[] = []
    for (const frame of [first, rest])
      decoder.decode(fromPortable(structuredClone(toPortable(frame))), events)
    expect(events.map(({ data }) => data['text'])).toEqual(['one', '', 'another', 'zwei é'])
    expect(Object.keys(events[0]!.data)).toEqual(['text', 'from', '@timestamp'])
    expect(events[0]!.data['from']).toBe('x')
  })

  it('sets the fields of the origin where the event lacks them', () => {
    const [event] = decodeAll(codecFor(jsonLines, disabled), origin, [
      '{"host":"own","log":{"level":"info"}}\n',
    ])
    expect(event!.toHash()).toMatchObject({ host: 'own', log: { level: 'info', path: '/a "b"' } })
    expect(event!.get('[@metadata][ip]')).toBe('127.0.0.1')
  })

  it('does not share maps between events', () => {
    const events = decodeAll(codecFor(line, disabled), { fields: [['a', { b: 1 }]] }, ['x\ny\n'])
    events[0]!.set('[a][b]', 2)
    expect(events[1]!.get('[a][b]')).toBe(1)
  })

  it('does not share maps that references make, nor maps and lists that are values', () => {
    const fields: Origin['fields'] = [
      ['[@metadata][input][tcp][source]', { ip: '127.0.0.1', ports: [1, 2] }],
      ['[@metadata][input][tcp][ssl][names]', ['a']],
      ['[from][host][__proto__]', 'plain'],
      ['[from][host][constructor]', { toString: 'text' }],
    ]
    const wanted = {
      meta: { input: { tcp: { source: { ip: '127.0.0.1', ports: [1, 2] }, ssl: { names: ['a'] } } } },
      from: { host: JSON.parse('{"__proto__":"plain","constructor":{"toString":"text"}}') as unknown },
    }
    const events = decodeAll(codecFor(line, disabled), { fields }, ['x\ny\nz\n'])
    for (const event of events) {
      expect(event.meta).toEqual(wanted.meta)
      expect(JSON.stringify(event.data['from'])).toBe(JSON.stringify(wanted.from))
      event.set('[@metadata][input][tcp][source][ip]', 'changed')
      event.set('[@metadata][input][tcp][more]', 'changed')
      event.set('[from][host][constructor][toString]', 'changed')
      event.set('[from][more]', 'changed')
    }
    expect(new Set(events.map((event) => event.get('[@metadata][input][tcp][ssl][names]'))).size).toBe(3)
  })

  it('keeps text that says exactly what the event holds', () => {
    const codecs = [
      codecFor(line, disabled),
      codecFor(line, { ecs_compatibility: 'v8' }),
      codecFor(jsonLines, disabled),
    ]
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.string(),
            fc.json(),
            fc.dictionary(fc.string(), fc.jsonValue()).map((d) => JSON.stringify(d)),
          ),
        ),
        fc.constantFrom(...codecs),
        (records, codec) => {
          for (const event of decodeAll(codec, origin, [records.map((record) => `${record}\n`).join('')])) {
            expect(parseJson(event.toJson())).toEqual(parseJson(writeJson(event.data)))
          }
        },
      ),
    )
  })
})
