/**
 * The store on a simulated disk: random writes, flushes, merges, refreshes; calls that fail (ENOSPC, EIO), kills and
 * power cuts with torn, lost and reordered writes at any call. After each, what was acknowledged is there, what was
 * refused is not, and everything is readable. `CRASH_RUNS` sets how many crashes there are, `CRASH_SEED` which.
 */
import { describe, expect, it } from 'vitest'
import { type ParsedFields, Shard, type ShardOptions } from '../../src/search/shard/shard.ts'
import { type DiskError, type Random, SimulatedDisk, seededRandom } from '../../src/storage/simulated-disk.ts'

const runs = Number(process.env['CRASH_RUNS'] ?? 10_000)
const seed = Number(process.env['CRASH_SEED'] ?? Date.now() % 2 ** 31)
/** Seeds that failed once. */
const regressions: readonly number[] = []

const keyword = { index: 'docs', norms: false, ordinals: true } as const

const parse = (_id: string, source: Uint8Array): ParsedFields => {
  const { v } = JSON.parse(Buffer.from(source).toString()) as { v: string }
  return { fields: new Map([['v', { spec: keyword, terms: [v] }]]), nested: [] }
}

const optionsOn = (files: SimulatedDisk): ShardOptions => ({
  files,
  directory: 's/0',
  index: 'i',
  shard: 0,
  parse,
})

/** What may be in the shard of each id: one value, or several where nobody knows. */
type Model = Map<string, Set<string | undefined>>

class Run {
  disk = new SimulatedDisk()
  shard: Shard
  readonly #random: Random
  isCommitting = false
  #next = 0
  /** Acknowledged: exactly this is there. */
  #acked = new Map<string, string>()
  /** Taken since, neither acknowledged nor refused. */
  #open = new Map<string, string | undefined>()

  constructor(random: Random) {
    this.#random = random
    this.disk.makeDirectory('s/0')
    this.shard = Shard.create(optionsOn(this.disk))
  }

  async step(): Promise<void> {
    const dice = this.#random()
    if (dice < 0.55) this.#change()
    else if (dice < 0.75) await this.#commit()
    else if (dice < 0.83) this.shard.refresh()
    else if (dice < 0.93) await this.#flush()
    else {
      await this.#commit()
      await this.shard.merge(this.#random() < 0.3)
    }
  }

  #change(): void {
    const id = `d${Math.floor(this.#random() * 8)}`
    const isDeletion = this.#random() < 0.2
    const v = `v${this.#next++}${'x'.repeat(this.#random() < 0.1 ? 700 : 0)}`
    const source = Buffer.from(isDeletion ? '' : JSON.stringify({ v }))
    const head = { id, routing: undefined, seqNo: this.shard.nextSeqNo(), primaryTerm: 1, source }
    const version = (this.shard.state(id)?.version ?? 0) + 1
    if (isDeletion) this.shard.delete({ ...head, kind: 'delete', version })
    else this.shard.add({ ...head, kind: 'index', version }, parse(id, source))
    this.#open.set(id, isDeletion ? undefined : v)
  }

