/** Delivery between pipelines over real ports, with broker and members in one thread. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { BusReceive } from '../../plugin/define.ts'
import { BusBroker, type BusMember } from './bus-broker.ts'
import { ThreadBus } from './bus-client.ts'

const members: ThreadBus[] = []
afterEach(() => {
  for (const bus of members.splice(0)) bus.close()
})

function pipelines(count: number): ThreadBus[] {
  const broker = new BusBroker()
  return Array.from({ length: count }, () => {
    const member: BusMember = { post: (message) => queueMicrotask(() => bus.receive(message)) }
    const bus = new ThreadBus((request) => queueMicrotask(() => broker.receive(request, member)))
    members.push(bus)
    return bus
  })
}

/** Takes everything, and calls it safe when the test says so. */
function holding() {
  const received: string[] = []
  const dones: (() => void)[] = []
  const receive: BusReceive = (bytes, _count, done) => {
    received.push(Buffer.from(bytes).toString())
    dones.push(done)
  }
  return { received, dones, receive }
}

const text = (value: string) => Buffer.from(value)

describe('delivery between pipelines', () => {
  it('is confirmed when the events are safe, several at a time and in order', async () => {
    const [a, b] = pipelines(2) as [ThreadBus, ThreadBus]
    const { received, dones, receive } = holding()
    await b.listen('b', receive)
    const sender = a.sender('b')
    const outcomes: string[] = []
    const sends = ['1', '2', '3'].map(async (value) => {
      outcomes.push(`${value} ${await sender.send(text(value), 1)}`)
    })
    await vi.waitFor(() => expect(received).toEqual(['1', '2', '3']))
    expect(outcomes).toEqual([])
    dones[1]!()
    await sends[1]
    expect(outcomes).toEqual(['2 true'])
    dones[0]!()
    dones[2]!()
    await Promise.all(sends)
    expect(outcomes.slice(1).sort()).toEqual(['1 true', '3 true'])
  })

  it('fails when nobody listens, and when the receiver takes nothing more', async () => {
    const [a, b] = pipelines(2) as [ThreadBus, ThreadBus]
    expect(await a.sender('b').send(text('x'), 1)).toBe(false)
    await b.listen('b', () => Promise.reject(new Error('failed')))
    expect(await a.sender('b').send(text('x'), 1)).toBe(false)
  })

  it('is confirmed for what becomes safe while the receiver closes; the rest fails', async () => {
    const [a, b] = pipelines(2) as [ThreadBus, ThreadBus]
    const { received, dones, receive } = holding()
    const listener = await b.listen('b', receive)
    const sender = a.sender('b')
    const sends = ['1', '2'].map((value) => sender.send(text(value), 1))
    await vi.waitFor(() => expect(received).toHaveLength(2))
    const closing = listener.close(100)
    const late = sender.send(text('late'), 1)
    dones[0]!()
    expect(await sends[0]).toBe(true)
    await closing
    expect([await sends[1], await late]).toEqual([false, false])
    expect(received).toEqual(['1', '2'])
    expect(await a.sender('b').send(text('gone'), 1)).toBe(false)
  })

  it('closes at once when nothing is under way', async () => {
    const [a, b] = pipelines(2) as [ThreadBus, ThreadBus]
    const { dones, received, receive } = holding()
    const listener = await b.listen('b', receive)
    const sent = a.sender('b').send(text('x'), 1)
    await vi.waitFor(() => expect(received).toHaveLength(1))
    dones[0]!()
    await sent
    await listener.close(600_000)
  })

  it('reaches a listener that came back', async () => {
    const [a, b] = pipelines(2) as [ThreadBus, ThreadBus]
    const first = holding()
    const listener = await b.listen('b', first.receive)
    const sender = a.sender('b')
    const lost = sender.send(text('1'), 1)
    await vi.waitFor(() => expect(first.received).toHaveLength(1))
    await listener.close()
    expect(await lost).toBe(false)
    const second = holding()
    await b.listen('b', second.receive)
    const sent = sender.send(text('1'), 1)
    await vi.waitFor(() => expect(second.received).toEqual(['1']))
    second.dones[0]!()
    expect(await sent).toBe(true)
  })
})

describe('pipelines that send to each other in a circle', () => {
  it('confirm what they have room for, also what came before the circle was closed', async () => {
    const [a, b] = pipelines(2) as [ThreadBus, ThreadBus]
    const atA = holding()
    const atB = holding()
    await a.listen('a', atA.receive)
    await b.listen('b', atB.receive)
    let isSafe: boolean | undefined
    const first = a
      .sender('b')
      .send(text('1'), 1)
      .then((given) => {
        isSafe = given
      })
    await vi.waitFor(() => expect(atB.received).toEqual(['1']))
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(isSafe).toBeUndefined()
    const back = b.sender('a')
    expect(await back.send(text('2'), 1)).toBe(true)
    await first
    expect(isSafe).toBe(true)
  })

  it('wait for events to be safe again when the circle is open', async () => {
    const [a, b] = pipelines(2) as [ThreadBus, ThreadBus]
    const atB = holding()
    await a.listen('a', holding().receive)
    await b.listen('b', atB.receive)
    const back = b.sender('a')
    const forth = a.sender('b')
    expect(await Promise.all([back.send(text('2'), 1), forth.send(text('1'), 1)])).toEqual([true, true])
    await back.close()
    await new Promise((resolve) => setTimeout(resolve, 50))
    let isSafe = false
    void forth.send(text('3'), 1).then(() => {
      isSafe = true
    })
    await vi.waitFor(() => expect(atB.received).toEqual(['1', '3']))
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(isSafe).toBe(false)
  })

  it('wait for events to be safe where one keeps them on disk', async () => {
    const [a, b] = pipelines(2) as [ThreadBus, ThreadBus]
    const atA = holding()
    const atB = holding()
    await a.listen('a', atA.receive, { isPersisted: true })
    await b.listen('b', atB.receive)
    const settled: string[] = []
    void a
      .sender('b')
      .send(text('1'), 1)
      .then(() => settled.push('b'))
    void b
      .sender('a')
      .send(text('2'), 1)
      .then(() => settled.push('a'))
    await vi.waitFor(() => expect([...atA.received, ...atB.received]).toEqual(['2', '1']))
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(settled).toEqual([])
    for (const done of [...atA.dones, ...atB.dones]) done()
    await vi.waitFor(() => expect(settled.sort()).toEqual(['a', 'b']))
  })

  it('do not wait for each other when the process ends', async () => {
    const [a, b] = pipelines(2) as [ThreadBus, ThreadBus]
    const listeners = [await a.listen('a', holding().receive), await b.listen('b', holding().receive)]
    await Promise.all([b.sender('a').send(text('2'), 1), a.sender('b').send(text('1'), 1)])
    a.prepareToEnd()
    b.prepareToEnd()
    await Promise.all(listeners.map((listener) => listener.drained()))
  })
})
