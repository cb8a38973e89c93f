import { setTimeout as wait } from 'node:timers/promises'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MemoryFiles } from '../storage/memory-files.ts'
import { abandon, migrate } from './migration.ts'
import { stateName } from './migration-state.ts'
import { migrated, startEnds, type TestEnd, testRun } from './testing.ts'

let ends: Awaited<ReturnType<typeof startEnds>>
let from: TestEnd
let to: TestEnd

beforeEach(async () => {
  ends = await startEnds()
  ;({ from, to } = ends)
})

afterEach(() => ends.stop())

async function fill(index: string, count: number): Promise<void> {
  await from.ask('PUT', `/${index}`, { settings: { number_of_shards: 2 } })
  await from.bulk(
    Array.from({ length: count }, (_, n) => [
      { index: { _index: index, _id: `d${n}`, routing: `r${n % 7}` } },
      { n },
    ]).flat(),
  )
}

interface Write {
  readonly id: number
  readonly kind: 'index' | 'delete' | 'anew'
}

async function apply(writes: readonly Write[], index: string, pause = 0): Promise<void> {
  for (const { id, kind } of writes) {
    await wait(pause)
    const place = { _index: index, _id: `d${id}`, routing: `r${id % 7}` }
    try {
      if (kind !== 'index') await from.bulk([{ delete: place }])
      // Where tombstones are forgotten, the version begins anew after a refresh.
      if (kind === 'anew') await from.ask('POST', `/${index}/_refresh`)
      if (kind !== 'delete') await from.bulk([{ index: place }, { id, at: Math.random() }])
    } catch {
      // The source is blocked for a moment, as a client would find it.
    }
  }
}

const writes = fc.array(
  fc.record({
    id: fc.integer({ min: 0, max: 400 }),
    kind: fc.constantFrom<Write['kind']>('index', 'index', 'delete', 'anew'),
  }),
  { minLength: 1, maxLength: 60 },
)

describe('writes that go on during the migration', () => {
  it('are all at the target', async () => {
    let round = 0
    await fc.assert(
      fc.asyncProperty(writes, fc.integer({ min: 1, max: 4 }), fc.boolean(), async (some, workers, hasGc) => {
        const index = `w${round++}`
        await fill(index, 300)
        // Without tombstones a document that is written anew begins at version 1.
        if (hasGc) await from.ask('PUT', `/${index}/_settings`, { 'index.gc_deletes': '0s' })
        const going = apply(some, index, 10)
        const { isComplete } = await migrated(from, to, { patterns: [index], workers, keepsSource: false })
        await going
        expect(isComplete).toBe(true)
        expect(await to.contents(index)).toEqual(await from.contents(index))
      }),
      { numRuns: 12 },
    )
  }, 120_000)
})

/** A disk that is gone, and two ends that hear nothing more, from one write of the marks on. */
class KilledFiles extends MemoryFiles {
  left = Number.POSITIVE_INFINITY
  kill: () => void = () => {}

  override write(path: string, pieces: Iterable<Uint8Array>): void {
    if (this.left-- <= 0) {
      this.kill()
      throw new Error('killed')
    }
    super.write(path, pieces)
  }
}

describe('a migration that is killed', () => {
  it('goes on with the next run, wherever that happened', async () => {
    await fill('a', 500)
    let kills = 0
    for (let checkpoint = 0; ; checkpoint++) {
      const files = new KilledFiles()
      files.left = checkpoint
      files.kill = () => {
        for (const end of [from, to]) void end.cutOff()
      }
      const given = { files, checkpointMillis: 0, keepsSource: true }
      const first = await migrate(testRun(from, to, given).options).catch((error: Error) => error)
      if (!(first instanceof Error)) break
      kills += 1
      files.left = Number.POSITIVE_INFINITY
      files.kill = () => {}
      for (const end of [from, to]) await end.reopen()
      await from.ask('PUT', '/a/_settings', { 'index.gc_deletes': '0s' }).catch(() => {})
      await apply(
        [
          { id: checkpoint, kind: 'delete' },
          { id: checkpoint + 100, kind: 'anew' },
          { id: checkpoint + 200, kind: 'index' },
        ],
        'a',
      )
      const { isComplete, told } = await migrated(from, to, given)
      expect({ checkpoint, isComplete, told }).toMatchObject({ isComplete: true })
      expect(await to.contents('a')).toEqual(await from.contents('a'))
      // Nothing of the migration is left at the source.
      await from.ask('PUT', `/a/_doc/after-${checkpoint}`, {})
      await to.ask('DELETE', '/a')
    }
    expect(kills).toBeGreaterThan(5)
  }, 180_000)

  it('while the source was blocked is given up on demand', async () => {
    await fill('a', 20)
    let wasBlocked = false
    for (let checkpoint = 0; !wasBlocked; checkpoint++) {
      const files = new KilledFiles()
      files.left = checkpoint
      files.kill = () => {
        for (const end of [from, to]) void end.cutOff()
      }
      const { options } = testRun(from, to, { files, mayReplace: true })
      const outcome = await migrate(options).catch((error: Error) => error)
      expect(outcome).toBeInstanceOf(Error)
      files.left = Number.POSITIVE_INFINITY
      for (const end of [from, to]) await end.reopen()
      wasBlocked = await from.ask('PUT', '/a/_doc/x', {}).then(
        () => false,
        () => true,
      )
      await abandon({ ...options, source: from.store, target: to.store })
      await from.ask('PUT', '/a/_doc/x', {})
      expect(files.exists(`state/${stateName(from.url, to.url)}`)).toBe(false)
    }
  }, 60_000)
})

describe('a migration that is interrupted', () => {
  it.each(['documents copied', 'documents compared', 'documents are the same'])(
    'after "%s" leaves the source open for writes and goes on with the next run',
    async (moment) => {
      await fill('a', 200)
      const files = new MemoryFiles()
      const { signal, interrupt } = interruption()
      const [source, target] = [from.storeUntil(signal), to.storeUntil(signal)]
      const tell = (line: string) => {
        if (line.includes(moment)) interrupt()
      }
      const { options } = testRun(from, to, { files, source, target, signal, tell })
      await expect(migrate(options)).rejects.toThrow('interrupted')
      await from.bulk([{ index: { _index: 'a', _id: 'after' } }, {}])
      const { isComplete, told } = await migrated(from, to, { files })
      expect(isComplete).toBe(true)
      expect(told[0]).toContain('going on with an earlier run')
      expect(await to.contents('a')).toEqual(await from.contents('a'))
    },
  )
})

function interruption() {
  const controller = new AbortController()
  return { signal: controller.signal, interrupt: () => controller.abort(new Error('interrupted')) }
}
