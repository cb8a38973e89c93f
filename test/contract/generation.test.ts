/**
 * One generation of a pipeline at its edges: workers that are still starting when it ends, inputs that wait
 * for room when it fails.
 */
import { describe, expect, it } from 'vitest'
import { Event } from '../../src/event/event.ts'
import { Generation, type RemoteWorker } from '../../src/pipeline/generation.ts'
import { environmentOf, frameOf } from '../support/in-process.ts'

const limits = { batchSize: 2, workers: 2, inflight: 1, queueBytes: 1 << 20 }

function events(count: number): Event[] {
  return Array.from({ length: count }, (_, n) => Event.from({ n }))
}

/** A worker thread that never comes up: it ends when it is closed. */
function startingWorker(): RemoteWorker {
  let fail: (error: Error) => void = () => {}
  const ready = new Promise<void>((_, reject) => {
    fail = reject
  })
  return {
    ready,
    run: () => Promise.reject(new Error('not started')),
    flush: () => Promise.reject(new Error('not started')),
    close: async () => fail(new Error('a worker thread ended')),
  }
}

async function open(filters: string, crashed: (error: Error) => void) {
  const env = await environmentOf(`input { given { } } filter { ${filters} } output { record { } }`)
  let workers = 0
  const generation = new Generation(env, limits, {
    crashed,
    startWorker: () => {
      workers += 1
      return startingWorker()
    },
  })
  return { generation, startedWorkers: () => workers }
}

describe('a generation', () => {
  it('that ends while a worker is starting has not failed', async () => {
    const failures: Error[] = []
    const { generation, startedWorkers } = await open('sleep { time => "0.01" }', (error) =>
      failures.push(error),
    )
    const pushed = [1, 2, 3, 4].map(() => generation.accept(frameOf(events(4))))
    generation.growIfPressed()
    expect(startedWorkers()).toBe(1)
    await Promise.all(pushed)
    await generation.drained()
    await generation.flush(true)
    await generation.close()
    await new Promise((resolve) => setImmediate(resolve))
    expect(failures).toEqual([])
    expect(generation.hasFailed).toBe(false)
  })

  it('that fails refuses what waits and what comes', async () => {
    const failures: Error[] = []
    const { generation } = await open('sleep { time => "0" } mutate { }', (error) => failures.push(error))
    const broken = new Error('broken')
    generation.execution.run = () => Promise.reject(broken)
    const pushed = Array.from({ length: 6 }, () => Promise.resolve(generation.accept(frameOf(events(4)))))
    const settled = await Promise.allSettled(pushed)
    expect(settled.map(({ status }) => status)).toContain('rejected')
    expect(settled.at(-1)).toEqual({ status: 'rejected', reason: broken })
    await expect(generation.accept(frameOf(events(1)))).rejects.toBe(broken)
    expect(failures).toEqual([broken])
    await generation.drained()
  })
})
