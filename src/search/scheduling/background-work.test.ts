import { expect, test } from 'vitest'
import { MemoryFiles } from '../../storage/memory-files.ts'
import { readNumbers, readTexts, type Section } from '../segment/encoding/sections.ts'
import { FileSections, writeSegmentFile } from '../segment/segment-file.ts'
import { ownedArrays, runSegmentTask, type SegmentTask } from '../segment/segment-task.ts'
import { BufferedSegment } from '../segment/writer/buffered-segment.ts'
import { SegmentBuilder } from '../segment/writer/segment-builder.ts'
import { backgroundWork } from './background-work.ts'
import { FairScheduler } from './fair-scheduler.ts'
import type { Steps } from './steps.ts'

const numbers = Float64Array.from({ length: 50_000 }, (_, i) => Math.sin(i))
const words = Array.from({ length: 20_000 }, (_, i) => `${(i * 7919) % 20_000}`.padStart(12, 'x'))
const texts = {
  bytes: new Uint8Array(Buffer.from(words.join(''))),
  ends: Uint32Array.from(words, (_, i) => (i + 1) * 12),
}

function segment(): { files: MemoryFiles; sections: FileSections } {
  const files = new MemoryFiles()
  writeSegmentFile(files, 'one.seg', [
    ['numbers', numbers],
    ['texts', texts as Section],
    ['raw', numbers],
  ])
  return { files, sections: new FileSections(files, 'one.seg') }
}

/** Runs jobs when the given promise resolves, as another thread would. */
async function withRunner<Result>(
  runner: (job: SegmentTask) => Promise<unknown>,
  work: () => Promise<Result>,
): Promise<Result> {
  backgroundWork.use((job) => runner(job as SegmentTask))
  try {
    return await work()
  } finally {
    backgroundWork.use(undefined)
  }
}

function* reading(
  sections: FileSections,
  begun: () => void,
  asks = () => {},
): Steps<readonly [number, number]> {
  begun()
  yield
  asks()
  const read = readNumbers(sections, 'numbers')
  yield
  asks()
  return [read.at(-1)!, readTexts(sections, 'texts').ends.length]
}

const through = (files: MemoryFiles, jobs: SegmentTask[]) => async (job: SegmentTask) => {
  jobs.push(job)
  await new Promise((resolve) => setImmediate(resolve))
  const { result, buffers } = ownedArrays(runSegmentTask(files, job))
  return structuredClone(result, { transfer: buffers })
}

const stillWanted = () => {}

test('hands long work to another thread once for all who ask, and restarts them', async () => {
  const { files, sections } = segment()
  const jobs: SegmentTask[] = []
  let begun = 0
  let asked = 0
  const scheduler = new FairScheduler()
  const search = () =>
    reading(
      sections,
      () => (begun += 1),
      () => (asked += 1),
    )
  const run = () => scheduler.runWithRetries(search, stillWanted)
  const runJob = through(files, jobs)
  // Each job ends only when both searches wait for it: after two questions, and after two more from each of them.
  const runner = async (job: SegmentTask) => {
    const wanted = jobs.length === 0 ? 2 : 6
    const answer = await runJob(job)
    while (asked < wanted) await new Promise((resolve) => setImmediate(resolve))
    return answer
  }
  const answers = await withRunner(runner, () => Promise.all([run(), run()]))
  expect(answers).toEqual([
    [numbers.at(-1), words.length],
    [numbers.at(-1), words.length],
  ])
  expect(jobs.map(({ kind }) => kind)).toEqual(['section', 'section'])
  // One start for each of two searches, and one restart for each of two sections.
  expect(begun).toBe(6)
})

test('hands over sections that are small on disk and large in memory', async () => {
  const files = new MemoryFiles()
  const count = 100_000
  const alike = {
    bytes: new Uint8Array(count).fill(97),
    ends: Uint32Array.from({ length: count }, (_, i) => i + 1),
  }
  writeSegmentFile(files, 'one.seg', [['alike', alike as Section]])
  const sections = new FileSections(files, 'one.seg')
  const jobs: SegmentTask[] = []
  function* counting(): Steps<number> {
    yield
    return readTexts(sections, 'alike').ends.length
  }
  const answer = await withRunner(through(files, jobs), () =>
    new FairScheduler().runWithRetries(counting, stillWanted),
  )
  expect(answer).toBe(count)
  expect(jobs).toEqual([{ kind: 'section', path: 'one.seg', name: 'alike' }])
  expect(files.read('one.seg').length).toBeLessThan(32 * 1024)
})

test('hands over ordinals, which come back in the narrowest array', async () => {
  const files = new MemoryFiles()
  const ordinals = Uint32Array.from({ length: 200_000 }, (_, i) => (i * 31) % 1000)
  writeSegmentFile(files, 'one.seg', [['ordinals', ordinals]])
  const sections = new FileSections(files, 'one.seg')
  const jobs: SegmentTask[] = []
  function* opening(): Steps<unknown> {
    yield
    return sections.readOrdinals('ordinals', 999)
  }
  const answer = await withRunner(through(files, jobs), () =>
    new FairScheduler().runWithRetries(opening, stillWanted),
  )
  expect(answer).toEqual(Uint16Array.from(ordinals))
  expect(jobs).toEqual([{ kind: 'ordinals', path: 'one.seg', name: 'ordinals', max: 999 }])
})

