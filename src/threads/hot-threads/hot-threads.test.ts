import { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, it } from 'vitest'
import { observeThreads } from './hot-threads.ts'

const workers: Worker[] = []

afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.terminate()))
})

describe('observing threads', () => {
  it('shows stacks of this thread and counts its time on a processor', async () => {
    let spinning = true
    const spin = () => {
      const end = performance.now() + 5
      while (performance.now() < end);
      if (spinning) setImmediate(spin)
    }
    spin()
    const report = await observeThreads(300)
    spinning = false
    const own = report.threads.find(({ name }) => name === 'agent')
    expect(own?.isIdle).toBe(false)
    expect(own?.stacks.flat().some((frame) => frame.startsWith('spin ('))).toBe(true)
    expect(own?.cpuNanos).toBeGreaterThan(0)
    expect(own?.cpuNanos).toBeLessThanOrEqual(report.intervalNanos)
    expect(report.intervalNanos).toBeGreaterThanOrEqual(290e6)
  })

  it('can be repeated while threads come and go', async () => {
    for (let round = 0; round < 3; round++) {
      const worker = new Worker('for (;;) Math.random()', { eval: true })
      workers.push(worker)
      const observed = observeThreads(50)
      if (round > 0) void worker.terminate()
      const { threads } = await observed
      expect(threads.some(({ name }) => name === 'agent')).toBe(true)
    }
  })
})
