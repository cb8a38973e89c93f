import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { MemoryFiles } from '../../storage/memory-files.ts'
import { SegmentReader } from '../segment/segment-reader.ts'
import { type JobRunner, runSegmentJob, type SegmentJob } from './segment-job.ts'
import { type ParsedFields, Shard } from './shard.ts'

const keyword = { index: 'docs', norms: false, ordinals: true } as const

const parse = (_id: string, source: Uint8Array): ParsedFields => {
  const { v } = JSON.parse(Buffer.from(source).toString()) as { v: string }
  return { fields: new Map([['v', { spec: keyword, terms: [v] }]]), nested: [] }
}

/** Creates the shard if it does not exist. */
function open(files: MemoryFiles, jobs?: JobRunner, keepsDeletions = false): Shard {
  const options = { files, directory: 'shard', index: 'i', shard: 0, parse, jobs, keepsDeletions }
  return files.exists('shard/MANIFEST') ? Shard.open(options) : Shard.create(options)
}

function put(shard: Shard, id: string, v: string): void {
  const source = Buffer.from(JSON.stringify({ v }))
  const version = (shard.state(id)?.version ?? 0) + 1
  const operation = {
    kind: 'index' as const,
    id,
    routing: undefined,
    seqNo: shard.nextSeqNo(),
    primaryTerm: 1,
    version,
    source,
  }
  shard.add(operation, parse(id, source))
}

function remove(shard: Shard, id: string): void {
  const version = (shard.state(id)?.version ?? 0) + 1
  const source = new Uint8Array(0)
  shard.delete({
    kind: 'delete',
    id,
    routing: undefined,
    seqNo: shard.nextSeqNo(),
    primaryTerm: 1,
    version,
    source,
  })
}

/** What a search sees: id and value of every live document. */
function visible(shard: Shard): Map<string, string> {
  const found = new Map<string, string>()
  for (const { segment, live } of shard.reader().leaves) {
    for (let doc = 0; doc < segment.docCount; doc++) {
      if (live !== null && !live.has(doc)) continue
      const field = segment.fields.get('v')!
      expect(found.has(segment.id(doc))).toBe(false)
      found.set(segment.id(doc), field.terms!.term(field.ordinals!.values[doc]! - 1))
    }
  }
  expect(shard.reader().liveCount).toBe(found.size)
  return found
}

