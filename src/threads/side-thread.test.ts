/** Threads for jobs of the store, with an entry file that dies when a job asks for it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SideThread } from './side-thread.ts'

interface Job {
  readonly name: string
  /** How many threads have to die of it before it succeeds. */
  readonly deaths: number
  /** Counts them. */
  readonly died: Int32Array
}

const entry = `
import { parentPort } from 'node:worker_threads'
parentPort.on('message', ({ number, job }) => {
  if (Atomics.add(job.died, 0, 1) < job.deaths) process.exit(1)
  parentPort.postMessage({ number, result: job.name, error: undefined })
})
`

describe('a thread for jobs', () => {
  let folder: string
  let thread: SideThread<Job>

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'millrace-side-'))
    await writeFile(join(folder, 'entry.mjs'), entry)
    thread = new SideThread<Job>(pathToFileURL(join(folder, 'entry.mjs')), 60_000)
  })

  afterAll(async () => {
    await thread.close()
    await rm(folder, { recursive: true })
  })

  const job = (name: string, deaths: number): Job => ({
    name,
    deaths,
    died: new Int32Array(new SharedArrayBuffer(4)),
  })

  it('that dies is replaced, and its jobs are done by the next one', async () => {
    const jobs = [job('a', 0), job('b', 2), job('c', 0)]
    expect(await Promise.all(jobs.map((one) => thread.run(one)))).toEqual(['a', 'b', 'c'])
    expect(jobs.map(({ died }) => died[0])).toEqual([1, 3, 1])
  })

  it('fails the job that it dies of every time, and that one alone', async () => {
    const lethal = job('lethal', Number.POSITIVE_INFINITY)
    const results = await Promise.allSettled([job('a', 0), lethal, job('c', 1)].map((one) => thread.run(one)))
    expect(results).toMatchObject([
      { status: 'fulfilled', value: 'a' },
      { status: 'rejected', reason: { message: expect.stringContaining('ended 3 times') } },
      { status: 'fulfilled', value: 'c' },
    ])
    expect(lethal.died[0]).toBe(3)
  })
})
