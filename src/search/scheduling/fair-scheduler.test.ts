import { type AddressInfo, connect, createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { FairScheduler } from './fair-scheduler.ts'
import { NotReady } from './not-ready.ts'
import { finish, retryWork, type Steps } from './steps.ts'
import { countRounds } from './test-rounds.ts'

function busy(milliseconds: number): void {
  const until = performance.now() + milliseconds
  while (performance.now() < until);
}

function* work(name: string, steps: number, log: string[], each = 5): Steps<string> {
  for (let i = 0; i < steps; i++) {
    busy(each)
    log.push(name)
    yield
  }
  return name
}

const never = () => {}

describe('FairScheduler', () => {
  it('computes the same result in steps and in one go', async () => {
    expect(finish(work('a', 3, [], 0))).toBe('a')
    expect(await new FairScheduler().run(work('b', 3, [], 0), never)).toBe('b')
  })

  it('propagates NotReady from nested steps to the scheduler', async () => {
    let isThere = false
    const ready = new Promise<boolean>((resolve) => {
      setImmediate(() => {
        isThere = true
        resolve(true)
      })
    })
    function* inner(): Steps<string> {
      return yield* retryWork(() => {
        if (!isThere) throw new NotReady(ready, () => {})
        return 'there'
      })
    }
    const outer = () => retryWork(() => finish(inner()))
    expect(await new FairScheduler().runWithRetries(outer, never)).toBe('there')
  })

  it('lets short tasks overtake long ones that arrived earlier', async () => {
    const scheduler = new FairScheduler()
    const order: string[] = []
    const long = Array.from({ length: 5 }, (_, i) =>
      scheduler.run(work(`long${i}`, 20, [], 5), never, true).then((name) => order.push(name)),
    )
    await new Promise((resolve) => setImmediate(resolve))
    const short = scheduler.run(work('short', 1, [], 0), never).then((name) => order.push(name))
    await Promise.all([...long, short])
    expect(order[0]).toBe('short')
  })

  it('lets other tasks run between pieces that are short but many', async () => {
    const task = new FairScheduler().take()
    const rounds = countRounds()
    for (let piece = 0; piece < 20; piece++) {
      busy(1)
      await task.pause()
    }
    expect(rounds.stop()).toBeGreaterThan(3)
  })

  it('gives equal tasks equal shares', async () => {
    const scheduler = new FairScheduler()
    const log: string[] = []
    await Promise.all([scheduler.run(work('a', 6, log), never), scheduler.run(work('b', 6, log), never)])
    const half = log.slice(0, 6)
    expect(half.filter((name) => name === 'a').length).toBeGreaterThanOrEqual(2)
    expect(half.filter((name) => name === 'b').length).toBeGreaterThanOrEqual(2)
  })

  it('lets the event loop run between slices', async () => {
    const scheduler = new FairScheduler()
    let ticks = 0
    const timer = setInterval(() => (ticks += 1), 1)
    await scheduler.run(work('a', 20, []), never)
    clearInterval(timer)
    expect(ticks).toBeGreaterThan(3)
  })

  it('accepts many simultaneous connections before it continues', async () => {
    const scheduler = new FairScheduler()
    const log: string[] = []
    let taken = 0
    let slicesBefore = 0
    const server = createServer((socket) => {
      scheduler.requestArrived()
      taken += 1
      if (taken === 40) slicesBefore = log.length
      socket.destroy()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const clients = Array.from({ length: 40 }, () => connect(port, '127.0.0.1').on('error', never))
    await Promise.all(Array.from({ length: 4 }, () => scheduler.run(work('slice', 15, log), never)))
    for (const client of clients) client.destroy()
    server.close()
    expect(taken).toBe(40)
    expect(slicesBefore).toBeLessThan(20)
  })

  it('cancels a task that is no longer wanted, and lets it clean up', async () => {
    const scheduler = new FairScheduler()
    let cleaned = false
    function* endless(): Steps<void> {
      try {
        for (;;) {
          busy(1)
          yield
        }
      } finally {
        cleaned = true
      }
    }
    let wanted = true
    setTimeout(() => {
      wanted = false
    }, 20)
    await expect(
      scheduler.run(endless(), () => {
        if (!wanted) throw new Error('cancelled')
      }),
    ).rejects.toThrow('cancelled')
    expect(cleaned).toBe(true)
  })
})
