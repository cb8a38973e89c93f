import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { inputFor, type TestInput, type TestOptions, type TestSettings } from '../../plugin/testing.ts'
import { frameBytes, RelpError, type RelpFrame, RelpFrames } from './relp/frames.ts'
import relp from './relp.ts'

function framesOf(...chunks: (string | Buffer)[]): RelpFrame[] {
  const frames = new RelpFrames()
  return chunks.flatMap((chunk) => [...frames.push(Buffer.from(chunk))])
}
const shown = ({ number, command, data }: RelpFrame) => [number, command, data.toString()]

describe('RELP frames', () => {
  it.each([
    [['1 syslog 5 hello\n'], [[1, 'syslog', 'hello']]],
    [['7 close 0\n'], [[7, 'close', '']]],
    [
      ['7 close 0 \n8 close 0\n'],
      [
        [7, 'close', ''],
        [8, 'close', ''],
      ],
    ],
    [
      ['1 sys', 'log 1', '1 a\nb c d', ' e f\n2 close 0\n'],
      [
        [1, 'syslog', 'a\nb c d e f'],
        [2, 'close', ''],
      ],
    ],
    [
      [...'1 syslog 5 hello\n2 syslog 2 é\n'.split('')],
      [
        [1, 'syslog', 'hello'],
        [2, 'syslog', 'é'],
      ],
    ],
    [
      ['999999999 syslog 0\n\n\n1 close 0\n'],
      [
        [999999999, 'syslog', ''],
        [1, 'close', ''],
      ],
    ],
  ])('%j', (chunks, expected) => {
    expect(framesOf(...chunks).map(shown)).toEqual(expected)
  })

  it.each([
    'x syslog 1 a\n',
    '1 sys1og 1 a\n',
    '1  1 a\n',
    '1 syslog a\n',
    '1 syslog 1 ab\n',
    '1 syslog 99999999999 a',
  ])('refuses %j', (text) => {
    expect(() => framesOf(text)).toThrow(RelpError)
  })

  it('reads 10,000 random and mutated packets, or says that they are none', () => {
    let seed = 7
    const random = (below: number) => {
      seed = (seed * 1103515245 + 12345) % 2147483648
      return Math.floor((seed / 2147483648) * below)
    }
    let [read, refused, most] = [0, 0, 0]
    let frames = new RelpFrames()
    for (let i = 0; i < 10_000; i++) {
      let packet = frameBytes(random(1000), random(5) === 0 ? 'close' : 'syslog', 'x'.repeat(random(40)))
      if (i % 4 === 0) packet = Buffer.from(Array.from({ length: random(50) }, () => random(256)))
      else if (i % 4 === 1) packet[random(packet.length)] = random(256)
      else if (i % 4 === 2) packet = packet.subarray(0, random(packet.length))
      try {
        for (const { data } of frames.push(packet)) read += data.length >= 0 ? 1 : 0
        most = Math.max(most, frames.pending)
      } catch (error) {
        if (!(error instanceof RelpError)) throw error
        refused += 1
        // As a connection does.
        frames = new RelpFrames()
      }
    }
    expect(read).toBeGreaterThan(100)
    expect(refused).toBeGreaterThan(100)
    expect(most).toBeLessThan(17 * 1024 * 1024)
  })
})

