/**
 * One generation of a pipeline at its edges: workers that are still starting when it ends, inputs that wait
 * for room when it fails.
 */
import { describe, expect, it } from 'vitest'
import { Event } from '../../src/event/event.ts'
import type { Frame } from '../../src/pipeline/frames/frame.ts'
import {
  Generation,
  type GivenUpRecord,
  type LostWorker,
  type RemoteWorker,
} from '../../src/pipeline/run/generation.ts'
import { WorkerLost } from '../../src/pipeline/run/worker-slot.ts'
import { OutputUnusable } from '../../src/plugin/dead-letter.ts'
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
    abort: () => {},
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

  it('gets a further worker for events, and none because the machine is busy', async () => {
    const busyFor = (millis: number) => {
      for (const until = performance.now() + millis; performance.now() < until; );
    }
    const { generation, startedWorkers } = await open('mutate { }', () => undefined)
    await new Promise((resolve) => setTimeout(resolve, 20))
    generation.growIfPressed()
    busyFor(100)
    generation.growIfPressed()
    expect(startedWorkers()).toBe(0)
    await generation.accept(frameOf(events(1)))
    await generation.drained()
    busyFor(100)
    generation.growIfPressed()
    expect(startedWorkers()).toBe(0)
    for (let batch = 0; batch < 3; batch++) await generation.accept(frameOf(events(limits.batchSize)))
    busyFor(100)
    generation.growIfPressed()
    expect(startedWorkers()).toBe(1)
    await generation.drained()
    await generation.close()
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
    for (let round = 0; round < 100; round++) {
      for (const batch of underWay) batch.arrive()
      await turn()
    }
    await generation.drained()
    await generation.close()
  })

  it('give the events up when their delivery fails, and go on', async () => {
    const { generation, push, settled, failures } = await start('joining { id => "out" }', false)
    await push(0)
    await turn()
    underWay[0]!.fail(new Error('broken'))
    await turn()
    expect(failures).toEqual([])
    expect(settled).toEqual([0])
    await push(1)
    await turn()
    underWay[1]!.arrive()
    await generation.drained()
    expect(settled).toEqual([0, 1])
  })

  it('fail the pipeline when no event at all can be delivered', async () => {
    const { push, settled, failures } = await start('joining { }', false)
    await push(0)
    await turn()
    const broken = new OutputUnusable('there is no such store')
    underWay[0]!.fail(broken)
    await turn()
    expect(failures).toEqual([broken])
    expect(settled).toEqual([])
  })
})

describe('a worker that dies of some records', () => {
  const lineFrame = (lines: string[], settled: string[]): Frame => {
    const bytes = Buffer.from(lines.join('\n'))
    let end = -1
    const ends = Uint32Array.from(lines, (line) => (end += 1 + line.length))
    const ticket = { remaining: lines.length, done: () => settled.push(lines[0]!) }
    return { ...frameOf([]), bytes, ends, gap: 1, to: lines.length, events: null, ticket }
  }
  const textsOf = (frames: readonly Frame[]) =>
    frames.flatMap(({ bytes, ends, from, to }) =>
      Array.from({ length: to - from }, (_, n) => {
        const start = from + n === 0 ? 0 : ends![from + n - 1]! + 1
        return Buffer.from(bytes!.subarray(start, ends![from + n])).toString()
      }),
    )

  it('gets its batches again, and gives up exactly those records', async () => {
    const env = await environmentOf('input { given { } } filter { mutate { } } output { record { } }')
    const done: string[] = []
    const lost: LostWorker[] = []
    const gaveUp: GivenUpRecord[] = []
    const settled: string[] = []
    /** Dies of what contains an x, with everything it has. */
    const mortal = (): RemoteWorker => {
      const running: ((error: Error) => void)[] = []
      let isDead = false
      const worker: RemoteWorker = {
        ready: Promise.resolve(),
        onLost: () => {},
        abort: () => {},
        async run(frames) {
          const texts = textsOf(frames)
          await new Promise<void>((resolve, reject) => {
            if (isDead) return reject(new WorkerLost(new Error('dead')))
            running.push(reject)
            setImmediate(() => {
              if (isDead) return
              if (!texts.some((text) => text.includes('x'))) return resolve()
              isDead = true
              worker.onLost(new Error('killed'))
              for (const fail of running) fail(new WorkerLost(new Error('killed')))
            })
          })
          done.push(...texts)
        },
        flush: async () => {},
        close: async () => {},
      }
      return worker
    }
    const generation = new Generation(
      env,
      { ...limits, batchSize: 4 },
      {
        crashed: (error) => {
          throw error
        },
        startWorker: mortal,
        workerLost: (worker) => lost.push(worker),
        gaveUp: (record) => gaveUp.push(record),
      },
    )
    // Worker 0 is busy: everything but its first batch is for the other one.
    let release: (() => void) | undefined
    generation.execution.run = () =>
      new Promise((resolve) => {
        release = resolve
      })
    const lines = ['a', 'b', 'x1', 'c', 'd', 'e', 'f', 'g', 'h', 'x2', 'i', 'x3']
    void generation.accept(lineFrame(['0', '1', '2', '3'], settled))
    while (release === undefined) await new Promise((resolve) => setImmediate(resolve))
    for (let at = 0; at < lines.length; at += 4)
      void generation.accept(lineFrame(lines.slice(at, at + 4), settled))
    generation.growIfPressed()
    const drained = generation.drained()
    while (gaveUp.length < 3 || settled.length < 3) await new Promise((resolve) => setImmediate(resolve))
    release()
    await drained
    expect(done.toSorted()).toEqual(lines.filter((line) => !line.includes('x')).toSorted())
    expect(gaveUp.map(({ bytes, error }) => [bytes, error.message])).toEqual(gaveUp.map(() => [2, 'killed']))
    // Once with the others, then alone, then each record that ends a worker.
    expect(lost).toHaveLength(1 + 2 + 3)
    expect(settled.toSorted()).toEqual(['0', 'a', 'd', 'h'])
    expect(generation.hasFailed).toBe(false)
    await generation.close()
  })
})
