/**
 * Power cuts under load: the program writes on a disk whose image is cloned again and again, and a node is started from
 * each clone. Whatever was acknowledged before a clone began is in its store, once. Some clones are cut again while they
 * recover, and some runs go on from a clone instead of from an empty disk. The same rounds with one fsync left out on
 * purpose have to notice that.
 *
 * MILLRACE_CUTS (300) and MILLRACE_SEED change a run.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seededRandom } from '../../../src/storage/simulated-disk.ts'
import { freePort } from '../../support/millrace.ts'
import { type CutNode, startWriter, verifyImage } from './cut-node.ts'
import { type FileSystem, fileSystems, PowerDisk, unavailable } from './power-disk.ts'

const wantedCuts = Number(process.env['MILLRACE_CUTS'] ?? 300)
const seed = Number(process.env['MILLRACE_SEED'] ?? Date.now() % 1e9)
const random = seededRandom(seed)
const cutsOfARound = 10
/** Cuts that a run without a sync may take to notice it. */
const maxUnnoticed = 100
const missing = unavailable()

interface Totals {
  cuts: number
  /** Events known to be acknowledged, added up over all images. */
  acknowledged: number
  documents: number
  lost: number
  twice: number
  /** What a node said of its own damage. */
  complaints: string[]
}

const newTotals = (): Totals => ({
  cuts: 0,
  acknowledged: 0,
  documents: 0,
  lost: 0,
  twice: 0,
  complaints: [],
})

const isClean = ({ lost, twice, complaints }: Totals) => lost === 0 && twice === 0 && complaints.length === 0

/** An image, and what had been acknowledged when it was made. */
interface Cut {
  readonly image: string
  readonly acknowledged: readonly number[]
}

let disk: PowerDisk
let library = ''
let noLibrary: string | undefined
let port = 0
const folder = mkdtempSync(join(tmpdir(), 'millrace-skipped-sync-'))

beforeAll(async () => {
  if (missing !== undefined) return
  disk = new PowerDisk()
  port = await freePort()
  library = join(folder, 'skipped-sync.so')
  const source = fileURLToPath(new URL('./skipped-sync.c', import.meta.url))
  const { status, stderr } = spawnSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl'])
  if (status !== 0) noLibrary = `needs a C compiler: ${stderr?.toString() ?? 'no cc'}`
})
afterAll(() => {
  disk?.remove()
  rmSync(folder, { recursive: true, force: true })
})

async function between(from: number, to: number): Promise<void> {
  await wait(from + random() * (to - from))
}

/** Cuts under load, from an image on. */
async function underLoad(
  system: FileSystem,
  from: Cut,
  cuts: number,
  omission: Omission | undefined,
): Promise<Cut[]> {
  const mounted = disk.attach(from.image, system)
  const taken: Cut[] = []
  let writer: CutNode | undefined
  try {
    writer = await startWriter({
      folder: mounted,
      port,
      random,
      acknowledged: from.acknowledged,
      // A pipeline that is slower than its senders has most events in its queue, a fast one in its store.
      isSlow: omission?.isSlow ?? random() < 0.5,
      ...(omission !== undefined && { env: { LD_PRELOAD: library, SKIPPED_SYNC: omission.pattern } }),
    })
    while (taken.length < cuts) {
      // The first falls anywhere into the start.
      if (taken.length === 1) await writer.answered
      await between(5, taken.length === 0 ? 3000 : 400)
      const acknowledged = writer.acknowledged.slice()
      taken.push({ image: await disk.cut(from.image), acknowledged })
    }
  } finally {
    await writer?.stop()
    disk.detach(mounted)
  }
  return taken
}

