/**
 * Damage of any one file of a store: a flipped bit, a file that was cut off, one that is gone. Each time every answer is
 * either exactly the right one or a refusal that names the file, and the index that is not affected answers as before.
 * `STORE_FLIPS` sets how many bits are flipped, `STORE_SEED` which.
 */
import { describe, expect, it } from 'vitest'
import { type SimulatedDisk, seededRandom } from '../../src/storage/simulated-disk.ts'
import { answersOf, drop, makeStore, openStore, refused } from './small-store.ts'

const flips = Number(process.env['STORE_FLIPS'] ?? 600)
const seed = Number(process.env['STORE_SEED'] ?? Date.now() % 2 ** 31)

type Answers = Record<string, string>

async function answersOn(disk: SimulatedDisk): Promise<{ one: Answers; two: Answers; reports: string[] }> {
  const store = openStore(disk)
  const answers = {
    one: await answersOf(store, 'one'),
    two: await answersOf(store, 'two'),
    reports: store.reports,
  }
  drop(store)
  // Its timers would hold every store of a long run; the disk is thrown away, so what closing writes does not matter.
  await store.cluster.close().catch(() => {})
  return answers
}

/** A partial answer says in itself which shard is missing. */
const failedShards = /"failed":[1-9]/

/** What is wrong with the answers of a damaged store; undefined when nothing is. */
async function problemOn(disk: SimulatedDisk, path: string, right: { one: Answers; two: Answers }) {
  let seen: { one: Answers; two: Answers; reports: string[] }
  try {
    seen = await answersOn(disk)
  } catch (error) {
    const { message } = error as Error
    return message.includes(path) ? undefined : `the store refused without naming ${path}: ${message}`
  }
  for (const index of ['one', 'two'] as const) {
    for (const [name, answer] of Object.entries(seen[index])) {
      if (answer === right[index][name]) continue
      const isRefusal = answer.startsWith(refused) || failedShards.test(answer)
      if (!isRefusal) return `${index} ${name}: a silent difference`
      if (!answer.includes(path)) return `${index} ${name}: refused without naming ${path}: ${answer}`
      if (!answer.includes('millrace store check')) return `${index} ${name}: no word of what to do`
    }
  }
  const affected = (['one', 'two'] as const).filter((index) =>
    Object.values(seen[index]).some((answer) => answer.startsWith(refused) || failedShards.test(answer)),
  )
  return affected.length > 1 ? `both indices refuse` : undefined
}

describe('a damaged store', () => {
  it(
    'gives the right answers or names the file when any one bit is flipped',
    async () => {
      const disk = await makeStore()
      const right = await answersOn(disk.copy())
      expect(Object.values(right.one).filter((answer) => answer.startsWith(refused))).toEqual([])
      const random = seededRandom(seed)
      const paths = disk.paths()
      const kinds = new Set(paths.map((path) => /[^/]*$/.exec(path)![0].replace(/\d+/g, 'N')))
      expect([...kinds].sort()).toEqual([
        'MANIFEST',
        'cluster-state-N.json',
        'sN-N.live',
        'sN.seg',
        'wal-N.ckp',
        'wal-N.log',
      ])
      const problems: string[] = []
      for (let i = 0; i < flips && problems.length < 5; i++) {
        // Every file as often as any other, however large it is.
        const path = paths[i % paths.length]!
        const bit = Math.floor(random() * disk.sizeOf(path) * 8)
        const damaged = disk.copy()
        damaged.flipBit(path, bit)
        const problem = await problemOn(damaged, path, right)
        if (problem !== undefined) problems.push(`${path} bit ${bit}: ${problem}`)
      }
      expect(problems, `seed ${seed}`).toEqual([])
    },
    Math.max(900_000, 300 * flips),
  )

  it('gives the right answers or names the file when any one file was cut off', async () => {
    const disk = await makeStore()
    const right = await answersOn(disk.copy())
    const random = seededRandom(seed)
    const problems: string[] = []
    for (const path of disk.paths()) {
      const size = disk.sizeOf(path)
      const lengths = new Set([
        0,
        1,
        size - 1,
        ...Array.from({ length: 6 }, () => Math.floor(random() * size)),
      ])
      for (const length of lengths) {
        const damaged = disk.copy()
        damaged.cutTo(path, length)
        const problem = await problemOn(damaged, path, right)
        if (problem !== undefined) problems.push(`${path} cut to ${length}: ${problem}`)
      }
    }
    expect(problems, `seed ${seed}`).toEqual([])
  }, 1_200_000)

  it('gives the right answers or names the file when any one file or folder is gone', async () => {
    const disk = await makeStore()
    const right = await answersOn(disk.copy())
    const folders = new Set(disk.paths().map((path) => path.slice(0, path.lastIndexOf('/'))))
    for (const folder of [...folders]) folders.add(folder.slice(0, folder.lastIndexOf('/')))
    folders.delete('store')
    folders.delete('')
    const problems: string[] = []
    for (const path of [...disk.paths(), ...folders]) {
      const damaged = disk.copy()
      damaged.lose(path)
      const isAll = path === 'store/indices'
      const problem = await problemOn(damaged, path, right)
      if (problem !== undefined && !(isAll && problem === 'both indices refuse'))
        problems.push(`${path} gone: ${problem}`)
    }
    expect(problems).toEqual([])
  }, 1_200_000)

  it('leaves files alone that a newer version wrote', async () => {
    const disk = await makeStore()
    const path = disk.paths().find((one) => one.endsWith('MANIFEST'))!
    const text = Buffer.from(disk.read(path)).toString()
    expect(text.startsWith('millrace manifest 2 ')).toBe(true)
    const { checkedBytes } = await import('../../src/storage/checked-file.ts')
    const body = Buffer.from(text.slice(text.indexOf('\n') + 1))
    disk.write(path, checkedBytes({ name: 'manifest', version: 3, firstRead: 3 }, body))
    const before = disk.paths().map((one) => [one, Buffer.from(disk.read(one)).toString('base64')])
    const store = openStore(disk)
    await answersOf(store, 'one')
    drop(store)
    await store.cluster.close()
    const folder = path.slice(0, path.lastIndexOf('/'))
    const inFolder = (pairs: string[][]) => pairs.filter(([one]) => one!.startsWith(folder))
    const after = disk.paths().map((one) => [one, Buffer.from(disk.read(one)).toString('base64')])
    expect(inFolder(after)).toEqual(inFolder(before))
    expect(store.reports.join('\n')).toContain('was written by a newer version of the program')
  })
})
