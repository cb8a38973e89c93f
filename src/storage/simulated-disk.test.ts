import { describe, expect, it } from 'vitest'
import { SimulatedDisk, seededRandom } from './simulated-disk.ts'

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString()

function disk(): SimulatedDisk {
  const made = new SimulatedDisk()
  made.makeDirectory('d')
  return made
}

describe('the simulated disk', () => {
  it('keeps what was synced under a synced name, whatever the power cut does', async () => {
    const files = disk()
    const log = files.openAppend('d/log')
    files.syncDirectory('d')
    log.append([Buffer.from('safe')])
    await log.sync()
    log.append([Buffer.from('lost?')])
    const found = new Set<string>()
    for (let seed = 0; seed < 200; seed++) {
      const after = text(files.powerCut(seededRandom(seed)).read('d/log'))
      expect(after.startsWith('safe'), `seed ${seed}`).toBe(true)
      found.add(after)
    }
    expect(found.has('safe')).toBe(true)
    expect(found.has('safelost?')).toBe(true)
    expect(found.size).toBeGreaterThan(3)
  })

  it('may lose a name, a rename or a removal that was not synced, and tells all of them after a kill', () => {
    const files = disk()
    files.write('d/old', [Buffer.from('1')])
    files.syncDirectory('d')
    files.write('d/new', [Buffer.from('2')])
    files.rename('d/new', 'd/old')
    const after = new Set<string>()
    for (let seed = 0; seed < 100; seed++) {
      const left = files.powerCut(seededRandom(seed))
      after.add(
        left
          .paths()
          .map((path) => `${path}=${text(left.read(path))}`)
          .join(),
      )
    }
    expect([...after].sort()).toEqual(
      ['d/old=1', 'd/old=1,d/new=2', 'd/old=2'].map((one) => one.split(',').sort().join()).sort(),
    )
    expect(text(files.copy().read('d/old'))).toBe('2')
  })

  it('does not take a later fsync for proof of what an earlier one failed to write', async () => {
    const files = disk()
    const log = files.openAppend('d/log')
    files.syncDirectory('d')
    log.append([Buffer.from('abcd')])
    let isBroken = true
    files.fault = ({ kind }) => (kind === 'sync' && isBroken ? 'EIO' : undefined)
    await expect(log.sync()).rejects.toThrow('EIO')
    isBroken = false
    await log.sync()
    const found = [0, 1, 2, 3, 4, 5, 6, 7].map((seed) =>
      text(files.powerCut(seededRandom(seed)).read('d/log')),
    )
    expect(found.some((one) => one !== 'abcd')).toBe(true)
  })

  it('is full when its capacity is used, writes what fits, and has room again after a removal', () => {
    const files = disk()
    files.capacity = 10
    files.write('d/a', [Buffer.from('123456')])
    expect(() => files.write('d/b', [Buffer.from('7890abc')])).toThrow('ENOSPC: no space left on device')
    expect(text(files.read('d/b'))).toBe('7890')
    expect(files.space().available).toBe(0)
    files.remove('d/a')
    expect(files.space()).toEqual({ total: 10, available: 6 })
  })
})
