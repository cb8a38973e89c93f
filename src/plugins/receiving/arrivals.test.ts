import { describe, expect, it } from 'vitest'
import { Arrivals } from './arrivals.ts'

const never = new AbortController().signal

describe('arrivals', () => {
  it('tells that something is safe when the pipeline says so, not when it has room', async () => {
    const arrivals = new Arrivals()
    let done: () => void = () => {}
    let isSafe: boolean | undefined
    const safe = arrivals.handOver((given) => {
      done = given
    })
    void safe.then((answer) => {
      isSafe = answer
    })
    await new Promise((resolve) => setImmediate(resolve))
    expect([isSafe, arrivals.size]).toEqual([undefined, 1])
    done()
    expect([await safe, arrivals.size]).toEqual([true, 0])
  })

  it('knows of what is safe at once', async () => {
    const arrivals = new Arrivals()
    expect(await arrivals.handOver((done) => done())).toBe(true)
    expect(arrivals.size).toBe(0)
  })

  it('rejects what the pipeline refuses, at once or later', async () => {
    const arrivals = new Arrivals()
    await expect(arrivals.handOver(() => Promise.reject(new Error('later')))).rejects.toThrow('later')
    const throwing = () => {
      throw new Error('at once')
    }
    await expect(arrivals.handOver(throwing)).rejects.toThrow('at once')
    expect(arrivals.size).toBe(0)
  })

  it('gives up on what is not safe in time, and on all that comes later', async () => {
    const arrivals = new Arrivals()
    const dones: (() => void)[] = []
    const push = (done: () => void) => void dones.push(done)
    const kept = arrivals.handOver(push)
    const lost = arrivals.handOver(push)
    const finishing = arrivals.finish(never, 50)
    dones[0]!()
    expect(await kept).toBe(true)
    await finishing
    expect(await lost).toBe(false)
    expect(await arrivals.handOver(push)).toBe(false)
    expect(dones).toHaveLength(2)
    dones[1]!()
  })

  it('does not wait when the pipeline has to stop now', async () => {
    const arrivals = new Arrivals()
    const lost = arrivals.handOver(() => {})
    await arrivals.finish(AbortSignal.abort(), 60_000)
    expect(await lost).toBe(false)
  })
})
