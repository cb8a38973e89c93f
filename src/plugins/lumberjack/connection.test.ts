import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { recordingLogger } from '../../plugin/testing.ts'
import { LumberjackConnection } from './connection.ts'
import { jsonFrame, LumberjackClient, windowFrame, windowOf } from './test-client.ts'

const cleanups: (() => void)[] = []
afterEach(() => {
  for (const clean of cleanups.splice(0).reverse()) clean()
})

async function serving(accept: (batch: Uint8Array[]) => void | Promise<void>) {
  const logger = recordingLogger()
  const server = createServer((socket) => {
    const connection = new LumberjackConnection(socket, {
      accept,
      inactivitySeconds: 60,
      keepAliveMilliseconds: 20,
      logger,
    })
    cleanups.push(() => connection.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => server.close())
  const sender = await LumberjackClient.connect((server.address() as AddressInfo).port)
  cleanups.push(() => sender.close())
  return { sender, logger }
}

describe('a connection', () => {
  it('acknowledges only what was accepted, and says meanwhile that it is alive', async () => {
    let open: () => void = () => {}
    const opened = new Promise<void>((resolve) => {
      open = resolve
    })
    const { sender } = await serving(() => opened)
    sender.send(windowOf([{ message: 'm' }]))
    expect(await sender.ack()).toBe('2A0')
    expect(await sender.ack()).toBe('2A0')
    open()
    let last = await sender.ack()
    while (last === '2A0') last = await sender.ack()
    expect(last).toBe('2A1')
  })

  it('hands a window over as one batch', async () => {
    const batches: number[] = []
    const { sender } = await serving((batch) => {
      batches.push(batch.length)
    })
    sender.send(windowFrame(3), jsonFrame(1, {}))
    sender.send(jsonFrame(2, {}), jsonFrame(3, {}))
    expect(await sender.ack()).toBe('2A3')
    expect(batches).toEqual([3])
  })

  it('hands over what it has when a new window begins before the last one was full', async () => {
    const batches: number[] = []
    const { sender } = await serving((batch) => {
      batches.push(batch.length)
    })
    sender.send(windowFrame(5), jsonFrame(1, {}), jsonFrame(2, {}), windowFrame(1), jsonFrame(1, {}))
    expect(await sender.ack()).toBe('2A2')
    expect(await sender.ack()).toBe('2A1')
    expect(batches).toEqual([2, 1])
  })

  it('takes the largest window without room for it', async () => {
    let count = 0
    const { sender } = await serving((batch) => {
      count += batch.length
    })
    const frames = Array.from({ length: 10_001 }, (_, i) => jsonFrame(i + 1, {}))
    sender.send(windowFrame(2 ** 32 - 1), ...frames)
    for (let i = 0; i < 500 && count === 0; i++) await new Promise((resolve) => setTimeout(resolve, 10))
    expect(count).toBe(10_000)
  })

  it('is closed when its events are refused', async () => {
    const { sender, logger } = await serving(() => Promise.reject(new Error('no room')))
    sender.send(windowOf([{}]))
    expect(await sender.ack()).toBe('closed')
    expect(logger.lines).toMatchObject([{ level: 'error', fields: { message: 'no room' } }])
  })
})
