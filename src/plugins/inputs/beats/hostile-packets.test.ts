/** What the beats and lumberjack inputs do with bytes that no sender would send, each on a connection of its own. */
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { inputFor, type TestInput } from '../../../plugin/testing.ts'
import json from '../../codecs/json.ts'
import plain from '../../codecs/plain.ts'
import { mutations } from '../../codecs/test-mutations.ts'
import { LumberjackConnection } from '../../lumberjack/connection.ts'
import { compressedFrame, dataFrame, jsonFrame, windowFrame, windowOf } from '../../lumberjack/test-client.ts'
import beats from '../beats.ts'

/** As much of a socket as a connection needs: what is pushed arrives, what is written is kept. */
class PlayedSocket extends Duplex {
  readonly remoteAddress = '127.0.0.1'
  readonly remotePort = 1
  answer = Buffer.alloc(0)

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.answer = Buffer.concat([this.answer, chunk])
    done()
  }

  setTimeout(): this {
    return this
  }

  destroySoon(): void {
    this.end(() => this.destroy())
  }
}

const samples = [
  windowOf([
    { message: 'one', '@metadata': { beat: 'filebeat' } },
    { message: 'two', host: { name: 'h' } },
  ]),
  Buffer.concat([windowFrame(1, '1'), dataFrame(1, { line: 'three', host: 'h' })]),
  compressedFrame(windowOf([{ message: 'four' }])),
  Buffer.concat([
    windowFrame(2),
    compressedFrame(Buffer.concat([jsonFrame(1, {}), jsonFrame(2, { a: [1] })])),
  ]),
  Buffer.concat([windowFrame(0), windowOf([{ tags: 'x', '@timestamp': '2015-10-01T05:06:07Z' }])]),
]

/** Sends a packet in two pieces and closes. */
async function receive(packet: Buffer, { sink, environment }: TestInput): Promise<Buffer> {
  const socket = new PlayedSocket()
  const connection = new LumberjackConnection(socket as unknown as Socket, {
    inactivitySeconds: 60,
    logger: environment.logger,
    accept: (batch, done) => sink.payloads(batch, {}, { done }),
  })
  const half = packet.length >> 1
  socket.push(packet.subarray(0, half))
  socket.push(packet.subarray(half))
  socket.push(null)
  await connection.ended
  return socket.answer
}

describe('senders of odd bytes', () => {
  it('of samples that are sound are answered', async () => {
    const input = inputFor(beats, { port: 0 }, { codecs: [plain, json] })
    const answers: string[] = []
    for (const sample of samples) answers.push((await receive(sample, input)).toString('latin1'))
    expect(answers).toEqual([
      '2A\0\0\0\x02',
      '1A\0\0\0\x01',
      '2A\0\0\0\x01',
      '2A\0\0\0\x02',
      '2A\0\0\0\x002A\0\0\0\x01',
    ])
    expect(input.sink.received).toHaveLength(7)
  })

  it('send 10,000 random and mutated packets: each is read or refused, and nothing stays open', async () => {
    const input = inputFor(beats, { port: 0 }, { codecs: [plain, json] })
    let acknowledged = 0
    for (const packet of mutations(samples, 10_000)) {
      const answer = await receive(packet, input)
      expect(answer.length % 6, packet.toString('latin1')).toBe(0)
      for (let at = 0; at < answer.length; at += 6) {
        expect(answer.toString('latin1', at, at + 2)).toMatch(/^[12]A$/)
        acknowledged += 1
      }
    }
    const { lines } = input.environment.logger
    const refused = lines.filter(({ message }) => message === 'Invalid frame, closing connection')
    expect(refused.length).toBeGreaterThan(3000)
    expect(acknowledged).toBeGreaterThan(500)
    expect(input.sink.received.length).toBeGreaterThan(500)
    // Neither an exception of our own making nor a name that objects inherit.
    expect(lines.filter(({ level }) => level === 'error')).toEqual([])
    const texts = new Set(refused.map(({ fields }) => String(fields!['message']).replace(/[\d:].*/, '')))
    expect([...texts].sort()).toEqual([
      'An event is not a JSON object',
      'Compressed frame cannot be unpacked',
      'Invalid Frame Type, received',
      'Invalid compressed length, received',
      'Invalid field length, received',
      'Invalid json length, received',
      'Invalid number of fields, received',
      'Invalid version of beats protocol',
    ])
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })
})
