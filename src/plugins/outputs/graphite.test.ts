import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { Timestamp } from '../../event/timestamp.ts'
import { codecFor, decodeWith, encodeWith, outputFor, type TestOptions } from '../../plugin/testing.ts'
import codec from '../codecs/graphite.ts'
import graphite from './graphite.ts'

async function sent(options: TestOptions, events: Parameters<ReturnType<typeof outputFor>['deliver']>[0]) {
  const { deliver } = outputFor(graphite, options)
  const blocks = await deliver(events)
  return blocks.map(({ bytes }) => Buffer.from(bytes).toString()).join('')
}

describe('graphite', () => {
  it('sends the metrics it is told, with the time of the event', async () => {
    const options = { metrics: { 'load.%{host}': '%{n}', '%{none}': '1' }, metrics_format: 'p.*.q' }
    expect(
      await sent(options, [
        { host: 'a', n: 2 },
        { host: 'b', n: '0.5x' },
      ]),
    ).toBe('p.load.a.q 2.0 1443675967\np.load.b.q 0.5 1443675967\n')
  })

  it('takes all numbers, nested ones too, and lets patterns choose', async () => {
    const options = { fields_are_metrics: true, exclude_metrics: ['^skip'] }
    const event = { a: 1, b: { c: 2.5 }, skipped: 3, text: 'x' }
    expect(await sent(options, [event])).toBe('a 1.0 1443675967\nb.c 2.5 1443675967\n')
  })

  it('joins names with another separator, takes another time, and only what patterns name', async () => {
    const options = {
      fields_are_metrics: true,
      nested_object_separator: '_',
      include_metrics: ['^b_', 'd$'],
      timestamp_field: 'at',
    }
    const event = { a: 1, b: { c: 2 }, d: 3, at: new Timestamp(1_000_000) }
    expect(await sent(options, [event])).toBe('b_c 2.0 1000\nd 3.0 1000\n')
  })

  it('keeps a connection', async () => {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { instance, deliver } = outputFor(graphite, { host: '127.0.0.1', port, fields_are_metrics: true })
    await instance.register!()
    const connected = once(server, 'connection')
    await deliver([{ a: 1 }])
    const [socket] = await connected
    const [chunk] = await once(socket, 'data')
    expect(String(chunk)).toBe('a 1.0 1443675967\n')
    await instance.close!()
    server.close()
  })
})

describe('the codec', () => {
  it('reads and writes lines', () => {
    expect(
      decodeWith(codecFor(codec), 'a.b 1 1\nc 2.5 x\n').map((event) => [event['a.b'], event['c']]),
    ).toEqual([
      [expect.objectContaining({ value: 1 }), undefined],
      [undefined, 2.5],
    ])
    expect(encodeWith(codecFor(codec, { fields_are_metrics: true }), [{ a: 1 }])).toEqual([
      'a 1.0 1443675967\n',
    ])
    const named = { metrics: { 'n.%{host}': '%{a}' }, metrics_format: 'all.*' }
    expect(encodeWith(codecFor(codec, named), [{ a: 1, host: 'h' }])).toEqual(['all.n.h 1.0 1443675967\n'])
    const chosen = { fields_are_metrics: true, include_metrics: ['a'], exclude_metrics: ['b'] }
    expect(encodeWith(codecFor(codec, chosen), [{ a: 1, ab: 2, c: 3 }])).toEqual(['a 1.0 1443675967\n'])
  })
})