/** Starts a node from an image, perhaps cuts it once more meanwhile, and compares. */
async function compare(system: FileSystem, cut: Cut, totals: Totals): Promise<Cut> {
  let current = cut
  for (let isSecond = false; ; isSecond = true) {
    const mounted = disk.attach(current.image, system)
    try {
      if (!isSecond && random() < 0.3) {
        const again = await verifyImage.interrupted(mounted, port, async () => {
          await between(0, 1200)
          return disk.cut(current.image)
        })
        totals.cuts += 1
        await disk.drop(current.image)
        current = { ...cut, image: again }
        continue
      }
      const { documents, isComplete, complaints } = await verifyImage(mounted, port)
      for (const complaint of complaints) console.log(complaint)
      const found = new Set(documents)
      totals.cuts += 1
      totals.acknowledged += cut.acknowledged.length
      totals.documents += documents.length
      if (isComplete) totals.lost += cut.acknowledged.filter((seq) => !found.has(seq)).length
      totals.twice += documents.length - found.size
      totals.complaints.push(...complaints)
      return current
    } finally {
      disk.detach(mounted)
    }
  }
}

/** Of what is left out, and how the pipeline runs meanwhile. */
interface Omission {
  readonly what: string
  readonly pattern: string
  readonly isSlow: boolean
}

async function cutPower(
  cuts: number,
  totals: Totals,
  until: () => boolean,
  omission?: Omission,
): Promise<void> {
  // The journal of ext4 takes along much that nobody synced.
  const systems = omission === undefined ? fileSystems : fileSystems.toReversed()
  let chain: Cut | undefined
  for (let round = 0; totals.cuts < cuts && !until(); round++) {
    const system = systems[Math.floor(round / 2) % systems.length]!
    const from = chain ?? { image: disk.image(system), acknowledged: [] }
    chain = undefined
    const taken = await underLoad(system, from, Math.min(cutsOfARound, cuts - totals.cuts), omission)
    await disk.drop(from.image)
    for (const [at, cut] of taken.entries()) {
      if (totals.cuts >= cuts || until()) await disk.drop(cut.image)
      else {
        const compared = await compare(system, cut, totals)
        // The next round of the same file system goes on from the last image.
        if (at === taken.length - 1 && round % 2 === 0) chain = compared
        else await disk.drop(compared.image)
      }
    }
    console.log(`${system.name}: ${summary(totals)}`)
  }
}

const summary = ({ cuts, acknowledged, documents, lost, twice, complaints }: Totals) =>
  `${cuts} power cuts, ${acknowledged} acknowledged events looked for, ${documents} documents found, ` +
  `${lost} lost, ${twice} twice, ${complaints.length} complaints`

describe.skipIf(missing !== undefined)('power cuts', () => {
  it(
    `loses nothing acknowledged and stores nothing twice in ${wantedCuts} of them`,
    async () => {
      const totals = newTotals()
      await cutPower(wantedCuts, totals, () => !isClean(totals))
      console.log(`total, seed ${seed}: ${summary(totals)}`)
      expect({ ...totals, complaints: totals.complaints.slice(0, 5) }, `seed ${seed}`).toMatchObject({
        lost: 0,
        twice: 0,
        complaints: [],
      })
      expect(totals.acknowledged).toBeGreaterThan(totals.cuts * 10)
    },
    60_000 + wantedCuts * 60_000,
  )

  const omissions: Omission[] = [
    { what: 'pages of the queue', pattern: '*/queue/main/millrace.page.*', isSlow: true },
    { what: 'the log of the store', pattern: '*/wal-*.log', isSlow: false },
  ]
  it.each(omissions)(
    'notices that the syncs of $what are left out',
    async (omission) => {
      expect(noLibrary).toBeUndefined()
      const totals = newTotals()
      await cutPower(maxUnnoticed, totals, () => !isClean(totals), omission)
      console.log(`without the syncs of ${omission.what}: ${summary(totals)}`)
      expect(totals.lost).toBeGreaterThan(0)
    },
    60_000 + maxUnnoticed * 60_000,
  )
})

if (missing !== undefined) console.log(`skipped: power cuts (${missing})`)
