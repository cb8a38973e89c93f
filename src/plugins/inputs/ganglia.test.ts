import { createSocket } from 'node:dgram'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { inputFor, type TestSettings } from '../../plugin/testing.ts'
import { readPacket } from './ganglia/packet.ts'
import ganglia from './ganglia.ts'

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([number(bytes.length), bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)])
}
function metadata(name: string, type: string, units: string): Buffer {
  const head = [number(128), text('web1'), text(name), number(0), text(type), text(name), text(units)]
  return Buffer.concat([...head, number(3), number(60), number(3600), number(1), text('GROUP'), text('cpu')])
}
function value(name: string, shown: string): Buffer {
  return Buffer.concat([number(133), text('web1'), text(name), number(0), text('%s'), text(shown)])
}

describe('packets of gmond', () => {
  it('are metadata or values', () => {
    expect(readPacket(metadata('load_one', 'float', ' '))).toEqual({
      kind: 'metadata',
      metadata: { name: 'load_one', type: 'float', units: ' ', slope: 'both', tmax: 60, dmax: 3600 },
    })
    expect(readPacket(value('load_one', '0.25'))).toEqual({
      kind: 'value',
      value: { hostname: 'web1', name: 'load_one', value: '0.25' },
    })
    expect(readPacket(number(136))).toEqual({ kind: 'other' })
    expect(() => readPacket(value('load_one', '0.25').subarray(0, 20))).toThrow('ends too soon')
    expect(() => readPacket(Buffer.concat([number(133), number(2 ** 31)]))).toThrow('longer than')
  })

  // The float is what gmond 3.7.2 sends.
  it.each([
    [129, '0000ffff', 65_535],
    [130, 'fffffffe', -2],
    [131, '80000000', -2_147_483_648],
    [132, 'ffffffff', 4_294_967_295],
    [134, '4212999a', 36.65],
    [135, '3fd0000000000000', 0.25],
  ])('of type %d have the value %s', (type, hex, expected) => {
    const head = [number(type), text('vm'), text('load_one'), number(0), text('%.2f')]
    expect(readPacket(Buffer.concat([...head, Buffer.from(hex, 'hex')]))).toEqual({
      kind: 'value',
      value: { hostname: 'vm', name: 'load_one', value: expected },
    })
  })

  it('are read or refused: 10,000 random and mutated ones', () => {
    let seed = 9
    const random = (below: number) => {
      seed = (seed * 1103515245 + 12345) % 2147483648
      return Math.floor((seed / 2147483648) * below)
    }
    const sources = [metadata('load_one', 'float', 's'), value('load_one', '0.25')]
    let [read, refused] = [0, 0]
    for (let i = 0; i < 10_000; i++) {
      let packet = Buffer.from(sources[i % 2]!)
      if (i % 5 === 0) packet = Buffer.from(Array.from({ length: random(80) }, () => random(256)))
      for (let n = random(4); n > 0 && packet.length > 0; n--) packet[random(packet.length)] = random(256)
      if (random(5) === 0) packet = packet.subarray(0, random(packet.length + 1))
      try {
        readPacket(packet)
        read += 1
      } catch (error) {
        if (!(error instanceof RangeError)) throw error
        refused += 1
      }
    }
    expect(read).toBeGreaterThan(1000)
    expect(refused).toBeGreaterThan(1000)
  })
})

describe('ganglia input', () => {
  async function received(settings: TestSettings) {
    const input = inputFor(ganglia, { host: '127.0.0.1', port: 0, tags: ['g'] }, settings)
    const ended = input.instance.run(input.sink)
    const started = () =>
      input.environment.logger.lines.find(({ message }) => message.startsWith('Starting ganglia'))
    while (started() === undefined) await wait(5)
    const port = Number(/:(\d+)$/.exec(String(started()!.fields!['address']))![1])
    const socket = createSocket('udp4')
    const packets = [
      value('load_one', '1'),
      metadata('load_one', 'float', ' '),
      metadata('os_name', 'string', ''),
      Buffer.from('garbage'),
      value('load_one', '0.25'),
      value('os_name', 'Linux'),
    ]
    for (const packet of packets) socket.send(packet, port, '127.0.0.1')
    const fields = await input.sink.waitFor(2)
    socket.close()
    await input.instance.stop()
    await ended
    return { input, fields }
  }

  it('makes an event of each value whose metric it knows', async () => {
    const { input, fields } = await received({})
    const common = {
      program: 'ganglia',
      log_host: 'web1',
      dmax: 3600,
      tmax: 60,
      slope: 'both',
      host: '127.0.0.1',
      tags: ['g'],
    }
    expect(fields).toMatchObject([
      { ...common, type: 'float', units: ' ', name: 'load_one', val: 0.25 },
      { ...common, type: 'string', units: '', name: 'os_name', val: 'Linux' },
    ])
    expect(Object.fromEntries(input.environment.counts)).toMatchObject({ unknown: 1 })
  })

  it('names the sender as ECS does', async () => {
    const { fields } = await received({ ecs: 'v8' })
    expect(fields[0]).toMatchObject({ host: { ip: '127.0.0.1' } })
  })
})
