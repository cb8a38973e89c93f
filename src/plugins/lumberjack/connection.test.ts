import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { recordingLogger } from '../../plugin/testing.ts'
import { LumberjackConnection } from './connection.ts'
import { jsonFrame, LumberjackClient, windowFrame, windowOf } from './test-client.ts'

const cleanups: (() => void)[] = []
afterEach(() => {
  for (const clean of cleanups.splice(0).reverse()) clean()
})

async function serving(accept: (batch: Uint8Array[], done: () => void) => void | Promise<void>) {
  const logger = recordingLogger()
  const connections: LumberjackConnection[] = []
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const connection = new LumberjackConnection(socket, {
      accept,
      inactivitySeconds: 60,
      keepAliveMilliseconds: 20,
      logger,
    })
    connections.push(connection)
    cleanups.push(() => connection.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => server.close())
  const sender = await LumberjackClient.connect((server.address() as AddressInfo).port)
  cleanups.push(() => sender.close())
  return { sender, logger, connections }
}

/** The next acknowledgement of something. */
async function nextOf(sender: LumberjackClient): Promise<string> {
  let ack = await sender.ack()
  while (ack === '2A0') ack = await sender.ack()
  return ack
}

describe('a connection', () => {
  it('acknowledges only what is safe, and says meanwhile that it is alive', async () => {
    let safe: () => void = () => {}
    const { sender } = await serving((_, done) => {
      safe = done
    })
    sender.send(windowOf([{ message: 'm' }]))
    expect(await sender.ack()).toBe('2A0')
    expect(await sender.ack()).toBe('2A0')
    safe()
    expect(await nextOf(sender)).toBe('2A1')
  })

  it('reads further windows meanwhile and acknowledges them in their order', async () => {
    const dones: (() => void)[] = []
    const { sender } = await serving((_, done) => void dones.push(done))
    sender.send(windowOf([{}, {}, {}]), windowOf([{}]), windowOf([{}, {}]))
    await vi.waitFor(() => expect(dones).toHaveLength(3))
    dones[2]!()
    dones[1]!()
    expect(await sender.ack()).toBe('2A0')
    dones[0]!()
    expect([await nextOf(sender), await nextOf(sender), await nextOf(sender)]).toEqual(['2A3', '2A1', '2A2'])
  })

  it('acknowledges a window of several parts when all of them are safe', async () => {
    const dones: (() => void)[] = []
    const { sender } = await serving((_, done) => void dones.push(done))
    const frames = Array.from({ length: 10_001 }, (_, i) => jsonFrame(i + 1, {}))
    sender.send(windowFrame(10_001), ...frames)
    await vi.waitFor(() => expect(dones).toHaveLength(2))
    dones[1]!()
    expect(await sender.ack()).toBe('2A0')
    dones[0]!()
    expect(await nextOf(sender)).toBe('2A10001')
  })

  it('reads no more while many windows wait', async () => {
    const dones: (() => void)[] = []
    const { sender } = await serving((_, done) => void dones.push(done))
    sender.send(...Array.from({ length: 200 }, () => windowOf([{}])))
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(dones).toHaveLength(64)
    for (let i = 0; i < 200; i++) {
      await vi.waitFor(() => expect(dones.length).toBeGreaterThan(i))
      dones[i]!()
      expect(await nextOf(sender)).toBe('2A1')
    }
  })

  it('acknowledges what a sender sent that has closed its side', async () => {
    let safe: () => void = () => {}
    const { sender } = await serving((_, done) => {
      safe = done
    })
    sender.socket.end(windowOf([{}]))
    expect(await sender.ack()).toBe('2A0')
    safe()
    expect(await nextOf(sender)).toBe('2A1')
    expect(await sender.ack()).toBe('closed')
  })

  it('waits for windows that are under way when it is to finish, and takes no more', async () => {
    const dones: (() => void)[] = []
    const { sender, connections } = await serving((_, done) => void dones.push(done))
    sender.send(windowOf([{}]))
    await vi.waitFor(() => expect(dones).toHaveLength(1))
    const finished = connections[0]!.finish()
    sender.send(windowOf([{}, {}]))
    expect(await sender.ack()).toBe('2A0')
    dones[0]!()
    await finished
    expect(await nextOf(sender)).toBe('2A1')
    expect(await sender.ack()).toBe('closed')
    expect(dones).toHaveLength(1)
  })

  it('ends without an acknowledgement when it is destroyed', async () => {
    const { sender, connections } = await serving(() => {})
    sender.send(windowOf([{}]))
    expect(await sender.ack()).toBe('2A0')
    connections[0]!.destroy()
    await connections[0]!.ended
    expect(await nextOf(sender)).toBe('closed')
  })

  it('hands a window over as one batch', async () => {
    const batches: number[] = []
    const { sender } = await serving((batch, done) => {
      batches.push(batch.length)
      done()
    })
    sender.send(windowFrame(3), jsonFrame(1, {}))
    sender.send(jsonFrame(2, {}), jsonFrame(3, {}))
    expect(await sender.ack()).toBe('2A3')
    expect(batches).toEqual([3])
  })

  it('hands over what it has when a new window begins before the last one was full', async () => {
    const batches: number[] = []
    const { sender } = await serving((batch, done) => {
      batches.push(batch.length)
      done()
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