describe('a shard', () => {
  it('shows documents after a refresh, and returns them by id before', () => {
    const shard = open(new MemoryFiles())
    put(shard, '1', 'a')
    expect(visible(shard).size).toBe(0)
    expect(Buffer.from(shard.get('1')!.source).toString()).toBe('{"v":"a"}')
    expect(shard.refresh()).toBe(true)
    expect(visible(shard)).toEqual(new Map([['1', 'a']]))
    expect(shard.refresh()).toBe(false)
  })

  it('replaces and deletes documents, also invisible ones', () => {
    const shard = open(new MemoryFiles())
    put(shard, '1', 'a')
    put(shard, '1', 'b')
    put(shard, '2', 'c')
    remove(shard, '2')
    expect(shard.get('2')).toBeUndefined()
    expect(shard.state('2')).toMatchObject({ version: 2, isDeleted: true })
    shard.refresh()
    expect(visible(shard)).toEqual(new Map([['1', 'b']]))
    put(shard, '1', 'd')
    expect(visible(shard)).toEqual(new Map([['1', 'b']]))
    shard.refresh()
    expect(visible(shard)).toEqual(new Map([['1', 'd']]))
    expect(shard.state('1')?.version).toBe(3)
  })

  it('keeps an open reader unchanged', () => {
    const shard = open(new MemoryFiles())
    put(shard, '1', 'a')
    shard.refresh()
    const before = shard.reader()
    remove(shard, '1')
    shard.refresh()
    expect(before.liveCount).toBe(1)
    expect(before.leaves[0]!.live).toBe(null)
    expect(shard.reader().liveCount).toBe(0)
  })

  /** Without a value the document is deleted. `moments` is how long the next change waits. */
  const change = fc.record({ id: fc.nat(12), v: fc.option(fc.nat(50)), moments: fc.nat(3) })

  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('put' as const), id: fc.nat(12), v: fc.nat(50) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), id: fc.nat(12) }) },
    fc.record({
      kind: fc.constant('change while flushing' as const),
      changes: fc.array(change, { maxLength: 6 }),
    }),
    fc.record({
      kind: fc.constantFrom(
        ...([
          'commit',
          'refresh',
          'flush',
          'begin',
          'end',
          'merge',
          'forcemerge',
          'restart',
          'crash',
        ] as const),
      ),
    }),
  )

  /** A job runner whose jobs wait until `goOn` is called; `held` collects those that wait. */
  class SlowWriter {
    #held: (() => void)[] = []
    #begun: (() => void)[] = []
    isSlow = false

    of(files: MemoryFiles) {
      return async (job: SegmentJob) => {
        runSegmentJob(files, job)
        if (!this.isSlow) return
        for (const begun of this.#begun.splice(0)) begun()
        await new Promise<void>((resolve) => void this.#held.push(resolve))
      }
    }

    begun(): Promise<void> {
      return new Promise((resolve) => void this.#begun.push(resolve))
    }

    goOn(): void {
      this.isSlow = false
      for (const resolve of this.#held.splice(0)) resolve()
    }
  }

  it('numbers deletions among the documents if it is asked to', async () => {
    const files = new MemoryFiles()
    let shard = open(files, undefined, true)
    put(shard, 'a', '1')
    remove(shard, 'a')
    remove(shard, 'never there')
    put(shard, 'b', '2')
    shard.refresh()
    const [leaf] = shard.reader().leaves
    expect([leaf!.segment.docCount, leaf!.live!.count, leaf!.segment.findId('b')]).toEqual([4, 1, 3])
    await shard.close()
    shard = open(files, undefined, true)
    expect(visible(shard)).toEqual(new Map([['b', '2']]))
    put(shard, 'a', '3')
    shard.refresh()
    await shard.merge(true)
    expect(visible(shard)).toEqual(
      new Map([
        ['a', '3'],
        ['b', '2'],
      ]),
    )
    expect(shard.stats.segments.map(({ deleted }) => deleted)).toEqual([0])
  })

  it('loses nothing it committed under random faults, and shows the last state of each document', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 60 }),
        fc.nat(7),
        fc.boolean(),
        async (steps, tail, keepsDeletions) => {
          let files = new MemoryFiles()
          let writer = new SlowWriter()
          let flushing: Promise<void> | undefined
          const openSlowly = () => open(files, writer.of(files), keepsDeletions)
          const endFlush = async () => {
            writer.goOn()
            await flushing
            flushing = undefined
          }
          let shard = openSlowly()
          let model = new Map<string, string>()
          let committed = new Map<string, string>()
          for (const one of steps) {
            if (one.kind === 'put' && 'v' in one) {
              put(shard, `${one.id}`, `${one.v}`)
              model.set(`${one.id}`, `${one.v}`)
            } else if (one.kind === 'remove' && 'id' in one) {
              remove(shard, `${one.id}`)
              model.delete(`${one.id}`)
            } else if (one.kind === 'commit') {
              await shard.commit()
              committed = new Map(model)
            } else if (one.kind === 'refresh') {
              shard.refresh()
              expect(visible(shard)).toEqual(model)
            } else if (one.kind === 'begin') {
              if (flushing !== undefined) continue
              writer.isSlow = true
              const begun = writer.begun()
              flushing = shard.flush()
              await Promise.race([begun, flushing])
              committed = new Map(model)
              expect(visible(shard)).toEqual(model)
            } else if (one.kind === 'end') {
              await endFlush()
            } else if (one.kind === 'change while flushing' && 'changes' in one) {
              await endFlush()
              const flushed = shard.flush()
              for (const { id, v, moments } of one.changes) {
                for (let i = 0; i < moments; i++) await Promise.resolve()
                if (v === null) {
                  remove(shard, `${id}`)
                  model.delete(`${id}`)
                } else {
                  put(shard, `${id}`, `${v}`)
                  model.set(`${id}`, `${v}`)
                }
              }
              await Promise.all([flushed, shard.commit()])
              committed = new Map(model)
            } else if (one.kind === 'flush') {
              await endFlush()
              await shard.flush()
              committed = new Map(model)
              expect(visible(shard)).toEqual(model)
            } else if (one.kind === 'merge' || one.kind === 'forcemerge') {
              await endFlush()
              await shard.merge(one.kind === 'forcemerge')
              expect(visible(shard)).toEqual(model)
              await shard.commit()
              committed = new Map(model)
            } else if (one.kind === 'restart') {
              await endFlush()
              await shard.close()
              committed = new Map(model)
              shard = openSlowly()
              expect(visible(shard)).toEqual(model)
            } else if (one.kind === 'crash') {
              files = files.crash((unsynced) => Math.min(unsynced, tail))
              // The job of the flush before writes to files that were replaced.
              writer.goOn()
              writer = new SlowWriter()
              flushing = undefined
              shard = openSlowly()
              expect(visible(shard)).toEqual(committed)
              model = new Map(committed)
            }
          }
          await endFlush()
          await shard.commit()
          shard.refresh()
          expect(visible(shard)).toEqual(model)
          const versions = (of: Shard) => [...model.keys()].map((id) => of.state(id)?.version)
          const after = open(files.crash())
          expect(visible(after)).toEqual(model)
          expect(versions(after)).toEqual(versions(shard))
        },
      ),
      { numRuns: 400 },
    )
  })

  it('cuts many new documents into short buffered segments', () => {
    const shard = open(new MemoryFiles())
    const model = new Map<string, string>()
    for (let i = 0; i < 20_000; i++) {
      put(shard, `${i % 19_000}`, `${i % 7}`)
      model.set(`${i % 19_000}`, `${i % 7}`)
    }
    remove(shard, '18999')
    model.delete('18999')
    shard.refresh()
    const { leaves } = shard.reader()
    expect(leaves.map(({ segment }) => segment.docCount)).toEqual([8192, 8192, 3616])
    expect(visible(shard)).toEqual(model)
  })

  it('joins the buffered segments that many refreshes leave', () => {
    const shard = open(new MemoryFiles())
    const model = new Map<string, string>()
    for (let i = 0; i < 100; i++) {
      put(shard, `${i % 40}`, `${i}`)
      model.set(`${i % 40}`, `${i}`)
      shard.refresh()
    }
    expect(shard.stats.segments.length).toBeLessThan(24)
    expect(visible(shard)).toEqual(model)
  })

  it('loses no acknowledged operation during a flush', async () => {
    const files = new MemoryFiles()
    const shard = open(files)
    put(shard, 'early', '1')
    const flushing = shard.flush()
    put(shard, 'meanwhile', '2')
    const committed = shard.commit()
    put(shard, 'later', '3')
    await Promise.all([flushing, committed, shard.commit()])
    put(shard, 'last', '4')
    await shard.commit()
    const after = open(files.crash())
    expect([...visible(after).keys()].sort()).toEqual(['early', 'last', 'later', 'meanwhile'])
  })

  /** Opens the shard as it is on disk, and counts id lookups in its segments. */
  function openCounting(files: MemoryFiles): { shard: Shard; lookups: number } {
    const findId = vi.spyOn(SegmentReader.prototype, 'findId')
    try {
      return { shard: open(files), lookups: findId.mock.calls.length }
    } finally {
      findId.mockRestore()
    }
  }

  it('replays new ids without reading the ids of segments', async () => {
    const files = new MemoryFiles()
    const before = open(files)
    put(before, 'a', '1')
    await before.flush()
    put(before, 'b', '2')
    put(before, 'c', '3')
    remove(before, 'no such')
    await before.commit()
    const { shard, lookups } = openCounting(files.crash())
    expect(lookups).toBe(0)
    expect([...visible(shard).keys()].sort()).toEqual(['a', 'b', 'c'])
    expect(shard.state('no such')).toMatchObject({ isDeleted: true, version: 1 })
  })

  it('replays replaced and deleted documents without reading the ids of segments', async () => {
    const files = new MemoryFiles()
    const before = open(files)
    for (const id of ['a', 'b', 'c', 'd']) put(before, id, '1')
    await before.flush()
    for (const id of ['e', 'c', 'f']) put(before, id, '2')
    await before.flush()
    put(before, 'a', '3')
    put(before, 'a', '4')
    remove(before, 'b')
    put(before, 'b', '5')
    remove(before, 'e')
    put(before, 'c', '6')
    put(before, 'new', '7')
    await before.commit()
    const { shard, lookups } = openCounting(files.crash())
    expect(lookups).toBe(0)
    const expected = { a: '4', b: '5', c: '6', d: '1', f: '2', new: '7' }
    expect(Object.fromEntries([...visible(shard)].sort())).toEqual(expected)
    expect(['a', 'b', 'c', 'd', 'e'].map((id) => shard.state(id)?.version)).toEqual([3, 3, 3, 1, 2])
  })

  it('knows which operations arrived during a flush', async () => {
    const files = new MemoryFiles()
    const writer = new SlowWriter()
    writer.isSlow = true
    const before = open(files, writer.of(files))
    put(before, 'a', '1')
    const begun = writer.begun()
    const flushing = before.flush()
    await begun
    put(before, 'b', '2')
    await before.commit()
    writer.goOn()
    await flushing
    const { shard, lookups } = openCounting(files.crash())
    expect(lookups).toBe(0)
    expect(Object.fromEntries(visible(shard))).toEqual({ a: '1', b: '2' })
    expect(shard.nextSeqNo()).toBe(2)
  })

  it('takes writes while a merge is running', async () => {
    const files = new MemoryFiles()
    let begun = () => {}
    const isUnderWay = new Promise<void>((resolve) => {
      begun = resolve
    })
    let goOn = () => {}
    const mayEnd = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const jobs = async (job: SegmentJob) => {
      runSegmentJob(files, job)
      if (job.kind === 'write') return
      begun()
      await mayEnd
    }
    const shard = open(files, jobs)
    for (const id of ['a', 'b', 'c', 'd', 'e']) {
      put(shard, id, '1')
      await shard.flush()
    }
    const merging = shard.merge(true)
    await isUnderWay
    put(shard, 'a', '2')
    remove(shard, 'b')
    await shard.commit()
    shard.refresh()
    put(shard, 'c', '3')
    remove(shard, 'd')
    await shard.flush()
    put(shard, 'e', '4')
    goOn()
    expect(await merging).toBe(true)
    const expected = new Map([
      ['a', '2'],
      ['c', '3'],
      ['e', '4'],
    ])
    expect(visible(shard)).toEqual(expected)
    await shard.commit()
    expect(visible(open(files.crash()))).toEqual(expected)
    await shard.close()
    expect(files.list('shard').filter((name) => name.endsWith('.tmp'))).toEqual([])
    expect(visible(open(files))).toEqual(expected)
  })

  it('opens after a crash at any moment of a flush', async () => {
    for (let operations = 0; operations < 14; operations++) {
      const files = new MemoryFiles()
      const shard = open(files)
      for (let i = 0; i < 5; i++) put(shard, `${i}`, 'a')
      await shard.flush()
      remove(shard, '1')
      put(shard, '2', 'b')
      put(shard, '9', 'c')
      await shard.commit()
      files.operationsLeft = operations
      await shard.flush().catch(() => undefined)
      const after = open(files.crash())
      expect(visible(after)).toEqual(
        new Map([
          ['0', 'a'],
          ['2', 'b'],
          ['3', 'a'],
          ['4', 'a'],
          ['9', 'c'],
        ]),
      )
    }
  })

  it('reports damage in the middle of the log', async () => {
    const files = new MemoryFiles()
    const shard = open(files)
    for (const id of ['1', '2', '3']) {
      put(shard, id, 'a')
      await shard.commit()
    }
    const log = files.read('shard/wal-0.log')
    log[12]! ^= 1
    files.write('shard/wal-0.log', [log])
    expect(() => open(files)).toThrow('damaged at byte 0')
  })
})