  async #commit(): Promise<void> {
    this.isCommitting = true
    await this.shard.commit()
    this.isCommitting = false
    this.#settle()
  }

  #settle(): void {
    for (const [id, v] of this.#open) {
      if (v === undefined) this.#acked.delete(id)
      else this.#acked.set(id, v)
    }
    this.#open.clear()
  }

  async #flush(): Promise<void> {
    await this.shard.flush()
    this.#settle()
  }

  /** What a start may find: of ids that were being written, what they had or what they were to get. */
  expected(isRefused: boolean): Model {
    const model: Model = new Map([...this.#acked].map(([id, v]) => [id, new Set([v])]))
    if (isRefused) return model
    for (const [id, v] of this.#open) {
      const known = model.get(id) ?? new Set([undefined])
      model.set(id, known.add(v))
    }
    return model
  }

  /** Goes on with what the disk has. */
  restart(disk: SimulatedDisk): void {
    this.disk = disk
    this.shard = Shard.open(optionsOn(disk))
    this.#acked = this.found()
    this.#open.clear()
    this.isCommitting = false
  }

  found(): Map<string, string> {
    const found = new Map<string, string>()
    for (const { segment, live } of this.shard.reader().leaves) {
      for (let doc = 0; doc < segment.docCount; doc++) {
        if (live?.has(doc) === false) continue
        const { v } = JSON.parse(Buffer.from(segment.source(doc)).toString()) as { v: string }
        const field = segment.fields.get('v')!
        expect(field.terms!.term(field.ordinals!.values[doc]! - 1)).toBe(v)
        expect(found.has(segment.id(doc)), `${segment.id(doc)} twice`).toBe(false)
        found.set(segment.id(doc), v)
      }
    }
    return found
  }
}

function check(found: ReadonlyMap<string, string>, model: Model, place: string): void {
  for (const [id, values] of model) expect([...values], `${place}: ${id}`).toContain(found.get(id))
  for (const id of found.keys()) expect(model.has(id), `${place}: ${id} came from nowhere`).toBe(true)
}

/** One shard that crashes a few times; answers how often. */
async function crashes(start: number, forget?: (disk: SimulatedDisk) => void): Promise<number> {
  const random = seededRandom(start)
  const run = new Run(random)
  let count = 0
  for (let round = 0; round < 5; round++) {
    forget?.(run.disk)
    const kind = random()
    const failsAt = run.disk.calls + Math.floor(random() * 60)
    const code: DiskError = random() < 0.5 ? 'ENOSPC' : 'EIO'
    // One call that fails, or all from there on.
    const isOnce = random() < 0.5
    if (kind < 0.6) {
      run.disk.fault = ({ number, kind: call }) =>
        call !== 'read' && (isOnce ? number === failsAt : number >= failsAt) ? code : undefined
    }
    let isRefused = false
    try {
      for (let i = 0; i < 24; i++) await run.step()
    } catch (error) {
      if ((error as { code?: string }).code !== code) throw error
      // A disk that takes nothing more does not take back either what was written before.
      isRefused = isOnce && run.isCommitting
    }
    const { disk } = run
    disk.fault = undefined
    // A process that is killed leaves all that it wrote; what was refused has to be gone even so.
    const model = run.expected(isRefused)
    await run.shard.abandon()
    try {
      run.restart(random() < 0.4 ? disk.copy() : disk.powerCut(random))
    } catch (error) {
      throw new Error(`seed ${start} round ${round}: ${(error as Error).message}`, { cause: error })
    }
    check(run.found(), model, `seed ${start} round ${round}`)
    count++
  }
  // What is not let go stays among the buffers of the thread.
  await run.shard.abandon()
  return count
}

describe('a shard on a disk that fails', () => {
  it(
    'keeps what was acknowledged and nothing that was refused, through every crash',
    async () => {
      for (const known of regressions) await crashes(known)
      for (let done = 0, next = seed; done < runs; next++) done += await crashes(next)
    },
    Math.max(600_000, 60 * runs),
  )

  it('is seen to lose documents when an fsync is left out on purpose', async () => {
    const forget = (disk: SimulatedDisk) => {
      const { openAppend } = disk
      disk.openAppend = (path) => {
        const file = openAppend.call(disk, path)
        return {
          ...file,
          append: file.append,
          truncate: file.truncate,
          close: file.close,
          sync: async () => {},
          get size() {
            return file.size
          },
        }
      }
    }
    const lost: string[] = []
    for (let next = 1; next <= 200 && lost.length === 0; next++)
      await crashes(next, forget).catch((error: Error) => void lost.push(error.message))
    expect(lost.join()).toMatch(/seed|damaged|missing/)
  }, 300_000)
})