test('decodes small sections in place until the budget of the step is spent', async () => {
  const files = new MemoryFiles()
  const few = Float64Array.from({ length: 2000 }, (_, i) => Math.sin(i))
  const names = ['a', 'b', 'c', 'd', 'e']
  writeSegmentFile(
    files,
    'one.seg',
    names.map((name, at) => [name, few.map((number) => number + at)] as [string, Section]),
  )
  const sections = new FileSections(files, 'one.seg')
  const together: SegmentTask[] = []
  function* inOneStep(): Steps<number> {
    return names.reduce((sum, name) => sum + readNumbers(sections, name).length, 0)
  }
  const counted = await withRunner(through(files, together), () =>
    new FairScheduler().runWithRetries(inOneStep, stillWanted),
  )
  expect(counted).toBe(names.length * few.length)
  expect(together.map((job) => (job.kind === 'section' ? job.name : job.kind))).toEqual(['b', 'c', 'd', 'e'])

  const apart: SegmentTask[] = []
  function* inFive(): Steps<number> {
    let count = 0
    for (const name of names) {
      count += readNumbers(sections, name).length
      yield
    }
    return count
  }
  await withRunner(through(files, apart), () => new FairScheduler().runWithRetries(inFive, stillWanted))
  expect(apart).toEqual([])
})

test('falls back to the calling thread when the other thread fails', async () => {
  const { sections } = segment()
  const scheduler = new FairScheduler()
  const answer = await withRunner(
    () => Promise.reject(new Error('gone')),
    () => scheduler.runWithRetries(() => reading(sections, () => {}), stillWanted),
  )
  expect(answer).toEqual([numbers.at(-1), words.length])
})

test('stops waiting when the search is cancelled', async () => {
  const { sections } = segment()
  const scheduler = new FairScheduler()
  const ended = withRunner(
    () => new Promise(() => {}),
    () =>
      scheduler.runWithRetries(
        () => reading(sections, () => {}),
        () => {
          throw new Error('cancelled')
        },
      ),
  )
  await expect(ended).rejects.toThrow('cancelled')
})

test('does the work in place when the caller cannot wait', async () => {
  const { sections } = segment()
  const answer = await withRunner(
    () => Promise.reject(new Error('not to be asked')),
    () =>
      new FairScheduler().run(
        reading(sections, () => {}),
        stillWanted,
      ),
  )
  expect(answer).toEqual([numbers.at(-1), words.length])
})

test('does not return a section that fails its checksum', () => {
  const { files } = segment()
  const bytes = files.read('one.seg').slice()
  bytes[100]! ^= 1
  files.write('one.seg', [bytes])
  expect(() => runSegmentTask(files, { kind: 'section', path: 'one.seg', name: 'numbers' })).toThrow(
    'damaged',
  )
})

test('builds fields of buffered documents in the other thread, unless that is quick', async () => {
  const builder = new SegmentBuilder('s')
  const add = (n: number) =>
    builder.add({
      id: `id${n}`,
      routing: undefined,
      source: Buffer.from('{}'),
      seqNo: n,
      version: 1,
      primaryTerm: 1,
      fields: new Map([
        ['tag', { spec: { index: 'docs', norms: false, ordinals: true }, terms: [`t${n % 700}`] }],
        ['n', { spec: { index: null, norms: false, ordinals: false }, numbers: [n] }],
      ]),
      nested: [],
    })
  for (let n = 0; n < 5000; n++) add(n)
  const live = new BufferedSegment('l', builder, { from: 100, to: 5000 })
  const small = new BufferedSegment('l', builder, { from: 0, to: 100 })
  // More documents arrive while a search reads the first ones.
  for (let n = 5000; n < 6000; n++) add(n)
  const jobs: SegmentTask[] = []
  function* looking(): Steps<unknown> {
    const ofSmall = small.fields.get('tag')!.docCount
    yield
    const tag = live.fields.get('tag')!
    yield
    return [
      ofSmall,
      tag.terms!.size,
      tag.ordinals!.values.length,
      live.fields.get('n')!.numbers!.values.at(-1),
    ]
  }
  const answer = await withRunner(through(new MemoryFiles(), jobs), () =>
    new FairScheduler().runWithRetries(looking, stillWanted),
  )
  expect(answer).toEqual([100, 700, 4900, 4999])
  expect(jobs.map((job) => (job.kind === 'field' ? job.rows.name : job.kind))).toEqual(['tag', 'n'])
  const alone = new BufferedSegment('l', builder, { from: 100, to: 5000 })
  expect(live.fields.get('tag')!.entry).toEqual(alone.fields.get('tag')!.entry)
  expect(live.fields.get('tag')!.ordinals).toEqual(alone.fields.get('tag')!.ordinals)
})
