import { createSocket } from 'node:dgram'
import { describe, expect, it } from 'vitest'
import { inputFor, type TestInput, type TestOptions, type TestSettings } from '../../plugin/testing.ts'
import udp from './udp.ts'

async function listening(options: TestOptions = {}, settings: TestSettings = {}) {
  const input = inputFor(udp, { host: '127.0.0.1', port: 0, ...options }, settings)
  await input.instance.register?.()
  return { ...input, port: portOf(input) }
}

function portOf({ environment }: TestInput): number {
  const started = environment.logger.lines.find(({ message }) => message === 'UDP listener started')
  return Number(String(started!.fields!['address']).split(':').pop())
}

async function send(port: number, ...datagrams: (string | Buffer)[]): Promise<void> {
  const socket = createSocket('udp4')
  for (const datagram of datagrams) {
    await new Promise((resolve) => socket.send(datagram, port, '127.0.0.1', resolve))
  }
  socket.close()
}

describe('udp input', () => {
  it('makes an event of each datagram, with the address of its sender', async () => {
    const { instance, sink, port, environment } = await listening({ add_field: { b: '1' } })
    const running = instance.run(sink)
    await send(port, 'one', 'two\nlines')
    expect(await sink.waitFor(2)).toEqual([
      { message: 'one', host: '127.0.0.1', b: '1' },
      { message: 'two\nlines', host: '127.0.0.1', b: '1' },
    ])
    await instance.stop()
    await running
    expect(environment.counts.get('events')).toBe(2)
    expect(environment.counts.get('queue_size')).toBe(2000)
    expect(environment.counts.get('workers')).toBe(2)
  })

  it('listens at the address it was given, or at all of them', async () => {
    for (const [options, address] of [
      [{}, '127.0.0.1'],
      [{ host: undefined }, '0.0.0.0'],
    ] as const) {
      const { instance, sink, port, environment } = await listening(options)
      const [started] = environment.logger.lines.filter(({ message }) => message === 'UDP listener started')
      expect(started!.fields!['address']).toBe(`${address}:${port}`)
      const running = instance.run(sink)
      await instance.stop()
      await running
    }
  })

  it('tells the sizes it was given', async () => {
    const { instance, sink, environment } = await listening({ workers: 5, queue_size: 7 })
    const running = instance.run(sink)
    await instance.stop()
    await running
    expect([environment.counts.get('workers'), environment.counts.get('queue_size')]).toEqual([5, 7])
  })

  it('sets the address after the decorations, when it is not there yet', async () => {
    const { instance, sink, port } = await listening({ add_field: { host: 'mine' } })
    const running = instance.run(sink)
    await send(port, 'x')
    expect(await sink.waitFor(1)).toEqual([{ message: 'x', host: 'mine' }])
    await instance.stop()
    await running
  })

  it.each([
    [{}, 'v8', { host: { ip: '127.0.0.1' } }],
    [{ source_ip_fieldname: '[client]' }, 'disabled', { client: '127.0.0.1' }],
  ] as const)('puts it where %j with ECS %s says', async (options, ecs, expected) => {
    const { instance, sink, port } = await listening(options, { ecs })
    const running = instance.run(sink)
    await send(port, 'x')
    expect(await sink.waitFor(1)).toEqual([{ message: 'x', ...expected }])
    await instance.stop()
    await running
  })

  it('cuts datagrams off at buffer_size', async () => {
    const { instance, sink, port } = await listening({ buffer_size: 3 })
    const running = instance.run(sink)
    await send(port, 'abcdef')
    expect((await sink.waitFor(1))[0]).toMatchObject({ message: 'abc' })
    await instance.stop()
    await running
  })

  it('decodes each datagram to its end with a codec for lines', async () => {
    const { instance, sink, port } = await listening({ codec: 'line' })
    const running = instance.run(sink)
    await send(port, 'a\nb')
    expect((await sink.waitFor(2)).map(({ message }) => message)).toEqual(['a', 'b'])
    await instance.stop()
    await running
  })

  it('lets queue_size datagrams wait, loses the rest and counts them', async () => {
    const { instance, sink, port, environment } = await listening({ queue_size: 2 })
    const { record } = sink
    let open: () => void = () => {}
    const opened = new Promise<void>((resolve) => {
      open = resolve
    })
    sink.record = (...call) => opened.then(() => record(...call))
    const running = instance.run(sink)
    await send(port, '1', '2', '3', '4', '5')
    for (let i = 0; i < 500 && (environment.counts.get('dropped') ?? 0) < 2; i++) {
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    expect(environment.counts.get('dropped')).toBe(2)
    open()
    const events = await sink.waitFor(3)
    expect(events.map(({ message }) => message)).toEqual(['1', '2', '3'])
    await instance.stop()
    await running
  })

  it('keeps datagrams that come before the pipeline runs', async () => {
    const { instance, sink, port } = await listening()
    await send(port, 'early')
    await new Promise((resolve) => setTimeout(resolve, 50))
    const running = instance.run(sink)
    expect((await sink.waitFor(1))[0]).toMatchObject({ message: 'early' })
    await instance.stop()
    await running
  })

  it('does not start on a port that is taken', async () => {
    const { instance, port } = await listening()
    const second = inputFor(udp, { host: '127.0.0.1', port })
    await expect(second.instance.register?.()).rejects.toThrow('EADDRINUSE')
    await instance.close?.()
    await instance.close?.()
  })

  it('says when the receive buffer is not what was asked for', async () => {
    const { instance, environment } = await listening({ receive_buffer_bytes: 1 })
    expect(environment.logger.messages('warn')[0]).toMatch(
      /^Unable to set receive_buffer_bytes to desired size\. Requested 1 but obtained \d+ bytes\.$/,
    )
    await instance.close?.()
  })
})
