/** Thousands of crashes on a simulated disk. A seed that once failed stays in the list for ever. */
import { describe, expect, it } from 'vitest'
import type { Files, RandomFile } from '../../storage/files.ts'
import type { SimulatedDisk } from '../../storage/simulated-disk.ts'
import { Broken, type LifeOptions, liveThrough } from './test-crashes.ts'

const failedOnce: readonly number[] = [1064, 1262, 100_004, 100_189, 100_524, 200_002, 200_009]
const crashesEach = 4

async function crashes(from: number, lives: number, options: Omit<LifeOptions, 'crashes'>): Promise<number> {
  let count = 0
  for (let seed = from; seed < from + lives; seed++)
    count += await liveThrough(seed, { crashes: crashesEach, ...options })
  return count
}

/** How many of so many lives lose something. */
async function broken(lives: number, options: Omit<LifeOptions, 'crashes'>): Promise<number> {
  let count = 0
  for (let seed = 0; seed < lives; seed++) {
    try {
      await liveThrough(seed, { crashes: crashesEach, ...options })
    } catch (error) {
      if (!(error instanceof Broken)) throw error
      count += 1
    }
  }
  return count
}

/** A disk on which one kind of sync does nothing: what the tests below have to find. */
function without(what: 'page' | 'checkpoint' | 'directory'): (disk: SimulatedDisk) => Files {
  return (disk) =>
    new Proxy<Files>(disk, {
      get(target, name) {
        if (name === 'syncDirectory' && what === 'directory') return () => {}
        if (name === 'openRandom')
          return (path: string) => {
            const file = disk.openRandom(path)
            if (!path.includes(`.${what}.`)) return file
            return new Proxy<RandomFile>(file, {
              get: (inner, key) => (key === 'sync' ? async () => {} : bound(inner, key)),
            })
          }
        return bound(target, name)
      },
    })
}

function bound(target: object, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name, target)
  return typeof value === 'function' ? value.bind(target) : value
}

describe('a queue through simulated crashes', () => {
  it('keeps every promise through seeds that failed once', async () => {
    for (const seed of failedOnce) await liveThrough(seed, { crashes: crashesEach, withFaults: true })
    expect(await crashes(1, 5, {})).toBe(20)
  })

  it('keeps every promise through 11,000 crashes with torn, lost and reordered writes', async () => {
    expect(await crashes(1_000, 2_750, {})).toBe(11_000)
  })

  it('keeps every promise through 8,000 crashes with full disks and failing calls besides', async () => {
    expect(await crashes(100_000, 2_000, { withFaults: true })).toBe(8_000)
  })

  it('keeps every promise through 1,000 crashes with large records, compression and little memory', async () => {
    const settings = { recentBytes: 200, compression: 'speed' as const, checkpointAcks: 1 }
    expect(await crashes(200_000, 250, { settings, padding: 150 })).toBe(1_000)
  })

  it('keeps every promise through 2,000 crashes with files of pages that are used again', async () => {
    let reused = 0
    const through = (disk: SimulatedDisk): Files =>
      new Proxy<Files>(disk, {
        get: (target, name) =>
          name !== 'rename'
            ? bound(target, name)
            : (from: string, to: string) => {
                if (from.endsWith('.spare')) reused += 1
                disk.rename(from, to)
              },
      })
    // A page ends after a few records, whatever came before is acknowledged soon, and lives are long.
    const settings = { pageCapacity: 200, checkpointAcks: 1 }
    const options = { through, settings, maxCalls: 400 }
    expect(await crashes(300_000, 350, options)).toBe(1_400)
    // Who cannot read the last checkpoint, with a torn mark besides, takes pages that were released since for missing.
    expect(await crashes(310_000, 150, { ...options, withFaults: 'writes' })).toBe(600)
    expect(reused).toBeGreaterThan(500)
  })

  it.each(['page', 'directory', 'checkpoint'] as const)(
    'would find a missing fsync of the %s',
    async (what) => {
      expect(await broken(150, { through: without(what), settings: { checkpointAcks: 2 } })).toBeGreaterThan(
        0,
      )
    },
  )
})