describe('relp input', () => {
  const running: { input: TestInput; ended: Promise<void> }[] = []
  const sockets: Socket[] = []
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy()
    for (const { input, ended } of running.splice(0)) {
      input.environment.stop()
      await input.instance.stop()
      await ended
      await input.instance.close?.()
    }
  })

  async function start(options: TestOptions = {}, settings: TestSettings = {}) {
    const input = inputFor(relp, { host: '127.0.0.1', port: 0, ...options }, settings)
    await input.instance.register!()
    running.push({ input, ended: input.instance.run(input.sink) })
    const line = input.environment.logger.lines.find(({ message }) => message.startsWith('Starting relp'))
    const port = Number(/:(\d+)$/.exec(String(line!.fields!['address']))![1])
    const socket = connect(port, '127.0.0.1')
    sockets.push(socket)
    const client = { socket, answers: '' }
    socket.setEncoding('utf8').on('data', (text) => {
      client.answers += text
    })
    return { input, client }
  }

  async function until(holds: () => boolean): Promise<void> {
    for (let i = 0; !holds(); i++) {
      if (i > 500) throw new Error('waited for nothing')
      await wait(10)
    }
  }

  const open =
    '1 open 85 relp_version=0\nrelp_software=librelp,1.2.5,http://librelp.adiscon.com\ncommands=syslog\n'

  it('opens a session and makes an event of each message', async () => {
    const { input, client } = await start({ type: 'r' })
    client.socket.write(frameBytes(1, 'open', open.slice(10, -1)))
    client.socket.write(frameBytes(2, 'syslog', '<13>Oct  1 host tag: one'))
    client.socket.write(frameBytes(3, 'syslog', 'two\nlines'))
    const fields = await input.sink.waitFor(2)
    const host = `127.0.0.1:${client.socket.localPort}`
    expect(fields).toEqual([
      { message: '<13>Oct  1 host tag: one', host, type: 'r' },
      { message: 'two\nlines', host, type: 'r' },
    ])
    await until(() => client.answers.includes('3 rsp 6 200 OK\n'))
    expect(client.answers).toMatch(
      /^1 rsp \d+ 200 OK relp_version=0\nrelp_software=.*\ncommands=syslog\n2 rsp 6 200 OK\n/,
    )
  })

  it('names the peer as ECS does', async () => {
    const { input, client } = await start({}, { ecs: 'v8' })
    client.socket.write(frameBytes(1, 'open', open.slice(10, -1)))
    client.socket.write(frameBytes(2, 'syslog', 'one'))
    expect((await input.sink.waitFor(1))[0]).toMatchObject({ message: 'one', host: { ip: '127.0.0.1' } })
  })

  it('answers a message when its events are safe, in whatever order', async () => {
    const { input, client } = await start()
    input.sink.hold()
    client.socket.write(frameBytes(1, 'open', open.slice(10, -1)))
    client.socket.write(frameBytes(2, 'syslog', 'one'))
    client.socket.write(frameBytes(3, 'syslog', 'two'))
    await input.sink.waitFor(2)
    await wait(30)
    expect(client.answers).not.toContain('2 rsp')
    input.sink.releaseAt(1)
    await until(() => client.answers.includes('3 rsp 6 200 OK'))
    expect(client.answers).not.toContain('2 rsp')
    input.sink.release()
    await until(() => client.answers.includes('2 rsp 6 200 OK'))
  })

  it('answers the end of a session after its messages', async () => {
    const { input, client } = await start()
    input.sink.hold()
    client.socket.write(frameBytes(1, 'open', open.slice(10, -1)))
    client.socket.write(frameBytes(2, 'syslog', 'one'))
    client.socket.write(frameBytes(3, 'close'))
    await input.sink.waitFor(1)
    await wait(30)
    expect(client.answers).not.toContain('3 rsp')
    input.sink.release()
    await until(() => client.answers.endsWith('2 rsp 6 200 OK\n3 rsp 0\n0 serverclose 0\n'))
  })

  it.each([
    ['begins without open', [frameBytes(1, 'syslog', 'x')], 'Relp error: syslog expecting open'],
    ['has no version', [frameBytes(1, 'open', 'commands=syslog')], 'Relp error: No relp_version specified'],
    [
      'cannot send syslog',
      [frameBytes(1, 'open', 'relp_version=0\ncommands=x')],
      'Relp client incapable of syslog',
    ],
    ['sends something else', [Buffer.from('GET / HTTP/1.1\r\n')], 'Relp error: a number is expected'],
  ])('closes a connection that %s', async (_, frames, warning) => {
    const { input, client } = await start()
    for (const frame of frames) client.socket.write(frame)
    await until(() => client.answers.includes('0 serverclose 0\n'))
    expect(input.environment.logger.messages('warn')).toContain(warning)
  })

  it('does not answer what is not safe when it stops', async () => {
    const { input, client } = await start()
    input.sink.hold()
    client.socket.write(frameBytes(1, 'open', open.slice(10, -1)))
    client.socket.write(frameBytes(2, 'syslog', 'one'))
    await input.sink.waitFor(1)
    const { ended } = running.splice(0)[0]!
    await input.instance.stop()
    input.environment.stop()
    await ended
    await until(() => client.answers.endsWith('0 serverclose 0\n'))
    expect(client.answers).not.toContain('2 rsp')
  })
})
