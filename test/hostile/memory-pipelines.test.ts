/** Several pipelines whose outputs take nothing: what they hold is bounded together, not only each for itself. */
import { createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort, type Json, Millrace } from '../support/millrace.ts'
import { open } from '../support/tcp.ts'

const mb = 1024 * 1024
const limit = 200 * mb
const pipelines = 4

let millrace: Millrace
let receiver: Server
const sockets: Socket[] = []

beforeAll(async () => {
  const dead = await freePort()
  receiver = createServer((socket) => socket.pause().on('error', () => {})).listen(dead, '127.0.0.1')
  const ports = await Promise.all(Array.from({ length: pipelines }, () => freePort()))
  const config = (port: number) =>
    `input { tcp { host => "127.0.0.1" port => ${port} } } output { tcp { host => "127.0.0.1" port => ${dead} } }`
  millrace = await Millrace.start({
    pipelines: ports.map((port, n) => `- pipeline.id: p${n}\n  config.string: '${config(port)}'\n`).join(''),
    args: ['--memory.limit', '200mb'],
    api: true,
  })
  await millrace.untilStarted(60_000)
  for (const port of ports) sockets.push(await open(port))
}, 120_000)

afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await millrace?.dispose()
  receiver?.close()
})

async function held(): Promise<Record<string, number>> {
  const { process } = (await millrace.api('/_node/stats/process')) as { process: { mem: Json } }
  return process.mem['held_in_bytes'] as Record<string, number>
}

it('keeps queues and batches of all pipelines within their share, and says so', async () => {
  const line = `${'x'.repeat(mb)}\n`
  for (const socket of sockets) for (let n = 0; n < 40; n++) socket.write(line)
  let before = -1
  // Until nothing more is taken.
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 1500))
    const { queues = 0, batches = 0 } = await held()
    if (queues + batches > 0 && queues + batches === before) break
    before = queues + batches
  }
  // Each pipeline may have gone over it by the chunk that it was just given.
  expect(before).toBeGreaterThan(0.1 * limit)
  expect(before).toBeLessThan(0.15 * limit + pipelines * 2 * mb)
}, 120_000)
