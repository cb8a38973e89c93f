/** Protocols without acknowledgement: while the queue is full, nothing more is read, and the sender has to wait. */
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { inputFor, type TestInput } from '../../plugin/testing.ts'
import plain from '../codecs/plain.ts'
import syslog from './syslog.ts'
import tcp from './tcp.ts'
import unix from './unix.ts'

const megabyte = Buffer.alloc(1 << 20, `${'x'.repeat(99)}\n`)
const megabytes = 64

async function portOf({ environment }: TestInput, start: string): Promise<number> {
  for (let i = 0; i < 500; i++) {
    const line = environment.logger.lines.find(({ message }) => message === start)
    if (line !== undefined) return Number(String(line.fields!['address']).split(':').pop())
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error(`no line ${start}`)
}

const place = { host: '127.0.0.1', port: 0 }

it.each([
  [
    'tcp',
    () => inputFor(tcp, { ...place, dns_reverse_lookup_enabled: false }, { codecs: [plain] }),
    async (input: TestInput) => connect(await portOf(input, 'Starting tcp input listener'), '127.0.0.1'),
  ],
  [
    'syslog',
    () => inputFor(syslog, place, { codecs: [plain] }),
    async (input: TestInput) => connect(await portOf(input, 'Starting syslog tcp listener'), '127.0.0.1'),
  ],
  ['unix', undefined, undefined],
] as const)('%s reads nothing more while the queue is full', async (_, make, open) => {
  const path = join(await mkdtemp(join(tmpdir(), 'millrace-full-')), 'socket')
  const input = make?.() ?? inputFor(unix, { path }, { codecs: [plain] })
  const { sink, instance } = input
  let makeRoom: () => void = () => {}
  const room = new Promise<void>((resolve) => {
    makeRoom = resolve
  })
  let bytes = 0
  const full = (payloads: readonly Uint8Array[]) => {
    for (const payload of payloads) bytes += payload.length
    return room
  }
  sink.stream = () => ({ write: (chunk) => full([chunk]), end: () => undefined })
  sink.payloads = (payloads) => full(payloads)
  await instance.register?.()
  const running = instance.run(sink)
  const socket: Socket = open === undefined ? connect(path) : await open(input)
  await once(socket, 'connect')
  for (let i = 0; i < megabytes; i++) socket.write(megabyte)
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(bytes).toBeGreaterThan(0)
  expect(bytes).toBeLessThan(1 << 20)
  expect(socket.writableLength).toBeGreaterThan(megabytes * (1 << 19))
  socket.destroy()
  const stopping = instance.stop()
  makeRoom()
  await stopping
  await running
  await instance.close?.()
})
