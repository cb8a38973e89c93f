import { getEventListeners, once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import { inflateSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { block, outputFor } from '../../plugin/testing.ts'
import plain from '../codecs/plain.ts'
import { certificateFiles, testCertificate, testKey } from '../tls/test-certificate.ts'
import lumberjack from './lumberjack.ts'

const atEnd: (() => unknown)[] = []
afterEach(async () => {
  for (const end of atEnd.splice(0)) await end()
})

/** Takes windows apart; `answer` says whether a window is acknowledged. */
async function receiver(answer: (window: number) => boolean = () => true, signsOfLife = 0) {
  const windows: string[][] = []
  const server = createServer({ key: testKey, cert: testCertificate }, (socket: TLSSocket) => {
    let kept = Buffer.alloc(0)
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => {
      kept = Buffer.concat([kept, chunk])
      if (kept.length < 12 || kept.length < 12 + kept.readUInt32BE(8)) return
      expect(kept.toString('latin1', 0, 2)).toBe('1W')
      const count = kept.readUInt32BE(2)
      const lines = linesOf(inflateSync(kept.subarray(12, 12 + kept.readUInt32BE(8))))
      kept = kept.subarray(12 + kept.readUInt32BE(8))
      expect(lines).toHaveLength(count)
      if (!answer(windows.push(lines) - 1)) {
        socket.destroy()
        return
      }
      const ack = Buffer.from('1A\0\0\0\0', 'latin1')
      for (let sign = 0; sign < signsOfLife; sign++) socket.write(Buffer.from(ack))
      ack.writeUInt32BE(count, 2)
      socket.write(ack.subarray(0, 3))
      socket.write(ack.subarray(3))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd.push(() => server.close())
  return { windows, port: (server.address() as AddressInfo).port }
}

function linesOf(bytes: Buffer): string[] {
  const lines: string[] = []
  for (let at = 0; at < bytes.length; ) {
    expect(bytes.toString('latin1', at, at + 2)).toBe('1D')
    expect(bytes.readUInt32BE(at + 2)).toBe(lines.length + 1)
    expect(bytes.readUInt32BE(at + 6)).toBe(1)
    const keyEnd = at + 14 + bytes.readUInt32BE(at + 10)
    expect(bytes.toString('utf8', at + 14, keyEnd)).toBe('line')
    const end = keyEnd + 4 + bytes.readUInt32BE(keyEnd)
    lines.push(bytes.toString('utf8', keyEnd + 4, end))
    at = end
  }
  return lines
}

async function output(port: number, more: Record<string, unknown> = {}) {
  const { certificate } = await certificateFiles()
  const made = outputFor(
    lumberjack,
    {
      hosts: ['localhost'],
      port,
      ssl_certificate: certificate,
      codec: block('plain', { format: '%{a}' }),
      ...more,
    },
    { codecs: [plain] },
  )
  await made.instance.register!()
  atEnd.unshift(() => made.instance.close!())
  return made
}

describe('lumberjack', () => {
  it('leaves nothing on the signal of the pipeline when it is closed', async () => {
    const { instance, environment } = await output(1)
    expect(getEventListeners(environment.abort, 'abort')).toHaveLength(1)
    await instance.close!()
    expect(getEventListeners(environment.abort, 'abort')).toEqual([])
  })

  it('sends windows and waits for their acknowledgement', async () => {
    const { windows, port } = await receiver()
    const { deliver } = await output(port, { flush_size: 2 })
    await deliver([{ a: 1 }, { a: 'é' }, { a: 3 }])
    expect(windows).toEqual([['1', 'é'], ['3']])
  })

  it('takes the former name of flush_size', async () => {
    const { windows, port } = await receiver()
    const { deliver } = await output(port, { flush_size: 3, window_size: 1 })
    await deliver([{ a: 1 }, { a: 2 }])
    expect(windows).toEqual([['1'], ['2']])
  })

  it('sends again what was not acknowledged', async () => {
    const { windows, port } = await receiver((window) => window > 0)
    const { deliver, environment } = await output(port)
    await deliver([{ a: 1 }])
    expect(windows).toEqual([['1'], ['1']])
    expect(environment.logger.messages('error')).toEqual(['Client write error, trying connect'])
  })

  it('goes to another host at once when one does not answer', async () => {
    const { windows, port } = await receiver()
    const { deliver, environment } = await output(port, { hosts: ['127.0.0.2', 'localhost'] })
    const before = performance.now()
    // Nobody listens at the first one.
    for (let n = 0; n < 5; n++) await deliver([{ a: n }])
    expect(windows).toHaveLength(5)
    expect(performance.now() - before).toBeLessThan(3000)
    expect(environment.logger.messages('error').length).toBeLessThan(2)
  })

  it('waits for a receiver that says that it is busy', async () => {
    const { port } = await receiver(() => true, 4)
    const { deliver, environment } = await output(port, {})
    await deliver([{ a: 1 }])
    expect(environment.logger.messages('error')).toEqual([])
  })
})
