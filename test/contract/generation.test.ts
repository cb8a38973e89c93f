/**
 * One generation of a pipeline at its edges: workers that are still starting when it ends, inputs that wait
 * for room when it fails.
 */
import { describe, expect, it } from 'vitest'
import { Event } from '../../src/event/event.ts'
import { Generation, type RemoteWorker } from '../../src/pipeline/generation.ts'
import { environmentOf, frameOf, underWay } from '../support/in-process.ts'

const limits = { batchSize: 2, workers: 2, inflight: 1, queueBytes: 1 << 20 }

function events(count: number): Event[] {
  return Array.from({ length: count }, (_, n) => Event.from({ n }))
}

const unheard = { workerLost: () => {}, gaveUp: () => {} }

/** A worker thread that never comes up: it ends when it is closed. */
function startingWorker(): RemoteWorker {
  let fail: (error: Error) => void = () => {}
  const ready = new Promise<void>((_, reject) => {
    fail = reject
  })
  return {
    ready,
    onLost: () => {},
    run: () => Promise.reject(new Error('not started')),
    flush: () => Promise.reject(new Error('not started')),
    close: async () => fail(new Error('a worker thread ended')),
  }
}

async function open(filters: string, crashed: (error: Error) => void) {
  const env = await environmentOf(`input { given { } } filter { ${filters} } output { record { } }`)
  let workers = 0
  const generation = new Generation(env, limits, {
    ...unheard,
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

describe('outputs that take batches while earlier ones are on their way', () => {
  const turn = () => new Promise((resolve) => setImmediate(resolve))

  async function start(outputs: string, ordered: boolean, filters = 'mutate { }') {
    underWay.length = 0
    const failures: Error[] = []
    const env = await environmentOf(`input { given { } } filter { ${filters} } output { ${outputs} }`)
    const generation = new Generation(
      { ...env, ordered },
      { ...limits, batchSize: 1 },
      {
        ...unheard,
        crashed: (error) => failures.push(error),
        startWorker: startingWorker,
      },
    )
    const settled: number[] = []
    const push = (n: number) =>
      generation.accept({
        ...frameOf([Event.from({ n })]),
        ticket: { remaining: 1, done: () => settled.push(n) },
      })
    return { generation, push, settled, failures }
  }

  it.each([true, false])(
    'get them in order, and each is settled when it is delivered (ordered: %s)',
    async (ordered) => {
      const { generation, push, settled } = await start('joining { }', ordered)
      for (let n = 0; n < 5; n++) await push(n)
      await turn()
      expect(underWay.map(({ events: batch }) => batch[0]!.get('n'))).toEqual([0, 1, 2, 3, 4])
      expect(settled).toEqual([])
      underWay[1]!.arrive()
      await turn()
      expect(settled).toEqual([1])
      for (const batch of underWay) batch.arrive()
      await generation.drained()
      expect(settled.toSorted()).toEqual([0, 1, 2, 3, 4])
      await generation.close()
    },
  )

  it('get a bounded number of them', async () => {
    const { generation, push } = await start('joining { }', true)
    for (let n = 0; n < 200; n++) void push(n)
    for (let round = 0; round < 10; round++) await turn()
    expect(underWay).toHaveLength(64)
    for (let round = 0; round < 100; round++) {
      for (const batch of underWay) batch.arrive()
      await turn()
    }
    expect(underWay.flatMap(({ events: batch }) => batch.map((event) => event.get('n')))).toEqual(
      Array.from({ length: 200 }, (_, n) => n),
    )
    await generation.drained()
    await generation.close()
  })

  it('get one at a time where order is asked for and filters may change it', async () => {
    const { generation, push } = await start('joining { }', true, 'clone { clones => ["c"] }')
    for (let n = 0; n < 3; n++) void push(n)
    await turn()
    expect(underWay).toHaveLength(1)
    for (let n = 0; n < 3; n++) {
      for (const batch of underWay) batch.arrive()
      await turn()
    }
    await generation.drained()
    await generation.close()
  })

  it('fail the pipeline when a delivery fails', async () => {
    const { push, settled, failures } = await start('joining { }', false)
    await push(0)
    await turn()
    const broken = new Error('broken')
    underWay[0]!.fail(broken)
    await turn()
    expect(failures).toEqual([broken])
    expect(settled).toEqual([])
  })
})
